// SPDX-License-Identifier: Apache-2.0
// `halt` and `resume` from the command line, with a real hub, a real agent and a crash in between.
#include "tests/integration/process.hpp"
#include "tests/integration/terminal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

namespace countersign {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_tools::contents;
using testing_tools::countersign;
using testing_tools::countersign_path;
using testing_tools::OnTerminal;
using testing_tools::Talk;
using testing_tools::TemporaryDirectory;

// A hub that answers one message with these bytes and closes the connection. Its socket remains, as after a crash.
class OneAnswer {
public:
    OneAnswer(const std::string& path, std::string answer) : answer_{std::move(answer)} {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path.copy(static_cast<char*>(address.sun_path), sizeof address.sun_path - 1);
        ::unlink(path.c_str());
        listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        EXPECT_EQ(::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        EXPECT_EQ(::listen(listener_, 1), 0);
        thread_ = std::thread{[this] { serve(); }};
    }
    OneAnswer(const OneAnswer&) = delete;
    OneAnswer& operator=(const OneAnswer&) = delete;
    ~OneAnswer() {
        ::shutdown(listener_, SHUT_RDWR);
        thread_.join();
        ::close(listener_);
    }

private:
    void serve() {
        for (;;) {
            const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
            if (client < 0) return;
            ++asked_;
            std::array<char, 4096> question{};
            EXPECT_GT(::read(client, question.data(), question.size()), 0);
            EXPECT_EQ(::write(client, answer_.data(), answer_.size()), static_cast<ssize_t>(answer_.size()));
            ::close(client);
        }
    }

public:
    [[nodiscard]] int asked() const { return asked_; }

private:
    std::atomic<int> asked_ = 0;
    std::string answer_;
    int listener_ = -1;
    std::thread thread_;
};

class HaltCommandTest : public testing::Test {
protected:
    void SetUp() override { ASSERT_EQ(::mkfifo((files.path() + "/go").c_str(), 0600), 0); }

    [[nodiscard]] std::string asks(char number) const {
        const auto line = std::string{R"({"type":"approval_request","approvalId":"01HZXAAAAAAAAAAAAAAAAAAAA)"} +
                          number +
                          R"(","approvalSource":"runtime_tool","subject":{"kind":"tool_use","toolName":"Bash",)"
                          R"("toolId":"t1","rawInput":{"command":"call )" +
                          number +
                          R"("},"displayArgs":{}},"options":[)"
                          R"({"optionId":"deny","label":"Deny","nativeDecision":"reject_once"},)"
                          R"({"optionId":"allow","label":"Allow","nativeDecision":"allow_once"}]})";
        return "cat " + files.file(std::string{"event"} + number, line + "\n") + "\nread -r answer\nprintf '%s\\n' " +
               "\"$answer\" >> " + files.path() + "/answers.txt\n";
    }
    // The agent waits until the test lets it continue.
    [[nodiscard]] std::string waits() const { return "read -r word < " + files.path() + "/go\n"; }
    void let_it_go_on() const { std::ofstream{files.path() + "/go"} << "on\n"; }

    [[nodiscard]] std::vector<std::string> run(const std::string& script) const {
        const auto uid = std::to_string(::getuid());
        const auto config = files.file("countersign.toml", "[people.alice]\nterminal = " + uid +
                                                               "\nroles = [\"approve\"]\n"
                                                               "[channels.desk]\nkind = \"terminal\"\n"
                                                               "[[routes]]\nask = [{ channel = \"desk\" }]\n"
                                                               "deciders = [\"alice\"]\n");
        const auto agent = files.file("agent.sh", "#!/bin/sh\n" + script, 0700);
        return {countersign_path(), "run", "event", "--plain", "--state", state(), "--config", config, "--", agent};
    }
    [[nodiscard]] std::string config() const { return files.path() + "/countersign.toml"; }
    [[nodiscard]] std::string state() const { return files.path() + "/state"; }
    [[nodiscard]] std::string answers() const { return contents(files.path() + "/answers.txt"); }
    // The agent's shell writes down what it read a moment after it got it.
    [[nodiscard]] bool heard(const std::string& answer) const {
        for (int tries = 0; tries < 500 && answers().find(answer) == std::string::npos; ++tries) {
            std::this_thread::sleep_for(std::chrono::milliseconds{10});
        }
        return answers().find(answer) != std::string::npos;
    }
    // The hub announces itself a moment before it listens.
    [[nodiscard]] bool listens() const {
        for (int tries = 0; tries < 500 && !std::filesystem::exists(state() + "/hub.sock"); ++tries) {
            std::this_thread::sleep_for(std::chrono::milliseconds{10});
        }
        return std::filesystem::exists(state() + "/hub.sock");
    }
    [[nodiscard]] std::string records() const {
        return countersign({"audit", "tail", "--json", "-n", "1000", "--state", state()}).out;
    }
    TemporaryDirectory files;
};

TEST_F(HaltCommandTest, I12_AHaltSurvivesAKilledHubAndAPersonAtATerminalResumes) {
    {
        Talk talk{run(asks('1') + waits())};
        ASSERT_TRUE(talk.wait_for("2) Deny")) << talk.said();
        const auto halted = countersign({"halt", "agent", "--state", state()});
        EXPECT_EQ(halted.exit_code, 0) << halted.err;
        EXPECT_THAT(halted.out, HasSubstr("Halted: agent."));
        EXPECT_THAT(halted.out, HasSubstr("Open requests denied: 1."));
        EXPECT_THAT(halted.out, HasSubstr("can't be ended from here")) << "this runtime has no way, and it is said";
        EXPECT_TRUE(heard(R"("optionId":"deny")")) << answers();
        ::kill(talk.pid(), SIGKILL);
        talk.finish();
    }
    const auto again = testing_tools::run({.argv = run(asks('2'))});
    EXPECT_EQ(again.exit_code, 1) << again.out;
    EXPECT_THAT(again.err, HasSubstr("agent was halted by alice and is not started"));
    EXPECT_THAT(again.err, HasSubstr("countersign resume agent"));
    EXPECT_THAT(records(), Not(HasSubstr("call 2"))) << "it did not run";

    const auto by_nobody = testing_tools::run({.argv = {"setsid", "--wait", countersign_path(), "resume", "agent",
                                                        "--state", state(), "--config", config()}});
    EXPECT_EQ(by_nobody.exit_code, 1) << "an agent's shell has no terminal";
    EXPECT_THAT(by_nobody.err, HasSubstr("at a terminal"));
    OnTerminal person{{.argv = {countersign_path(), "resume", "agent", "--state", state(), "--config", config()}}};
    EXPECT_TRUE(person.sees("agent may ask again.")) << person.said();
    EXPECT_EQ(person.ends(), 0) << "also while no hub runs";
    Talk talk{run(asks('3'))};
    ASSERT_TRUE(talk.wait_for("2) Deny")) << talk.said();
    talk.type("Allow");
    EXPECT_EQ(talk.finish(), 0) << talk.said();
    EXPECT_THAT(answers(), HasSubstr("allow_once"));
    EXPECT_THAT(records(), HasSubstr(R"("action":"halt","agentId":"agent")"));
    EXPECT_THAT(records(), HasSubstr(R"("action":"resume","agentId":"agent")"));
    EXPECT_EQ(countersign({"audit", "verify", "--state", state()}).exit_code, 0);
}

TEST_F(HaltCommandTest, AnAgentThatIsHaltedWhileItRunsIsRefusedUntilAPersonAtATerminalResumes) {
    Talk talk{run(waits() + asks('2') + waits() + asks('3'))};
    ASSERT_TRUE(listens()) << talk.said();
    const auto halted = countersign({"halt", "agent", "--state", state()});
    EXPECT_EQ(halted.exit_code, 0) << halted.err;
    let_it_go_on();
    ASSERT_TRUE(talk.wait_for("halted by alice")) << talk.said();
    OnTerminal person{{.argv = {countersign_path(), "resume", "agent", "--state", state()}}};
    EXPECT_TRUE(person.sees("agent may ask again.")) << person.said();
    EXPECT_EQ(person.ends(), 0);
    let_it_go_on();
    ASSERT_TRUE(talk.wait_for("call 3")) << talk.said();
    ASSERT_TRUE(talk.wait_for("2) Deny")) << talk.said();
    talk.type("Allow");
    EXPECT_EQ(talk.finish(), 0) << talk.said();
    EXPECT_THAT(talk.said(), HasSubstr("call 2; a person lifts the halt with /resume agent in a chat"));
    EXPECT_EQ(talk.said().find("Approval wanted"), talk.said().rfind("Approval wanted"))
        << "nobody was shown what a halted agent asked: " << talk.said();
    EXPECT_THAT(answers(), HasSubstr("allow_once"));
    EXPECT_THAT(countersign({"audit", "list", "--state", state()}).out, HasSubstr("call 2")) << "listed like any other";
    const auto shown = countersign({"audit", "show", "01HZXAAAAAAAAAAAAAAAAAAAA2", "--state", state()});
    EXPECT_THAT(shown.out, HasSubstr("as it was asked; no person saw it")) << shown.err;
    const auto seen = countersign({"audit", "show", "01HZXAAAAAAAAAAAAAAAAAAAA3", "--state", state()});
    EXPECT_THAT(seen.out, HasSubstr("as it was shown")) << seen.err;
}

TEST_F(HaltCommandTest, WithoutAHubItSaysSoAndHowToStartOne) {
    const auto halted = countersign({"halt", "agent", "--state", state()});
    EXPECT_EQ(halted.exit_code, 1);
    EXPECT_THAT(halted.err, HasSubstr("no hub runs on"));
    EXPECT_THAT(halted.err, HasSubstr("countersign serve --state " + state()));
    EXPECT_THAT(halted.err, HasSubstr("countersign run"));
}

// As `setup telegram --no-test` leaves it: a configuration and a state directory without a log.
TEST_F(HaltCommandTest, I12_AHaltBeforeTheFirstRunIsInTheLogThatTheRunFinds) {
    (void)run("");
    std::filesystem::create_directories(state());
    std::filesystem::permissions(state(), std::filesystem::perms::owner_all);
    const auto halted = countersign({"halt", "agent", "--state", state(), "--config", config()});
    EXPECT_EQ(halted.exit_code, 0) << halted.err;
    EXPECT_THAT(halted.out, HasSubstr("Halted: agent."));
    EXPECT_THAT(halted.err, HasSubstr("No hub has run here yet"));
    EXPECT_THAT(records(), HasSubstr(R"("action":"halt","agentId":"agent")"));
    EXPECT_EQ(countersign({"audit", "verify", "--state", state()}).exit_code, 0);
    const auto refused = testing_tools::run({.argv = run(asks('1'))});
    EXPECT_EQ(refused.exit_code, 1) << refused.out;
    EXPECT_THAT(refused.err, HasSubstr("agent was halted by alice and is not started"));
}

TEST_F(HaltCommandTest, BeforeTheFirstRunOnlyTheDefaultDirectoryIsCreated) {
    (void)run("");
    const auto in_default = testing_tools::run({.argv = {countersign_path(), "halt", "agent", "--config", config()},
                                                .environment = {"XDG_STATE_HOME=" + files.path() + "/home"}});
    EXPECT_EQ(in_default.exit_code, 0) << in_default.err;
    EXPECT_TRUE(std::filesystem::exists(files.path() + "/home/countersign/audit"));
    std::filesystem::permissions(files.path(), std::filesystem::perms::owner_all);
    const auto in_another = countersign({"halt", "agent", "--state", files.path(), "--config", config()});
    EXPECT_EQ(in_another.exit_code, 1) << "a directory with other things in it was mistyped";
    EXPECT_FALSE(std::filesystem::exists(files.path() + "/audit"));
}

TEST_F(HaltCommandTest, AHubThatCannotCarryOutTheOrderIsReportedAndNotReplaced) {
    (void)run("");
    std::filesystem::create_directories(state() + "/audit");
    std::filesystem::permissions(state(), std::filesystem::perms::owner_all);
    std::filesystem::permissions(state() + "/audit", std::filesystem::perms::owner_all);
    const auto answered_with = [&](const std::string& answer) {
        OneAnswer hub{state() + "/hub.sock", answer};
        return countersign({"halt", "agent", "--state", state(), "--config", config()});
    };
    const auto failed = answered_with(R"({"type":"carried","failed":"unavailable",)"
                                      R"("detail":"audit log unavailable: no space left","said":""})"
                                      "\n");
    EXPECT_EQ(failed.exit_code, 1) << failed.out;
    EXPECT_THAT(failed.err, HasSubstr("audit log unavailable: no space left"));
    const auto full = answered_with(R"({"type":"carried","failed":"busy","detail":"256 names are halted","said":""})"
                                    "\n");
    EXPECT_THAT(full.err, HasSubstr("256 names are halted; resume some first: countersign resume NAME"));
    auto cuts_off = std::make_unique<OneAnswer>(state() + "/hub.sock", "");
    const auto silent = countersign({"halt", "agent", "--state", state(), "--config", config()});
    EXPECT_EQ(silent.exit_code, 1) << silent.out;
    EXPECT_THAT(silent.err, HasSubstr("the hub ended the connection"));
    EXPECT_THAT(silent.err, HasSubstr("the order may have been carried out: countersign audit tail shows it"));
    EXPECT_EQ(cuts_off->asked(), 2) << "a halt is tried once more";
    cuts_off.reset();
    EXPECT_TRUE(std::filesystem::is_empty(state() + "/audit")) << "no second hub wrote a log";

    const auto left_behind = countersign({"halt", "agent", "--state", state(), "--config", config()});
    EXPECT_EQ(left_behind.exit_code, 0) << "nothing listens on the socket of a hub that crashed: " << left_behind.err;
}

// As `setup telegram` leaves it: the only decider has no identity at this machine's terminal.
TEST_F(HaltCommandTest, I4_TheLocalOperatorMayHaltWithoutBeingADeciderAndOnlyADeciderResumes) {
    auto argv = run(waits());
    auto text = contents(config());
    text.insert(text.find("[channels"), "[people.bob]\nterminal = 77\nroles = [\"approve\"]\n");
    text.replace(text.find("deciders = [\"alice"), 18, "deciders = [\"bob");
    (void)files.file("countersign.toml", text);
    Talk hub{argv};
    ASSERT_TRUE(listens()) << hub.said();
    const auto uid = std::to_string(::geteuid());
    const auto halted = countersign({"halt", "agent", "--state", state()});
    EXPECT_EQ(halted.exit_code, 0) << halted.err;
    EXPECT_THAT(halted.out, HasSubstr("Halted: agent."));
    EXPECT_THAT(records(), HasSubstr(R"("localUid":)" + uid));
    EXPECT_THAT(records(), HasSubstr("uid " + uid + " (local)"));

    OnTerminal resume{{.argv = {countersign_path(), "resume", "agent", "--state", state()}}};
    EXPECT_TRUE(resume.sees("send /resume in a chat")) << resume.said();
    EXPECT_EQ(resume.ends(), 1);
    EXPECT_THAT(resume.said(), HasSubstr("\"terminal = " + uid + "\""));

    const auto joined = testing_tools::run({.argv = argv});
    EXPECT_EQ(joined.exit_code, 1) << "a second run hears it from the first one's hub";
    EXPECT_THAT(joined.err, HasSubstr("agent was halted by uid " + uid + " (local) and is not started"));
    let_it_go_on();
    EXPECT_EQ(hub.finish(), 0) << hub.said();
}

TEST_F(HaltCommandTest, ASecondRunReportsItsPendingRequestsAndTheirDecisions) {
    Talk first{run(waits())};
    ASSERT_TRUE(listens()) << first.said();
    ASSERT_EQ(::mkfifo((files.path() + "/end").c_str(), 0600), 0);
    const auto agent =
        files.file("second.sh", "#!/bin/sh\n" + asks('1') + "read -r word < " + files.path() + "/end\n", 0700);
    Talk second{{countersign_path(), "run", "event", "--plain", "--agent", "second", "--state", state(), "--config",
                 config(), "--", agent}};
    ASSERT_TRUE(second.wait_for("? asked on desk: Bash: ")) << second.said();
    ASSERT_TRUE(first.wait_for("2) Deny")) << first.said();
    first.type("Allow");
    ASSERT_TRUE(second.wait_for("✓ allowed by alice on desk")) << second.said();
    std::ofstream{files.path() + "/end"} << "now\n";
    EXPECT_EQ(second.finish(), 0) << second.said();
    let_it_go_on();
    EXPECT_EQ(first.finish(), 0) << first.said();
    EXPECT_THAT(first.said(), Not(HasSubstr("? asked on desk"))) << "its terminal showed the card";
}

TEST_F(HaltCommandTest, ASecondHubOnTheSameStateIsToldToUseAnotherDirectory) {
    const auto argv = run(waits());
    Talk hub{argv};
    ASSERT_TRUE(hub.wait_for("same user")) << hub.said();
    const auto second = countersign({"serve", "--state", state(), "--config", files.path() + "/countersign.toml"});
    EXPECT_EQ(second.exit_code, 4);
    EXPECT_THAT(second.err, HasSubstr("uses " + state()));
    EXPECT_THAT(second.err, HasSubstr("--state DIR uses another"));
}

}  // namespace
}  // namespace countersign
