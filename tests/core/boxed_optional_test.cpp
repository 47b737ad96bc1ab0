// SPDX-License-Identifier: Apache-2.0
#include "core/boxed_optional.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace countersign {
namespace {

using namespace std::string_literals;

static_assert(sizeof(BoxedOptional<std::string>) == sizeof(void*));

TEST(SeldomTest, IsPresentOrEmpty) {
    BoxedOptional<std::string> value;
    EXPECT_FALSE(value);
    value = "a"s;
    ASSERT_TRUE(value);
    EXPECT_EQ(*value, "a");
    EXPECT_EQ(value->size(), 1U);
    value.reset();
    EXPECT_FALSE(value);
    value = "b"s;
    value = std::nullopt;
    EXPECT_FALSE(value);
}

TEST(SeldomTest, ACopyIsIndependent) {
    BoxedOptional<std::string> value{"a"};
    auto copy = value;
    *copy = "b";
    EXPECT_EQ(*value, "a");
    copy = value;
    EXPECT_EQ(*copy, "a");
    const auto& self = copy;
    copy = self;
    EXPECT_EQ(*copy, "a");
    copy = BoxedOptional<std::string>{};
    EXPECT_FALSE(copy);
}

TEST(SeldomTest, AnExchangedValueIsNoLongerThere) {
    BoxedOptional<std::string> value{"a"};
    EXPECT_EQ(*std::exchange(value, std::nullopt), "a");
    EXPECT_FALSE(value);
}

}  // namespace
}  // namespace countersign
