// SPDX-License-Identifier: Apache-2.0
// `audit list`, `show`, `stats`, `coverage` and `export` on a log that a real hub wrote.
#include "tests/integration/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace countersign {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing_tools::contents;
using testing_tools::TemporaryDirectory;

// One demo is enough for all tests: nothing here writes to its log.
class ReviewCommandTest : public testing::Test {
protected:
    static void SetUpTestSuite() {
        directory = new TemporaryDirectory;
        const auto ran =
            testing_tools::run({.argv = {testing_tools::countersign_path(), "demo", "--once", "--answer", "allow"},
                                .environment = {"TMPDIR=" + directory->path()}});
        ASSERT_EQ(ran.exit_code, 0) << ran.err;
        for (const auto& entry : fs::directory_iterator{directory->path()}) state = (entry.path() / "state").string();
    }
    static void TearDownTestSuite() { delete directory; }

    static testing_tools::Ran audit(std::vector<std::string> arguments, const std::string& where = state) {
        arguments.insert(arguments.begin(), {testing_tools::countersign_path(), "audit"});
        arguments.insert(arguments.end(), {"--state", where});
        return testing_tools::run({.argv = arguments, .environment = {"LC_ALL=C.UTF-8", "TZ=" + zone}});
    }
    void TearDown() override { zone = "UTC"; }
    static long lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }
    // The id of the newest request.
    static std::string newest() {
        const auto row = audit({"list", "-n", "1", "--json"}).out;
        const auto at = row.find("\"requestId\":\"");
        return at == std::string::npos ? std::string{} : row.substr(at + 13, 26);
    }
    static inline TemporaryDirectory* directory = nullptr;
    static inline std::string state;
    static inline std::string zone = "UTC";
};

TEST_F(ReviewCommandTest, ListPrintsOneLinePerRequestNewestLast) {
    const auto ran = audit({"list"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(lines(ran.out), 5);
    EXPECT_EQ(ran.out.find('\x1b'), std::string::npos) << "no colour on a pipe";
    EXPECT_LT(ran.out.find("rm -rf build"), ran.out.find("Which database"));
    EXPECT_THAT(ran.out, AllOf(HasSubstr("allowed"), HasSubstr("demo:unattended"), HasSubstr("Bash")));
}

// Otherwise an unset shell variable would show everything.
TEST_F(ReviewCommandTest, AnEmptyFilterIsAnErrorAndNotIgnored) {
    for (const auto* option : {"--since", "--until", "--agent", "--tool", "--person", "--channel", "--session"}) {
        const auto ran = audit({"list", option, ""});
        EXPECT_EQ(ran.exit_code, 2) << option;
        EXPECT_THAT(ran.err, HasSubstr("it is empty")) << option;
        EXPECT_EQ(lines(ran.out), 0) << option;
    }
}

TEST_F(ReviewCommandTest, ListCanBeFilteredAndSaysHowManyItLeavesOut) {
    EXPECT_EQ(lines(audit({"list", "--tool", "Ba*"}).out), 3);
    EXPECT_EQ(lines(audit({"list", "--outcome", "answered", "--since", "24h"}).out), 1);
    EXPECT_EQ(lines(audit({"list", "--outcome", "answered,allowed", "--person", "demo:*", "--agent", "demo"}).out), 5);
    const auto newest_two = audit({"list", "-n", "2"});
    EXPECT_EQ(lines(newest_two.out), 2);
    EXPECT_THAT(newest_two.err, HasSubstr("the newest 2 of 5"));
}

// On a log with requests of several people, places, sessions and days: without its filter, each line fails.
TEST(ReviewFilters, EachSelectsTheRightRequests) {
    std::string zone = "UTC";
    const auto audit = [&zone](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), {testing_tools::countersign_path(), "audit"});
        arguments.insert(arguments.end(),
                         {"--no-index", "--state", COUNTERSIGN_SOURCE_DIR "/tests/data/logs/0.1.0-first/state"});
        return testing_tools::run({.argv = arguments, .environment = {"LC_ALL=C.UTF-8", "TZ=" + zone}}).out;
    };
    // The last two characters of the id of each listed request.
    const auto listed = [&](std::vector<std::string> filters) {
        filters.insert(filters.begin(), {"list", "--json"});
        const auto out = audit(filters);
        const std::string name = "\"requestId\":\"";
        std::string ids;
        for (auto at = out.find(name); at != std::string::npos; at = out.find(name, at + 1)) {
            ids += (ids.empty() ? "" : " ") + out.substr(at + name.size() + 24, 2);
        }
        return ids;
    };
    EXPECT_EQ(listed({}), "81 82 83 84 85 86 87 89 8A 8B");
    EXPECT_EQ(listed({"--person", "alice"}), "81 82 83");
    EXPECT_EQ(listed({"--person", "policy:*"}), "85");
    EXPECT_EQ(listed({"--channel", "desk"}), "82 86");
    EXPECT_EQ(listed({"--channel", "o?s"}), "81 83 87 8A 8B");
    EXPECT_EQ(listed({"--session", "s1"}), "82");
    EXPECT_EQ(listed({"--session", "0f8f*"}), "81 83 84 85 86 87 89 8A 8B");
    EXPECT_EQ(listed({"--agent", "prod-2"}), "82 86");
    EXPECT_EQ(listed({"--tool", "question"}), "82");
    EXPECT_EQ(listed({"--outcome", "denied"}), "85 87");
    EXPECT_EQ(listed({"--since", "2025-11-17"}), "86 87 89 8A 8B");
    EXPECT_EQ(listed({"--since", "2025-11-17T02:06:37.200Z"}), "8B");
    EXPECT_EQ(listed({"--until", "2025-11-17"}), "81 82 83 84 85");
    zone = "WST5";  // where that day starts five hours later
    EXPECT_EQ(listed({"--since", "2025-11-17"}), "");
    EXPECT_EQ(listed({"--since", "2025-11-17", "--utc"}), "86 87 89 8A 8B");
    zone = "UTC";
    EXPECT_EQ(listed({"--until", "2025-11-16T02:00:12.200Z"}), "81");
    EXPECT_EQ(listed({"--since", "2025-11-16T02:00:12Z", "--until", "2025-11-16T02:01:00Z"}), "82 83");
    EXPECT_EQ(listed({"--person", "bob", "--until", "2025-11-17"}), "81") << "all of them must fit";
    for (const auto* command : {"stats", "coverage"}) {
        EXPECT_THAT(audit({command, "--json", "--until", "2025-11-16T02:00:12.200Z"}), HasSubstr("\"requests\":1"));
    }
    EXPECT_THAT(audit({"export", "--csv", "--until", "2025-11-16T02:00:12.200Z"}),
                AllOf(HasSubstr("01KA567Z80B8BG777281RVGB81"), Not(HasSubstr("01KA568B58B8BG777281RVGB82"))));
}

TEST_F(ReviewCommandTest, PeopleReadTimesInTheirZoneAndProgramsInUtc) {
    zone = "TST-5:30";  // five and a half hours east
    const std::string recorded = COUNTERSIGN_SOURCE_DIR "/tests/data/logs/0.1.0-first/state";
    const auto shown = [&](const std::vector<std::string>& arguments) { return audit(arguments, recorded).out; };
    EXPECT_THAT(shown({"list"}), HasSubstr("2025-11-16T07:30:"));
    EXPECT_THAT(shown({"list"}), AllOf(HasSubstr("+05:30  "), Not(HasSubstr("Z  "))));
    EXPECT_THAT(shown({"list", "--utc"}), AllOf(HasSubstr("2025-11-16T02:00:"), HasSubstr("Z  ")));
    EXPECT_THAT(shown({"show", "#1"}), testing::ContainsRegex("2025-11-16[ T][:0-9]+( TST|.05:30)"));
    EXPECT_THAT(shown({"show", "#1", "--utc"}), testing::ContainsRegex("2025-11-16[ T][:0-9]+( UTC|Z)"));
    EXPECT_THAT(shown({"tail", "-n", "1"}), HasSubstr("+05:30  stop"));
    EXPECT_THAT(shown({"tail", "-n", "1", "--utc"}), HasSubstr("Z  stop"));
    EXPECT_THAT(shown({"stats"}), HasSubstr("from 2025-11-16 07:31:32 TST to 2025-11-17 07:31:32 TST\n"));
    EXPECT_THAT(shown({"stats", "--utc"}), HasSubstr("from 2025-11-16 02:01:32 UTC to"));
    for (const auto& command : std::vector<std::vector<std::string>>{{"list", "--json"},
                                                                     {"list", "--csv"},
                                                                     {"export", "--csv"},
                                                                     {"export", "--jsonl"},
                                                                     {"stats", "--json"},
                                                                     {"tail", "--json"}}) {
        EXPECT_THAT(shown(command), AllOf(HasSubstr("200Z"), Not(HasSubstr("05:30")))) << command[0] << command[1];
    }
}

// Silence is what a reviewer checks who finds nothing else.
TEST_F(ReviewCommandTest, StatsReportsHowLongTheLogWasSilent) {
    const auto ran = audit({"stats"});
    EXPECT_THAT(ran.out, AllOf(HasSubstr("longest silence: less than a minute\n"),
                               testing::ContainsRegex("last record: [-0-9]+ [:0-9]+ UTC, [^\n]+ ago, a stop\n"),
                               Not(HasSubstr("Unexplained"))));
    const std::string killed = COUNTERSIGN_SOURCE_DIR "/tests/data/logs/0.1.0-first/state";
    const auto day = "  24 h, from 2025-11-16 02:01:32 UTC to 2025-11-17 02:01:32 UTC\n";
    EXPECT_THAT(audit({"stats"}, killed).out, AllOf(HasSubstr("Unexplained silence"), HasSubstr(day)));
    const auto nothing = audit({"stats", "--since", "2025-11-16T12:00:00Z", "--until", "2025-11-16T13:00:00Z"}, killed);
    EXPECT_EQ(nothing.exit_code, 0);
    EXPECT_THAT(nothing.err, HasSubstr("nothing found"));
    EXPECT_THAT(nothing.out, AllOf(HasSubstr("longest silence: 24 h, from"), HasSubstr(day)));
    EXPECT_THAT(audit({"stats", "--since", "2025-11-17T03:00:00Z"}, killed).out,
                AllOf(HasSubstr(" to now; the log was stopped\n"), Not(HasSubstr("Unexplained"))));
    EXPECT_THAT(audit({"stats", "--json"}, killed).out,
                AllOf(HasSubstr("\"silence\":{\"last\":{\"ageMs\":"),
                      HasSubstr("\"unexplained\":[{\"from\":\"2025-11-16T02:01:32.200Z\",\"lastedMs\":86400000,")));
}

TEST_F(ReviewCommandTest, AnEmptyResultIsReportedAndIsNotAFailure) {
    const auto ran = audit({"list", "--agent", "nobody"});
    EXPECT_EQ(ran.exit_code, 0);
    EXPECT_EQ(ran.out, "");
    EXPECT_THAT(ran.err, HasSubstr("nothing found among 5 requests"));
}

TEST_F(ReviewCommandTest, InvalidOptionsAreRefusedWithTheValidOnes) {
    const auto outcome = audit({"list", "--outcome", "approved"});
    EXPECT_EQ(outcome.exit_code, 2);
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("approved"), HasSubstr("allowed, denied"), HasSubstr("indeterminate")));
    const auto since = audit({"list", "--since", "yesterday"});
    EXPECT_EQ(since.exit_code, 2);
    EXPECT_THAT(since.err, AllOf(HasSubstr("--since yesterday"), HasSubstr("24h")));
    EXPECT_EQ(audit({"list", "--json", "--csv"}).exit_code, 2);
    EXPECT_EQ(audit({"export"}).exit_code, 2);
}

TEST_F(ReviewCommandTest, ListForProgramsIsJsonOrATable) {
    const auto json = audit({"list", "--json", "--tool", "Edit"}).out;
    EXPECT_EQ(lines(json), 1);
    EXPECT_THAT(json, AllOf(testing::StartsWith("{\"agentId\":\"demo\""), HasSubstr("\"outcome\":\"allowed\"")));
    const auto table = audit({"list", "--csv"}).out;
    EXPECT_EQ(lines(table), 6);
    EXPECT_THAT(table, testing::StartsWith("askedAt,"));
    EXPECT_THAT(table, HasSubstr("\r\n"));
}

TEST_F(ReviewCommandTest, ShowPrintsTheWholeLifeOfARequest) {
    const auto id = newest();
    ASSERT_EQ(id.size(), 26U);
    for (const auto& name : {id, id.substr(20), id.substr(0, 25), std::string{"#24"}}) {
        const auto ran = audit({"show", name});
        EXPECT_EQ(ran.exit_code, 0) << name << ran.err;
        EXPECT_THAT(ran.out, AllOf(HasSubstr(id), HasSubstr("answered by demo:unattended"),
                                   HasSubstr("Which database shall the shop use?"), HasSubstr("database: SQLite"),
                                   HasSubstr("shown on terminal"), HasSubstr("given to the agent"), HasSubstr("+0.0 s"),
                                   HasSubstr("#22"), HasSubstr("audit prove 24")));
    }
    EXPECT_THAT(audit({"show", id, "--json"}).out, HasSubstr("\"log\":[{"));
}

TEST_F(ReviewCommandTest, ShowListsAllMatchesOfAnAmbiguousId) {
    const auto ran = audit({"show", newest().substr(0, 6)});
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_THAT(ran.err, AllOf(HasSubstr("could be 5 requests"), HasSubstr(newest())));
    EXPECT_EQ(audit({"show", "ZZZZZZ"}).exit_code, 1);
    EXPECT_EQ(audit({"show", "#100000"}).exit_code, 1);
    EXPECT_EQ(audit({"show", "abc"}).exit_code, 2);
}

TEST_F(ReviewCommandTest, ShowOfARecordWithoutARequestPrintsThatRecord) {
    const auto ran = audit({"show", "#0"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("\"kind\":\"start\""));
}

TEST_F(ReviewCommandTest, StatsAndCoveragePrintTheirCounts) {
    const auto stats = audit({"stats"});
    EXPECT_EQ(stats.exit_code, 0) << stats.err;
    EXPECT_THAT(stats.out,
                AllOf(HasSubstr("5 requests"), HasSubstr("decided: 0 by people"), HasSubstr("5 by an unattended demo"),
                      HasSubstr("allowed   4  ████"), HasSubstr("answered"), Not(HasSubstr("Decided by people"))));
    EXPECT_THAT(audit({"stats", "--json"}).out, AllOf(HasSubstr("\"byDemo\":5"), HasSubstr("\"byPerson\":0")));
    const auto coverage = audit({"coverage", "--since", "30d"});
    EXPECT_EQ(coverage.exit_code, 0) << coverage.err;
    EXPECT_THAT(coverage.out, AllOf(HasSubstr("DEMO"), HasSubstr("0.0 %"))) << "nobody was there to see it";
    EXPECT_THAT(audit({"coverage", "--json"}).out, HasSubstr("\"seenPermille\":0"));
}

TEST_F(ReviewCommandTest, ABarUsesAsciiIfTheTerminalHasNoMore) {
    const auto ran = testing_tools::run(
        {.argv = {testing_tools::countersign_path(), "audit", "stats", "--state", state}, .environment = {"LC_ALL=C"}});
    EXPECT_THAT(ran.out, AllOf(HasSubstr("####"), Not(HasSubstr("█"))));
}

TEST_F(ReviewCommandTest, AnExportOfRecordsContainsTheHashedBytes) {
    const auto ran = audit({"export", "--jsonl"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    std::string leaves;
    std::ifstream segment{state + "/audit/seg-000000.log"};
    for (std::string line; std::getline(segment, line);) leaves += line.substr(0, line.find('\t')) + "\n";
    EXPECT_EQ(ran.out, leaves);
    EXPECT_EQ(audit({"export", "--jsonl", "--since", "2099-01-01"}).out, "");
    EXPECT_EQ(lines(audit({"export", "--csv"}).out), 6);
}

TEST_F(ReviewCommandTest, NothingIsWrittenIntoTheStateDirectory) {
    std::vector<std::string> before;
    const auto files = [] {
        std::vector<std::string> names;
        for (const auto& entry : fs::recursive_directory_iterator{state}) names.push_back(entry.path().string());
        return names;
    };
    before = files();
    for (const auto* command : {"list", "stats", "coverage"}) EXPECT_EQ(audit({command}).exit_code, 0);
    EXPECT_EQ(files(), before);
}

TEST_F(ReviewCommandTest, ADamagedLogIsReviewedUpToTheDamageAndFails) {
    const TemporaryDirectory copy;
    fs::copy(state, copy.path() + "/state", fs::copy_options::recursive);
    const auto segment = copy.path() + "/state/audit/seg-000000.log";
    auto text = contents(segment);
    text[text.find('\n') + 1] = 'x';
    std::ofstream{segment, std::ios::binary} << text;
    for (const auto& command :
         {std::vector<std::string>{"list"}, {"stats"}, {"coverage"}, {"export", "--csv"}, {"export", "--jsonl"}}) {
        const auto ran = audit(command, copy.path() + "/state");
        EXPECT_EQ(ran.exit_code, 1) << command.front();
        EXPECT_THAT(ran.err, HasSubstr("audit verify"));
        EXPECT_NE(ran.out, "") << "the rest is shown";
    }
}

// A changed record reads like any other.
TEST_F(ReviewCommandTest, ALogThatDoesNotVerifyIsReviewedAndSaysSo) {
    const TemporaryDirectory copy;
    fs::copy(state, copy.path() + "/state", fs::copy_options::recursive);
    const auto segment = copy.path() + "/state/audit/seg-000000.log";
    auto text = contents(segment);
    const auto at = text.find("rm -rf build");
    ASSERT_NE(at, std::string::npos);
    text.replace(at, 12, "rm -rf dist!");
    std::ofstream{segment, std::ios::binary} << text;
    for (const auto& command : {std::vector<std::string>{"list"},
                                {"list", "--json"},
                                {"show", newest()},
                                {"show", "#0"},
                                {"stats"},
                                {"coverage"},
                                {"export", "--csv"}}) {
        const auto ran = audit(command, copy.path() + "/state");
        EXPECT_EQ(ran.exit_code, 1) << command.front();
        EXPECT_THAT(ran.err, AllOf(HasSubstr("this log does not verify from record "), HasSubstr("audit verify")));
        EXPECT_NE(ran.out, "") << "it is shown all the same";
        auto unverified = command;
        unverified.emplace_back("--no-verify");
        EXPECT_EQ(audit(unverified, copy.path() + "/state").exit_code, 0);
    }
    EXPECT_EQ(audit({"list"}).err, "") << "nothing is said of a log that verifies";
}

// So many records that an index is used. Their signatures are invalid, so they aren't verified.
class ReviewIndexTest : public testing::Test {
protected:
    // One request per record, this many per day.
    void write_log(int records, int a_day = 1'000'000) const {
        fs::create_directories(files.path() + "/state/audit");
        std::ofstream log{files.path() + "/state/audit/seg-000000.log", std::ios::binary};
        const std::string hash = std::string(43, 'A') + "=";
        const std::string signature = std::string(91, 'A') + "=";
        for (int seq = 0; seq < records; ++seq) {
            auto id = std::to_string(seq);
            id.insert(0, 26 - id.size(), '0');
            const auto day = seq / a_day;
            const auto month = std::to_string(1 + day / 31);
            const auto date = std::to_string(1 + day % 31);
            log << R"({"agentId":"a)" << seq % 7 << R"(","kind":"request","prevRoot":")" << hash << R"(","requestId":")"
                << id << R"(","seq":)" << seq << R"(,"summary":"call )" << seq << R"(","synced":0,"ts":"2026-)"
                << std::string(2 - month.size(), '0') << month << "-" << std::string(2 - date.size(), '0') << date
                << R"(T03:14:07.120Z","v":1})" << "\t" << signature << "\n";
        }
    }
    [[nodiscard]] testing_tools::Ran audit(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), {testing_tools::countersign_path(), "audit"});
        arguments.insert(arguments.end(), {"--no-verify", "--state", files.path() + "/state"});
        return testing_tools::run(
            {.argv = arguments, .environment = {"TZ=UTC", "XDG_CACHE_HOME=" + files.path() + "/cache"}});
    }
    [[nodiscard]] testing_tools::Ran list(const std::vector<std::string>& more = {}) const {
        std::vector<std::string> arguments{"list", "--agent", "a3", "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return audit(arguments);
    }
    [[nodiscard]] std::vector<std::string> indexes() const {
        std::vector<std::string> found;
        if (!fs::exists(cache())) return found;
        for (const auto& entry : fs::directory_iterator{cache()}) found.push_back(entry.path().string());
        return found;
    }
    [[nodiscard]] std::string cache() const { return files.path() + "/cache/countersign"; }
    TemporaryDirectory files;
};

TEST_F(ReviewIndexTest, AnIndexIsStoredInTheReadersCacheAndNeverTrusted) {
    write_log(20'000);
    const auto plain = list({"--no-index"});
    EXPECT_EQ(plain.exit_code, 0) << plain.err;
    EXPECT_THAT(plain.out, HasSubstr("\"summary\":\"call 19995\""));
    EXPECT_THAT(indexes(), testing::IsEmpty());
    EXPECT_EQ(list().out, plain.out);
    ASSERT_EQ(indexes().size(), 1U);
    EXPECT_EQ(fs::status(cache()).permissions(), fs::perms::owner_all);
    EXPECT_EQ(list().out, plain.out);
    auto bytes = contents(indexes().front());
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] + 1);
    std::ofstream{indexes().front(), std::ios::binary} << bytes;
    const auto after = list();
    EXPECT_EQ(after.exit_code, 0) << after.err;
    EXPECT_EQ(after.out, plain.out);
}

TEST_F(ReviewIndexTest, AShortLogNeedsNoIndex) {
    write_log(19'999);
    EXPECT_EQ(list().exit_code, 0);
    EXPECT_THAT(indexes(), testing::IsEmpty());
}

TEST_F(ReviewIndexTest, AChartHasThirtyOneDaysAndTheJsonAll) {
    write_log(31, 1);
    EXPECT_THAT(audit({"stats"}).out, AllOf(HasSubstr("Requests a day\n"), HasSubstr("\n  2026-01-01 ")));
    write_log(32, 1);
    const auto more = audit({"stats"}).out;
    EXPECT_THAT(more, testing::Not(HasSubstr("\n  2026-01-01 ")));
    EXPECT_THAT(more, AllOf(HasSubstr("the last 31 days"), HasSubstr("2026-02-01")));
    EXPECT_THAT(audit({"stats", "--json"}).out, HasSubstr("2026-01-01"));
}

TEST_F(ReviewIndexTest, TheTenLongestSilencesAreListedAndTheOthersCounted) {
    write_log(10, 1);  // a day apart: nine, and the one since then
    const auto ten = audit({"stats"}).out;
    EXPECT_THAT(ten,
                AllOf(HasSubstr(" to now\n"), HasSubstr("from 2026-01-09 03:14:07 UTC to 2026-01-10 03:14:07 UTC\n"),
                      Not(HasSubstr(" more\n"))));
    write_log(11, 1);
    EXPECT_THAT(audit({"stats"}).out, HasSubstr("  and 1 more\n"));
}

TEST_F(ReviewIndexTest, AnAmbiguousIdWithManyMatchesListsTheNewestTen) {
    write_log(10);
    const auto ten = audit({"show", "00000000"});
    EXPECT_EQ(std::count(ten.out.begin(), ten.out.end(), '\n'), 10);
    EXPECT_THAT(ten.err, testing::Not(HasSubstr("the newest")));
    write_log(11);
    const auto eleven = audit({"show", "00000000"});
    EXPECT_EQ(eleven.exit_code, 1);
    EXPECT_EQ(std::count(eleven.out.begin(), eleven.out.end(), '\n'), 10);
    EXPECT_THAT(eleven.err, AllOf(HasSubstr("could be 11 requests"), HasSubstr("the newest 10")));
}

TEST_F(ReviewIndexTest, ACacheThatOthersMayWriteIsNotUsed) {
    write_log(20'000);
    fs::create_directories(cache());
    fs::permissions(cache(), fs::perms::all);
    EXPECT_EQ(list().exit_code, 0);
    EXPECT_THAT(indexes(), testing::IsEmpty());
}

TEST_F(ReviewIndexTest, WithoutACacheDirectoryTheAnswerIsTheSame) {
    write_log(20'000);
    std::ofstream{files.path() + "/cache"} << "no directory";
    const auto ran = list();
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_EQ(std::count(ran.out.begin(), ran.out.end(), '\n'), 50);
}

TEST_F(ReviewCommandTest, AMissingLogIsAnErrorThatNamesTheDirectory) {
    const auto ran = audit({"list"}, directory->path() + "/nothing");
    EXPECT_EQ(ran.exit_code, 1);
    EXPECT_THAT(ran.err, HasSubstr("nothing"));
}

}  // namespace
}  // namespace countersign
