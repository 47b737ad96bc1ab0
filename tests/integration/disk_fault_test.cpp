// SPDX-License-Identifier: Apache-2.0
// The real program on a real disk that fails, or kills the program, at each call that it makes for its log: every
// allowed call is in the log, nothing is allowed after the first failure, and the next process continues a log that
// verifies. The calls aren't hard-coded here: a run without a fault lists them, and strace confirms that the list is
// complete.
#include "core/limits.hpp"
#include "tests/integration/faulty_hub.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <limits>
#include <map>
#include <ostream>
#include <set>
#include <sstream>

namespace countersign {
namespace {

namespace fs = std::filesystem;
using testing_tools::allowed_in;
using testing_tools::AskingAgent;
using testing_tools::DiskCall;
using testing_tools::DiskFault;
using testing_tools::FaultyHub;
using testing_tools::TemporaryDirectory;

constexpr int kilobyte = 1000;

struct Asked {
    std::string script;
    int first = 0;
    int end = 0;
};

Asked ask(const FaultyHub& hub, int first, int end, const std::string& before = {}) {
    return {.script = hub.agent().script(first, end, before), .first = first, .end = end};
}

// A new log. One of the calls is too long for its record, so that its text becomes a file.
Asked new_log(FaultyHub& hub) { return ask(hub, 0, 4, AskingAgent::only(1, AskingAgent::longer(40 * kilobyte))); }

// Leaves a segment in which about this many bytes are free.
void fill_segment(FaultyHub& hub, std::uint64_t free) {
    const auto segment = hub.state() + "/audit/seg-000000.log";
    const auto more = AskingAgent::longer(30 * kilobyte);
    int asked = 0;
    for (int count = 10; count > 0;) {
        constexpr int first = 1000;
        ASSERT_EQ(hub.go_on(hub.agent().script(first + asked, first + asked + count, more)), 0) << hub.said();
        asked += count;
        const auto each = static_cast<std::int64_t>(fs::file_size(segment)) / asked;
        const auto missing = static_cast<std::int64_t>(limits::segment_bytes - free - fs::file_size(segment));
        count = static_cast<int>(missing / each);
    }
    hub.keep_log();
}

// The next segment is needed before it was prepared.
Asked full_segment(FaultyHub& hub) {
    fill_segment(hub, 60 * kilobyte);
    return ask(hub, 0, 8, AskingAgent::longer(20 * kilobyte));
}

// Enough batches for a checkpoint file and enough time to prepare the next segment, which is then needed: covers all
// work outside the writer thread. The agent sleeps because a checkpoint file comes a second after the last one, on any
// clock.
Asked errands(FaultyHub& hub) {
    fill_segment(hub, 200 * kilobyte);
    constexpr int short_calls = 24;
    return ask(hub, 0, short_calls + 12,
               AskingAgent::only(short_calls, "sleep 1.3") + "if [ $i -gt " + AskingAgent::id(short_calls).substr(20) +
                   " ]; then " + AskingAgent::longer(20 * kilobyte) + "; fi\n");
}

// The leftovers of a process that was killed in the middle of a write.
Asked torn_batch(FaultyHub& hub) {
    EXPECT_NE(hub.run(new_log(hub).script, DiskFault{.call = "pwrite audit/seg-000000.log 8", .how = "KILL"}), 0);
    hub.keep_log();
    return ask(hub, 100, 102);
}

// The leftovers of a process that was killed after it had started a segment, before it cut the zeros off the previous
// one.
Asked uncut_segment(FaultyHub& hub) {
    const auto full = full_segment(hub);
    EXPECT_NE(hub.run(full.script, DiskFault{.call = "ftruncate audit/seg-000000.log 1", .how = "KILL"}), 0);
    hub.keep_log();
    return ask(hub, 100, 102);
}

std::vector<DiskCall> every(const std::vector<DiskCall>& calls) { return calls; }

// Made by neither the first thread nor the writer thread, which writes the last records.
bool is_beside_the_writer(int thread, const std::vector<DiskCall>& calls) {
    const auto writes = [](const DiskCall& call) {
        return call.name == "pwrite" && call.path.starts_with("audit/seg-");
    };
    const auto last = std::ranges::find_if(calls.rbegin(), calls.rend(), writes);
    return thread != calls.front().thread && (last == calls.rend() || thread != last->thread);
}

std::vector<DiskCall> beside_the_writer(const std::vector<DiskCall>& calls) {
    std::vector<DiskCall> beside;
    std::ranges::copy_if(calls, std::back_inserter(beside),
                         [&](const DiskCall& call) { return is_beside_the_writer(call.thread, calls); });
    return beside;
}

struct Part {
    const char* name;
    Asked (*prepare)(FaultyHub&);
    std::vector<DiskCall> (*choose)(const std::vector<DiskCall>&);
    const char* reaches;  // a call that this case must cover
    int batches_max;      // batches to try, besides the last: the point is what the process finds, not how it continues
    std::size_t index = 0;
    std::size_t parts = 1;
};
void PrintTo(const Part& part, std::ostream* out) { *out << part.name << part.index; }

// How many of the calls that differ only in their number are tried, besides the last.
int tried_of(const DiskCall& call, int batches_max) {
    if (call.looks()) return 1;
    if (call.name == "fill" || call.name == "sync_file_range") return 2;
    const bool of_a_batch = call.path.starts_with("audit/seg-") && (call.name == "pwrite" || call.name == "fdatasync");
    return of_a_batch ? batches_max : std::numeric_limits<int>::max();
}

std::vector<DiskCall> without_repetition(const std::vector<DiskCall>& calls, int batches_max) {
    std::map<std::string, int> last;
    for (const auto& call : calls) last[call.name + call.path] = call.nth;
    std::vector<DiskCall> chosen;
    for (const auto& call : calls) {
        // How often the next segment grows before it is needed depends on timing.
        const bool last_one = call.nth == last[call.name + call.path] && call.path != "audit/segment.new";
        if (call.nth <= tried_of(call, batches_max) || last_one) chosen.push_back(call);
    }
    return chosen;
}

// Assigns faults to calls, so that each kind of call gets each fault somewhere.
std::vector<DiskFault> faults_at(const std::vector<DiskCall>& calls) {
    constexpr std::array errors{"EIO", "ENOSPC", "EROFS", "EDQUOT"};
    std::map<std::string, std::size_t> turn;
    std::vector<DiskFault> faults;
    for (const auto& call : calls) {
        if (call.looks()) {
            faults.push_back({.call = call.text(), .how = "EIO"});
            continue;
        }
        faults.push_back({.call = call.text(), .how = errors[turn[call.name]++ % errors.size()]});
        faults.push_back({.call = call.text(), .how = "KILL"});
    }
    return faults;
}

// Checks that must pass after any run, and then after the start of the next process.
void expect_honest(FaultyHub& hub, const Asked& asked) {
    const auto given = hub.agent().answers();
    const auto refused = std::ranges::find(given, false);
    EXPECT_EQ(std::find(refused, given.end(), true), given.end()) << "an allow came after a refusal: " << hub.said();

    ASSERT_EQ(hub.go_on(hub.agent().idle()), 0) << "the next process does not start: " << hub.said();
    const auto log = hub.new_records();
    for (int call = 0; call < refused - given.begin(); ++call)
        EXPECT_TRUE(allowed_in(log, AskingAgent::id(asked.first + call))) << call;
    const auto verified = hub.verify();
    EXPECT_EQ(verified.exit_code, 0) << verified.err;
}

class AFaultyDisk : public testing::TestWithParam<Part> {};

TEST_P(AFaultyDisk, I1_AllowedCallsAreInTheLogAndNothingIsAllowedAfterAFault) {
    const auto& part = GetParam();
    FaultyHub hub;
    const auto asked = part.prepare(hub);
    const auto calls_of_the_agent = static_cast<std::size_t>(asked.end - asked.first);
    ASSERT_EQ(hub.run(asked.script), 0) << hub.said();
    ASSERT_EQ(hub.agent().answers(), std::vector<bool>(calls_of_the_agent, true)) << hub.said();
    const auto calls = part.choose(hub.calls());
    const auto is_what_it_is_for = [&](const DiskCall& call) { return call.text() == part.reaches; };
    ASSERT_TRUE(std::ranges::any_of(calls, is_what_it_is_for)) << part.reaches;
    const auto faults = faults_at(without_repetition(calls, part.batches_max));
    expect_honest(hub, asked);

    std::size_t struck = 0;
    std::size_t tried = 0;
    for (auto at = part.index; at < faults.size(); at += part.parts) {
        SCOPED_TRACE(faults[at].call + ": " + faults[at].how);
        ++tried;
        const auto code = hub.run(asked.script, faults[at]);
        const auto fault = hub.struck();
        EXPECT_EQ(code == 0, !fault) << hub.said();
        const auto given = hub.agent().answers();
        const auto allowed = static_cast<std::size_t>(std::ranges::count(given, true));
        if (fault) {
            ++struck;
            // One answer may have been on its way. A failure outside the writer thread is noticed a little later.
            if (!is_beside_the_writer(fault->thread, hub.calls()))
                EXPECT_LE(allowed, fault->heard + 1) << "allowed after the failure";
        } else {
            EXPECT_EQ(given, std::vector<bool>(calls_of_the_agent, true)) << hub.said();
        }
        expect_honest(hub, asked);
        if (HasFatalFailure()) return;
    }
    // Because of a batch more or less, or a late thread, a few calls of the first run may be missing in another.
    EXPECT_GE(10 * struck, 9 * tried);
    RecordProperty("faults", static_cast<int>(struck));
}

std::vector<Part> in_parts(std::vector<std::pair<Part, std::size_t>> scenarios) {
    std::vector<Part> parts;
    for (auto& [part, count] : scenarios) {
        part.parts = count;
        for (part.index = 0; part.index < count; ++part.index) parts.push_back(part);
    }
    return parts;
}

INSTANTIATE_TEST_SUITE_P(AtEachCall, AFaultyDisk,
                         testing::ValuesIn(in_parts({
                             {{"NewLog", new_log, every, "mkdir audit/text 1", 100}, 4},
                             {{"FullSegment", full_segment, every, "rename audit/segment.new 1", 2}, 3},
                             {{"Errands", errands, beside_the_writer, "rename audit/checkpoint.new 2", 100}, 2},
                             {{"TornBatch", torn_batch, every, "rename audit/seg-000000.log.new 1", 2}, 3},
                             {{"UncutSegment", uncut_segment, every, "ftruncate audit/seg-000000.log 1", 2}, 3},
                         })),
                         [](const auto& parameter) {
                             return parameter.param.name + std::to_string(parameter.param.index);
                         });

// A write may be partial, which isn't an error: the rest follows.
TEST(ADiskThatWritesAPart, I1_LosesNothing) {
    for (const auto prepare : {new_log, full_segment}) {
        FaultyHub hub;
        const auto asked = prepare(hub);
        EXPECT_EQ(hub.run_with_short_writes(asked.script), 0) << hub.said();
        EXPECT_EQ(hub.agent().answers(), std::vector<bool>(static_cast<std::size_t>(asked.end - asked.first), true));
        EXPECT_EQ(hub.verify().exit_code, 0) << "as it was left";
        expect_honest(hub, asked);
        if (HasFatalFailure()) return;
    }
}

TEST(AFullDisk, I1_NamesTheFileTheErrorAndTheRemedy) {
    FaultyHub hub;
    const auto asked = new_log(hub);
    EXPECT_NE(hub.run(asked.script, DiskFault{.call = "pwrite audit/seg-000000.log 8", .how = "ENOSPC"}), 0);
    ASSERT_TRUE(hub.struck());
    const auto said = hub.said();
    EXPECT_NE(said.find(hub.state() + "/audit/seg-000000.log: No space left on device"), std::string::npos) << said;
    EXPECT_NE(said.find("restart Countersign after freeing space"), std::string::npos) << said;
    expect_honest(hub, asked);
}

// Which write finds the disk full while a request is open depends on which records share a batch, so several are tried.
constexpr std::array writes_near_a_decision{3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
std::string write_of_segment(int number) { return "pwrite audit/seg-000000.log " + std::to_string(number); }

TEST(AFullDisk, I12_ARequestThatWasNotLoggedIsNotCalledLostAfterARestart) {
    int unlogged = 0;
    for (const auto number : writes_near_a_decision) {
        FaultyHub hub;
        const auto asked = new_log(hub);
        const auto code = hub.run(asked.script, DiskFault{.call = write_of_segment(number), .how = "FULL"});
        if (!hub.struck()) continue;  // fewer batches than usual
        EXPECT_NE(code, 0);
        EXPECT_EQ(hub.said().find("could not be noted"), std::string::npos) << hub.said();
        ASSERT_EQ(hub.go_on(hub.agent().idle()), 0) << hub.said();
        const auto log = hub.new_records();
        EXPECT_EQ(log.find(R"("outcome":"lost")"), std::string::npos) << log;
        if (log.find(R"("outcome":"unlogged")") != std::string::npos) ++unlogged;
    }
    EXPECT_GT(unlogged, 0) << "no write met a request that was open";
}

TEST(AFullDisk, I11_UnloggedRequestsThatCannotBeNotedAreReported) {
    int said = 0;
    for (const auto number : writes_near_a_decision) {
        FaultyHub hub;
        const auto asked = new_log(hub);
        const auto code = hub.run(asked.script, DiskFault{.call = write_of_segment(number), .how = "ENOSPC"});
        if (!hub.struck()) continue;  // fewer batches than usual
        EXPECT_NE(code, 0);
        if (hub.said().find("requests that were not logged could not be noted") == std::string::npos) continue;
        EXPECT_NE(hub.said().find("nothing was allowed"), std::string::npos) << hub.said();
        ++said;
    }
    EXPECT_GT(said, 0) << "no write met a request that was open";
}

// The calls below the log's directory that strace saw, as "<system call> <path>", in order.
std::multiset<std::string> traced_calls(const std::string& trace, const std::string& state) {
    // These change nothing and promise nothing.
    const std::set<std::string> harmless{"close", "getdents64", "newfstatat", "fcntl", "lseek", "statx", "pread64"};
    std::multiset<std::string> found;
    std::istringstream lines{trace};
    for (std::string line; std::getline(lines, line);) {
        const auto at = line.find(state + "/audit");
        const auto name_at = line.find_first_not_of("0123456789 ");
        const auto name = line.substr(name_at, line.find('(') - name_at);
        if (at == std::string::npos || line[name_at] == '<' || harmless.contains(name)) continue;
        const auto end = line.find_first_of("\">", at);
        found.insert(name + " " + line.substr(at + state.size() + 1, end - at - state.size() - 1));
    }
    return found;
}

TEST(TheCallsOfALog, AreAllSeenByTheFaultyDisk) {
    const std::map<std::string, std::string> system_call{
        {"create", "openat"}, {"open", "openat"}, {"list", "openat"}, {"fill", "pwrite64"}, {"pwrite", "pwrite64"}};
    for (const auto prepare : {new_log, uncut_segment}) {
        FaultyHub hub;
        TemporaryDirectory files;
        const auto asked = prepare(hub);
        ASSERT_EQ(hub.run_traced(asked.script, files.path() + "/trace"), 0) << hub.said();
        std::multiset<std::string> counted;
        for (const auto& call : hub.calls()) {
            const auto other = system_call.find(call.name);
            const auto& name = other == system_call.end() ? call.name : other->second;
            if (call.path.starts_with("audit") && !name.ends_with("stat") && name != "statx" && name != "pread")
                counted.insert(name + " " + call.path);
        }
        EXPECT_EQ(traced_calls(testing_tools::contents(files.path() + "/trace"), hub.state()), counted);
    }
}

// A killed process leaves its writes in the kernel, so no test above would notice a missing sync.
TEST(TheCallsOfALog, I1_SyncASegmentAfterEachWriteAndBeforeTheNext) {
    FaultyHub hub;
    const auto asked = full_segment(hub);
    ASSERT_EQ(hub.run(asked.script), 0) << hub.said();
    std::map<std::string, std::string> last;
    std::size_t writes = 0;
    for (const auto& call : hub.calls()) {
        const bool writes_records = call.name == "pwrite";
        if (!call.path.starts_with("audit/seg-") || !(writes_records || call.name == "fdatasync")) continue;
        EXPECT_FALSE(writes_records && last[call.path] == "pwrite") << call.text();
        last[call.path] = call.name;
        writes += writes_records ? 1 : 0;
    }
    for (const auto& [path, name] : last) EXPECT_EQ(name, "fdatasync") << path;
    EXPECT_GE(writes, static_cast<std::size_t>(asked.end - asked.first));
}

}  // namespace
}  // namespace countersign
