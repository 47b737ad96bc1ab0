// SPDX-License-Identifier: Apache-2.0
#include "security/form.hpp"

#include "core/limits.hpp"

#include <gtest/gtest.h>
#include <string>

namespace countersign::security {
namespace {

using Fields = std::vector<FormField>;

TEST(Form, IsDecodedInOrder) {
    EXPECT_EQ(*parse_form("b=2&a=1&b=3"), (Fields{{"b", "2"}, {"a", "1"}, {"b", "3"}}));
    EXPECT_EQ(*parse_form("From=%2B44+7700&Body=a%3Db%26c%25&x%20y=%c3%a4"),
              (Fields{{"From", "+44 7700"}, {"Body", "a=b&c%"}, {"x y", "\xc3\xa4"}}));
    EXPECT_EQ(*parse_form("a=b=c&d&e="), (Fields{{"a", "b=c"}, {"d", ""}, {"e", ""}}));
    EXPECT_EQ(*parse_form("a=%00")->front().value.c_str(), '\0');
    EXPECT_EQ(parse_form("a=%00")->front().value.size(), 1U);
    EXPECT_TRUE(parse_form("")->empty());
}

TEST(Form, AmbiguousFormsAreRefused) {
    for (const auto* bad :
         {"%", "a=%", "a=%2", "a=%2x", "a=%x2", "a=% 2", "a=%-1", "%zz=1", "&", "a&", "&a", "a&&b", "=", "=v"}) {
        const auto parsed = parse_form(bad);
        ASSERT_FALSE(parsed) << bad;
        EXPECT_EQ(parsed.error().code, Errc::malformed) << bad;
    }
}

TEST(Form, OneFieldOverTheBoundIsRefused) {
    std::string text = "a=1";
    for (std::size_t i = 1; i < limits::form_fields_max; ++i) text += "&a=1";
    EXPECT_EQ(parse_form(text)->size(), limits::form_fields_max);
    EXPECT_EQ(parse_form(text + "&a=1").error().code, Errc::too_large);
}

TEST(Form, ItsTypeIsReadFromTheHeader) {
    for (const auto* yes :
         {"application/x-www-form-urlencoded", "Application/X-WWW-Form-Urlencoded",
          "application/x-www-form-urlencoded; charset=utf-8", "application/x-www-form-urlencoded ;x"}) {
        EXPECT_TRUE(is_form(yes)) << yes;
    }
    for (const auto* no :
         {"", "application/json", "application/x-www-form-urlencodedx", "x application/x-www-form-urlencoded",
          "application/json; application/x-www-form-urlencoded"}) {
        EXPECT_FALSE(is_form(no)) << no;
    }
}

}  // namespace
}  // namespace countersign::security
