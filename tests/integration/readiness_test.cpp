// SPDX-License-Identifier: Apache-2.0
// The health pages of a real hub whose disk takes nothing any more.
#include "tests/integration/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

namespace countersign {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_tools::contents;
using testing_tools::countersign_path;
using testing_tools::Talk;
using testing_tools::TemporaryDirectory;

// The agent itself takes the disk away: a limit of zero bytes on what its parent may write. Then it asks.
TEST(Readiness, I1_IsRedWhenTheLogCannotBeWrittenAndTheProcessStaysUpToSaySo) {
    TemporaryDirectory files;
    const auto port = testing_tools::free_port();
    const auto config =
        files.file("c.toml", "[people.alice]\nterminal = " + std::to_string(::getuid()) +
                                 "\nroles = [\"approve\"]\n[channels.desk]\nkind = \"terminal\"\n[[routes]]\n"
                                 "ask = [{ channel = \"desk\" }]\ndeciders = [\"alice\"]\n[gateway]\n"
                                 "admin = \"127.0.0.1:" +
                                 port + "\"\n");
    const auto event = files.file(
        "event",
        R"({"type":"approval_request","approvalId":"01HZXAAAAAAAAAAAAAAAAAAAA1","approvalSource":"runtime_tool",)"
        R"("subject":{"kind":"tool_use","toolName":"Bash","toolId":"t","rawInput":{"command":"ls"},)"
        R"("displayArgs":{}},"options":[{"optionId":"deny","label":"Deny","nativeDecision":"reject_once"},)"
        R"({"optionId":"allow","label":"Allow","nativeDecision":"allow_once"}]})"
        "\n");
    const auto get = "exec 3<>/dev/tcp/127.0.0.1/" + port +
                     "\nprintf 'GET /readyz HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n' >&3\ncat <&3 > " +
                     files.path();
    const auto agent =
        files.file("agent",
                   "#!/bin/bash\n" + get + "/before\nprlimit --pid $PPID --fsize=0\ncat " + event +
                       "\nread -r answer\nprintf '%s' \"$answer\" > " + files.path() + "/answer\n" + get + "/after\n",
                   0700);
    Talk hub{{countersign_path(), "run", "event", "--plain", "--state", files.path() + "/state", "--config", config,
              "--", agent}};
    hub.finish();
    EXPECT_THAT(contents(files.path() + "/before"), HasSubstr("200 OK")) << hub.said();
    EXPECT_THAT(contents(files.path() + "/answer"), HasSubstr("reject_once"));
    const auto page = contents(files.path() + "/after");
    EXPECT_THAT(page, HasSubstr("503"));
    EXPECT_THAT(page, HasSubstr("audit log unavailable: "));
    EXPECT_THAT(page, Not(HasSubstr("audit log unavailable: audit log unavailable"))) << "once";
}

}  // namespace
}  // namespace countersign
