// SPDX-License-Identifier: Apache-2.0
#include "tests/lint/class_size.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

namespace countersign::lint {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

constexpr std::size_t functions_max = 45;
constexpr std::size_t functions_aim = 40;

TEST(ClassSize, NoClassHasTooManyMemberFunctions) {
    const fs::path root{COUNTERSIGN_SOURCE_DIR};
    std::size_t classes = 0;
    for (const auto* folder : {"core", "security", "audit", "net", "runtimes", "channels", "gateway", "app"}) {
        for (const auto& entry : fs::recursive_directory_iterator{root / folder}) {
            if (entry.path().extension() != ".hpp") continue;
            std::ifstream file{entry.path()};
            const auto path = fs::relative(entry.path(), root).generic_string();
            for (const auto& [name, functions] : class_sizes(std::string{std::istreambuf_iterator<char>{file}, {}})) {
                ++classes;
                EXPECT_LE(functions, functions_max) << name << " in " << path << ": give its parts their own state";
                if (functions > functions_aim) std::cout << path << ": " << name << " has " << functions << '\n';
            }
        }
    }
    EXPECT_GT(classes, 300U) << "the headers were not found";
}

TEST(ClassSize, OnlyDeclarationsAndDefinitionsAreCounted) {
    EXPECT_THAT(class_sizes(R"(
#define NOT_A(b) { b();
namespace a {
// void no();
enum class Kind { one, two };
void free(int);
class One final : public Base<int> {
public:
    using Make = std::function<int()>;
    explicit One(int x) : x_{x}, y_(x) {}
    ~One();
    One& operator=(const One&);
    friend bool operator==(const One&, const One&) = default;
    friend void no();
    [[nodiscard]] std::map<int, std::function<void()>> declared(char c = '{') const;
    void defined() { if (x_) { free("}"); } }
    boost::asio::awaitable<Result<void>> overridden(std::function<void(int)> f = {}) override { co_return run(f); }
    virtual void pure() = 0;
private:
    struct Inner {
        int a() const;
        int b = 0;
    };
    static int made(int a, int b);
    std::function<void(int)> handler_;
    std::function<bool()> named = {};
    int x_ = free(1), y_{2};
    Inner inner_{{1}, [](int) { return 2; }};
};
class Forward;
}
)"),
                ElementsAre(ClassSize{"Inner", 1}, ClassSize{"One", 5}));
}

TEST(ClassSize, AClassWithOneTooManyIsFound) {
    std::string text = "struct Many {\n";
    for (std::size_t i = 0; i <= functions_max; ++i) text += "    void f" + std::to_string(i) + "();\n";
    EXPECT_THAT(class_sizes(text + "};\n"), ElementsAre(ClassSize{"Many", functions_max + 1}));
}

}  // namespace
}  // namespace countersign::lint
