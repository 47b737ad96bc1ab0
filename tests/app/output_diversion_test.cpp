// SPDX-License-Identifier: Apache-2.0
#include "app/output.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace countersign::app {
namespace {

TEST(OutputDiversion, I15_OutputIsDivertedWhileADiversionExistsAndNotAfterwards) {
    std::vector<std::string> taken;
    testing::internal::CaptureStderr();
    testing::internal::CaptureStdout();
    {
        const OutputDiversion diversion{{.out = false, .error = true}, [&](std::FILE* stream, std::string text) {
                                            EXPECT_EQ(stream, stderr);
                                            taken.push_back(std::move(text));
                                        }};
        tell("held {}\n", 1);
        show("shown\n");
        write_through(stderr, "through\n");
    }
    tell("after\n");
    EXPECT_EQ(taken, std::vector<std::string>{"held 1\n"});
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "through\nafter\n");
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "shown\n");
}

}  // namespace
}  // namespace countersign::app
