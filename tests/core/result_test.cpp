// SPDX-License-Identifier: Apache-2.0
#include "core/result.hpp"

#include <gtest/gtest.h>
#include <memory>
#include <set>

namespace countersign {
namespace {

TEST(Result, IsAValueOrAnError) {
    const Result<int> good{7};
    ASSERT_TRUE(good);
    EXPECT_EQ(*good, 7);
    const Result<int> bad{Error{Errc::stale, "too old"}};
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().code, Errc::stale);
    EXPECT_EQ(bad.error().detail, "too old");
}

// co_spawn default-constructs results; a result that was never set must not look like success.
TEST(Result, I2_AnUnsetResultIsAFailure) {
    const Result<int> unset;
    ASSERT_FALSE(unset);
    EXPECT_EQ(unset.error().code, Errc::internal);
    EXPECT_EQ(Error{}.code, Errc::internal);
}

TEST(Result, CanHoldAMoveOnlyValue) {
    Result<std::unique_ptr<int>> result{std::make_unique<int>(3)};
    ASSERT_TRUE(result);
    EXPECT_EQ(**result, 3);
    const auto taken = *std::move(result);
    EXPECT_EQ(*taken, 3);
}

TEST(Result, AFalseOrEmptyValueIsStillAValue) {
    EXPECT_TRUE(Result<bool>{false}.has_value());
    EXPECT_TRUE(Result<std::string>{std::string{}}.has_value());
    EXPECT_FALSE(*Result<bool>{false});
}

TEST(Result, ReadsThroughAnArrow) {
    Result<std::string> result{std::string{"abc"}};
    EXPECT_EQ(result->size(), 3U);
    result->push_back('d');
    EXPECT_EQ(result.value(), "abcd");
}

TEST(Result, OfVoidSucceedsWithoutAValue) {
    EXPECT_TRUE(Result<void>{}.has_value());
    const Result<void> failed{Error{Errc::busy, "queue full"}};
    EXPECT_FALSE(failed);
    EXPECT_EQ(failed.error().code, Errc::busy);
}

TEST(Result, TheValueOfAFailureIsNeverReadSilently) {
    const Result<int> bad{Error{Errc::late, {}}};
    EXPECT_THROW((void)bad.value(), std::bad_variant_access);
    const Result<int> good{1};
    EXPECT_THROW((void)good.error(), std::bad_variant_access);
}

// The log stores errors by name, so two codes with the same name, or one without, could not be told apart years later.
TEST(Errc, EveryCodeHasItsOwnName) {
    std::set<std::string_view> names;
    for (int code = 0; code <= static_cast<int>(Errc::damaged); ++code) {
        const auto text = name(static_cast<Errc>(code));
        EXPECT_FALSE(text.empty());
        EXPECT_TRUE(names.insert(text).second) << text;
    }
    EXPECT_TRUE(names.contains("not_authorised"));
}

TEST(Errc, IsDescribedWithItsDetail) {
    EXPECT_EQ(describe({Errc::malformed, "byte 3"}), "malformed: byte 3");
    EXPECT_EQ(describe({Errc::timeout, {}}), "timeout");
}

}  // namespace
}  // namespace countersign
