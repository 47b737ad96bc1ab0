// SPDX-License-Identifier: Apache-2.0
// The power fails at every call that the log makes, in every way that a disk can leave what was not synced. What an
// agent was told is in the log that the next process finds; recovery finds it whatever it is interrupted by.
//
// COUNTERSIGN_CRASH_IMAGES: how many different disks are looked at in all; `./dev crash` asks for ten times the usual.
#include "audit/recovery.hpp"
#include "security/digest.hpp"
#include "security/encoding.hpp"
#include "tests/audit/log_world.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <set>

namespace countersign::audit {
namespace {

using fakes::MemoryFileSystem;

constexpr std::size_t shards = 4;
constexpr std::size_t ways_at_each_call = 24;
constexpr std::size_t one_in = 8;            // images that are looked at thoroughly
constexpr std::size_t recovery_calls = 40;   // about as many as a recovery makes
constexpr std::size_t segment_bytes = 1536;  // a few records, so that every kind of end of a segment comes up

std::size_t images_wanted() {
    const auto* given = std::getenv("COUNTERSIGN_CRASH_IMAGES");  // NOLINT(concurrency-mt-unsafe): nobody sets it
    return (given == nullptr ? 100'000 : std::strtoul(given, nullptr, 10)) / shards;
}

// A process on a disk, without a thread: what it was told is on disk is promised.
class Life {
public:
    explicit Life(MemoryFileSystem& disk) : disk_{disk} {}

    Result<void> begin() {
        auto own = signer();
        const Stamp now{.boot_id = "boot-1"};
        auto recovered = recover({.files = disk_, .directory = directory, .signer = own, .now = now});
        if (!recovered) return recovered.error();
        writer_.emplace(BatchWriter::Options{.files = disk_,
                                             .directory = directory,
                                             .signer = std::move(own),
                                             .boot_id = "boot-1",
                                             .segment_bytes = segment_bytes},
                        std::move(recovered->end));
        auto entries = recovered->open_ends.closing();
        entries.push_back(entry("start"));
        const auto begun = commit(std::move(entries));
        return begun ? Result<void>{} : begun.error();
    }
    // The number of records that are on disk now.
    Result<std::uint64_t> commit(std::vector<Entry> entries) {
        std::deque<Item> items;
        for (auto& one : entries) items.push_back({.entry = std::move(one), .ts = {}, .mono = {}});
        std::uint64_t size = 0;
        while (!items.empty()) {
            const auto results = writer_->write(items);
            if (!results) return results.error();
            size = results->back()->seq + 1;
        }
        if (const auto maintained = writer_->maintain(); !maintained) return maintained.error();
        return size;
    }
    Result<void> finish() {
        if (const auto stopped = commit({entry("stop")}); !stopped) return stopped.error();
        return writer_->finish();
    }

private:
    MemoryFileSystem& disk_;
    std::optional<BatchWriter> writer_;
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
    // One random life after another on one disk, with a power cut looked at before every call.
    void live(std::uint64_t seed) {
        std::mt19937_64 random{seed};
        MemoryFileSystem disk;
        disk.before_call = [&] {
            for (std::size_t way = 0; way < ways_at_each_call && !HasFatalFailure(); ++way)
                look_at(*disk.image(random()));
        };
        promised_.clear();
        for (auto lives = 1 + random() % 2; lives > 0; --lives) {
            Life life{disk};
            ASSERT_TRUE(life.begin());
            for (auto batches = 1 + random() % 5; batches > 0; --batches) {
                std::vector<Entry> entries;
                for (auto count = 1 + random() % 3; count > 0; --count) entries.push_back(some_entry(random));
                ASSERT_TRUE(life.commit(std::move(entries)));
                if (HasFatalFailure()) return;
                promised_ = roots_of(disk);  // the agent acts on the last of them
            }
            if (random() % 2 == 0) ASSERT_TRUE(life.finish());
        }
    }

    static Entry some_entry(std::mt19937_64& random) {
        auto made = entry("n", {{"text", std::string(random() % 700, 'x')}});
        if (random() % 8 != 0) return made;
        const auto text = std::string(random() % 2000, 'y') + std::to_string(random());
        made.long_text = Entry::LongText{.hash = security::hex(security::sha256(text)), .text = text};
        return made;
    }

    // The log up to here, as the chain of its roots.
    static std::vector<Hash> roots_of(MemoryFileSystem& disk) {
        std::vector<Hash> roots;
        for (const auto& record : records_on(*disk.copy())) roots.push_back(record.prev_root);
        return roots;
    }

    void look_at(MemoryFileSystem& image) {
        if (!seen_.insert(image.fingerprint() + promised_.size()).second) return;
        const auto number = seen_.size();
        if (number % one_in == 0) {
            // Recovery is cut short itself, at a call that differs from image to image.
            auto again = image.copy();
            again->fail(number / one_in % recovery_calls, true);
            (void)Life{*again}.begin();
            auto left = again->after_power_cut(number);
            ASSERT_NO_FATAL_FAILURE(holds_after_recovery(*left, true)) << "image " << number << ", cut short";
        }
        ASSERT_NO_FATAL_FAILURE(holds_after_recovery(image, number % one_in == 1)) << "image " << number;
    }

    void holds_after_recovery(MemoryFileSystem& disk, bool thoroughly) {
        const auto begun = Life{disk}.begin();
        ASSERT_TRUE(begun) << describe(begun.error());
        const auto found = records_on(disk);
        ASSERT_GE(found.size(), promised_.size()) << "an agent was told of a record that is gone";
        for (std::size_t i = 0; i < promised_.size(); ++i) ASSERT_EQ(found[i].prev_root, promised_[i]);
        OpenEnds open_ends;
        for (const auto& record : found) {
            open_ends.take(record);
            const auto text = record.text("textFile");
            if (text.empty() || record.seq >= promised_.size()) continue;
            ASSERT_EQ(security::hex(security::sha256(disk.read(directory + "/text/" + std::string{text}))), text);
        }
        ASSERT_TRUE(open_ends.closing().empty());
        if (!thoroughly) return;
        // The next process has nothing more to mend.
        auto next = disk.copy();
        const auto again = recover({.files = *next, .directory = directory, .signer = signer_, .now = {}});
        ASSERT_TRUE(again);
        ASSERT_FALSE(again->removed);
        const auto verification = verify(disk, directory, {.key = signer_.key()});
        ASSERT_TRUE(verification && verification->ok());
    }

    std::vector<Hash> promised_;
    std::set<std::size_t> seen_;
    NoteSigner signer_ = signer();
};

TEST_P(Crash, I1_WhatAnAgentWasToldIsInTheLogAfterAnyPowerCut) {
    for (std::uint64_t seed = GetParam(); seen_.size() < images_wanted(); seed += shards) {
        live(seed);
        if (HasFatalFailure()) FAIL() << "life " << seed;
    }
    RecordProperty("images", static_cast<int>(seen_.size()));
}

INSTANTIATE_TEST_SUITE_P(Shards, Crash, testing::Range(std::size_t{0}, shards));

}  // namespace
}  // namespace countersign::audit
