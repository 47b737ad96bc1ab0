// SPDX-License-Identifier: Apache-2.0
// BatchWriter: puts entries on disk, many with one write and one sync. It has no thread and no queue; it blocks.
//
// After the first error it must not be used again: a sync that failed may have dropped the bytes, and the next one would
// say yes all the same.
#pragma once

#include "audit/file_system.hpp"
#include "audit/merkle.hpp"
#include "audit/note.hpp"
#include "core/ports/ledger.hpp"
#include "core/result.hpp"
#include "core/time.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace countersign::audit {

// An entry on its way, with the times at which the owner handed it in.
struct Item {
    Entry entry;
    WallTime ts;
    BootTime mono;
    Haste haste = Haste::now;
};

// A tree with the log's signature on it, on disk.
struct Checkpoint {
    Tree tree;
    std::string note;  // whole and signed
};

class BatchWriter {
public:
    struct Options {
        FileSystem& files;  // borrowed
        std::string directory;
        NoteSigner signer;
        std::string boot_id;
        std::size_t segment_bytes;
    };
    // Where the log ends: all of it is on disk.
    struct End {
        CompactRange range;
        std::uint64_t segment = 0;
        std::uint64_t offset = 0;  // 0: the segment is new
    };
    BatchWriter(Options options, End end);

    // Makes records of the entries, from the front and up to log_batch_bytes_max of them. Nothing but long texts is
    // written yet: what can be done before somebody waits is done before.
    [[nodiscard]] Result<void> stage(std::deque<Item>& items);
    [[nodiscard]] bool has_staged() const { return !batch_.results.empty(); }
    // Writes what is staged, and gives one result for each entry: the receipt, when it is on disk, or why it is no record
    // (Errc::too_large, malformed or internal). An error, here or of stage, means that nothing of the batch counts.
    [[nodiscard]] Result<std::vector<Result<Receipt>>> commit();
    // From now on; gives back the signer before. Precondition: nothing is staged.
    [[nodiscard]] NoteSigner sign_with(NoteSigner signer) { return std::exchange(options_.signer, std::move(signer)); }
    // Of everything that was committed. Precondition: something was.
    [[nodiscard]] Checkpoint checkpoint() const;
    // What is due between two batches and nobody waits for: the checkpoint file.
    [[nodiscard]] Result<void> maintain();
    // Cuts off the empty space and writes the checkpoint file.
    [[nodiscard]] Result<void> finish();

private:
    struct Batch {
        std::string lines;
        std::vector<Result<Receipt>> results;
        std::size_t records = 0;
    };
    [[nodiscard]] Result<void> keep_long_text(const Entry& entry);
    void add(Item item);
    void sign();
    [[nodiscard]] Result<void> make_room(std::size_t bytes);
    [[nodiscard]] Result<void> open_segment();
    [[nodiscard]] Result<void> still_whole();
    [[nodiscard]] Result<void> cut_segment();
    [[nodiscard]] Result<void> write_checkpoint();

    Options options_;
    End end_;
    Hash root_;
    std::uint64_t synced_;
    std::string signature_;  // of the last batch
    Batch batch_;            // staged
    std::unique_ptr<File> file_;
    std::size_t batches_since_checkpoint_ = 0;
    bool text_directory_made_ = false;
};

}  // namespace countersign::audit
