// SPDX-License-Identifier: Apache-2.0
// The power fails at every call that the log makes, with every outcome that a disk can have for unsynced data.
// Everything that an agent was told is in the log that the next process finds, and recovery may itself be interrupted
// at any point.
//
// COUNTERSIGN_CRASH_IMAGES: the total number of different disk images to check; `./dev crash` asks for ten times the
// default.
#include "audit/recovery.hpp"
#include "core/json/write.hpp"
#include "security/digest.hpp"
#include "security/encoding.hpp"
#include "tests/audit/log_world.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <map>
#include <random>
#include <set>

namespace countersign::audit {
namespace {

using fakes::MemoryFileSystem;

constexpr std::size_t shards = 4;
constexpr std::size_t ways_at_each_call = 24;
constexpr std::size_t one_in = 8;            // one in this many images is checked thoroughly
constexpr std::size_t recovery_calls = 40;   // about as many as a recovery makes
constexpr std::size_t segment_bytes = 1536;  // a few records, so that every kind of segment end occurs

std::size_t images_wanted() {
    const auto* given = std::getenv("COUNTERSIGN_CRASH_IMAGES");  // NOLINT(concurrency-mt-unsafe): it is never set
    return (given == nullptr ? 100'000 : std::strtoul(given, nullptr, 10)) / shards;
}

// A process on a disk, without a thread: a record that was reported as synced is promised. Its errands run at once, or
// as late as they could on their own thread.
class Life {
public:
    Life(MemoryFileSystem& disk, Errands::On errands) : disk_{disk}, errands_{errands} {}

    Result<void> begin() {
        auto own = signer();
        const Stamp now{.boot_id = "boot-1"};
        auto recovered = recover({.files = disk_, .directory = directory, .signer = own, .now = now});
        if (!recovered) return recovered.error();
        writer_.emplace(BatchWriter::Options{.files = disk_,
                                             .directory = directory,
                                             .signer = std::move(own),
                                             .boot_id = "boot-1",
                                             .segment_bytes = segment_bytes,
                                             .errands = errands_},
                        std::move(recovered->end));
        auto entries = recovered->replay.close({}, {});
        entries.push_back(entry("start"));
        if (const auto begun = commit(std::move(entries)); !begun) return begun;
        return writer_->write_checkpoint();
    }
    Result<void> commit(std::vector<LogEntry> entries) {
        std::deque<Item> items;
        for (auto& one : entries) items.push_back({.entry = std::move(one), .ts = {}, .mono = {}});
        while (!items.empty()) {
            if (const auto results = writer_->write(items); !results) return results.error();
        }
        return {};
    }
    Result<void> maintain() { return writer_->maintain(); }
    Result<void> write_checkpoint() { return writer_->write_checkpoint(); }
    Result<void> finish() {
        if (const auto stopped = commit({entry("stop")}); !stopped) return stopped;
        return writer_->finish();
    }

private:
    MemoryFileSystem& disk_;
    Errands::On errands_;
    std::optional<BatchWriter> writer_;
};

Errands::On either(std::uint64_t number) {
    return number % 2 == 0 ? Errands::On::callers_thread : Errands::On::when_heard;
}

// The records that a hub writes about the requests of one life: they start, are decided, and the decisions are
// forwarded.
class Requests {
public:
    LogEntry next(std::mt19937_64& random) {
        if (!decided_.empty() && random() % 2 == 0) return about("forwarded", take(decided_, random));
        if (open_.empty() || random() % 2 == 0) {
            open_.push_back(std::to_string(random()));
            return about("request", open_.back());
        }
        const auto id = take(open_, random);
        if (random() % 4 == 0) return about("ended", id);
        decided_.push_back(id);
        return about("decision", id);
    }

private:
    static LogEntry about(std::string kind, const std::string& id) {
        return entry(std::move(kind), {{"requestId", id}});
    }
    static std::string take(std::vector<std::string>& ids, std::mt19937_64& random) {
        std::swap(ids[random() % ids.size()], ids.back());
        auto id = std::move(ids.back());
        ids.pop_back();
        return id;
    }
    std::vector<std::string> open_;
    std::vector<std::string> decided_;
};

std::vector<Record> records_on(MemoryFileSystem& disk) {
    std::vector<Record> found;
    const auto key = signer().key();
    const auto walked =
        walk(disk, directory, key,
             {.check = Chain::Check::last, .record = [&](const Record& record) { found.push_back(record); }});
    EXPECT_TRUE(walked && !walked->broken && !walked->tail);
    return found;
}

class Crash : public testing::TestWithParam<std::size_t> {
protected:
    // One random life after another on one disk, with a simulated power cut before every call.
    void live(std::uint64_t seed) {
        std::mt19937_64 random{seed};
        MemoryFileSystem disk;
        disk.before_call = [&] {
            for (std::size_t way = 0; way < ways_at_each_call && !HasFatalFailure(); ++way)
                look_at(*disk.image(random()));
        };
        promised_.clear();
        for (auto lives = 1 + random() % 2; lives > 0; --lives) {
            Requests requests;
            Life life{disk, either(random())};
            ASSERT_TRUE(life.begin());
            for (auto batches = 1 + random() % 5; batches > 0; --batches) {
                std::vector<LogEntry> entries;
                for (auto count = 1 + random() % 3; count > 0; --count) {
                    entries.push_back(random() % 2 == 0 ? requests.next(random) : some_entry(random));
                }
                ASSERT_TRUE(life.commit(std::move(entries)));
                promised_ = leaves_of(records_on(*disk.copy()));  // the agent acts on the last of them
                ASSERT_TRUE(life.maintain());
                if (random() % 4 == 0) ASSERT_TRUE(life.write_checkpoint());
                if (HasFatalFailure()) return;
            }
            if (random() % 2 == 0) ASSERT_TRUE(life.finish());
        }
    }

    static LogEntry some_entry(std::mt19937_64& random) {
        auto made = entry("n", {{"text", std::string(random() % 700, 'x')}});
        if (random() % 8 != 0) return made;
        const auto text = std::string(random() % 2000, 'y') + std::to_string(random());
        made.long_text = LogEntry::LongText{.hash = security::hex(security::sha256(text)), .text = text};
        return made;
    }

    static std::vector<Hash> leaves_of(const std::vector<Record>& records) {
        std::vector<Hash> leaves;
        for (const auto& record : records) leaves.push_back(leaf_hash(json::canonical(record.members)));
        return leaves;
    }

    void look_at(MemoryFileSystem& image) {
        if (!seen_.insert(image.fingerprint() + promised_.size()).second) return;
        const auto number = seen_.size();
        if (number % one_in == 0) {
            // Recovery itself is interrupted, at a different call in each image.
            auto again = image.copy();
            again->fail(number / one_in % recovery_calls, true);
            (void)Life{*again, either(number / one_in)}.begin();
            auto left = again->after_power_cut(number);
            ASSERT_NO_FATAL_FAILURE(holds_after_recovery(*left, true)) << "image " << number << ", cut short";
        }
        ASSERT_NO_FATAL_FAILURE(holds_after_recovery(image, number % one_in == 1)) << "image " << number;
    }

    void holds_after_recovery(MemoryFileSystem& disk, bool thoroughly) {
        const auto begun = Life{disk, Errands::On::callers_thread}.begin();
        ASSERT_TRUE(begun) << describe(begun.error());
        const auto found = records_on(disk);
        ASSERT_GE(found.size(), promised_.size()) << "an agent was told of a record that is gone";
        const auto leaves = leaves_of(found);
        ASSERT_TRUE(std::equal(promised_.begin(), promised_.end(), leaves.begin())) << "or that is another now";
        for (const auto& record : found) {
            const auto text = record.text("textFile");
            if (text.empty() || record.seq >= promised_.size()) continue;
            ASSERT_EQ(security::hex(security::sha256(disk.read(directory + "/text/" + std::string{text}))), text);
        }
        ASSERT_NO_FATAL_FAILURE(every_request_ended_once(found));
        if (!thoroughly) return;
        // The next process has nothing left to repair.
        auto next = disk.copy();
        const auto again = recover({.files = *next, .directory = directory, .signer = signer_, .now = {}});
        ASSERT_TRUE(again);
        ASSERT_FALSE(again->removed);
        const auto verification = verify(disk, directory, {.key = signer_.key()});
        ASSERT_TRUE(verification && verification->ok());
    }

    // And for every decision the log says that the agent received it, or that this is unknown.
    static void every_request_ended_once(const std::vector<Record>& found) {
        struct Told {
            int requests = 0;
            int ends = 0;
            int decisions = 0;
            int handed_over = 0;
        };
        std::map<std::string, Told, std::less<>> about;
        for (const auto& record : found) {
            if (record.text("requestId").empty()) continue;
            auto& told = about[std::string{record.text("requestId")}];
            if (record.kind == "request") ++told.requests;
            if (record.kind == "decision" || record.kind == "ended") ++told.ends;
            if (record.kind == "decision") ++told.decisions;
            if (record.kind == "forwarded" || record.kind == "indeterminate") ++told.handed_over;
        }
        for (const auto& [id, told] : about) {
            ASSERT_EQ(told.requests, 1) << id;
            ASSERT_EQ(told.ends, 1) << id;
            ASSERT_EQ(told.handed_over, told.decisions) << id;
        }
    }

    std::vector<Hash> promised_;  // leaves
    std::set<std::size_t> seen_;
    NoteSigner signer_ = signer();
};

TEST_P(Crash, I1_EverythingAnAgentWasToldIsInTheLogAfterAnyPowerCut) {
    for (std::uint64_t seed = GetParam(); seen_.size() < images_wanted(); seed += shards) {
        live(seed);
        if (HasFatalFailure()) FAIL() << "life " << seed;
    }
    RecordProperty("images", static_cast<int>(seen_.size()));
}

INSTANTIATE_TEST_SUITE_P(Shards, Crash, testing::Range(std::size_t{0}, shards));

}  // namespace
}  // namespace countersign::audit
