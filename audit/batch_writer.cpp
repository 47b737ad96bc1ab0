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

Result<void> check(const Entry::LongText& long_text) {
    const auto& [hash, text] = long_text;
    if (text.size() > limits::record_text_bytes_max) return Error{Errc::too_large, "a text too long to be kept"};
    // The name is checked because it becomes a path, and because a verifier will check it.
    if (hash != security::hex(security::sha256(text))) return Error{Errc::internal, "a text's hash is not its SHA-256"};
    return {};
}

}  // namespace

void Batch::add(Recorded record) {
    if (record.result) {
        lines.append(record.line).append("\n");
        tree = record.tree;
    }
    if (record.text) texts.push_back(std::move(*record.text));
    results.push_back(std::move(record.result));
}

bool Batch::full() const { return lines.size() >= limits::log_batch_bytes_max; }

BatchWriter::BatchWriter(Options options, End end)
    : options_{std::move(options)},
      range_{std::move(end.range)},
      tree_{.size = range_.size(), .root = range_.root()},
      committed_{tree_},
      segment_{end.segment},
      offset_{end.offset} {}

Recorded BatchWriter::record(Item item, std::uint64_t synced) {
    auto text = std::exchange(item.entry.long_text, std::nullopt);
    if (text) {
        if (const auto good = check(*text); !good) return {.result = good.error()};
        item.entry.long_text = {.hash = text->hash, .text = {}};  // its name is all that the record has of it
    }
    auto json = encode_record(std::move(item.entry), {.seq = tree_.size,
                                                      .prev_root = tree_.root,
                                                      .synced = synced,
                                                      .ts = item.ts,
                                                      .mono = item.mono,
                                                      .boot_id = options_.boot_id});
    if (!json) return {.result = json.error()};
    const Receipt receipt{.seq = tree_.size, .root = {}, .at = item.ts};
    range_.append(leaf_hash(*json));
    tree_ = {.size = range_.size(), .root = range_.root()};
    return {.result = receipt, .line = std::move(*json), .text = std::move(text), .tree = tree_};
}

Result<std::vector<Result<Receipt>>> BatchWriter::commit(Batch batch) {
    if (batch.lines.empty()) return std::move(batch.results);
    for (const auto& text : batch.texts) {
        if (const auto kept = keep(text); !kept) return kept.error();
    }
    sign(batch);
    if (const auto room = make_room(batch.lines.size()); !room) return room.error();
    if (const auto whole = still_whole(); !whole) return whole.error();
    if (const auto written = write_all(*file_, offset_, batch.lines); !written) return written.error();
    if (const auto synced = file_->sync(); !synced) return synced.error();
    if (const auto named = file_->still_named(); !named) return named.error();
    offset_ += batch.lines.size();
    committed_ = batch.tree;
    ++batches_since_checkpoint_;
    return std::move(batch.results);
}

Result<std::vector<Result<Receipt>>> BatchWriter::write(std::deque<Item>& items) {
    Batch batch;
    while (!items.empty() && !batch.full()) {
        batch.add(record(std::move(items.front()), synced()));
        items.pop_front();
    }
    return commit(std::move(batch));
}

Result<void> BatchWriter::write_every(std::deque<Item> items) {
    while (!items.empty()) {
        const auto results = write(items);
        if (!results) return results.error();
        for (const auto& result : *results) {
            if (!result) return result.error();
        }
    }
    return {};
}

// One signature, on the last line: its tree holds the whole batch.
void BatchWriter::sign(Batch& batch) {
    const auto& signer = options_.signer;
    signature_ = signer.sign(checkpoint_text(signer.key().name(), batch.tree));
    batch.lines.back() = '\t';
    batch.lines.append(signature_).append("\n");
    const auto root = security::base64(batch.tree.root);
    for (auto& result : batch.results) {
        if (!result) continue;
        result->root = root;
        result->size = batch.tree.size;
    }
}

Result<void> BatchWriter::keep(const Entry::LongText& long_text) {
    const auto& [hash, text] = long_text;
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
    if (offset_ > 0 && offset_ + bytes > options_.segment_bytes) {
        // A segment that a clean start continued may not be open yet; it was cut when it was left.
        if (file_ != nullptr) {
            if (auto cut = cut_segment(); !cut) return cut;
        }
        file_.reset();
        ++segment_;
        offset_ = 0;
    }
    return file_ == nullptr ? open_segment() : Result<void>{};
}

// Fills the rest of the segment with zeros, so that later syncs have only bytes to write.
Result<void> BatchWriter::open_segment() {
    const auto path = options_.directory + "/" + segment_name(segment_);
    auto file = options_.files.open(path, offset_ == 0 ? FileSystem::Mode::create : FileSystem::Mode::write);
    if (!file) return file.error();
    const std::string zeros(std::min(zeros_bytes, options_.segment_bytes), '\0');
    for (auto at = offset_; at < options_.segment_bytes; at += zeros.size()) {
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
    if (*size >= offset_) return {};
    return Error{Errc::damaged, segment_name(segment_) + " was cut while it was written"};
}

Result<void> BatchWriter::cut_segment() {
    if (auto cut = file_->truncate(offset_); !cut) return cut;
    return file_->sync();
}

Result<void> BatchWriter::maintain() {
    const auto due = maintenance_due();
    if (!due || std::chrono::steady_clock::now() < *due) return {};
    return write_checkpoint();
}

std::optional<std::chrono::steady_clock::time_point> BatchWriter::maintenance_due() const {
    if (batches_since_checkpoint_ < limits::checkpoint_batches_max) return std::nullopt;
    return checkpoint_written_ + options_.checkpoint_pause;
}

Result<void> BatchWriter::finish() {
    if (file_ == nullptr) return {};
    if (auto cut = cut_segment(); !cut) return cut;
    return write_checkpoint();
}

Result<void> BatchWriter::write_checkpoint() {
    batches_since_checkpoint_ = 0;
    checkpoint_written_ = std::chrono::steady_clock::now();
    return replace(options_.files, options_.directory, checkpoint_name, checkpoint().note);
}

Checkpoint BatchWriter::checkpoint() const {
    const auto& origin = options_.signer.key().name();
    return {.tree = committed_, .note = note(checkpoint_text(origin, committed_), origin, signature_)};
}

}  // namespace countersign::audit
