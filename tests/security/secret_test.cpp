// SPDX-License-Identifier: Apache-2.0
#include "security/secret.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <ostream>
#include <sstream>
#include <string>
#include <type_traits>

namespace countersign::security {
namespace {

template <class T>
concept Streams = requires(std::ostream& stream, const T& value) { stream << value; };
template <class T>
concept Compares = requires(const T& value) { value == value; };

TEST(Secret, CannotBePrintedComparedOrCopiedByAccident) {
    static_assert(Streams<std::string> && Compares<std::string>);
    static_assert(!Streams<Secret>);
    static_assert(!Compares<Secret>);
    static_assert(!fmt::is_formattable<Secret>::value);
    static_assert(!std::is_copy_constructible_v<Secret> && !std::is_copy_assignable_v<Secret>);
    static_assert(!std::is_convertible_v<Secret, std::string_view> && !std::is_convertible_v<Secret, bool>);
    static_assert(std::is_nothrow_move_constructible_v<Secret> && std::is_nothrow_move_assignable_v<Secret>);
    EXPECT_EQ(testing::PrintToString(Secret{"hunter2hunter2hunter2"}).find("hunter2"), std::string::npos);
}

TEST(Secret, KeepsItsBytesAndMovesThem) {
    Secret one{"tell nobody"};
    EXPECT_EQ(one.reveal(), "tell nobody");
    Secret two{std::move(one)};
    EXPECT_TRUE(one.empty());  // NOLINT(bugprone-use-after-move): that it is empty is the promise
    EXPECT_EQ(one.bytes().size(), 0U);
    EXPECT_EQ(two.reveal(), "tell nobody");
    const Secret three = two.duplicate();
    two = Secret{};
    EXPECT_TRUE(two.empty());
    EXPECT_EQ(three.reveal(), "tell nobody");
}

TEST(Secret, MayBeEmpty) {
    EXPECT_TRUE(Secret{}.empty());
    EXPECT_TRUE(Secret{""}.empty());
    EXPECT_TRUE(Secret::zeroed(0).empty());
    EXPECT_TRUE(Secret::random(0).empty());
    EXPECT_EQ(Secret{}.reveal(), "");
}

TEST(Secret, WipesTheBytesThatAreCutOff) {
    Secret secret{"keep-and-forget"};
    const auto whole = secret.bytes();
    secret.shorten(4);
    EXPECT_EQ(secret.reveal(), "keep");
    EXPECT_TRUE(std::ranges::all_of(whole.subspan(4), [](auto byte) { return byte == 0; }));
    secret.shorten(100);
    EXPECT_EQ(secret.size(), 4U);
    secret.shorten(0);
    EXPECT_TRUE(secret.empty());
}

TEST(Secret, RandomSecretsDiffer) {
    const auto one = Secret::random(32);
    const auto two = Secret::random(32);
    EXPECT_EQ(one.size(), 32U);
    EXPECT_NE(one.reveal(), two.reveal());
}

// The flags that the kernel keeps for the pages at an address, as /proc/self/smaps names them: "dd" is "do not dump".
std::string page_flags_at(std::uintptr_t address) {
    std::ifstream maps{"/proc/self/smaps"};
    bool here = false;
    for (std::string line; std::getline(maps, line);) {
        std::uintptr_t from = 0;
        std::uintptr_t to = 0;
        char dash = 0;
        std::istringstream head{line};
        if (head >> std::hex >> from >> dash >> to && dash == '-') here = from <= address && address < to;
        if (here && line.starts_with("VmFlags:")) return line + ' ';
    }
    return {};
}

TEST(Secret, StaysOutOfCoreDumps) {
    const Secret secret{"not in a core file"};
    const auto flags = page_flags_at(reinterpret_cast<std::uintptr_t>(secret.bytes().data()));
    EXPECT_NE(flags.find(" dd "), std::string::npos) << flags;
    const std::string ordinary(100, 'x');
    EXPECT_EQ(page_flags_at(reinterpret_cast<std::uintptr_t>(ordinary.data())).find(" dd "), std::string::npos);
}

}  // namespace
}  // namespace countersign::security
