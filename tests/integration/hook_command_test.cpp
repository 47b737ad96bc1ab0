// SPDX-License-Identifier: Apache-2.0
// `hook claude` as Claude Code starts it: an event on standard input, the decision or nothing on standard output.
#include "tests/integration/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace countersign {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;
using testing_tools::contents;
using testing_tools::countersign_path;
using testing_tools::Ran;
using testing_tools::run;
using testing_tools::Talk;
using testing_tools::TemporaryDirectory;

std::string event(const std::string& name, const std::string& more = {}) {
    return R"({"session_id":"s-1","cwd":"/tmp","hook_event_name":")" + name + "\"" + more + "}";
}
std::string asks(const std::string& command) {
    return event("PermissionRequest",
                 R"(,"tool_name":"Bash","tool_input":{"command":")" + command + R"("},"permission_suggestions":[])");
}
std::string ended(const std::string& name, const std::string& command) {
    return event(name, R"(,"tool_name":"Bash","tool_input":{"command":")" + command + R"("},"tool_response":{})");
}

const std::string printed_allow =
    R"({"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow",)";
const std::string printed_deny =
    R"({"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny",)";

class HookCommandTest : public testing::Test {
protected:
    [[nodiscard]] std::string state() const { return files.path() + "/state"; }
    [[nodiscard]] std::vector<std::string> hook(const std::vector<std::string>& more = {}) const {
        std::vector<std::string> argv{countersign_path(), "hook", "claude", "--state", state(), "--config", config};
        argv.insert(argv.end(), more.begin(), more.end());
        return argv;
    }
    [[nodiscard]] Ran give(const std::string& text, const std::vector<std::string>& more = {}) const {
        return run({.argv = hook(more),
                    .input = text,
                    .environment = {"CLAUDE_CODE_MESSAGING_TOKEN=a-token-of-the-session", "CLAUDE_PID=1"}});
    }
    [[nodiscard]] std::unique_ptr<Talk> serve() const {
        auto hub = std::make_unique<Talk>(
            std::vector<std::string>{countersign_path(), "serve", "--plain", "--state", state(), "--config", config});
        EXPECT_TRUE(hub->wait_for("This hub serves")) << hub->said();
        return hub;
    }
    [[nodiscard]] std::string records() const {
        return run({.argv = {countersign_path(), "audit", "tail", "--json", "-n", "100", "--state", state()}}).out;
    }
    // The files by which waiting hooks are found.
    [[nodiscard]] std::size_t waiting() const {
        std::error_code none;
        return static_cast<std::size_t>(std::distance(fs::directory_iterator{state() + "/hooks", none}, {}));
    }
    template <class Condition> static bool soon(Condition holds) {
        for (int tries = 0; tries < 1'000 && !holds(); ++tries)
            std::this_thread::sleep_for(std::chrono::milliseconds{10});
        return holds();
    }

    TemporaryDirectory files;
    std::string config = files.file("countersign.toml", R"([people.alice]
terminal = )" + std::to_string(::geteuid()) + R"(
roles = ["approve"]
[channels.desk]
kind = "terminal"
[[policy]]
name = "lists"
effect = "allow"
tool = "Bash"
command = "ls *"
[[policy]]
name = "removes"
effect = "deny"
tool = "Bash"
command = "rm *"
[[routes]]
ask = [{ channel = "desk" }]
deciders = ["alice"]
)");
};

TEST_F(HookCommandTest, I2_WithoutAHubNothingIsPrintedAndOneLineSaysWhy) {
    const auto ran = give(asks("ls -l"));
    EXPECT_EQ(ran.exit_code, 0);
    EXPECT_THAT(ran.out, IsEmpty());
    EXPECT_THAT(ran.err, HasSubstr("start one with countersign serve"));
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1);
}

TEST_F(HookCommandTest, I2_UnattendedWhatCannotBeAskedIsDenied) {
    const auto ran = give(asks("ls -l"), {"--unattended"});
    EXPECT_EQ(ran.exit_code, 0);
    EXPECT_THAT(ran.out, StartsWith(printed_deny));
    EXPECT_THAT(give("{", {"--unattended"}).out, StartsWith(printed_deny));
}

TEST_F(HookCommandTest, I2_AnEventThatCannotBeReadAllowsNothing) {
    const auto hub = serve();
    for (const auto& text : {std::string{}, std::string{"{"}, std::string{"[]"}, event("PermissionRequest"),
                             asks("ls").substr(0, 80), event("PreCompact"), std::string(17 * 1024 * 1024, ' ')}) {
        const auto ran = give(text);
        EXPECT_EQ(ran.exit_code, 0);
        EXPECT_THAT(ran.out, IsEmpty());
        EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
    }
    const auto stranger = run(
        {.argv = {countersign_path(), "hook", "claude", "--state", state(), "--config", files.path() + "/none.toml"},
         .input = asks("ls -l")});
    EXPECT_EQ(stranger.exit_code, 0);
    EXPECT_THAT(stranger.out, IsEmpty());
    EXPECT_THAT(stranger.err, HasSubstr("none.toml"));
}

TEST_F(HookCommandTest, RulesAnswerAtOnceAndThereIsNothingElseOnStandardOutput) {
    const auto hub = serve();
    const auto allowed = give(asks("ls -l"));
    EXPECT_EQ(allowed.exit_code, 0);
    EXPECT_EQ(allowed.out, printed_allow + R"("updatedInput":{"command":"ls -l"}}}})" + "\n");
    EXPECT_THAT(allowed.err, IsEmpty());
    const auto denied = give(asks("rm x"));
    EXPECT_THAT(denied.out, StartsWith(printed_deny));
    EXPECT_THAT(denied.out, HasSubstr("policy rule removes"));
    EXPECT_THAT(records(), HasSubstr(R"("kind":"forwarded")"));
    EXPECT_THAT(records(), Not(HasSubstr("a-token-of-the-session")));
    EXPECT_THAT(hub->said(), Not(HasSubstr("a-token-of-the-session")));
}

TEST_F(HookCommandTest, WhatAHaltedAgentAsksIsDeniedAtOnce) {
    const auto hub = serve();
    const auto halted = run({.argv = {countersign_path(), "halt", "claude", "--state", state()}});
    ASSERT_EQ(halted.exit_code, 0) << halted.err;
    const auto denied = give(asks("ls -l"));
    EXPECT_THAT(denied.out, StartsWith(printed_deny));
    EXPECT_THAT(denied.out, HasSubstr("halted by alice"));
    EXPECT_THAT(give(asks("ls -l"), {"--agent", "other"}).out, StartsWith(printed_allow));
}

TEST_F(HookCommandTest, I15_AHubWithOtherRulesIsAskedNothing) {
    const auto hub = serve();
    auto other = contents(config);
    other.replace(other.find("ls *"), 4, "ps *");
    const auto ran = run({.argv = {countersign_path(), "hook", "claude", "--state", state(), "--config",
                                   files.file("other.toml", other)},
                          .input = asks("ps -l")});
    EXPECT_EQ(ran.exit_code, 0);
    EXPECT_THAT(ran.out, IsEmpty());
    EXPECT_THAT(ran.err, HasSubstr("--config"));
}

TEST_F(HookCommandTest, TheEndOfACallAtTheTerminalEndsTheWaitOfItsHook) {
    const auto hub = serve();
    for (const auto* name : {"PostToolUse", "PostToolUseFailure"}) {
        Talk waits{hook()};
        waits.type(asks("touch x"));
        waits.close_input();
        ASSERT_TRUE(soon([&] { return waiting() == 1; }));
        EXPECT_THAT(give(ended(name, "touch y")).out, IsEmpty());
        EXPECT_EQ(waiting(), 1U) << "another call has ended";
        EXPECT_THAT(give(ended(name, "touch x")).out, IsEmpty());
        EXPECT_EQ(waits.finish(), 0);
        EXPECT_THAT(waits.said(), HasSubstr("answered at the terminal"));
        EXPECT_THAT(waits.said(), Not(HasSubstr("hookSpecificOutput")));
        EXPECT_EQ(waiting(), 0U);
    }
    EXPECT_THAT(records(), HasSubstr(R"("outcome":"withdrawn")"));
}

TEST_F(HookCommandTest, OfTwoIdenticalCallsNoneIsGuessedAndTheTurnEndsBoth) {
    const auto hub = serve();
    Talk first{hook()};
    Talk second{hook()};
    for (auto* one : {&first, &second}) {
        one->type(asks("touch x"));
        one->close_input();
    }
    ASSERT_TRUE(soon([&] { return waiting() == 2; }));
    (void)give(ended("PostToolUse", "touch x"));
    std::this_thread::sleep_for(std::chrono::milliseconds{500});
    EXPECT_EQ(waiting(), 2U);
    (void)give(event("Stop"));
    EXPECT_EQ(first.finish(), 0);
    EXPECT_EQ(second.finish(), 0);
    EXPECT_EQ(waiting(), 0U);
}

TEST_F(HookCommandTest, ASignalWithdrawsTheRequest) {
    const auto hub = serve();
    Talk waits{hook()};
    waits.type(asks("touch x"));
    waits.close_input();
    ASSERT_TRUE(soon([&] { return waiting() == 1; }));
    ::kill(waits.pid(), SIGTERM);
    EXPECT_EQ(waits.finish(), 0);
    EXPECT_THAT(waits.said(), HasSubstr("answered at the terminal"));
    EXPECT_TRUE(soon([&] { return records().find(R"("outcome":"withdrawn")") != std::string::npos; })) << records();
}

TEST_F(HookCommandTest, ASubAgentsCallIsPassedToTheTerminalInTime) {
    const auto hub = serve();
    auto asked = asks("touch x");
    asked.insert(1, R"("agent_id":"a1","agent_type":"Explore",)");
    const auto ran = give(asked, {"--sub-agent-wait", "1"});
    EXPECT_EQ(ran.exit_code, 0);
    EXPECT_THAT(ran.out, IsEmpty());
    EXPECT_THAT(ran.err, HasSubstr("the terminal asks now"));
    EXPECT_EQ(run({.argv = hook({"--sub-agent-wait", "86400", "--install", "--print"})}).exit_code, 0);
    EXPECT_EQ(run({.argv = hook({"--sub-agent-wait", "86401"}), .input = "{}"}).exit_code, 2);
}

TEST_F(HookCommandTest, TheLeftDialogEndsTheWaitAndAnotherSessionsFileDoesNot) {
    const auto hub = serve();
    const auto claude = files.path() + "/claude";
    fs::create_directories(claude + "/sessions");
    const auto says = [&](const std::string& session, const std::string& status) {
        std::ofstream{claude + "/sessions/" + std::to_string(::getpid()) + ".json"}
            << R"({"sessionId":")" << session << R"(","status":")" << status << R"("})";
    };
    says("s-1", "waiting");
    Talk waits{hook(), {"CLAUDE_CONFIG_DIR=" + claude, "CLAUDE_PID=" + std::to_string(::getpid())}};
    waits.type(asks("touch x"));
    waits.close_input();
    ASSERT_TRUE(soon([&] { return waiting() == 1; }));
    std::this_thread::sleep_for(std::chrono::milliseconds{500});
    says("s-2", "busy");
    std::this_thread::sleep_for(std::chrono::milliseconds{1'000});
    EXPECT_EQ(waiting(), 1U);
    says("s-1", "busy");
    EXPECT_EQ(waits.finish(), 0);
    EXPECT_THAT(waits.said(), HasSubstr("answered at the terminal"));
}

class HookInstallTest : public testing::Test {
protected:
    [[nodiscard]] Ran change(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), {countersign_path(), "hook", "claude", "--settings", settings});
        return run({.argv = std::move(arguments)});
    }
    TemporaryDirectory files;
    std::string settings = files.path() + "/dot/settings.json";
    const std::string before = "{\n    \"model\": \"opus\",\n    \"permissions\": {\"defaultMode\": \"auto\"}\n}\n";
};

TEST_F(HookInstallTest, ANewFileIsMadeAndRemovingTheHookLeavesNothingOfIt) {
    const auto installed = change({"--install", "--agent", "my laptop"});
    EXPECT_EQ(installed.exit_code, 0) << installed.err;
    EXPECT_THAT(installed.out, HasSubstr("--default-mode"));
    EXPECT_THAT(contents(settings), HasSubstr(countersign_path() + " hook claude --agent 'my laptop'"));
    EXPECT_THAT(contents(settings), HasSubstr("86400"));
    EXPECT_THAT(change({"--install", "--agent", "my laptop"}).out, HasSubstr("already"));
    EXPECT_EQ(change({"--uninstall"}).exit_code, 0);
    EXPECT_EQ(contents(settings), "{}\n");
}

TEST_F(HookInstallTest, AProgramOnThePathIsStartedThereSoThatAnUpgradeKeepsTheHook) {
    fs::create_directory(files.path() + "/bin");
    fs::create_symlink(countersign_path(), files.path() + "/bin/countersign");
    const auto path = "PATH=" + files.path() + "/bin:/usr/bin:/bin";
    const auto ran = run({.argv = {"/usr/bin/env", path, countersign_path(), "hook", "claude", "--settings", settings,
                                   "--install", "--print"}});
    EXPECT_THAT(ran.out, HasSubstr("\"" + files.path() + "/bin/countersign hook claude\""));
}

TEST_F(HookInstallTest, TheFileAsItWasIsKeptAndComesBack) {
    fs::create_directory(files.path() + "/dot");
    const auto elsewhere = files.file("elsewhere.json", before, 0640);
    fs::create_symlink(elsewhere, settings);
    EXPECT_EQ(change({"--install", "--default-mode", "--ask-everything"}).exit_code, 0);
    EXPECT_THAT(contents(settings), HasSubstr(R"("defaultMode": "default")"));
    EXPECT_THAT(contents(settings), HasSubstr("\"*\""));
    EXPECT_TRUE(fs::is_symlink(settings));
    EXPECT_EQ(contents(settings + ".before-countersign"), before);
    EXPECT_EQ(change({"--install", "--default-mode"}).exit_code, 0);
    EXPECT_EQ(contents(settings + ".before-countersign"), before) << "kept once";
    EXPECT_EQ(change({"--uninstall"}).exit_code, 0);
    EXPECT_EQ(contents(settings), before);
    EXPECT_FALSE(fs::exists(settings + ".before-countersign"));
    struct stat status{};
    ASSERT_EQ(::stat(elsewhere.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0640U);
}

TEST_F(HookInstallTest, AnInvalidFileIsLeftAlone) {
    fs::create_directory(files.path() + "/dot");
    for (const auto* text : {"{ // mine\n}", "[]", "{\"hooks\":3}"}) {
        std::ofstream{settings} << text;
        const auto ran = change({"--install"});
        EXPECT_EQ(ran.exit_code, 1);
        EXPECT_THAT(ran.err, HasSubstr("nothing was changed"));
        EXPECT_EQ(contents(settings), text);
        EXPECT_FALSE(fs::exists(settings + ".before-countersign"));
    }
}

TEST_F(HookInstallTest, PrintWritesNothing) {
    const auto ran = change({"--install", "--print", "--unattended"});
    EXPECT_EQ(ran.exit_code, 0);
    EXPECT_THAT(ran.out, StartsWith("{\n  \"hooks\""));
    EXPECT_THAT(ran.out, HasSubstr(R"("onFailure": "block")"));
    EXPECT_FALSE(fs::exists(settings));
    EXPECT_EQ(run({.argv = {countersign_path(), "hook", "claude", "--print"}}).exit_code, 2);
    EXPECT_EQ(change({"--install", "--uninstall"}).exit_code, 2);
}

}  // namespace
}  // namespace countersign
