// SPDX-License-Identifier: Apache-2.0
// Standard streams that fail: a closed pipe, a full disk. A hub keeps running; a command whose result is its output
// fails.
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
using testing_tools::free_port;
using testing_tools::run;
using testing_tools::Talk;
using testing_tools::TemporaryDirectory;

class Output : public testing::Test {
protected:
    // A hub whose agent requests the health page and stores it; `streams` are the shell's redirections.
    [[nodiscard]] int hub_with(const std::string& streams) const {
        const auto port = free_port();
        const auto config = files.file(
            "c.toml", "[people.alice]\nterminal = " + std::to_string(::getuid()) +
                          "\nroles = [\"approve\"]\n[channels.desk]\nkind = \"terminal\"\n[[routes]]\n"
                          "ask = [{ channel = \"desk\" }]\ndeciders = [\"alice\"]\n[gateway]\nadmin = \"127.0.0.1:" +
                          port + "\"\n");
        const auto agent =
            files.file("agent",
                       "#!/bin/bash\necho '{\"type\":\"message\",\"text\":\"hello\"}'\n"
                       "exec 3<>/dev/tcp/127.0.0.1/" +
                           port +
                           "\nprintf 'GET /livez HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n' "
                           ">&3\ncat <&3 > " +
                           files.path() + "/page\n",
                       0700);
        Talk hub{{"sh", "-c",
                  countersign_path() + " run event --plain --state " + files.path() + "/state --config " + config +
                      " -- " + agent + " " + streams}};
        return hub.finish();
    }
    [[nodiscard]] std::string page() const { return contents(files.path() + "/page"); }

    // A pipe whose reader is gone, with a number that a shell can use.
    static constexpr int closed_pipe = 9;
    void SetUp() override {
        int ends[2];
        ASSERT_EQ(::pipe(ends), 0);
        ::close(ends[0]);
        ASSERT_EQ(::dup2(ends[1], closed_pipe), closed_pipe);
        ::close(ends[1]);
    }
    void TearDown() override { ::close(closed_pipe); }
    TemporaryDirectory files;
};

TEST_F(Output, AHubSurvivesAClosedPipeForItsLogLines) {
    EXPECT_EQ(hub_with("2>&9"), 0);
    EXPECT_THAT(page(), HasSubstr("alive"));
}

TEST_F(Output, AHubSurvivesAFullDiskForItsLogLines) {
    EXPECT_EQ(hub_with("2>/dev/full"), 0);
    EXPECT_THAT(page(), HasSubstr("alive"));
}

TEST_F(Output, ACommandWhoseResultCannotBeWrittenFails) {
    const auto config = files.file("c.toml", "[people.alice]\nterminal = 1\nroles = [\"approve\"]\n[channels.desk]\n"
                                             "kind = \"terminal\"\n[[routes]]\nask = [{ channel = \"desk\" }]\n"
                                             "deciders = [\"alice\"]\n");
    ASSERT_EQ(hub_with(""), 0);
    const auto state = " --state " + files.path() + "/state";
    for (const auto& command :
         {"check config " + config, std::string{"check canonical"}, "audit tail" + state, "audit tail --json" + state,
          "audit verify" + state, "audit list --csv" + state, "audit stats --json" + state,
          "audit coverage --json" + state, "audit export --jsonl" + state}) {
        const auto printing_to = [&](const std::string& stream) {
            return run({.argv = {"sh", "-c", countersign_path() + " " + command + " " + stream}, .input = "[]"});
        };
        const auto full = printing_to(">/dev/full");
        EXPECT_EQ(full.exit_code, 1) << command;
        EXPECT_NE(full.err, "") << command;
        const auto closed = printing_to(">&9");
        EXPECT_EQ(closed.exit_code, 141) << command << ": as a shell says of other tools";
        EXPECT_THAT(closed.err, Not(HasSubstr("could not be written"))) << command;
    }
}

TEST_F(Output, AReaderThatStopsReadingCausesNoErrorMessage) {
    ASSERT_EQ(hub_with(""), 0);
    const auto state = " --state " + files.path() + "/state";
    for (const auto& command :
         {"audit tail" + state, "audit tail --json" + state, "audit list" + state, "audit stats" + state,
          "audit export --jsonl" + state, std::string{"help"}, std::string{"version"}, std::string{"--help"},
          std::string{"--version"}, std::string{"audit --help"}}) {
        const auto ran = run({.argv = {"sh", "-c", countersign_path() + " " + command + " >&9"}});
        EXPECT_THAT(ran.err, Not(HasSubstr("written"))) << command;
    }
}

TEST_F(Output, ARefusalThatCannotBePrintedKeepsItsExitCode) {
    for (const std::string stream : {"2>/dev/full", "2>&9"}) {
        EXPECT_EQ(run({.argv = {"sh", "-c", countersign_path() + " check canonical " + stream}, .input = "[1e400]"})
                      .exit_code,
                  1);
        EXPECT_EQ(run({.argv = {"sh", "-c", countersign_path() + " nonsense " + stream}}).exit_code, 2);
    }
}

}  // namespace
}  // namespace countersign
