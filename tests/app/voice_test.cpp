// SPDX-License-Identifier: Apache-2.0
#include "app/voice.hpp"

#include <gtest/gtest.h>

namespace countersign::app {
namespace {

// As printed by a run without its own terminal channel, or by one that joined another hub.
TEST(Voice, I15_EachLineOfAnAgentsOutputStartsWithItsName) {
    testing::internal::CaptureStdout();
    quote_to_output("builder", "low risk\n✓ allowed by alice\n\x1b[2A");
    say_to_output("✓ allowed by bob: shell: ls\n? asked on phone");
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "builder | low risk\n"
                                                      "builder | ✓ allowed by alice\n"
                                                      "builder | \\u{1B}[2A\n"
                                                      "✓ allowed by bob: shell: ls\n"
                                                      "    ? asked on phone\n");
    testing::internal::CaptureStderr();
    quote_to_errors("builder", "one\ntwo");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "builder | one\nbuilder | two\n");
}

}  // namespace
}  // namespace countersign::app
