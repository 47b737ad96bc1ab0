// SPDX-License-Identifier: Apache-2.0
// What a reviewer reads about calls that run no command: the path, the pattern or the first argument, but never `{ …`.
#include "tests/integration/process.hpp"
#include "tests/integration/terminal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

namespace countersign {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing_tools::countersign;
using testing_tools::countersign_path;
using testing_tools::TemporaryDirectory;

TEST(CallSummaries, AreInEveryListOfARealLog) {
    TemporaryDirectory files;
    const auto state = files.path() + "/state";
    const auto config =
        files.file("countersign.toml", "[people.alice]\nterminal = " + std::to_string(::getuid()) +
                                           "\nroles = [\"approve\"]\n[channels.desk]\nkind = \"terminal\"\n"
                                           "[[routes]]\nask = [{ channel = \"desk\" }]\ndeciders = [\"alice\"]\n"
                                           "[[policy]]\nname = \"none\"\neffect = \"deny\"\n");
    std::string script = "#!/bin/sh\n";
    int number = 0;
    const auto asks = [&](const std::string& tool, const std::string& input) {
        const auto id = std::to_string(++number);
        const auto event = files.file(
            "event" + id, R"({"type":"approval_request","approvalId":"01HZXAAAAAAAAAAAAAAAAAAAA)" + id +
                              R"(","approvalSource":"runtime_tool","subject":{"kind":"tool_use","toolName":")" + tool +
                              R"(","toolId":"t","rawInput":)" + input + R"(,"displayArgs":{}},"options":[)" +
                              R"({"optionId":"deny","label":"Deny","nativeDecision":"reject_once"},)" +
                              R"({"optionId":"allow","label":"Allow","nativeDecision":"allow_once"}]})" + "\n");
        script += "cat " + event + "\nread -r answer\n";
    };
    asks("Read", R"({"file_path":"/srv/app/.env"})");
    asks("Grep", R"({"pattern":"BEGIN KEY","path":"src"})");
    asks("mcp__tickets__close", R"({"ticket":"OPS-77"})");
    // Its input stays open, because the end of it would stop the agent.
    testing_tools::Talk run{{countersign_path(), "run", "event", "--plain", "--state", state, "--config", config, "--",
                             files.file("agent.sh", script, 0700)}};
    ASSERT_EQ(run.finish(), 0) << run.said();

    const std::vector<std::vector<std::string>> lists{
        {"audit", "list", "--state", state},
        {"audit", "tail", "-n", "100", "--state", state},
        {"audit", "export", "--csv", "--state", state},
    };
    for (const auto& list : lists) {
        const auto printed = countersign(list);
        EXPECT_EQ(printed.exit_code, 0) << printed.err;
        EXPECT_THAT(printed.out, AllOf(HasSubstr("/srv/app/.env"), HasSubstr("BEGIN KEY"), HasSubstr("OPS-77")))
            << list[1];
        EXPECT_THAT(printed.out, Not(HasSubstr("{ …"))) << list[1];
    }
}

}  // namespace
}  // namespace countersign
