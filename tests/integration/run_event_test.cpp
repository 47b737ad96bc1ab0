// SPDX-License-Identifier: Apache-2.0
// `run event` with real agents: shell scripts that speak the event protocol, and people who type.
#include "tests/integration/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace countersign {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using testing_tools::contents;
using testing_tools::countersign_path;
using testing_tools::run;
using testing_tools::Talk;
using testing_tools::TemporaryDirectory;

std::string event(const std::string& id, const std::string& command) {
    return R"({"type":"approval_request","approvalId":")" + id +
           R"(","approvalSource":"runtime_tool",)"
           R"("subject":{"kind":"tool_use","toolName":"Bash","toolId":"t1","rawInput":{"command":")" +
           command +
           R"("},"displayArgs":{}},"options":[{"optionId":"deny","label":"Deny","nativeDecision":"reject_once"},)" +
           R"({"optionId":"allow","label":"Allow","nativeDecision":"allow_once"}]})";
}
constexpr const char* first_id = "01HZXAAAAAAAAAAAAAAAAAAAA1";
constexpr const char* second_id = "01HZXAAAAAAAAAAAAAAAAAAAA2";

class RunEventTest : public testing::Test {
protected:
    [[nodiscard]] std::string config(const std::string& uid = std::to_string(::getuid())) const {
        return files.file("countersign.toml",
                          "[people.alice]\nterminal = " + uid +
                              "\nroles = [\"approve\"]\n"
                              "[channels.desk]\nkind = \"terminal\"\n"
                              "[[routes]]\nask = [{ channel = \"desk\" }]\ndeciders = [\"alice\"]\n");
    }
    // The agent is a script.
    [[nodiscard]] std::vector<std::string> command(const std::string& script, const std::string& config_file,
                                                   std::vector<std::string> more = {}) const {
        const auto agent = files.file("agent.sh", "#!/bin/sh\n" + script, 0700);
        std::vector<std::string> argv{countersign_path(), "run",   "event",    "--plain",
                                      "--state",          state(), "--config", config_file};
        argv.insert(argv.end(), more.begin(), more.end());
        argv.insert(argv.end(), {"--", agent});
        return argv;
    }
    // Script lines that ask once and store the answer in answers.txt.
    [[nodiscard]] std::string asks(const std::string& line) const {
        const auto file = files.file("event.json", line + "\n");
        return "cat " + file + "\n" + hears();
    }
    [[nodiscard]] std::string hears() const {
        return "read -r answer\nprintf '%s\\n' \"$answer\" >> " + files.path() + "/answers.txt\n";
    }
    [[nodiscard]] std::string answers() const { return contents(files.path() + "/answers.txt"); }
    [[nodiscard]] std::string state() const { return files.path() + "/state"; }
    [[nodiscard]] std::string records() const {
        return testing_tools::countersign({"audit", "tail", "--json", "-n", "1000", "--state", state()}).out;
    }
    TemporaryDirectory files;
};

TEST_F(RunEventTest, TheAgentGetsItsArgumentsUnchanged) {
    auto argv = command("for word in \"$@\"; do printf '<%s>' \"$word\" >> " + files.path() +
                            "/words\ndone\necho '{\"type\":\"message\",\"text\":\"up\"}'\n",
                        config());
    const std::vector<std::string> words{"[a,b]", "[]", R"(["x", "y"])", "[", "--", "--agent", "", "[c]\x1e", "d]"};
    argv.insert(argv.end(), words.begin(), words.end());
    Talk talk{argv};
    EXPECT_TRUE(talk.wait_for("up")) << talk.said();
    EXPECT_EQ(talk.finish(), 0) << talk.said();
    std::string expected;
    for (const auto& word : words) expected += "<" + word + ">";
    EXPECT_EQ(contents(files.path() + "/words"), expected);
}

TEST_F(RunEventTest, TheAgentGetsTheOptionThatThePersonTyped) {
    Talk talk{command(asks(event(first_id, "ls -l")), config())};
    ASSERT_TRUE(talk.wait_for("ls -l")) << talk.said();
    ASSERT_TRUE(talk.wait_for("2) Deny")) << talk.said();
    talk.type("Allow");
    ASSERT_TRUE(talk.wait_for("Allowed"));
    EXPECT_EQ(talk.finish(), 0) << talk.said();
    EXPECT_THAT(answers(), HasSubstr(R"("optionId":"allow")"));
    EXPECT_THAT(answers(), HasSubstr(R"("nativeDecision":"allow_once")"));
    EXPECT_THAT(records(), HasSubstr(R"("decidedBy":"alice")"));
    EXPECT_THAT(records(), HasSubstr("\"principal\":\"terminal:" + std::to_string(::getuid())));
}

TEST_F(RunEventTest, I8_AChangedScriptAsksAgain) {
    auto text = contents(config());
    text.replace(text.find("[\"approve\"]"), 11, "[\"approve\", \"approve-always\"]");
    const auto script = files.file("run.sh", "echo one\n");
    const auto line = [&](const std::string& id) {
        auto asked = event(id, "bash " + script);
        return asked.insert(asked.size() - 2,
                            R"(,{"optionId":"always","label":"Always","nativeDecision":"allow_always"})");
    };
    Talk talk{command("cat " + files.file("1.json", line(first_id) + "\n") + "\n" + hears() +  //
                          "cat " + files.file("2.json", line(second_id) + "\n") + "\n" + hears() +
                          "echo 'echo two' > " + script + "\ncat " +
                          files.file("3.json", line("01HZXAAAAAAAAAAAAAAAAAAAA3") + "\n") + "\n" + hears(),
                      files.file("always.toml", text))};
    ASSERT_TRUE(talk.wait_for("3) Allow this exact call for up to 30 days")) << talk.said();
    ASSERT_TRUE(talk.wait_for("while run.sh is unchanged; not what it reads or starts")) << talk.said();
    talk.type("3");
    ASSERT_TRUE(talk.wait_for("2) Deny")) << talk.said();
    talk.type("2");
    EXPECT_EQ(talk.finish(), 0) << talk.said();
    EXPECT_THAT(answers(), HasSubstr(R"("optionId":"deny")"));
    EXPECT_THAT(records(), HasSubstr(R"("decidedBy":"grant:)"));
    EXPECT_THAT(records(), HasSubstr(R"("scriptHash":)"));
}

TEST_F(RunEventTest, ALinkIsNotAllowedByAnAllowOfItsWrittenPath) {
    const auto root = fs::canonical(files.path()).string();
    fs::create_directories(root + "/docs");
    fs::create_directories(root + "/.ssh");
    fs::create_symlink("../.ssh", root + "/docs/link");
    const auto config_file =
        files.file("docs.toml", contents(config()) + "[[policy]]\nname = \"docs\"\neffect = \"allow\"\npath = \"" +
                                    root + "/docs/*\"\n");
    const auto line = [&](const std::string& id, const std::string& path) {
        auto asked = event(id, "x");
        const std::string from = R"("toolName":"Bash","toolId":"t1","rawInput":{"command":"x"})";
        return asked.replace(asked.find(from), from.size(),
                             R"("toolName":"Write","toolId":"t1","rawInput":{"file_path":")" + path +
                                 R"(","content":"k"})");
    };
    Talk talk{command("cat " + files.file("1.json", line(first_id, root + "/docs/new") + "\n") + "\n" + hears() +  //
                          "cat " + files.file("2.json", line(second_id, root + "/docs/link/authorized_keys") + "\n") +
                          "\n" + hears(),
                      config_file)};
    ASSERT_TRUE(talk.wait_for("2) Deny")) << talk.said();
    EXPECT_THAT(talk.said(), HasSubstr("leads to " + root + "/.ssh/authorized_keys"));
    EXPECT_THAT(talk.said(), HasSubstr("secret path"));
    talk.type("2");
    EXPECT_EQ(talk.finish(), 0) << talk.said();
    EXPECT_THAT(records(), HasSubstr(R"("decidedBy":"policy:docs")"));
    EXPECT_THAT(answers(), HasSubstr(R"("optionId":"deny")"));
}

TEST_F(RunEventTest, TheAgentsOutputAndOurOwnAreEscapedOnce) {
    const auto said = files.file("said.json", "{\"type\":\"message\",\"text\":\"one \\u202E two\"}\n"
                                              "{\"type\":\"approval_request\",\"\\u202E\":1,\"\\u202E\":2}\n");
    Talk talk{command("cat " + said + "\nread -r answer\n", config())};
    EXPECT_EQ(talk.finish(), 0) << talk.said();
    EXPECT_THAT(talk.said(), HasSubstr("agent | one \\u{202E} two\n"));
    EXPECT_THAT(talk.said(), HasSubstr("not accepted: malformed: \\u{202E}"));
    EXPECT_THAT(talk.said(), Not(HasSubstr("\\u{5C}")));
}

TEST_F(RunEventTest, OurLinesAboveTheCardAreInTheLanguageOfTheTerminalUser) {
    auto text = contents(config());
    text.replace(text.find("[people.alice]\n"), 15, "[people.alice]\nlanguage = \"de\"\n");
    const auto said = files.file("said.json", "{\"type\":\"message\",\"text\":\"done\"}\n"
                                              "{\"type\":\"approval_request\"}\n");
    Talk talk{command("cat " + said + "\nread -r answer\n", files.file("german.toml", text))};
    EXPECT_EQ(talk.finish(), 0) << talk.said();
    EXPECT_THAT(talk.said(), HasSubstr("agent | done\n"));
    EXPECT_THAT(talk.said(), HasSubstr("nicht angenommen: malformed"));
}

TEST_F(RunEventTest, I4_ATerminalUserWhoIsNotADeciderDecidesNothing) {
    Talk talk{command(asks(event(first_id, "ls")), config(std::to_string(::getuid() + 1)))};
    ASSERT_TRUE(talk.wait_for("2) Deny")) << talk.said();
    talk.type("Allow");
    ASSERT_TRUE(talk.wait_for("may not")) << talk.said();
    talk.close_input();
    talk.finish();
    EXPECT_THAT(answers(), Not(HasSubstr("allow_once")));
    EXPECT_THAT(records(), HasSubstr("not_authorised"));
}

TEST_F(RunEventTest, I2_TheEndOfTheInputAllowsNothing) {
    Talk talk{command(asks(event(first_id, "ls")), config())};
    ASSERT_TRUE(talk.wait_for("2) Deny")) << talk.said();
    talk.close_input();
    talk.finish();
    EXPECT_THAT(answers(), Not(HasSubstr("allow_once")));
    EXPECT_THAT(records(), Not(HasSubstr(R"("decision":"allowed")")));
}

TEST_F(RunEventTest, TextTypedBeforeTheCardDecidesNothing) {
    Talk talk{command("sleep 1\n" + asks(event(first_id, "ls")), config())};
    talk.type("Allow");
    ASSERT_TRUE(talk.wait_for("2) Deny")) << talk.said();
    talk.type("Deny");
    ASSERT_TRUE(talk.wait_for("Denied"));
    EXPECT_EQ(talk.finish(), 0);
    EXPECT_THAT(answers(), HasSubstr("reject_once"));
}

TEST_F(RunEventTest, YesIsNotADecision) {
    Talk talk{command(asks(event(first_id, "ls")), config())};
    ASSERT_TRUE(talk.wait_for("2) Deny")) << talk.said();
    talk.type("yes");
    talk.type("ok");
    talk.close_input();
    talk.finish();
    EXPECT_THAT(answers(), Not(HasSubstr("allow_once")));
}

TEST_F(RunEventTest, UnreadableLinesAreAnsweredAndTheNextOneWorks) {
    const auto garbage =
        files.file("garbage", "not json\n{\"type\":\"approval_request\",\"approvalId\":\"x\"}\n[1e400]\n"
                              "{\"type\":\"approval_request\",\"approvalSource\":\"gateway_tool\",\"approvalId\":\"" +
                                  std::string{second_id} + "\"}\n");
    Talk talk{command("cat " + garbage + "\n" + hears() + hears() + hears() + hears() + asks(event(first_id, "ls")),
                      config())};
    ASSERT_TRUE(talk.wait_for("2) Deny")) << talk.said();
    talk.type("Deny");
    ASSERT_TRUE(talk.wait_for("Denied"));
    EXPECT_EQ(talk.finish(), 0) << talk.said();
    EXPECT_THAT(answers(), HasSubstr("refusedEvents"));
    EXPECT_THAT(answers(), HasSubstr("approvalSource"));
    EXPECT_THAT(answers(), HasSubstr("reject_once"));
}

TEST_F(RunEventTest, AMegabyteLineIsRefusedAndTheNextOneWorks) {
    Talk talk{
        command("head -c 1100000 /dev/zero | tr '\\0' x\necho\n" + hears() + asks(event(first_id, "ls")), config())};
    ASSERT_TRUE(talk.wait_for("2) Deny")) << talk.said();
    talk.type("Deny");
    ASSERT_TRUE(talk.wait_for("Denied"));
    EXPECT_EQ(talk.finish(), 0) << talk.said();
    EXPECT_THAT(answers(), HasSubstr("a line of 1100000 bytes"));
    EXPECT_THAT(records(), HasSubstr(R"("kind":"unreadable")"));
    EXPECT_THAT(answers(), HasSubstr("reject_once"));
}

TEST_F(RunEventTest, I7_ACallTooLongForARecordIsShownWholeAndStoredInAFile) {
    const std::string tail = "the-very-end";
    Talk talk{command(asks(event(first_id, "echo " + std::string(40'000, 'x') + tail)), config())};
    ASSERT_TRUE(talk.wait_for(tail)) << talk.said().substr(0, 400);
    ASSERT_TRUE(talk.wait_for("2) Deny"));
    talk.type("Allow");
    ASSERT_TRUE(talk.wait_for("Allowed")) << talk.said().substr(talk.said().size() - 400);
    EXPECT_EQ(talk.finish(), 0);
    EXPECT_THAT(answers(), HasSubstr("allow_once"));
    std::size_t texts = 0;
    for (const auto& text : fs::directory_iterator{state() + "/audit/text"}) {
        ++texts;
        EXPECT_THAT(contents(text.path().string()), HasSubstr(tail));
        const auto sum = run({.argv = {"sha256sum", text.path().string()}}).out;
        EXPECT_EQ(sum.substr(0, 64), text.path().filename().string()) << "its name is what sha256sum says";
    }
    EXPECT_EQ(texts, 1U);
    EXPECT_EQ(testing_tools::countersign({"audit", "verify", "--state", state()}).exit_code, 0);
}

// Misleading buttons: words that a person types to refuse must never allow.
std::string lying_event(const std::string& options) {
    auto text = event(first_id, "rm -rf /important");
    return text.substr(0, text.find("\"options\":")) + "\"options\":[" + options + "]}";
}

TEST_F(RunEventTest, I2_RefusingWordsNeverAllowForAnyLabelsOfTheAgent) {
    const struct {
        std::string options;
        std::string typed;
        std::string shown;  // a label that doesn't say what it does gets our word before it
    } lies[] = {
        {R"({"optionId":"deny","label":"Approve","nativeDecision":"allow_once"},)"
         R"({"optionId":"x","label":"Deny","nativeDecision":"reject_once"})",
         "deny", "1) Approve"},
        {R"({"optionId":"cancel","label":"Go","nativeDecision":"allow_once"})", "cancel", "1) Go  (allow once)"},
        {R"({"optionId":"no","label":"Run it","nativeDecision":"allow_once"})", "no", "1) Run it  (allow once)"},
    };
    for (const auto& lie : lies) {
        fs::remove(files.path() + "/answers.txt");
        fs::remove_all(state());
        Talk talk{command(asks(lying_event(lie.options)), config())};
        ASSERT_TRUE(talk.wait_for(lie.shown)) << talk.said();
        ASSERT_TRUE(talk.wait_for("no time limit")) << talk.said();
        talk.type(lie.typed);
        talk.close_input();
        talk.finish();
        EXPECT_THAT(answers(), Not(HasSubstr("allow_once"))) << lie.options;
    }
}

TEST_F(RunEventTest, LabelsThatReadTheSameAreRefused) {
    const auto file =
        files.file("e.json", lying_event(R"({"optionId":"a","label":"Decide","nativeDecision":"allow_once"},)"
                                         R"({"optionId":"b","label":" decide ","nativeDecision":"reject_once"})"));
    const auto ran = testing_tools::countersign({"check", "event", file});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_THAT(ran.err, HasSubstr("options[1].label"));
}

TEST_F(RunEventTest, I15_AnAllowLabelledAsARefusalIsRefusedByName) {
    const auto file =
        files.file("e.json", lying_event(R"({"optionId":"a","label":"Deny","nativeDecision":"allow_once"})"));
    const auto ran = testing_tools::countersign({"check", "event", file});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_THAT(ran.err, HasSubstr("options[0].label: says no"));
}

TEST_F(RunEventTest, AnAgentThatIgnoresTermIsKilledWhenWeAreToldToEnd) {
    Talk talk{
        command("trap '' TERM\necho '{\"type\":\"message\",\"text\":\"up\"}'\nwhile :; do sleep 1; done\n", config())};
    ASSERT_TRUE(talk.wait_for("up")) << talk.said();
    ::kill(talk.pid(), SIGTERM);
    EXPECT_EQ(talk.finish(), 1) << talk.said();
    EXPECT_EQ(testing_tools::countersign({"audit", "verify", "--state", state()}).exit_code, 0);
}

TEST_F(RunEventTest, ADescendantThatKeepsThePipesOpenDoesNotKeepUsRunning) {
    Talk talk{command("setsid sleep 5 &\nexit 0\n", config())};
    EXPECT_EQ(talk.finish(), 0) << talk.said();
}

TEST_F(RunEventTest, I15_AnEndedRequestIsAnsweredAndNotAskedAgain) {
    const auto line = files.file("again.json", event(first_id, "ls") + "\n");
    Talk talk{command(asks(event(first_id, "ls")) + "cat " + line + "\n" + hears(), config())};
    ASSERT_TRUE(talk.wait_for("no time limit")) << talk.said();
    talk.type("Deny");
    EXPECT_EQ(talk.finish(), 0) << talk.said();
    EXPECT_THAT(answers(), HasSubstr("already denied by alice"));
}

TEST_F(RunEventTest, I15_AnIdIsDecidedOnceEvenAcrossARestart) {
    const auto config_file = config();
    for (const bool again : {false, true}) {
        Talk talk{command(asks(event(first_id, again ? "rm -rf /" : "ls")), config_file)};
        if (!again) {
            ASSERT_TRUE(talk.wait_for("2) Deny")) << talk.said();
            talk.type("Allow");
        }
        EXPECT_EQ(talk.finish(), 0) << talk.said();
    }
    EXPECT_THAT(answers(), HasSubstr("was used for another call"));
    EXPECT_THAT(records(), HasSubstr(R"("kind":"unreadable")"));
}

TEST_F(RunEventTest, TheSameEventTwiceIsAskedOnce) {
    Talk talk{command("cat " + files.file("event.json", event(first_id, "ls") + "\n" + event(first_id, "ls") + "\n") +
                          "\n" + hears(),
                      config())};
    ASSERT_TRUE(talk.wait_for("2) Deny")) << talk.said();
    talk.type("Allow");
    ASSERT_TRUE(talk.wait_for("Allowed"));
    EXPECT_EQ(talk.finish(), 0) << talk.said();
    EXPECT_EQ(records().find("\"seq\":9"), std::string::npos) << "start, config, one request and its life, stop";
}

TEST_F(RunEventTest, I15_TheSameIdForAnotherCallIsRefusedAndTheFirstRequestContinues) {
    Talk talk{command("cat " +
                          files.file("event.json", event(first_id, "ls") + "\n" + event(first_id, "rm -rf /") + "\n") +
                          "\n" + hears() + hears(),
                      config())};
    ASSERT_TRUE(talk.wait_for("2) Deny")) << talk.said();
    talk.type("Allow");
    ASSERT_TRUE(talk.wait_for("Allowed"));
    EXPECT_EQ(talk.finish(), 0) << talk.said();
    EXPECT_THAT(talk.said(), HasSubstr("conflict")) << "before the card or after it, never within";
    EXPECT_THAT(answers(), HasSubstr("conflict"));
    EXPECT_THAT(answers(), HasSubstr("allow_once"));
    EXPECT_THAT(talk.said(), Not(HasSubstr("rm -rf")));
}

TEST_F(RunEventTest, AnAgentThatDiesWhileItsRequestIsPendingLosesIt) {
    const auto file = files.file("event.json", event(first_id, "ls") + "\n");
    Talk talk{command("cat " + file + "\nsleep 1\nkill -9 $$\n", config())};
    ASSERT_TRUE(talk.wait_for("2) Deny")) << talk.said();
    ASSERT_TRUE(talk.wait_for("killed by signal 9")) << talk.said();
    EXPECT_EQ(talk.finish(), 1);
    EXPECT_THAT(records(), HasSubstr(R"("outcome":"lost")"));
    EXPECT_EQ(testing_tools::countersign({"audit", "verify", "--state", state()}).exit_code, 0);
}

TEST_F(RunEventTest, TheTerminalRefusesToStartIfAChildUsesItToo) {
    const auto ran = run({.argv = command("exit 0\n", config(), {"--share-stderr"})});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_THAT(ran.err, HasSubstr("channel desk"));
    EXPECT_THAT(records(), HasSubstr(R"("kind":"stop")")) << "a hub that started also stopped";
}

TEST_F(RunEventTest, I6_TheAgentsStderrIsShownRedacted) {
    const std::string secret = "ghp_"
                               "4fT9sKq2LmZx7VbN1cRw8YhJ3dPgE6uAo5Qi";
    // Its input stays open: the end of ours would stop the agent before it has printed anything.
    Talk talk{command("echo cannot log in with " + secret + " >&2\nexit 3\n", config())};
    EXPECT_EQ(talk.finish(), 1);
    EXPECT_THAT(talk.said(), HasSubstr("cannot log in with"));
    EXPECT_THAT(talk.said(), Not(HasSubstr(secret)));
    EXPECT_THAT(talk.said(), Not(HasSubstr(secret.substr(10))));
}

TEST_F(RunEventTest, TheAgentDoesNotInheritOurSecretsOrDescriptors) {
    const auto out = files.path();
    Talk talk{command("env > " + out + "/env.txt\nls /proc/self/fd | wc -l > " + out + "/fds.txt\n", config()),
              {"TELEGRAM_BOT_TOKEN=123:abc", "CREDENTIALS_DIRECTORY=/nowhere"}};
    EXPECT_EQ(talk.finish(), 0) << talk.said();
    EXPECT_THAT(contents(out + "/env.txt"), HasSubstr("PATH="));
    EXPECT_THAT(contents(out + "/env.txt"), Not(HasSubstr("TELEGRAM_BOT_TOKEN")));
    EXPECT_THAT(contents(out + "/env.txt"), Not(HasSubstr("CREDENTIALS_DIRECTORY")));
    EXPECT_LE(std::stoi(contents(out + "/fds.txt")), 5) << "0, 1, 2, the script, and what ls itself opens";
}

// One bot, one log: the second run sends its requests to the first one, which shows its cards.
TEST_F(RunEventTest, ASecondHubBecomesASidecarOfTheFirstAndBothAreAnswered) {
    const auto config_file = config();
    Talk first{command(asks(event(first_id, "ls")), config_file)};
    ASSERT_TRUE(first.wait_for("2) Deny")) << first.said();
    const auto other = files.path() + "/other.txt";
    const auto agent = files.file("other.sh",
                                  "#!/bin/sh\ncat " + files.file("other.json", event(second_id, "make other") + "\n") +
                                      "\nread -r answer\nprintf '%s\\n' \"$answer\" > " + other + "\n",
                                  0700);
    Talk second{{countersign_path(), "run", "event", "--agent", "other", "--state", state(), "--config", config_file,
                 "--", agent}};
    ASSERT_TRUE(second.wait_for("process, " + std::to_string(first.pid()))) << second.said();
    first.type("Allow");
    ASSERT_TRUE(first.wait_for("make other")) << first.said();
    ASSERT_TRUE(first.wait_for("2) Deny")) << first.said();
    first.type("Deny");
    EXPECT_EQ(second.finish(), 0) << second.said();
    EXPECT_EQ(first.finish(), 0) << first.said();
    EXPECT_THAT(answers(), HasSubstr("allow_once"));
    EXPECT_THAT(contents(other), HasSubstr("reject_once"));
    EXPECT_THAT(records(), HasSubstr(R"("agentId":"other")"));
    EXPECT_EQ(testing_tools::countersign({"audit", "verify", "--state", state()}).exit_code, 0);
}

TEST_F(RunEventTest, I15_ASecondRunWithOtherRulesCannotUseThemInTheHub) {
    const auto config_file = config();
    Talk first{command("read -r never\n", config_file)};
    ASSERT_TRUE(first.wait_for("same user")) << first.said();
    const auto lax = files.file("lax.toml", contents(config_file) +
                                                "[[policy]]\nname = \"lax\"\neffect = \"allow\"\ncommand = \"rm *\"\n");
    const auto started = files.path() + "/started";
    Talk second{{countersign_path(), "run", "event", "--state", state(), "--config", lax, "--", "touch", started}};
    EXPECT_EQ(second.finish(), 1) << second.said();
    EXPECT_THAT(second.said(), HasSubstr("it uses another configuration"));
    EXPECT_THAT(second.said(), HasSubstr("policy"));
    EXPECT_FALSE(fs::exists(started));
    const auto same = files.file("same.toml", contents(config_file));
    Talk third{{countersign_path(), "run", "event", "--state", state(), "--config", same, "--", "true"}};
    EXPECT_EQ(third.finish(), 0) << third.said();
    EXPECT_THAT(third.said(), HasSubstr(same + " is used for nothing more"));
}

TEST_F(RunEventTest, I12_ASidecarWhoseHubIsKilledRunsNothingAndContinuesInTheNext) {
    const auto config_file = config();
    Talk first{command("sleep 60\n", config_file)};
    ASSERT_TRUE(first.wait_for("same user")) << first.said();
    const auto other = files.path() + "/other.txt";
    const auto agent = files.file("other.sh",
                                  "#!/bin/sh\ncat " + files.file("other.json", event(second_id, "make other") + "\n") +
                                      "\nread -r answer\nprintf '%s\\n' \"$answer\" > " + other + "\n",
                                  0700);
    Talk second{{countersign_path(), "run", "event", "--agent", "other", "--state", state(), "--config", config_file,
                 "--", agent}};
    ASSERT_TRUE(first.wait_for("make other")) << first.said() << second.said();
    ::kill(first.pid(), SIGKILL);
    EXPECT_EQ(first.finish(), 128 + SIGKILL);
    ASSERT_TRUE(second.wait_for("the hub is gone; nothing runs until one is back")) << second.said();
    EXPECT_FALSE(fs::exists(other));
    Talk third{command("read -r never\n", config_file)};
    ASSERT_TRUE(third.wait_for("shown again after a restart of the hub")) << third.said() << second.said();
    ASSERT_TRUE(third.wait_for("2) Deny")) << third.said();
    third.type("Deny");
    EXPECT_EQ(second.finish(), 0) << second.said();
    EXPECT_THAT(contents(other), HasSubstr("reject_once"));
    ::kill(third.pid(), SIGTERM);
    third.finish();
    EXPECT_THAT(records(), HasSubstr(R"("kind":"resumed")"));
    EXPECT_EQ(testing_tools::countersign({"audit", "verify", "--state", state()}).exit_code, 0);
}

TEST_F(RunEventTest, I2_AnAgentThatEndsWhileItsHubIsAwayWasNotAnswered) {
    const auto config_file = config();
    Talk first{command("sleep 60\n", config_file)};
    ASSERT_TRUE(first.wait_for("same user")) << first.said();
    const auto agent = files.file("other.sh",
                                  "#!/bin/sh\ncat " + files.file("other.json", event(second_id, "make other") + "\n") +
                                      "\nread -r answer < " + files.path() + "/go\n",
                                  0700);
    ASSERT_EQ(::mkfifo((files.path() + "/go").c_str(), 0600), 0);
    Talk second{{countersign_path(), "run", "event", "--agent", "other", "--state", state(), "--config", config_file,
                 "--", agent}};
    ASSERT_TRUE(first.wait_for("make other")) << first.said() << second.said();
    ::kill(first.pid(), SIGKILL);
    EXPECT_EQ(first.finish(), 128 + SIGKILL);
    ASSERT_TRUE(second.wait_for("nothing runs until one is back")) << second.said();
    std::ofstream{files.path() + "/go"} << "go\n";
    EXPECT_EQ(second.finish(), 1) << second.said();
    EXPECT_THAT(second.said(), HasSubstr("the hub was gone, and some of what was asked was not run"));
}

TEST_F(RunEventTest, CtrlCAfterOurAgentEndedEndsOnlyTheWaitForOthers) {
    const auto config_file = config();
    Talk first{command("read -r go < " + files.path() + "/go\n", config_file)};
    ASSERT_EQ(::mkfifo((files.path() + "/go").c_str(), 0600), 0);
    ASSERT_TRUE(first.wait_for("same user")) << first.said();
    Talk second{{countersign_path(), "run", "event", "--state", state(), "--config", config_file, "--", "cat"}};
    ASSERT_TRUE(second.wait_for("asks there")) << second.said();
    std::ofstream{files.path() + "/go"} << "\n";
    ASSERT_TRUE(first.wait_for("waiting for 1 other agent that asks here")) << first.said();
    ::kill(first.pid(), SIGINT);
    EXPECT_EQ(first.finish(), 0) << first.said();
    EXPECT_THAT(first.said(), HasSubstr("ended, though 1 other agent asks here"));
    EXPECT_THAT(first.said(), Not(HasSubstr("stopped the agent")));
}

TEST_F(RunEventTest, AVariableIsPassedToTheAgentOnlyIfItIsNamed) {
    const auto out = files.path() + "/env.txt";
    Talk talk{command("env > " + out + "\n", config(), {"--env", "WANTED", "--env", "ALSO"}),
              {"WANTED=1", "ALSO=2", "UNWANTED=3"}};
    EXPECT_EQ(talk.finish(), 0) << talk.said();
    EXPECT_THAT(contents(out), HasSubstr("WANTED=1"));
    EXPECT_THAT(contents(out), HasSubstr("ALSO=2"));
    EXPECT_THAT(contents(out), Not(HasSubstr("UNWANTED")));
    EXPECT_EQ(run({.argv = command("true\n", config(), {"--env", "A=b"})}).exit_code, 2);
}

TEST_F(RunEventTest, I1_ADamagedLogStopsTheStartWithItsOwnExitCode) {
    const auto config_file = config();
    {
        Talk talk{command("exit 0\n", config_file)};
        ASSERT_EQ(talk.finish(), 0) << talk.said();
    }
    const auto segment = state() + "/audit/seg-000000.log";
    auto bytes = contents(segment);
    bytes[bytes.find("\"kind\"") + 10] ^= 1;
    std::ofstream{segment, std::ios::binary} << bytes;
    const auto started = files.path() + "/started";
    Talk again{command("touch " + started + "\n", config_file)};
    EXPECT_EQ(again.finish(), 3) << again.said();
    EXPECT_THAT(again.said(), HasSubstr(state() + "/audit is not what was written"));
    EXPECT_THAT(again.said(), HasSubstr("`countersign audit verify`")) << "what to look at";
    EXPECT_THAT(again.said(), HasSubstr("`countersign audit seal --reason")) << "and what to do";
    EXPECT_FALSE(fs::exists(started));
}

// The disk hangs in the very sync of the stop; the preloaded library stands in for the kernel.
TEST_F(RunEventTest, I1_AHubWhoseDiskHangsDuringTheStopHasItsOwnExitCode) {
    const auto hang = files.path() + "/hang";
    const std::vector<std::string> environment{"LD_PRELOAD=" HANGING_SYNC, "HANGING_SYNC_WHEN=" + hang};
    Talk talk{command("touch " + hang + "\n", config()), environment};
    EXPECT_EQ(talk.finish(), 5) << talk.said();
}

TEST_F(RunEventTest, I1_AHubThatGivesUpOnAHangingDiskEndsTheSameWay) {
    Talk talk{{countersign_path(), "run", "event", "--plain", "--state", state(), "--config", config(), "--",
               "/nonexistent/agent"},
              {"LD_PRELOAD=" HANGING_SYNC, "HANGING_SYNC_WHEN=" + state() + "/hub.sock"}};
    EXPECT_EQ(talk.finish(), 5) << talk.said();
}

TEST_F(RunEventTest, I12_AKilledHubLeavesALogThatTheNextOneContinues) {
    const auto config_file = config();
    {
        Talk killed{command(asks(event(first_id, "ls")), config_file)};
        ASSERT_TRUE(killed.wait_for("2) Deny")) << killed.said();
        ::kill(killed.pid(), SIGKILL);
        EXPECT_EQ(killed.finish(), 128 + SIGKILL);
    }
    Talk next{command("exit 0\n", config_file)};
    EXPECT_EQ(next.finish(), 0) << next.said();
    EXPECT_THAT(records(), HasSubstr(R"("outcome":"lost")")) << "the request of the killed hub is closed";
    EXPECT_EQ(testing_tools::countersign({"audit", "verify", "--state", state()}).exit_code, 0);
}

TEST_F(RunEventTest, AHubStartedWithClosedStreamsDoesNotPrintIntoItsLog) {
    auto argv = command("echo '{\"type\":\"message\",\"text\":\"hello\"}'\nsleep 1\n", config());
    std::string line;
    for (const auto& part : argv) line += "'" + part + "' ";
    EXPECT_EQ(run({.argv = {"sh", "-c", line + " <&- >&- 2>&-"}}).exit_code, 1) << "its input has ended";
    EXPECT_EQ(testing_tools::countersign({"audit", "verify", "--state", state()}).exit_code, 0);
}

TEST_F(RunEventTest, AStateDirectoryThatOthersMayReadIsRefused) {
    fs::create_directory(state());
    fs::permissions(state(), fs::perms::owner_all | fs::perms::group_read);
    const auto ran = run({.argv = command("exit 0\n", config())});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_THAT(ran.err, HasSubstr("chmod"));
}

TEST_F(RunEventTest, AnInvalidConfigurationStartsNothing) {
    const auto bad = files.file("bad.toml", "[people.alice]\ntelegram = \"@alice\"\n");
    const auto ran = run({.argv = command("echo started > " + files.path() + "/started\n", bad)});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_THAT(ran.err, HasSubstr("bad.toml:2:"));
    EXPECT_FALSE(fs::exists(files.path() + "/started"));
    EXPECT_FALSE(fs::exists(state()));
}

}  // namespace
}  // namespace countersign
