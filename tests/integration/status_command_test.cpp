// SPDX-License-Identifier: Apache-2.0
// `status`, `pending` and `grants` with a real hub.
#include "tests/integration/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

namespace countersign {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing_tools::countersign;
using testing_tools::countersign_path;
using testing_tools::Talk;
using testing_tools::TemporaryDirectory;

class StatusCommand : public testing::Test {
protected:
    [[nodiscard]] static std::string event(char number, const std::string& command) {
        return std::string{R"({"type":"approval_request","approvalId":"01HZXAAAAAAAAAAAAAAAAAAAA)"} + number +
               R"(","approvalSource":"runtime_tool","subject":{"kind":"tool_use","toolName":"Bash","toolId":"t1",)"
               R"("rawInput":{"command":")" +
               command +
               R"("},"displayArgs":{}},"options":[{"optionId":"deny","label":"Deny","nativeDecision":"reject_once"},)"
               R"({"optionId":"allow","label":"Allow","nativeDecision":"allow_once"},)"
               R"({"optionId":"always","label":"Always","nativeDecision":"allow_always","effect":"allow",)"
               R"("scope":"always"}]})";
    }
    [[nodiscard]] std::vector<std::string> run_command() const {
        const auto config =
            files.file("countersign.toml", "[people.alice]\nterminal = " + std::to_string(::getuid()) +
                                               "\nroles = [\"approve\", \"approve-always\"]\n"
                                               "[channels.desk]\nkind = \"terminal\"\n"
                                               "[[routes]]\nask = [{ channel = \"desk\" }]\ndeciders = [\"alice\"]\n");
        const auto first = files.file("first.json", event('1', "make all") + "\n");
        const auto second = files.file("second.json", event('2', "rm -rf /srv") + "\n");
        const auto agent = files.file(
            "agent.sh",
            "#!/bin/sh\ncat " + first + "\nread -r answer\ncat " + second + "\nread -r answer\nread -r never\n", 0700);
        return {countersign_path(), "run",   "event",    "--agent", "builder", "--plain",
                "--state",          state(), "--config", config,    "--",      agent};
    }
    [[nodiscard]] testing_tools::Ran ask(const std::string& command, bool json = false) const {
        std::vector<std::string> argv{command, "--state", state()};
        if (json) argv.emplace_back("--json");
        return countersign(argv);
    }
    [[nodiscard]] std::string state() const { return files.path() + "/state"; }
    TemporaryDirectory files;
};

TEST_F(StatusCommand, APendingReadIsNamedByItsPath) {
    const auto argv = run_command();
    auto text = event('1', "unused");
    const auto replace = [&](const std::string& from, const std::string& to) {
        text.replace(text.find(from), from.size(), to);
    };
    replace(R"("Bash")", R"("Read")");
    replace(R"({"command":"unused"})", R"({"file_path":"/srv/notes.txt","limit":5})");
    (void)files.file("first.json", text + "\n");
    Talk talk{argv};
    ASSERT_TRUE(talk.wait_for("Type a number")) << talk.said();
    EXPECT_THAT(ask("pending").out, HasSubstr("  Read: /srv/notes.txt\n"));
    EXPECT_THAT(ask("pending", true).out, HasSubstr(R"("summary":"/srv/notes.txt")"));
    talk.close_input();
    talk.finish();
}

TEST_F(StatusCommand, TheHubReportsItsStateItsPendingRequestsAndItsGrants) {
    Talk talk{run_command()};
    ASSERT_TRUE(talk.wait_for("Type a number")) << talk.said();
    const auto status = ask("status");
    EXPECT_EQ(status.exit_code, 0) << status.err;
    EXPECT_THAT(status.out,
                AllOf(HasSubstr("countersign "), HasSubstr("up "), HasSubstr("ready:         yes\n"),
                      HasSubstr("channels:      desk (terminal)\n"), HasSubstr("agents:        1 connected"),
                      HasSubstr("pending:       1\n"), HasSubstr("grants:        0\n"),
                      HasSubstr("halted:        none\n"), HasSubstr(" records, ")));
    EXPECT_THAT(status.out, HasSubstr("configuration: " + files.path() + "/countersign.toml\n"));
    EXPECT_THAT(ask("status", true).out,
                AllOf(HasSubstr("\"ready\":true"), HasSubstr("\"pending\":1"), HasSubstr("\"logBytes\":")));

    const auto pending = ask("pending");
    EXPECT_EQ(pending.exit_code, 0) << pending.err;
    EXPECT_THAT(pending.out, AllOf(HasSubstr("01HZXAAAAAAAAAAAAAAAAAAAA1"), HasSubstr("  builder  "),
                                   HasSubstr("  desk "), HasSubstr("  Bash: make all\n")));
    EXPECT_THAT(ask("pending", true).out, AllOf(HasSubstr("\"risk\":\""), HasSubstr("\"shownOn\":[\"desk\"]")));
    EXPECT_EQ(ask("grants").out, "No grant is in force.\n");

    talk.type("3");
    ASSERT_TRUE(talk.wait_for("rm -rf /srv")) << talk.said();
    const auto grants = ask("grants");
    EXPECT_EQ(grants.exit_code, 0) << grants.err;
    EXPECT_THAT(grants.out, AllOf(HasSubstr("  builder  "), HasSubstr("  all sessions  "), HasSubstr("  alice  "),
                                  HasSubstr("  1000  "), HasSubstr("Bash: ")));
    EXPECT_THAT(ask("grants", true).out, AllOf(HasSubstr("\"grantedBy\":\"alice\""), HasSubstr("\"usesLeft\":1000")));

    EXPECT_EQ(countersign({"halt", "builder", "--state", state()}).exit_code, 0);
    const auto halted_at = [&](std::vector<std::string> argv) {
        argv.insert(argv.begin(), countersign_path());
        const auto out = testing_tools::run({.argv = argv, .environment = {"TZ=XYZ-5"}}).out;
        const auto at = out.find("halted:        builder, by alice at ");
        return at == std::string::npos ? out : out.substr(at, out.find('\n', at) - at);
    };
    EXPECT_THAT(halted_at({"status", "--state", state()}), testing::EndsWith(" XYZ"));
    EXPECT_THAT(halted_at({"status", "--state", state(), "--utc"}), testing::EndsWith(" UTC"));
    talk.close_input();
    talk.finish();
}

}  // namespace
}  // namespace countersign
