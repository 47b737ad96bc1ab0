// SPDX-License-Identifier: Apache-2.0
// A log that a release wrote stays readable forever: each one under tests/data/logs is verified, listed, shown, proved
// and exported, with the same output as when it was recorded. tests/data/README.md says how one is made.
#include "security/digest.hpp"
#include "security/encoding.hpp"
#include "tests/integration/process.hpp"
#include "tests/integration/terminal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>

namespace countersign {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing_tools::contents;
using testing_tools::countersign_path;
using testing_tools::OnTerminal;
using testing_tools::Ran;
using testing_tools::TemporaryDirectory;

const fs::path logs{COUNTERSIGN_SOURCE_DIR "/tests/data/logs"};

std::vector<std::string> versions() {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator{logs}) names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
    return text;
}

Ran audit(std::vector<std::string> arguments, const fs::path& state) {
    arguments.insert(arguments.begin(), {countersign_path(), "audit"});
    arguments.insert(arguments.end(), {"--state", state.string()});
    return testing_tools::run({.argv = arguments, .environment = {"LC_ALL=C.UTF-8", "TZ=UTC"}});
}

class RecordedLog : public testing::TestWithParam<std::string> {
protected:
    // The output without the parts that differ between machines and runs.
    [[nodiscard]] std::string same_everywhere(const Ran& ran) const {
        auto text = ran.out + (ran.err.empty() ? "" : "stderr: " + ran.err);
        text = replaced(replaced(std::move(text), countersign_path(), "countersign"), place.string(), "PLACE");
        const auto speed = text.find(", ", text.find("\nchecked: "));
        if (text.starts_with("log: ")) text.erase(speed, text.find('\n', speed) - speed);
        // How long ago it was recorded.
        static const std::regex age{R"([0-9.]+ (ms|s|min|h|d)( ago|, from [^\n]* to now))"};
        text = std::regex_replace(text, age, "AGE$2");
        return text + "exit code " + std::to_string(ran.exit_code) + "\n";
    }
    void expect_recorded(const std::string& text, const std::string& name) const {
        const auto path = place / "expected" / name;
        if (std::getenv("COUNTERSIGN_UPDATE_GOLDEN") != nullptr) {
            fs::create_directories(path.parent_path());
            std::ofstream{path, std::ios::binary} << text;
        }
        EXPECT_EQ(text, contents(path)) << path;
    }
    const fs::path place = logs / GetParam();
    const fs::path state = place / "state";
    TemporaryDirectory scratch;
};

TEST_P(RecordedLog, IsReadWithTheSameOutputAsWhenItWasRecorded) {
    const auto key = (place / "log.vkey").string();
    const std::vector<std::pair<std::string, std::vector<std::string>>> commands{
        {"verify.txt", {"verify", "--vkey", key, "--every-signature", "--from-checkpoint", state / "audit/checkpoint"}},
        {"list.txt", {"list"}},
        {"list.jsonl", {"list", "--json"}},
        {"show-two-people.txt", {"show", "#2"}},
        {"show-question.txt", {"show", "#11"}},
        {"show-long-text.txt", {"show", "#16"}},
        {"show-odd-text.txt", {"show", "#32"}},
        {"show-unknown-kind.txt", {"show", "#41"}},
        {"show-indeterminate.json", {"show", "#44", "--json"}},
        {"stats.txt", {"stats"}},
        {"coverage.txt", {"coverage"}},
        {"tail.txt", {"tail", "-n", "100"}},
        {"export.csv", {"export", "--csv", "--texts", scratch.path() + "/csv"}},
        {"export.jsonl", {"export", "--jsonl", "--texts", scratch.path() + "/jsonl"}},
        {"proof.txt", {"prove", "7", "--vkey", key}}};
    for (const auto& [name, command] : commands) expect_recorded(same_everywhere(audit(command, state)), name);
    for (const auto& [name, command] : {std::pair{"sealed-verify.txt", "verify"}, {"sealed-tail.txt", "tail"}}) {
        expect_recorded(same_everywhere(audit({command}, place / "sealed")), name);
    }
    const std::vector<std::pair<std::string, std::vector<std::string>>> of_rotated{
        {"rotated-verify.txt", {"verify", "--vkey", key, "--every-signature"}},
        {"rotated-verify-by-new-key.txt", {"verify", "--vkey", place / "rotated/audit/log.vkey"}},
        {"rotated-tail.txt", {"tail"}}};
    for (const auto& [name, command] : of_rotated) {
        expect_recorded(same_everywhere(audit(command, place / "rotated")), name);
    }
}

TEST_P(RecordedLog, IsExportedWithItsLongTexts) {
    const auto tiles = scratch.path() + "/tiles";
    const auto exported = audit({"export", "--tiles", tiles, "--vkey", (place / "log.vkey").string()}, state);
    ASSERT_EQ(exported.exit_code, 0) << exported.err;
    std::vector<std::string> lines;
    for (const auto& entry : fs::recursive_directory_iterator{tiles}) {
        if (!entry.is_regular_file()) continue;
        lines.push_back(security::hex(security::sha256(contents(entry.path()))) + "  " +
                        entry.path().lexically_relative(tiles).string() + "\n");
    }
    std::ranges::sort(lines);
    std::string sums;
    for (const auto& line : lines) sums += line;
    EXPECT_THAT(sums, HasSubstr("  text/"));
    expect_recorded(sums, "tiles.sha256");
}

TEST_P(RecordedLog, OneRecordIsProvedWithoutTheLog) {
    const auto proof = scratch.path() + "/proof";
    const auto record = scratch.path() + "/record";
    ASSERT_EQ(audit({"prove", "18", "-o", proof, "--record", record}, state).exit_code, 0);
    const auto checked = testing_tools::countersign(
        {"check", "proof", proof, "--record", record, "--vkey", (place / "log.vkey").string()});
    EXPECT_EQ(checked.exit_code, 0) << checked.err;
    EXPECT_THAT(checked.out, HasSubstr("holds: record 18"));
}

INSTANTIATE_TEST_SUITE_P(Of, RecordedLog, testing::ValuesIn(versions()), [](const auto& version) {
    return "V" + replaced(replaced(version.param, ".", "_"), "-", "_");
});

// A copy whose long text was changed or removed.
class TouchedText : public testing::Test {
protected:
    void SetUp() override {
        fs::copy(logs / "0.1.0" / "state", state, fs::copy_options::recursive);
        for (const auto& entry : fs::directory_iterator{state / "audit/text"}) text = entry.path();
        hash = text.filename().string();
    }
    // Every command that reads the text fails and names its record.
    void expect_said(const std::string& what) const {
        const auto shown = audit({"show", "#16"}, state);
        EXPECT_EQ(shown.exit_code, 1);
        EXPECT_THAT(shown.err, HasSubstr("record 16 " + what));
        EXPECT_THAT(shown.out, AllOf(HasSubstr("(the long text of record 16 " + what), HasSubstr("allowed by alice"),
                                     HasSubstr("given to the agent")))
            << "the rest is shown";
        EXPECT_EQ(audit({"show", "#16", "--json"}, state).exit_code, 1);
        for (const auto* form : {"--csv", "--jsonl"}) {
            const auto ran = audit({"export", form, "--texts", scratch.path() + "/texts"}, state);
            EXPECT_EQ(ran.exit_code, 1) << form;
            EXPECT_THAT(ran.err, AllOf(HasSubstr("record 16 " + what), HasSubstr("and 1 more")));
            EXPECT_THAT(ran.out, HasSubstr("terraform apply")) << "the rest is exported";
            EXPECT_FALSE(fs::exists(scratch.path() + "/texts/" + hash));
        }
        const auto tiles = audit({"export", "--tiles", scratch.path() + "/tiles"}, state);
        EXPECT_EQ(tiles.exit_code, 1);
        EXPECT_THAT(tiles.err, HasSubstr("record 16 " + what));
        const auto verified = audit({"verify"}, state);
        EXPECT_EQ(verified.exit_code, 1);
        EXPECT_THAT(verified.err, AllOf(HasSubstr("at record 16"), HasSubstr(what)));
    }
    TemporaryDirectory scratch;
    const fs::path state = scratch.path() + "/state";
    fs::path text;
    std::string hash;
};

TEST_F(TouchedText, ThatIsMissingIsReported) {
    fs::remove(text);
    expect_said("is missing");
}

TEST_F(TouchedText, ThatWasChangedIsReported) {
    std::ofstream{text, std::ios::app} << "\n";
    expect_said("was changed");
}

TEST_F(TouchedText, ThatIsUnchangedIsWrittenWithAnExport) {
    for (const auto* form : {"--csv", "--jsonl"}) {
        const auto target = scratch.path() + "/texts" + form;
        const auto ran = audit({"export", form, "--texts", target}, state);
        EXPECT_EQ(ran.exit_code, 0) << ran.err;
        EXPECT_EQ(ran.err, "");
        EXPECT_THAT(ran.out, HasSubstr(hash));
        EXPECT_EQ(contents(target + "/" + hash), contents(text));
        const auto without = audit({"export", form}, state);
        EXPECT_EQ(without.exit_code, 0);
        EXPECT_EQ(without.out, ran.out);
        EXPECT_THAT(without.err, HasSubstr("--texts DIR writes them too"));
    }
    EXPECT_EQ(audit({"export", "--tiles", scratch.path() + "/tiles", "--texts", scratch.path()}, state).exit_code, 2);
    EXPECT_THAT(audit({"show", "#16", "--json"}, state).out, HasSubstr("\"texts\":{\"" + hash + "\":\"tool:"));
}

// Reading takes as long as for a large log, because each read is delayed.
class ProgressOnATerminal : public testing::Test {
protected:
    [[nodiscard]] OnTerminal::Command slowly(std::vector<std::string> arguments) const {
        std::vector<std::string> argv{"strace",        "-o", scratch.path() + "/trace",          "-e",
                                      "trace=pread64", "-e", "inject=pread64:delay_enter=250000"};
        argv.insert(argv.end(), {countersign_path(), "audit"});
        argv.insert(argv.end(), arguments.begin(), arguments.end());
        argv.insert(argv.end(), {"--state", (logs / "0.1.0" / "state").string()});
        return {.argv = argv, .environment = {"LC_ALL=C.UTF-8", "TERM=xterm"}, .columns = 80};
    }
    TemporaryDirectory scratch;
};

TEST_F(ProgressOnATerminal, ABarIsShownAndRemovedWhenTheResultComes) {
    for (const auto& command : {std::vector<std::string>{"verify"}, {"prove", "7"}, {"list", "--no-index"}}) {
        OnTerminal terminal{slowly(command)};
        ASSERT_TRUE(terminal.sees(" %")) << command.front() << terminal.said();
        EXPECT_EQ(terminal.ends(), 0) << terminal.said();
        const auto& said = terminal.said();
        EXPECT_THAT(said, AllOf(HasSubstr(command.front() == "list" ? "\rreading [" : "\rchecking ["),
                                HasSubstr(" left\x1b[K")));
        const auto cleared = said.rfind("\r\x1b[K");
        ASSERT_NE(cleared, std::string::npos) << said;
        EXPECT_THAT(said.substr(cleared), Not(HasSubstr(" left")));
        // A list comes before the check of its log, which prints nothing if all is well.
        if (command.front() != "list") EXPECT_THAT(said, Not(EndsWith("\x1b[K")));
    }
}

TEST_F(ProgressOnATerminal, CtrlCLeavesTheLineEmpty) {
    OnTerminal terminal{slowly({"verify"})};
    ASSERT_TRUE(terminal.sees(" left")) << terminal.said();
    terminal.press("\x03");
    EXPECT_EQ(terminal.ends(), 130) << terminal.said();
    EXPECT_THAT(terminal.said(), EndsWith("\r\x1b[K"));
}

TEST_F(ProgressOnATerminal, ATerminalThatCannotMoveItsCursorShowsNoBar) {
    auto command = slowly({"verify"});
    command.environment = {"TERM=dumb"};
    OnTerminal terminal{command};
    EXPECT_EQ(terminal.ends(), 0) << terminal.said();
    EXPECT_THAT(terminal.said(), AllOf(HasSubstr("proved: self-consistent"), Not(HasSubstr("["))));
}

TEST_F(ProgressOnATerminal, OnAPipeOnlyTheResultIsPrinted) {
    const auto ran = testing_tools::run({.argv = slowly({"verify"}).argv, .environment = {"TERM=xterm"}});
    EXPECT_EQ(ran.exit_code, 0);
    EXPECT_EQ(ran.err, "");
    EXPECT_THAT(ran.out,
                testing::MatchesRegex("log: [^\n]*\nroot: [^\n]*\nchecked: [^\n]* records/s, [^\n]* m?s\nproved: .*"));
}

}  // namespace
}  // namespace countersign
