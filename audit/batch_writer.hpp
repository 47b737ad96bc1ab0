// SPDX-License-Identifier: Apache-2.0
// BatchWriter: puts entries on disk, many with one write and one sync. It has no thread and no queue; its calls block.
//
// After the first error it must not be used again: a failed sync may have dropped the bytes, and the next sync would
// succeed all the same.
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

// An entry, with the times at which the owner handed it in.
struct Item {
    LogEntry entry;
    WallTime ts;
    BootTime mono;
    Haste haste = Haste::now;
};

// A signed tree that is on disk.
struct Checkpoint {
    Tree tree;
    std::string note;  // the whole signed note
};

// A record that lacks only its sequence fields, or the error that prevented it. The caller makes it, and needs no state
// of the log to do so.
struct DraftedItem {
    Result<Draft> draft;
    std::optional<LogEntry::LongText> text = {};
    WallTime ts = {};
};
// `room`: memory to reuse for the record.
[[nodiscard]] DraftedItem draft_item(Item item, const std::string& boot_id, std::string room = {});

// Records that are written and synced together.
struct Batch {
    std::string lines = {};  // no signature yet
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
    // Where the log ends; everything before it is on disk.
    struct End {
        CompactRange range;
        std::uint64_t segment = 0;
        std::uint64_t offset = 0;  // 0: the segment is new
    };
    BatchWriter(Options options, End end);

    // Makes the next record from the item, which keeps only its draft's memory. Precondition: every earlier record is
    // in this batch or committed.
    void add(Batch& batch, DraftedItem& item);
    // Writes the batch and returns one result for each entry. A receipt means that the record is on disk; its root and
    // size are empty and come from checkpoint(). Otherwise the entry could not become a record (Errc::too_large,
    // malformed or internal). If commit itself fails, none of the batch may be treated as written.
    [[nodiscard]] Result<std::vector<Result<Receipt>>> commit(Batch batch);
    [[nodiscard]] const std::string& boot_id() const { return options_.boot_id; }
    // Drafts items from the front, up to a full batch, and commits them.
    [[nodiscard]] Result<std::vector<Result<Receipt>>> write(std::deque<Item>& items);
    // Writes all items, in as many batches as it takes. Also fails if one of them cannot become a record.
    [[nodiscard]] Result<void> write_every(std::deque<Item> items);
    // Signs with this key from now on and returns the previous signer. Precondition: every record made is committed.
    [[nodiscard]] NoteSigner sign_with(NoteSigner signer) { return std::exchange(options_.signer, std::move(signer)); }
    // Covers everything that was committed. Precondition: at least one record was.
    [[nodiscard]] Checkpoint checkpoint() const;
    // Does the work that is due between batches and that no caller waits for: growing the next segment, trimming the
    // previous one, and writing the checkpoint file after checkpoint_batches_max batches. Work that takes longer than a
    // batch runs as an errand; under load there is a pause between two checkpoint files. A returned error may come from
    // an errand that ended earlier.
    [[nodiscard]] Result<void> maintain();
    // When maintain() next has something to do, if at all.
    [[nodiscard]] std::optional<std::chrono::steady_clock::time_point> maintenance_due() const;
    [[nodiscard]] Result<void> write_checkpoint();
    // Trims the empty space and writes the checkpoint file.
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
    Tree committed_;  // of the records on disk
    std::uint64_t segment_;
    std::uint64_t offset_;
    std::string signature_;  // of the last batch
    std::unique_ptr<File> file_;
    std::size_t batches_since_checkpoint_ = 0;
    std::chrono::steady_clock::time_point checkpoint_written_{};
    bool text_directory_made_ = false;
    SpareSegment spare_;
    std::uint64_t batch_bytes_ = 0;  // size of the last batch, until the spare segment has grown by as much
    struct LeftSegment {
        std::string path;
        std::uint64_t bytes = 0;
    };
    std::optional<LeftSegment> left_segment_;  // still ends with zeros
    bool naming_ = false;                      // the running errand syncs the new segment's name
    Errands errands_;
};

}  // namespace countersign::audit
