// SPDX-License-Identifier: Apache-2.0
// Properties of every document, checked on seeded random ones.
#include "tests/core/random_json.hpp"

#include "core/json/read.hpp"
#include "core/json/write.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace countersign::json {
namespace {

constexpr int documents = 5000;

// Every value is inside its parent and after its previous sibling, and parsing its bytes alone gives the same value.
void expect_spans_fit(const std::string& text, const Value& value) {
    const auto [begin, end] = value.span();
    ASSERT_LT(begin, end);
    ASSERT_LE(end, text.size());
    const auto alone = read(std::string_view{text}.substr(begin, end - begin));
    ASSERT_TRUE(alone) << text;
    ASSERT_EQ(alone->value, value);
    auto from = begin;
    const auto expect_child_fits = [&](const Value& child) {
        ASSERT_GT(child.span().begin, from);
        ASSERT_LT(child.span().end, end);
        from = child.span().end;
        expect_spans_fit(text, child);
    };
    if (const auto* array = value.array()) {
        for (const auto& element : *array) expect_child_fits(element);
    } else if (const auto* object = value.object()) {
        for (const auto& member : object->members()) expect_child_fits(member.second);
    }
}

TEST(JsonProperty, CanonicalisingTwiceChangesNothingAndLosesNothing) {
    RandomJson random{1};
    for (int i = 0; i < documents; ++i) {
        const auto text = random.document();
        const auto document = read(text);
        ASSERT_TRUE(document) << text << ": " << describe(document.error());
        const auto once = canonical(document->value);
        const auto again = read(once);
        ASSERT_TRUE(again) << once;
        ASSERT_TRUE(again->exact()) << once;
        ASSERT_EQ(canonical(again->value), once) << text;
    }
}

TEST(JsonProperty, SpansNest) {
    RandomJson random{2};
    for (int i = 0; i < documents; ++i) {
        const auto text = random.document();
        const auto document = read(text);
        ASSERT_TRUE(document) << text;
        expect_spans_fit(text, document->value);
        if (HasFatalFailure()) return;
    }
}

TEST(JsonProperty, MemberOrderDoesNotMatter) {
    RandomJson random{3};
    std::mt19937_64 order{4};
    for (int i = 0; i < documents; ++i) {
        const auto text = random.document();
        auto document = read(text);
        ASSERT_TRUE(document) << text;
        auto* object = document->value.object();
        if (object == nullptr || !document->exact()) continue;
        const auto before = canonical(document->value);
        std::ranges::shuffle(object->members(), order);
        ASSERT_EQ(canonical(document->value), before) << text;
    }
}

TEST(JsonProperty, ReadyMembersAreWrittenInTheOrderOfTheirNames) {
    RandomJson random{5};
    int objects = 0;
    for (int i = 0; i < documents; ++i) {
        const auto text = random.document();
        const auto document = read(text);
        ASSERT_TRUE(document) << text;
        const auto* object = document->value.object();
        if (object == nullptr) continue;
        ++objects;
        auto all = *object;
        std::vector<ReadyMember> more{{"seq", "7"}, {"aLongerNameThanEight", R"("x")"}, {"", "null"}};
        all.add("seq", 7);
        all.add("aLongerNameThanEight", "x");
        all.add("", nullptr);
        if (!object->members().empty()) {
            const auto& name = object->members().front().first;
            if (std::ranges::all_of(name, [](char c) { return c >= 'a' && c <= 'z'; })) {
                more.push_back({name, "true"});
                all.add(name, true);
            }
        }
        const auto written = canonical(*object, more);
        ASSERT_EQ(written, canonical(all)) << text;
        ASSERT_EQ(written.substr(more[0].at, 1), "7") << "it is said where they stand";
        ASSERT_EQ(written.substr(more[1].at - 23, 26), R"("aLongerNameThanEight":"x")");
    }
    EXPECT_GT(objects, documents / 10);
}

// Few and many members are sorted by different algorithms.
TEST(JsonProperty, AnyNumberOfMembersIsInTheOrderOfTheirNames) {
    std::mt19937_64 random{6};
    for (std::size_t count = 0; count < 60; ++count) {
        Object object;
        std::map<std::string, std::size_t> last;
        for (std::size_t i = 0; i < count; ++i) {
            std::string name = random() % 2 == 0 ? "decision" : "";  // as long as the part that is compared first
            for (auto more = random() % 4; more > 0; --more) name += static_cast<char>('a' + random() % 3);
            object.add(name, i);
            last[name] = i;
        }
        std::string expected;
        for (const auto& [name, i] : last) {
            expected += (expected.empty() ? "\"" : ",\"") + name + "\":" + std::to_string(i);
        }
        ASSERT_EQ(canonical(object), "{" + expected + "}");
    }
}

TEST(JsonProperty, APrefixOfAContainerIsMalformed) {
    RandomJson random{5};
    for (int i = 0; i < documents / 10; ++i) {
        const auto text = "[" + random.document() + "]";
        for (std::size_t length = 0; length < text.size(); ++length) {
            const auto cut = read(std::string_view{text}.substr(0, length));
            ASSERT_FALSE(cut) << text.substr(0, length);
            ASSERT_EQ(cut.error().code, Errc::malformed);
        }
    }
}

}  // namespace
}  // namespace countersign::json
