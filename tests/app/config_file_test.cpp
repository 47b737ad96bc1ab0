// SPDX-License-Identifier: Apache-2.0
#include "app/channels/secrets.hpp"
#include "config/group_command.hpp"
#include "core/limits.hpp"
#include "core/time.hpp"
#include "tests/app/config_sample.hpp"

#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace countersign::app {
namespace {

const WallTime now = *wall_time_of("2026-12-01T00:00:00.000Z");

class ConfigFile : public testing::Test {
protected:
    void SetUp() override {
        std::string pattern = (std::filesystem::temp_directory_path() / "countersign-config-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        directory = pattern;
    }
    void TearDown() override { std::filesystem::remove_all(directory); }

    std::string write(const std::string& text, mode_t mode = 0644) {
        const auto path = directory / "countersign.toml";
        std::ofstream{path, std::ios::binary} << text;
        EXPECT_EQ(::chmod(path.c_str(), mode), 0);
        return path.string();
    }
    static std::string said(const std::string& path) {
        const auto result = config::load_config(path, known_kinds());
        const auto* problems = std::get_if<std::vector<config::ConfigProblem>>(&result);
        return problems == nullptr ? "" : all_of(*problems);
    }

    std::filesystem::path directory;
};

TEST_F(ConfigFile, IsLoaded) {
    EXPECT_EQ(said(write(people + channels + routes)), "");
    EXPECT_EQ(said(write(people + channels + routes, 0640)), "");
}

TEST_F(ConfigFile, IsNamedInItsProblems) {
    const auto path = write(people + channels + routes + "requried = 1\n");
    EXPECT_EQ(said(path), path + ":9:1: routes[0].requried: unknown key; did you mean `required`?\n");
}

TEST_F(ConfigFile, AWordWithoutQuotesGetsTheHintThatItNeedsThem) {
    const auto text = said(write(people + "[channels.desk]\nkind = terminal\n" + routes));
    EXPECT_NE(text.find(":5:"), std::string::npos) << text;
    EXPECT_NE(text.find("write words in quotes: kind = \"terminal\""), std::string::npos) << text;
}

TEST_F(ConfigFile, ASuggestionNamesAnExistingPerson) {
    const auto text = said(write("[people.operator]\nterminal = 1\nroles = [\"approve\"]\n" + channels +
                                 "[[routes]]\nask = [{ channel = \"desk\" }]\ndeciders = []\n"));
    EXPECT_NE(text.find("write deciders = [\"operator\"]"), std::string::npos) << text;
}

TEST_F(ConfigFile, I2_AMissingOrReadableSecretFileIsReportedWithItsLine) {
    const auto token = directory / "token";
    const auto path = write(people + channels + "[channels.bot]\nkind = \"telegram\"\ntoken_file = \"" +
                            token.string() + "\"\n" + routes);
    const auto problems = [&] {
        return all_of(secret_problems(path, std::get<Configuration>(config::load_config(path, known_kinds())), now));
    };
    EXPECT_NE(problems().find(path + ":8:14: channels.bot.token_file: " + token.string() + " does not exist"),
              std::string::npos)
        << problems();
    std::ofstream{token} << "123456789:AAFakeTokenOfTheTestsAlone";
    ASSERT_EQ(::chmod(token.c_str(), 0644), 0);
    EXPECT_NE(problems().find("chmod 600"), std::string::npos) << problems();
    ASSERT_EQ(::chmod(token.c_str(), 0600), 0);
    EXPECT_EQ(problems(), "");
    const auto known = channel_secrets(std::get<Configuration>(config::load_config(path, known_kinds())));
    const security::Redactor redactor{security::Secret::random(32), known};
    EXPECT_EQ(redactor.text("curl .../bot123456789:AAFakeTokenOfTheTestsAlone/x").find("AAFakeToken"),
              std::string::npos);
    EXPECT_EQ(redactor.text("echo AAFakeTokenOfTheTestsAlone").find("AAFakeToken"), std::string::npos) << "I6";
}

TEST_F(ConfigFile, I2_APreviousSecretThatLastsTooLongIsReportedWithItsLine) {
    const auto token = directory / "token";
    std::ofstream{token} << "123456789:AAFakeTokenOfTheTestsAlone";
    ASSERT_EQ(::chmod(token.c_str(), 0600), 0);
    const auto problems = [&](const std::string& until) {
        const auto path =
            write(people + channels + "[channels.bot]\nkind = \"telegram\"\ntoken_file = \"" + token.string() +
                  "\"\nwebhook_secret_file = \"" + token.string() + "\"\nprevious_webhook_secret_file = \"" +
                  token.string() + "\"\nprevious_until = \"" + until + "\"\n" + routes);
        return all_of(secret_problems(path, std::get<Configuration>(config::load_config(path, known_kinds())), now));
    };
    EXPECT_EQ(problems("2026-12-31T00:00:00Z"), "");
    EXPECT_NE(problems("2026-12-31T00:00:01Z").find(":11:18: channels.bot.previous_until: more than 30 days ahead"),
              std::string::npos)
        << problems("2026-12-31T00:00:01Z");
    EXPECT_NE(problems("9999-12-31T23:59:59Z"), "");
}

TEST_F(ConfigFile, I2_AGroupCommandThatOthersMayWriteIsNotRun) {
    const auto program = directory / "oncall";
    std::ofstream{program} << "#!/bin/sh\necho alice\n";
    ASSERT_EQ(::chmod(program.c_str(), 0757), 0);
    EXPECT_EQ(config::run_group_command({program.string()}).error().code, Errc::bad_config);
    ASSERT_EQ(::chmod(program.c_str(), 0755), 0);
    EXPECT_EQ(config::run_group_command({program.string()}).value(), "alice\n");
}

TEST_F(ConfigFile, I13_HasAMaximumSize) {
    const auto base = people + channels + routes + "#";
    EXPECT_EQ(said(write(base + std::string(limits::config_bytes_max - base.size(), 'x'))), "");
    const auto path = write(base + std::string(limits::config_bytes_max - base.size() + 1, 'x'));
    EXPECT_EQ(said(path), path + ": larger than 1048576 bytes\n");
}

TEST_F(ConfigFile, MustExistAndBeAFile) {
    EXPECT_NE(said((directory / "none.toml").string()).find("cannot be opened: No such file"), std::string::npos);
    EXPECT_NE(said(directory.string()).find("no regular file"), std::string::npos);
    const auto pipe = directory / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_NE(said(pipe.string()).find("no regular file"), std::string::npos);
}

TEST_F(ConfigFile, I2_IsRefusedIfEveryUserMayWriteIt) {
    const auto path = write(people + channels + routes, 0646);
    EXPECT_EQ(said(path), path + ": everybody may write this file; chmod o-w " + path + "\n");
}

TEST_F(ConfigFile, I2_IsRefusedIfItsGroupMayWriteIt) {
    const auto path = write(people + channels + routes, 0664);
    EXPECT_EQ(said(path), path + ": its group may write this file; chmod g-w " + path + "\n");
}

TEST_F(ConfigFile, I2_IsRefusedInADirectoryThatOthersMayWrite) {
    const auto path = write(people + channels + routes);
    ASSERT_EQ(::chmod(directory.c_str(), 0757), 0);
    EXPECT_EQ(said(path), path + ": " + directory.string() +
                              " can be written by every user, who can replace what is in it: run chmod o-w " +
                              directory.string() + ", or use another directory\n");
    ASSERT_EQ(::chmod(directory.c_str(), 0775), 0);
    EXPECT_NE(said(path).find("run chmod g-w " + directory.string()), std::string::npos);
    ASSERT_EQ(::chmod(directory.c_str(), 01777), 0);
    EXPECT_EQ(said(path), "") << "the sticky bit keeps others from replacing it";
}

TEST_F(ConfigFile, I2_IsRefusedBehindALinkIntoADirectoryThatOthersMayWrite) {
    const auto path = write(people + channels + routes);
    const auto open = directory / "open";
    std::filesystem::create_directory(open);
    std::filesystem::rename(path, open / "target.toml");
    std::filesystem::create_symlink("open/target.toml", path);
    EXPECT_EQ(said(path), "");
    ASSERT_EQ(::chmod(open.c_str(), 0757), 0);
    EXPECT_NE(said(path).find(open.string() + " can be written by every user"), std::string::npos) << said(path);
}

TEST_F(ConfigFile, I2_IsRefusedIfItBelongsToAnotherUser) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
    const auto path = write(people + channels + routes);
    ASSERT_EQ(::chown(path.c_str(), 65534, 65534), 0);
    EXPECT_EQ(said(path), path + ": this file belongs to uid 65534; it must be yours or root's\n");
}

}  // namespace
}  // namespace countersign::app
