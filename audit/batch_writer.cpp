// SPDX-License-Identifier: Apache-2.0
#include "audit/batch_writer.hpp"

#include "audit/layout.hpp"
#include "audit/record.hpp"
#include "audit/segment.hpp"
#include "core/limits.hpp"
#include "security/digest.hpp"
#include "security/encoding.hpp"

#include <algorithm>
#include <utility>

namespace countersign::audit {
namespace {

constexpr std::size_t zeros_bytes = 256 * 1024;

}  // namespace

BatchWriter::BatchWriter(Options options, End end)
    : options_{std::move(options)}, end_{std::move(end)}, root_{end_.range.root()}, synced_{end_.range.size()} {}

Result<void> BatchWriter::stage(std::deque<Item>& items) {
    while (!items.empty() && batch_.lines.size() < limits::log_batch_bytes_max) {
        auto item = std::move(items.front());
        items.pop_front();
        if (const auto kept = keep_long_text(item.entry); !kept) {
            if (kept.error().code == Errc::unavailable) return kept.error();
            batch_.results.emplace_back(kept.error());
            continue;
        }
        add(std::move(item));
    }
    return {};
}

Result<std::vector<Result<Receipt>>> BatchWriter::commit() {
    if (batch_.records > 0) sign();
    auto batch = std::exchange(batch_, {});
    if (batch.records == 0) return std::move(batch.results);
    if (const auto room = make_room(batch.lines.size()); !room) return room.error();
    if (const auto whole = still_whole(); !whole) return whole.error();
    if (const auto written = write_all(*file_, end_.offset, batch.lines); !written) return written.error();
    if (const auto synced = file_->sync(); !synced) return synced.error();
    if (const auto named = file_->still_named(); !named) return named.error();
    end_.offset += batch.lines.size();
    synced_ = end_.range.size();
    ++batches_since_checkpoint_;
    return std::move(batch.results);
}

void BatchWriter::add(Item item) {
    const auto seq = end_.range.size();
    const auto json = encode_record(std::move(item.entry), {.seq = seq,
                                                            .prev_root = root_,
                                                            .synced = synced_,
                                                            .ts = item.ts,
                                                            .mono = item.mono,
                                                            .boot_id = options_.boot_id});
    if (!json) {
        batch_.results.emplace_back(json.error());
        return;
    }
    end_.range.append(leaf_hash(*json));
    root_ = end_.range.root();
    batch_.lines.append(*json).append("\n");
    batch_.results.emplace_back(Receipt{.seq = seq, .root = {}, .at = item.ts});
    ++batch_.records;
}

// One signature, on the last line: its tree holds the whole batch_.
void BatchWriter::sign() {
    const auto& signer = options_.signer;
    signature_ = signer.sign(checkpoint_text(signer.key().name(), {.size = end_.range.size(), .root = root_}));
    batch_.lines.back() = '\t';
    batch_.lines.append(signature_).append("\n");
    const auto root = security::base64(root_);
    for (auto& result : batch_.results) {
        if (!result) continue;
        result->root = root;
        result->size = end_.range.size();
    }
}

Result<void> BatchWriter::keep_long_text(const Entry& entry) {
    if (!entry.long_text) return {};
    const auto& [hash, text] = *entry.long_text;
    if (text.size() > limits::record_text_bytes_max) return Error{Errc::too_large, "a text too long to be kept"};
    // The name is checked because it becomes a path, and because a verifier will check it.
    if (hash != security::hex(security::sha256(text))) return Error{Errc::internal, "a text's hash is not its SHA-256"};
    auto& files = options_.files;
    const auto directory = options_.directory + "/" + text_directory;
    if (!text_directory_made_) {
        if (auto made = files.make_directory(directory); !made) return made;
        if (auto synced = files.sync_directory(options_.directory); !synced) return synced;
        text_directory_made_ = true;
    }
    const auto there = files.exists(directory + "/" + hash);
    if (!there) return there.error();
    if (*there) return {};
    return replace(files, directory, hash, text);
}

Result<void> BatchWriter::make_room(std::size_t bytes) {
    if (end_.offset > 0 && end_.offset + bytes > options_.segment_bytes) {
        // A segment that a clean start continued may not be open yet; it was cut when it was left.
        if (file_ != nullptr) {
            if (auto cut = cut_segment(); !cut) return cut;
        }
        file_.reset();
        ++end_.segment;
        end_.offset = 0;
    }
    return file_ == nullptr ? open_segment() : Result<void>{};
}

// Fills the rest of the segment with zeros, so that later syncs have only bytes to write.
Result<void> BatchWriter::open_segment() {
    const auto path = options_.directory + "/" + segment_name(end_.segment);
    auto file = options_.files.open(path, end_.offset == 0 ? FileSystem::Mode::create : FileSystem::Mode::write);
    if (!file) return file.error();
    const std::string zeros(std::min(zeros_bytes, options_.segment_bytes), '\0');
    for (auto at = end_.offset; at < options_.segment_bytes; at += zeros.size()) {
        const auto left = static_cast<std::size_t>(options_.segment_bytes - at);
        const auto piece = std::string_view{zeros}.substr(0, left);
        if (auto written = write_all(**file, at, piece); !written) return written;
    }
    if (auto synced = (*file)->sync(); !synced) return synced;
    if (auto synced = options_.files.sync_directory(options_.directory); !synced) return synced;
    file_ = std::move(*file);
    return {};
}

// Somebody who cuts the file takes away what was promised.
Result<void> BatchWriter::still_whole() {
    const auto size = file_->size();
    if (!size) return size.error();
    if (*size >= end_.offset) return {};
    return Error{Errc::damaged, segment_name(end_.segment) + " was cut while it was written"};
}

Result<void> BatchWriter::cut_segment() {
    if (auto cut = file_->truncate(end_.offset); !cut) return cut;
    return file_->sync();
}

Result<void> BatchWriter::maintain() {
    if (batches_since_checkpoint_ < limits::checkpoint_batches_max) return {};
    return write_checkpoint();
}

Result<void> BatchWriter::finish() {
    if (file_ == nullptr) return {};
    if (auto cut = cut_segment(); !cut) return cut;
    return write_checkpoint();
}

Result<void> BatchWriter::write_checkpoint() {
    batches_since_checkpoint_ = 0;
    return replace(options_.files, options_.directory, checkpoint_name, checkpoint().note);
}

Checkpoint BatchWriter::checkpoint() const {
    const auto& origin = options_.signer.key().name();
    const Tree tree{.size = end_.range.size(), .root = root_};
    return {.tree = tree, .note = note(checkpoint_text(origin, tree), origin, signature_)};
}

}  // namespace countersign::audit
