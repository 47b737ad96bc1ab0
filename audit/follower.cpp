// SPDX-License-Identifier: Apache-2.0
#include "audit/follower.hpp"

#include "audit/segment.hpp"

#include <algorithm>
#include <iterator>

namespace countersign::audit {
namespace {

struct Batches {
    std::vector<TailRecord> records;
    std::uint64_t end = 0;  // behind the last signed line
    std::optional<std::string> damage;
};

// The records of all complete batches from the offset on.
Batches batches_from(std::string_view bytes, std::uint64_t offset) {
    Batches batches{.records = {}, .end = offset, .damage = {}};
    if (offset >= bytes.size()) return batches;
    std::vector<TailRecord> waiting;
    SegmentLines lines{bytes.substr(offset)};
    while (const auto text = lines.next()) {
        const auto line = split_line(*text);
        auto record = line ? parse_record(line->json) : Result<Record>{line.error()};
        if (record) waiting.push_back({.json = std::string{line->json}, .record = std::move(*record)});
        if (!record && !batches.damage)
            batches.damage = "the line before byte " + std::to_string(offset + lines.offset());
        if (line && line->signature.empty()) continue;
        std::ranges::move(waiting, std::back_inserter(batches.records));
        waiting.clear();
        batches.end = offset + lines.offset();
    }
    // A line that has its end and still was none: zeros in it, or longer than any of ours.
    const auto unread = offset + lines.offset();
    if (!batches.damage && bytes.find('\n', unread) != bytes.npos) {
        batches.damage = "the line after byte " + std::to_string(unread);
    }
    return batches;
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
        if (batches.damage) damage_ = segment_name(number) + ": " + *batches.damage;  // the oldest one stays
        if (number + 1 == *count) {
            segment_ = number;
            offset_ = batches.end;
        }
        auto& older = batches.records;
        const auto wanted = std::min(older.size(), records - found.size());
        found.insert(found.begin(), std::make_move_iterator(older.end() - static_cast<std::ptrdiff_t>(wanted)),
                     std::make_move_iterator(older.end()));
        if (found.size() == records) break;
    }
    return found;
}

Result<std::vector<TailRecord>> Follower::next() {
    const auto count = count_segments(files_, directory_);
    if (!count) return count.error();
    std::vector<TailRecord> found;
    while (segment_ < *count) {
        const auto bytes = read_segment(files_, directory_, segment_);
        if (!bytes) return bytes.error();
        auto batches = batches_from(*bytes, offset_);
        if (batches.damage && !damage_) damage_ = segment_name(segment_) + ": " + *batches.damage;
        std::ranges::move(batches.records, std::back_inserter(found));
        offset_ = batches.end;
        // The writer leaves a segment only when its last batch is on disk, so that a later one means: this one is done.
        if (segment_ + 1 == *count) break;
        ++segment_;
        offset_ = 0;
    }
    return found;
}

}  // namespace countersign::audit
