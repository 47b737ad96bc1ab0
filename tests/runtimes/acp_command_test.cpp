// SPDX-License-Identifier: Apache-2.0
#include "runtimes/acp/command.hpp"

#include <gmock/gmock.h>

namespace countersign::runtimes::acp {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Words = std::vector<std::string>;
const Words known{"gemini", "--acp"};

TEST(AcpCommand, AnyCommandIsStartedAsItIs) {
    const auto start = start_command({}, {"npx", "-y", "an-agent", "--acp"});
    ASSERT_TRUE(start);
    EXPECT_THAT(start->argv, ElementsAre("npx", "-y", "an-agent", "--acp"));
    EXPECT_THAT(start->warnings, IsEmpty());
    EXPECT_FALSE(start_command({}, {}));
}

TEST(AcpCommand, AKnownAgentSpeaksTheProtocolAndTakesArguments) {
    const auto start = start_command(known, {"--model", "m"});
    ASSERT_TRUE(start);
    EXPECT_THAT(start->argv, ElementsAre("gemini", "--acp", "--model", "m"));
}

TEST(AcpCommand, I2_ArgumentsThatEndTheAskingAreRefused) {
    for (const Words& arguments : std::vector<Words>{{"--yolo"},
                                                     {"--yolo=true"},
                                                     {"--dangerously-skip-permissions"},
                                                     {"--dangerouslySkipPermissions"},
                                                     {"--approval-mode", "yolo"},
                                                     {"--approval-mode=yolo"},
                                                     {"--approvalMode=later"},
                                                     {"--approval-mode"}}) {
        EXPECT_FALSE(start_command(known, arguments)) << testing::PrintToString(arguments);
        Words whole{"agent"};
        whole.insert(whole.end(), arguments.begin(), arguments.end());
        EXPECT_FALSE(start_command({}, whole)) << testing::PrintToString(arguments);
    }
    for (const Words& arguments :
         std::vector<Words>{{"-y"}, {"-dy"}, {"--prompt", "x"}, {"--promptInteractive=x"}, {"--acp"}}) {
        EXPECT_FALSE(start_command(known, arguments)) << testing::PrintToString(arguments);
    }
}

TEST(AcpCommand, ArgumentsThatLetSomeCallsRunAreReported) {
    const auto start =
        start_command(known, {"--approval-mode=auto_edit", "--allowed-tools", "ls", "--approval-mode", "default"});
    ASSERT_TRUE(start);
    EXPECT_THAT(start->warnings, ElementsAre(HasSubstr("edits run without asking"), HasSubstr("--allowed-tools")));
}

TEST(AcpCommand, I2_TheAgentInheritsItsCredentialsAndNothingOfOurs) {
    EXPECT_THAT(inherited({"PATH", "GEMINI_API_KEY", "OPENCODE_CONFIG", "COUNTERSIGN_KEY", "TELEGRAM_TOKEN"}),
                ElementsAre("PATH", "GEMINI_API_KEY", "OPENCODE_CONFIG"));
}

}  // namespace
}  // namespace countersign::runtimes::acp
