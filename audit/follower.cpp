// SPDX-License-Identifier: Apache-2.0
#include "audit/follower.hpp"

#include "audit/batches.hpp"
#include "audit/segment.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <span>

namespace countersign::audit {
namespace {

struct Batches {
    std::vector<TailRecord> records;
    std::uint64_t end = 0;  // after the last signed line
    std::optional<std::string> damage;
};

Batches batches_from(std::string_view bytes, std::uint64_t offset) {
    Batches batches;
    auto read = read_batches(bytes, offset, [&](BatchRecord&& one) {
        batches.records.push_back({.json = std::string{one.json}, .record = std::move(one.record)});
    });
    batches.end = read.end;
    batches.damage = std::move(read.damage);
    return batches;
}

// The number of a segment's first record. Empty if that record cannot be read.
Result<std::optional<std::uint64_t>> first_seq(FileSystem& files, const std::string& directory, std::uint64_t number) {
    auto file = files.open(directory + "/" + segment_name(number), FileSystem::Mode::read);
    if (!file) return file.error();
    std::string head(line_bytes_max + 1, '\0');
    std::size_t filled = 0;
    while (filled < head.size()) {
        const auto got = (*file)->read_some(filled, std::span{head}.subspan(filled));
        if (!got) return got.error();
        if (*got == 0) break;
        filled += *got;
    }
    const auto text = SegmentLines{std::string_view{head}.substr(0, filled)}.next();
    const auto line = text ? split_line(*text) : Result<Line>{Error{Errc::malformed, ""}};
    const auto record = line ? parse_record(line->json) : Result<Record>{line.error()};
    return record ? std::optional{record->seq} : std::nullopt;
}

}  // namespace

Result<std::vector<TailRecord>> Follower::last(std::size_t records) {
    const auto count = count_segments(files_, directory_);
    if (!count) return count.error();
    std::vector<TailRecord> found;
    for (auto number = *count; number-- > 0;) {
        const auto bytes = read_segment(files_, directory_, number);
        if (!bytes) return bytes.error();
        auto batches = batches_from(*bytes, 0);
        if (batches.damage) damage_ = segment_name(number) + ": " + *batches.damage;  // keeps the oldest segment's
        if (number + 1 == *count) {
            segment_ = number;
            offset_ = batches.end;
        }
        if (!newest_ && !batches.records.empty()) newest_ = batches.records.back().record.seq;
        auto& older = batches.records;
        const auto wanted = std::min(older.size(), records - found.size());
        found.insert(found.begin(), std::make_move_iterator(older.end() - static_cast<std::ptrdiff_t>(wanted)),
                     std::make_move_iterator(older.end()));
        if (found.size() == records) break;
    }
    return found;
}

Result<std::vector<TailRecord>> Follower::after(std::uint64_t seq) {
    const auto count = count_segments(files_, directory_);
    if (!count) return count.error();
    segment_ = 0;
    offset_ = 0;
    // Searches backwards, because the caller most likely stopped near the end. A segment whose first line cannot be
    // read is skipped.
    for (auto number = *count; number-- > 1;) {
        const auto first = first_seq(files_, directory_, number);
        if (!first) return first.error();
        if (first->value_or(std::numeric_limits<std::uint64_t>::max()) > seq) continue;
        segment_ = number;
        break;
    }
    after_ = seq;
    return next();
}

Result<std::vector<TailRecord>> Follower::next() {
    const auto count = count_segments(files_, directory_);
    if (!count) return count.error();
    std::vector<TailRecord> found;
    while (segment_ < *count) {
        const auto bytes = read_segment(files_, directory_, segment_);
        if (!bytes) return bytes.error();
        auto batches = batches_from(*bytes, offset_);
        const bool in_last = segment_ + 1 == *count;
        if (in_last && !batches.records.empty()) {
            if (const auto synced = sync_last(); !synced) return synced.error();
        }
        if (batches.damage && !damage_) damage_ = segment_name(segment_) + ": " + *batches.damage;
        if (!batches.records.empty()) newest_ = batches.records.back().record.seq;
        found = std::move(batches.records);
        if (after_) std::erase_if(found, [&](const TailRecord& one) { return one.record.seq <= *after_; });
        offset_ = batches.end;
        // The writer leaves a segment only when its last batch is on disk, so a later segment means that this one is
        // complete.
        if (in_last) break;
        ++segment_;
        offset_ = 0;
        if (!found.empty()) break;
    }
    return found;
}

// The bytes we read may not be on disk yet. A caller that resumes from a record number must not be ahead of a log that
// a power failure shortened: it would miss the records that then reuse these numbers.
Result<void> Follower::sync_last() {
    const auto file = files_.open(directory_ + "/" + segment_name(segment_), FileSystem::Mode::read);
    if (!file) return file.error();
    if (auto synced = (*file)->sync(); !synced) return synced;
    return files_.sync_directory(directory_);
}

}  // namespace countersign::audit
