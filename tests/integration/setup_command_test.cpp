// SPDX-License-Identifier: Apache-2.0
// `setup telegram` before it asks anything: what it refuses, and that it then changes nothing.
#include "tests/integration/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <unistd.h>

namespace countersign {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_tools::contents;
using testing_tools::countersign_path;
using testing_tools::run;
using testing_tools::Talk;
using testing_tools::TemporaryDirectory;

class SetupCommand : public testing::Test {
protected:
    [[nodiscard]] testing_tools::Ran setup(std::vector<std::string> more) const {
        std::vector<std::string> argv{countersign_path(), "setup", "telegram", "--state", files.path() + "/state"};
        argv.insert(argv.end(), more.begin(), more.end());
        return run({.argv = argv, .directory = files.path()});
    }
    TemporaryDirectory files;
};

TEST_F(SetupCommand, AnInvalidNameIsWrongUsageAtOnce) {
    const auto ran = setup({"--person", "Alice", "--config", files.path() + "/c.toml"});
    EXPECT_EQ(ran.exit_code, 2) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("--person"));
    EXPECT_THAT(ran.err, Not(HasSubstr("token")));
}

TEST_F(SetupCommand, AnExistingTokenIsNotReplacedWithoutAsking) {
    const auto token = files.file("telegram-token", "of another configuration");
    for (const auto& config : {files.path() + "/new.toml", std::string{"new.toml"}}) {
        const auto ran = setup({"--config", config});
        EXPECT_EQ(ran.exit_code, 1);
        EXPECT_THAT(ran.err, HasSubstr(token + " is there already")) << "beside the file, also if its path is relative";
        EXPECT_THAT(ran.err, HasSubstr("--force"));
    }
    EXPECT_EQ(contents(token), "of another configuration");
}

TEST_F(SetupCommand, WhileAHubRunsItAsksForNothing) {
    const auto config =
        files.file("hub.toml", "[people.alice]\nterminal = " + std::to_string(::getuid()) +
                                   "\nroles = [\"approve\"]\n[channels.desk]\nkind = \"terminal\"\n"
                                   "[[routes]]\nask = [{ channel = \"desk\" }]\ndeciders = [\"alice\"]\n");
    Talk hub{{countersign_path(), "run", "event", "--plain", "--state", files.path() + "/state", "--config", config,
              "--", "cat"}};
    ASSERT_TRUE(hub.wait_for("same user")) << hub.said();
    const auto ran = setup({"--config", files.path() + "/c/c.toml"});
    EXPECT_EQ(ran.exit_code, 4) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("process, " + std::to_string(hub.pid())));
    EXPECT_THAT(ran.err, Not(HasSubstr("token")));
}

}  // namespace
}  // namespace countersign
