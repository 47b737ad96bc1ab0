// SPDX-License-Identifier: Apache-2.0
// BatchWriter: puts entries on disk, many with one write and one sync. It has no thread and no queue; it blocks.
//
// After the first error it must not be used again: a sync that failed may have dropped the bytes, and the next one
// would say yes all the same.
#pragma once

#include "audit/errands.hpp"
#include "audit/file_system.hpp"
#include "audit/merkle.hpp"
#include "audit/note.hpp"
#include "audit/record.hpp"
#include "audit/spare_segment.hpp"
#include "core/limits.hpp"
#include "core/ports/ledger.hpp"
#include "core/result.hpp"
#include "core/time.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace countersign::audit {

// An entry on its way, with the times at which the owner handed it in.
struct Item {
    LogEntry entry;
    WallTime ts;
    BootTime mono;
    Haste haste = Haste::now;
};

// A tree with the log's signature on it, on disk.
struct Checkpoint {
    Tree tree;
    std::string note;  // whole and signed
};

// An item of which a record is all but made, or why it is none. Whoever hands it in makes it, and needs nothing of the
// log for it.
struct DraftedItem {
    Result<Draft> draft;
    std::optional<LogEntry::LongText> text = {};
    WallTime ts = {};
};
// `room`: memory for the record.
[[nodiscard]] DraftedItem draft_item(Item item, const std::string& boot_id, std::string room = {});

// Records that go to disk together.
struct Batch {
    std::string lines = {};  // without a signature
    std::vector<Result<Receipt>> results = {};
    std::vector<LogEntry::LongText> texts = {};
    std::size_t text_bytes = 0;

    [[nodiscard]] bool full() const;
};

class BatchWriter {
public:
    struct Options {
        FileSystem& files;  // borrowed
        std::string directory;
        NoteSigner signer;
        std::string boot_id;
        std::size_t segment_bytes;
        std::chrono::milliseconds checkpoint_pause = limits::checkpoint_pause;
        Errands::On errands = Errands::On::callers_thread;
    };
    // Where the log ends: all of it is on disk.
    struct End {
        CompactRange range;
        std::uint64_t segment = 0;
        std::uint64_t offset = 0;  // 0: the segment is new
    };
    BatchWriter(Options options, End end);

    // Makes the next record, and leaves the item nothing but the memory of its draft. Precondition: every record made
    // before is in this batch or committed.
    void add(Batch& batch, DraftedItem& item);
    // Writes the batch, and gives one result for each entry: the receipt, when it is on disk, without root and size,
    // which checkpoint() has then; or why it is no record (Errc::too_large, malformed or internal). An error means that
    // nothing of the batch counts.
    [[nodiscard]] Result<std::vector<Result<Receipt>>> commit(Batch batch);
    [[nodiscard]] const std::string& boot_id() const { return options_.boot_id; }
    // Both at once: a batch of what is at the front.
    [[nodiscard]] Result<std::vector<Result<Receipt>>> write(std::deque<Item>& items);
    // All of them, in as many batches as it takes. An error also for one that is no record.
    [[nodiscard]] Result<void> write_every(std::deque<Item> items);
    // From now on; gives back the signer before. Precondition: every record made is committed.
    [[nodiscard]] NoteSigner sign_with(NoteSigner signer) { return std::exchange(options_.signer, std::move(signer)); }
    // Of everything that was committed. Precondition: something was.
    [[nodiscard]] Checkpoint checkpoint() const;
    // What is due between two batches and nobody waits for: a piece of the next segment, the end of the one that was
    // left, and the checkpoint file, after checkpoint_batches_max batches. What takes longer than a batch is an errand,
    // and under load there is a pause between two checkpoint files. An error may be that of an errand that has ended.
    [[nodiscard]] Result<void> maintain();
    // From when on maintain() has something to do, if there is anything.
    [[nodiscard]] std::optional<std::chrono::steady_clock::time_point> maintenance_due() const;
    [[nodiscard]] Result<void> write_checkpoint();
    // Cuts off the empty space and writes the checkpoint file.
    [[nodiscard]] Result<void> finish();

private:
    void sign(Batch& batch);
    [[nodiscard]] Result<void> keep(const LogEntry::LongText& long_text);
    [[nodiscard]] Result<void> make_room(std::size_t bytes);
    [[nodiscard]] Result<void> begin_next_segment();
    [[nodiscard]] Result<void> open_segment();
    [[nodiscard]] Result<void> named();
    [[nodiscard]] std::string path_of(std::uint64_t segment) const;
    [[nodiscard]] std::optional<std::chrono::steady_clock::time_point> checkpoint_due() const;
    [[nodiscard]] bool spare_wants_to_grow() const;
    [[nodiscard]] Result<void> grow_spare();
    [[nodiscard]] Result<void> cut_left_segment();
    void begin_checkpoint();
    [[nodiscard]] Result<void> still_whole();
    [[nodiscard]] Result<void> cut_segment();

    Options options_;

    CompactRange range_;
    Tree tree_;       // of the records made
    Tree committed_;  // of those on disk
    std::uint64_t segment_;
    std::uint64_t offset_;
    std::string signature_;  // of the last batch
    std::unique_ptr<File> file_;
    std::size_t batches_since_checkpoint_ = 0;
    std::chrono::steady_clock::time_point checkpoint_written_{};
    bool text_directory_made_ = false;
    SpareSegment spare_;
    std::uint64_t batch_bytes_ = 0;  // of the last one, until the spare segment has grown by as much
    struct LeftSegment {
        std::string path;
        std::uint64_t bytes = 0;
    };
    std::optional<LeftSegment> left_segment_;  // that still ends with zeros
    bool naming_ = false;                      // the errand under way syncs the segment's name
    Errands errands_;
};

}  // namespace countersign::audit
