// SPDX-License-Identifier: Apache-2.0
#include "audit/batch_writer.hpp"

#include "audit/layout.hpp"
#include "audit/segment.hpp"
#include "core/limits.hpp"
#include "security/digest.hpp"
#include "security/encoding.hpp"

#include <algorithm>
#include <utility>

namespace countersign::audit {
namespace {

// How often an idle writer checks whether an errand has ended, and grows the next segment.
constexpr std::chrono::milliseconds errand_look_interval{1};
constexpr std::chrono::milliseconds spare_interval{5};

Result<void> check(const LogEntry::LongText& long_text) {
    const auto& [hash, text] = long_text;
    if (text.size() > limits::record_text_bytes_max) return Error{Errc::too_large, "a text too long to be kept"};
    // The hash is checked because it becomes a file name, and because a verifier will check it.
    if (hash != security::hex(security::sha256(text))) return Error{Errc::internal, "a text's hash is not its SHA-256"};
    return {};
}

Result<void> cut(FileSystem& files, const std::string& path, std::uint64_t size) {
    const auto file = files.open(path, FileSystem::Mode::write);
    if (!file) return file.error();
    if (auto done = (*file)->truncate(size); !done) return done;
    return (*file)->sync();
}

}  // namespace

DraftedItem draft_item(Item item, const std::string& boot_id, std::string room) {
    auto& entry = item.entry;
    auto text = std::exchange(entry.long_text, std::nullopt);
    if (text) {
        if (const auto good = check(*text); !good) return {.draft = good.error()};
        entry.long_text = {.hash = text->hash, .text = {}};  // the record contains only its hash
    }
    auto draft = draft_record(entry, {.ts = item.ts, .mono = item.mono, .boot_id = boot_id}, std::move(room));
    return {.draft = std::move(draft), .text = std::move(text), .ts = item.ts};
}

bool Batch::full() const {
    return lines.size() + text_bytes >= limits::log_batch_bytes_max || texts.size() >= limits::log_batch_texts_max;
}

BatchWriter::BatchWriter(Options options, End end)
    : options_{std::move(options)},
      range_{std::move(end.range)},
      tree_{.size = range_.size(), .root = range_.root()},
      committed_{tree_},
      segment_{end.segment},
      offset_{end.offset},
      spare_{options_.files, options_.directory, options_.segment_bytes},
      errands_{options_.errands} {}

void BatchWriter::add(Batch& batch, DraftedItem& item) {
    const auto add_line = [&]() -> Result<Receipt> {
        if (!item.draft) return item.draft.error();
        const Stamp place{.seq = tree_.size, .prev_root = tree_.root, .synced = committed_.size};
        const auto before = batch.lines.size();
        if (const auto placed = place_record(*item.draft, place, batch.lines); !placed) return placed.error();
        const auto line = std::string_view{batch.lines}.substr(before);
        const Receipt receipt{.seq = tree_.size, .root = {}, .at = item.ts};
        range_.append(leaf_hash(line));
        tree_ = {.size = range_.size(), .root = range_.root()};
        batch.lines += '\n';
        if (item.text) {
            batch.text_bytes += item.text->text.size();
            batch.texts.push_back(std::move(*item.text));
        }
        return receipt;
    };
    batch.results.push_back(add_line());
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
    batch_bytes_ = batch.lines.size();
    offset_ += batch_bytes_;
    if (const auto synced = file_->sync(); !synced) return synced.error();
    if (const auto done = named(); !done) return done.error();
    if (const auto ours = file_->still_named(); !ours) return ours.error();
    committed_ = tree_;
    ++batches_since_checkpoint_;
    return std::move(batch.results);
}

Result<std::vector<Result<Receipt>>> BatchWriter::write(std::deque<Item>& items) {
    Batch batch;
    while (!items.empty() && !batch.full()) {
        auto drafted = draft_item(std::move(items.front()), options_.boot_id);
        add(batch, drafted);
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

// One signature, on the last line: its tree covers the whole batch.
void BatchWriter::sign(Batch& batch) {
    const auto& signer = options_.signer;
    signature_ = signer.sign(checkpoint_text(signer.key().name(), tree_));
    batch.lines.back() = '\t';
    batch.lines.append(signature_).append("\n");
}

Result<void> BatchWriter::keep(const LogEntry::LongText& long_text) {
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
    if (offset_ > 0 && offset_ + bytes > options_.segment_bytes) return begin_next_segment();
    return file_ == nullptr ? open_segment() : Result<void>{};
}

// The zeros at the end of the previous segment are trimmed later; readers treat them as empty space.
Result<void> BatchWriter::begin_next_segment() {
    // Done long ago, unless a segment has room for only a few batches.
    if (auto cut = cut_left_segment(); !cut) return cut;
    // If a clean start continued a segment, it may not be open yet; finish() has trimmed it already.
    if (file_ != nullptr) left_segment_ = {.path = path_of(segment_), .bytes = offset_};
    file_.reset();
    ++segment_;
    offset_ = 0;
    return open_segment();
}

// The new segment's name is synced in parallel with its first batch. commit() waits for both.
Result<void> BatchWriter::open_segment() {
    if (auto done = errands_.wait(); !done) return done;
    const auto path = path_of(segment_);
    auto& files = options_.files;
    const bool made = offset_ == 0 && spare_.begun();
    if (made) {
        if (auto renamed = spare_.become(path); !renamed) return renamed;
    }
    auto file = files.open(path, offset_ == 0 && !made ? FileSystem::Mode::create : FileSystem::Mode::write);
    if (!file) return file.error();
    if (!made) {
        if (auto filled = fill_with_zeros(**file, offset_, options_.segment_bytes); !filled) return filled;
    }
    file_ = std::move(*file);
    naming_ = true;
    errands_.run([&files, directory = options_.directory] { return files.sync_directory(directory); });
    return {};
}

Result<void> BatchWriter::named() { return std::exchange(naming_, false) ? errands_.wait() : Result<void>{}; }

std::string BatchWriter::path_of(std::uint64_t segment) const {
    return options_.directory + "/" + segment_name(segment);
}

bool BatchWriter::spare_wants_to_grow() const {
    return !errands_.busy() && file_ != nullptr && offset_ > options_.segment_bytes / 16 && !spare_.filled();
}

// Grows a little faster than batches fill the current segment. The writer thread does it while the batch's waiters are
// told; a third thread would compete with the two for a processor.
Result<void> BatchWriter::grow_spare() {
    const auto bytes = std::exchange(batch_bytes_, 0);
    if (auto grown = spare_.grow(bytes + bytes / 4); !grown || !spare_.filled()) return grown;
    errands_.run([file = spare_.file()] { return file->sync(); });
    return errands_.hear();
}

// An attacker who truncates the file would remove records that we reported as written.
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

Result<void> BatchWriter::cut_left_segment() {
    if (auto done = errands_.wait(); !done || !left_segment_) return done;
    const auto left = std::exchange(left_segment_, std::nullopt);
    return cut(options_.files, left->path, left->bytes);
}

Result<void> BatchWriter::maintain() {
    if (auto done = errands_.hear(); !done || errands_.busy()) return done;
    const auto due = checkpoint_due();
    if (left_segment_) {
        errands_.run([&files = options_.files, left = *std::exchange(left_segment_, std::nullopt)] {
            return cut(files, left.path, left.bytes);
        });
    } else if (due && std::chrono::steady_clock::now() >= *due) {
        begin_checkpoint();
        errands_.run([&files = options_.files, directory = options_.directory, note = checkpoint().note] {
            return replace(files, directory, checkpoint_name, note);
        });
    } else if (spare_wants_to_grow()) {
        return grow_spare();
    }
    return errands_.hear();
}

std::optional<std::chrono::steady_clock::time_point> BatchWriter::maintenance_due() const {
    if (errands_.busy() || left_segment_) return std::chrono::steady_clock::now() + errand_look_interval;
    if (spare_wants_to_grow()) return std::chrono::steady_clock::now() + spare_interval;
    return checkpoint_due();
}

std::optional<std::chrono::steady_clock::time_point> BatchWriter::checkpoint_due() const {
    if (batches_since_checkpoint_ < limits::checkpoint_batches_max) return std::nullopt;
    return checkpoint_written_ + options_.checkpoint_pause;
}

Result<void> BatchWriter::finish() {
    if (auto cut = cut_left_segment(); !cut) return cut;
    if (auto removed = spare_.remove(); !removed) return removed;
    if (file_ == nullptr) return {};
    if (auto cut = cut_segment(); !cut) return cut;
    return write_checkpoint();
}

void BatchWriter::begin_checkpoint() {
    batches_since_checkpoint_ = 0;
    checkpoint_written_ = std::chrono::steady_clock::now();
}

Result<void> BatchWriter::write_checkpoint() {
    begin_checkpoint();
    return replace(options_.files, options_.directory, checkpoint_name, checkpoint().note);
}

Checkpoint BatchWriter::checkpoint() const {
    const auto& origin = options_.signer.key().name();
    return {.tree = committed_, .note = note(checkpoint_text(origin, committed_), origin, signature_)};
}

}  // namespace countersign::audit
