// SPDX-License-Identifier: Apache-2.0
#include "core/decimal.hpp"
#include "core/json/members.hpp"
#include "core/json/read.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

namespace countersign::json {
namespace {

Object read_object(const std::string& text) { return *read(text)->value.object(); }

TEST(JsonMembers, AMemberOfTheWrongTypeIsTreatedAsAbsent) {
    const auto object = read_object(R"({"text":"a","truth":true,"number":12,"object":{"x":1},"array":[1]})");
    EXPECT_EQ(text_of(object, "text"), "a");
    EXPECT_TRUE(truth_of(object, "truth"));
    EXPECT_EQ(integer_of(object, "number"), 12);
    EXPECT_EQ(find_object(object, "object"), &object_in(object, "object"));
    EXPECT_EQ(find_array(object, "array"), &array_in(object, "array"));
    for (const auto* name : {"text", "truth", "number", "object", "array", "missing"}) {
        const std::string kind{name};
        if (kind != "text") EXPECT_EQ(text_of(object, name), "") << name;
        if (kind != "truth") EXPECT_FALSE(truth_of(object, name)) << name;
        if (kind != "number") EXPECT_EQ(integer_of(object, name), std::nullopt) << name;
        if (kind != "object") EXPECT_EQ(find_object(object, name), nullptr) << name;
        if (kind != "object") EXPECT_TRUE(object_in(object, name).empty()) << name;
        if (kind != "array") EXPECT_EQ(find_array(object, name), nullptr) << name;
        if (kind != "array") EXPECT_TRUE(array_in(object, name).empty()) << name;
    }
    EXPECT_FALSE(truth_of(read_object(R"({"truth":false})"), "truth"));
}

TEST(JsonMembers, AnIntegerMustBeWholeAndInRange) {
    const auto object =
        read_object(R"({"most":9223372036854775807,"more":9223372036854775808,"half":1.5,"power":1e3})");
    EXPECT_EQ(integer_of(object, "most"), std::numeric_limits<std::int64_t>::max());
    for (const auto* name : {"more", "half", "power"}) EXPECT_EQ(integer_of(object, name), std::nullopt) << name;
}

TEST(Decimal, MustBeTheWholeTextAndInRange) {
    EXPECT_EQ(parse_decimal<std::int64_t>("-7"), -7);
    EXPECT_EQ(parse_decimal<std::uint8_t>("255"), 255);
    EXPECT_EQ(parse_decimal<std::uint8_t>("256"), std::nullopt);
    EXPECT_EQ(parse_decimal<unsigned>("-7"), std::nullopt);
    for (const auto* text : {"", "+7", " 7", "7 ", "7a", "0x7", "-"}) {
        EXPECT_EQ(parse_decimal<int>(text), std::nullopt) << text;
    }
}

}  // namespace
}  // namespace countersign::json
