// SPDX-License-Identifier: Apache-2.0
// The health pages of a real hub whose disk no longer accepts writes.
#include "core/limits.hpp"
#include "tests/integration/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <unistd.h>

namespace countersign {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_tools::contents;
using testing_tools::countersign_path;
using testing_tools::Talk;
using testing_tools::TemporaryDirectory;

namespace fs = std::filesystem;

// Requests the page before it asks and after it got an answer, and stores both.
class Readiness : public testing::Test {
protected:
    [[nodiscard]] std::vector<std::string> command(const std::string& before_asking) const {
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
        const auto get =
            "exec 3<>/dev/tcp/127.0.0.1/" + port +
            "\nprintf 'GET /readyz HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n' >&3\ncat <&3 > " +
            files.path();
        const auto agent = files.file("agent",
                                      "#!/bin/bash\n" + get + "/before\n" + before_asking + "\ncat " + event +
                                          "\nread -r answer\nprintf '%s' \"$answer\" > " + files.path() + "/answer\n" +
                                          get + "/after\n",
                                      0700);
        return {countersign_path(), "run", "event", "--plain", "--state", state, "--config", config, "--", agent};
    }
    [[nodiscard]] std::string kept(const std::string& name) const { return contents(files.path() + "/" + name); }
    void expect_red() const {
        EXPECT_THAT(kept("before"), HasSubstr("200 OK"));
        const auto page = kept("after");
        EXPECT_THAT(page, HasSubstr("503"));
        EXPECT_THAT(page, HasSubstr("audit log unavailable: "));
        EXPECT_THAT(page, Not(HasSubstr("audit log unavailable: audit log unavailable"))) << "once";
    }

    TemporaryDirectory files;
    std::string port = testing_tools::free_port();
    std::string state = files.path() + "/state";
};

// The agent itself blocks the disk by setting its parent's file size limit to zero bytes. Then it asks.
TEST_F(Readiness, I1_IsRedWhenTheLogCannotBeWrittenAndTheProcessStaysUpToSaySo) {
    Talk hub{command("prlimit --pid $PPID --fsize=0")};
    hub.finish();
    EXPECT_THAT(kept("answer"), HasSubstr("reject_once")) << hub.said();
    expect_red();
}

// The person has answered, but the disk doesn't confirm that it has the answer: for the agent that is soon a deny.
TEST_F(Readiness, I1_IsRedWhenTheDiskHangsOverADecisionAndTheAgentIsDenied) {
    const auto hang = files.path() + "/hang";
    Talk hub{command(":"), {"LD_PRELOAD=" HANGING_SYNC, "HANGING_SYNC_WHEN=" + hang}};
    ASSERT_TRUE(hub.wait_for("2) Deny")) << hub.said();
    // Its other records must be on disk by now, or they would hang instead of the decision; in both cases nothing may
    // be allowed.
    (void)files.file("hang", "");
    const auto typed = fs::file_time_type::clock::now();
    hub.type("Allow");
    EXPECT_EQ(hub.finish(), 5) << hub.said();

    EXPECT_THAT(kept("answer"), HasSubstr("reject_once")) << hub.said();
    EXPECT_THAT(kept("answer"), HasSubstr(R"("reason":"audit log unavailable")"));
    EXPECT_THAT(kept("answer"), Not(HasSubstr("allow_once")));
    // Measured in seconds of a running process: one more for the second that had started, and some for a busy machine.
    EXPECT_LT(fs::last_write_time(files.path() + "/answer") - typed, limits::log_sync_max + std::chrono::seconds{4});
    expect_red();

    fs::remove(hang);
    Talk next{{countersign_path(), "run", "event", "--plain", "--state", state, "--config", files.path() + "/c.toml",
               "--", "true"}};
    EXPECT_EQ(next.finish(), 0) << next.said();
    EXPECT_EQ(testing_tools::countersign({"audit", "verify", "--state", state}).exit_code, 0);
}

}  // namespace
}  // namespace countersign
