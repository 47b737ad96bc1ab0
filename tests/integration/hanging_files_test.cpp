// SPDX-License-Identifier: Apache-2.0
// An agent names files on a file system that never answers, as a FUSE or NFS directory may.
#include "tests/integration/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace countersign {
namespace {

using testing::HasSubstr;
using testing_tools::contents;
using testing_tools::countersign;
using testing_tools::countersign_path;
using testing_tools::Talk;
using testing_tools::TemporaryDirectory;

class HangingFilesTest : public testing::Test {
protected:
    void SetUp() override { ASSERT_EQ(::mkfifo((files.path() + "/go").c_str(), 0600), 0); }

    [[nodiscard]] std::string asks(char number, const std::string& command) const {
        const auto line = std::string{R"({"type":"approval_request","approvalId":"01HZXAAAAAAAAAAAAAAAAAAAA)"} +
                          number +
                          R"(","approvalSource":"runtime_tool","subject":{"kind":"tool_use","toolName":"Bash",)"
                          R"("toolId":"t1","rawInput":{"command":")" +
                          command +
                          R"("},"displayArgs":{}},"options":[)"
                          R"({"optionId":"deny","label":"Deny","nativeDecision":"reject_once"},)"
                          R"({"optionId":"allow","label":"Allow","nativeDecision":"allow_once"}]})";
        return "cat " + files.file(std::string{"event"} + number, line + "\n") + "\nread -r answer\nprintf '%s\\n' " +
               "\"$answer\" >> " + answers_of(number) + "\n";
    }
    [[nodiscard]] std::string waits() const { return "read -r word < " + files.path() + "/go\n"; }
    void let_it_go_on() const { std::ofstream{files.path() + "/go"} << "on\n"; }
    [[nodiscard]] std::string answers_of(char number) const { return files.path() + "/answers" + number; }

    [[nodiscard]] std::vector<std::string> run(const std::string& agent, const std::string& script) const {
        const auto uid = std::to_string(::getuid());
        const auto config = files.file("countersign.toml", "[people.alice]\nterminal = " + uid +
                                                               "\nroles = [\"approve\"]\n"
                                                               "[channels.desk]\nkind = \"terminal\"\n"
                                                               "[[routes]]\nask = [{ channel = \"desk\" }]\n"
                                                               "deciders = [\"alice\"]\n");
        const auto program = files.file(agent + ".sh", "#!/bin/sh\n" + script, 0700);
        return {countersign_path(), "run",   "event",    "--plain", "--agent", agent,
                "--state",          state(), "--config", config,    "--",      program};
    }
    [[nodiscard]] std::string state() const { return files.path() + "/state"; }

    TemporaryDirectory files;
    const std::vector<std::string> hanging{"LD_PRELOAD=" HANGING_LOOK, "HANGING_LOOK_AT=/never-answers"};
};

TEST_F(HangingFilesTest, TheCallIsAskedOthersAreDecidedAHaltWorksAndTheHubEnds) {
    Talk hub{run("builder", asks('1', "cat /never-answers/notes") + waits()), hanging};
    ASSERT_TRUE(hub.wait_for("files not read in time")) << hub.said();
    ASSERT_TRUE(hub.wait_for("2) Deny")) << hub.said();
    EXPECT_THAT(hub.said(), HasSubstr("the files of this call could not be read in time"));
    hub.type("Deny");
    ASSERT_TRUE(hub.wait_for("Denied")) << hub.said();

    Talk other{run("other", asks('2', "echo second"))};
    ASSERT_TRUE(hub.wait_for("echo second")) << hub.said();
    ASSERT_TRUE(hub.wait_for("2) Deny")) << hub.said();
    hub.type("Allow");
    EXPECT_EQ(other.finish(), 0) << other.said();
    EXPECT_THAT(contents(answers_of('2')), HasSubstr("allow_once"));

    const auto halted = countersign({"halt", "builder", "--state", state()});
    EXPECT_EQ(halted.exit_code, 0) << halted.err;
    let_it_go_on();
    EXPECT_EQ(hub.finish(), 0) << hub.said();
    EXPECT_THAT(contents(answers_of('1')), HasSubstr("reject_once"));
    EXPECT_EQ(countersign({"audit", "verify", "--state", state()}).exit_code, 0);
}

}  // namespace
}  // namespace countersign
