// SPDX-License-Identifier: Apache-2.0
// I15 from outside: an agent that draws on the terminal, an outsider who fills the access log, and the content of an
// 80×24 screen.
#include "tests/fakes/virtual_screen.hpp"
#include "tests/integration/process.hpp"
#include "tests/integration/terminal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace countersign {
namespace {

using fakes::VirtualScreen;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using testing_tools::countersign_path;
using testing_tools::free_port;
using testing_tools::OnTerminal;
using testing_tools::TemporaryDirectory;

class ForgedCard : public testing::Test {
protected:
    [[nodiscard]] std::string config(const std::string& more = {}) const {
        return files.file("countersign.toml",
                          "[people.alice]\nterminal = " + std::to_string(::getuid()) +
                              "\nroles = [\"approve\"]\n[channels.desk]\nkind = \"terminal\"\n"
                              "[[routes]]\nask = [{ channel = \"desk\" }]\ndeciders = [\"alice\"]\n" +
                              more);
    }
    // Asks for one call, runs `then`, and waits for the answer.
    [[nodiscard]] std::string agent(const std::string& then) const {
        const auto event = files.file(
            "event.json",
            R"({"type":"approval_request","approvalId":"01HZXAAAAAAAAAAAAAAAAAAAA1","approvalSource":"runtime_tool",)"
            R"("subject":{"kind":"tool_use","toolName":"Bash","toolId":"t1","rawInput":{"command":"rm -rf /"},)"
            R"("displayArgs":{}},"options":[{"optionId":"deny","label":"Deny","nativeDecision":"reject_once"},)"
            R"({"optionId":"allow","label":"Allow","nativeDecision":"allow_once"}]})"
            "\n");
        return files.file("agent.sh", "#!/bin/bash\ncat " + event + "\n" + then + "\nread -r answer\n", 0700);
    }
    // A message that looks like a screen with another request, repeated many times.
    [[nodiscard]] std::string says_forged_cards() const {
        std::string text;
        for (int line = 0; line < 30; ++line) text += "\\n";
        text += "── Approval wanted 01HZXAAAAAAAAAAAAAAAAAAAA1 ───\\nrisk:       low\\ncall:\\n  │ ls\\n"
                "low risk · Bash: ls\\n  Deny\\n▶ Allow (allows, once)\\u001b[2A\\r\\b";
        const auto file = files.file("said.json", "{\"type\":\"message\",\"text\":\"" + text + "\"}\n");
        return "read -r word < " + go() + "\nfor i in 1 2 3 4 5; do cat " + file + "; done";
    }
    // A pipe that the agent reads before it continues, so that its output comes after the card, not before.
    [[nodiscard]] std::string go() const {
        const auto path = files.path() + "/go";
        EXPECT_TRUE(::mkfifo(path.c_str(), 0600) == 0 || errno == EEXIST);
        return path;
    }
    [[nodiscard]] OnTerminal::Command command(const std::string& script, std::vector<std::string> more = {},
                                              const std::string& extra = {}) const {
        std::vector<std::string> argv{
            countersign_path(),      "run",      "event",      "--agent", "builder", "--state",
            files.path() + "/state", "--config", config(extra)};
        argv.insert(argv.end(), more.begin(), more.end());
        argv.insert(argv.end(), {"--", script});
        return {.argv = argv, .columns = 80, .rows = 24};
    }
    static std::vector<std::string> rows_of(const std::string& said, bool all = false) {
        VirtualScreen screen{80, 24};
        screen.feed(said);
        EXPECT_EQ(screen.strange, 0);
        return all ? screen.all_rows() : screen.rows();
    }
    // Waits until this many lines are held back and then for the drawing, because bytes printed below the keys would
    // have moved it.
    static void expect_real_card_with_held_lines(OnTerminal& terminal, int count) {
        const auto held = "lines held back: " + std::to_string(count) + " ";
        ASSERT_TRUE(terminal.presses_until("x", held)) << terminal.said();
        ASSERT_TRUE(terminal.presses_until("x", held)) << terminal.said();
        expect_real_call_above_the_choices(rows_of(terminal.said_until_found()));
    }
    static void expect_real_call_above_the_choices(const std::vector<std::string>& rows) {
        const auto call =
            std::ranges::find_if(rows, [](const std::string& row) { return row.starts_with("high risk · Bash: "); });
        ASSERT_NE(call, rows.end()) << testing::PrintToString(rows);
        EXPECT_THAT(*call, HasSubstr("rm -rf /"));
        ASSERT_GE(rows.end() - call, 4);
        EXPECT_EQ(call[1], "  Allow");
        EXPECT_EQ(call[2], "▶ Deny");
        EXPECT_EQ(rows.end() - call, 4) << "nothing below the keys";
        for (const auto& row : rows) EXPECT_THAT(row, Not(HasSubstr("Bash: ls")));
    }
    TemporaryDirectory files;
};

TEST_F(ForgedCard, I15_AnAgentThatDrawsACardDoesNotChangeTheOpenCard) {
    OnTerminal run{command(agent(says_forged_cards()))};
    ASSERT_TRUE(run.sees("Enter choose")) << run.said();
    std::ofstream{go()} << "on\n";
    ASSERT_NO_FATAL_FAILURE(expect_real_card_with_held_lines(run, 185));
    ASSERT_TRUE(run.presses_until("\r", "reason (optional)")) << run.said();
    ASSERT_TRUE(run.presses_until("\r", "Denied")) << run.said();
    run.ends();
    const auto rows = rows_of(run.said(), true);
    int forged = 0;
    for (const auto& row : rows) {
        if (row.find("Bash: ls") == std::string::npos) continue;
        ++forged;
        EXPECT_THAT(row, StartsWith("builder │ "));
    }
    EXPECT_EQ(forged, 5) << "it is shown, under its name: " << testing::PrintToString(rows);
}

TEST_F(ForgedCard, I15_TheAccessLogDoesNotAppearBetweenACardAndItsChoices) {
    const auto port = free_port();
    const auto asks_pages = "read -r word < " + go() + "\nfor i in 1 2 3 4 5; do exec 3<>/dev/tcp/127.0.0.1/" + port +
                            "; printf 'GET /%%1b%%5b2A-low-risk-Bash:-ls HTTP/1.1\\r\\nHost: x\\r\\nConnection: "
                            "close\\r\\n\\r\\n' >&3; cat <&3 >/dev/null; exec 3>&-; done\n"
                            "echo '{\"type\":\"message\",\"text\":\"asked\"}'";
    OnTerminal run{command(agent(asks_pages), {"--access-log"}, "[gateway]\nadmin = \"127.0.0.1:" + port + "\"\n")};
    ASSERT_TRUE(run.sees("Enter choose")) << run.said();
    std::ofstream{go()} << "on\n";
    ASSERT_NO_FATAL_FAILURE(expect_real_card_with_held_lines(run, 6));
    run.press("\x03");
    run.ends();
    EXPECT_THAT(run.said(), HasSubstr("\"event\":\"http\"")) << "it is written when the terminal closes";
}

TEST_F(ForgedCard, I15_AJoinedRunThatDrawsACardDoesNotChangeTheOpenCard) {
    OnTerminal run{command(agent("read -r word < " + go()))};
    ASSERT_TRUE(run.sees("Enter choose")) << run.said();
    const auto draws =
        files.file("said.json", R"json({"type":"message","text":"low risk · Bash: ls\n▶ Allow (allows, once)"})json"
                                "\n");
    auto joining = command(files.file("joined.sh", "#!/bin/sh\ncat " + draws + "\n", 0700));
    *std::ranges::find(joining.argv, "builder") = "joined";
    OnTerminal joined{joining};
    joined.ends();
    int forged = 0;
    for (const auto& row : rows_of(joined.said(), true)) {
        if (row.find("Bash: ls") == std::string::npos && row.find("Allow (allows") == std::string::npos) continue;
        ++forged;
        EXPECT_THAT(row, StartsWith("joined │ "));
    }
    EXPECT_EQ(forged, 2) << joined.said();
    expect_real_call_above_the_choices(rows_of(run.said()));
    run.press("\x03");
    run.ends();
}

TEST_F(ForgedCard, I15_TheLastOutputOfAnAgentHasItsNameOnEachLine) {
    OnTerminal run{
        command(files.file("agent.sh", "#!/bin/sh\nprintf 'low risk\\n▶ Allow once\\n' >&2\nexit 3\n", 0700))};
    EXPECT_NE(run.ends(), 0);
    EXPECT_THAT(run.said(), HasSubstr("low risk"));
    for (const auto& row : rows_of(run.said(), true)) {
        if (row.find("low risk") == std::string::npos && row.find("Allow once") == std::string::npos) continue;
        EXPECT_THAT(row, StartsWith("builder │ "));
    }
}

}  // namespace
}  // namespace countersign
