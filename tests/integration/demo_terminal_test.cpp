// SPDX-License-Identifier: Apache-2.0
// The demo with a person in front of it, on a real terminal.
#include "tests/integration/process.hpp"
#include "tests/integration/terminal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign {
namespace {

using testing::HasSubstr;
using testing_tools::countersign_path;
using testing_tools::OnTerminal;
using testing_tools::TemporaryDirectory;

class DemoOnATerminal : public testing::Test {
protected:
    TemporaryDirectory directory;
    OnTerminal demo{{.argv = {countersign_path(), "demo", "--once"}, .environment = {"TMPDIR=" + directory.path()}}};
};

TEST_F(DemoOnATerminal, CtrlCExitsWithoutAFailure) {
    ASSERT_TRUE(demo.sees("Enter choose")) << demo.said();
    demo.press("\x03");
    EXPECT_EQ(demo.ends(), 0) << demo.said();
    EXPECT_THAT(demo.said(), HasSubstr("audit verify --state"));
}

TEST_F(DemoOnATerminal, TheRecordsAreShownBetweenTheDecisionAndTheAgentsAction) {
    ASSERT_TRUE(demo.sees("Enter choose")) << demo.said();
    ASSERT_TRUE(demo.presses_until("\r", "reason (optional)")) << demo.said();
    ASSERT_TRUE(demo.presses_until("\r", "■ Denied (Deny) by you")) << demo.said();
    EXPECT_TRUE(demo.sees("request  Bash")) << demo.said();
    EXPECT_TRUE(demo.sees("decision  denied  Bash  by you")) << demo.said();
    EXPECT_TRUE(demo.sees("did not run ls (denied)")) << demo.said();
    EXPECT_TRUE(demo.sees("rm -rf build")) << demo.said();
    demo.press("\x03");
    EXPECT_EQ(demo.ends(), 0) << demo.said();
}

}  // namespace
}  // namespace countersign
