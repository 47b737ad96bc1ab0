// SPDX-License-Identifier: Apache-2.0
#include "audit/batches.hpp"

#include "audit/segment.hpp"

#include <vector>

namespace countersign::audit {

BatchesRead read_batches(std::string_view bytes, std::uint64_t offset, const std::function<void(BatchRecord&&)>& take) {
    BatchesRead read{.end = offset, .damage = {}};
    if (offset >= bytes.size()) return read;
    std::vector<BatchRecord> waiting;
    SegmentLines lines{bytes.substr(offset)};
    auto begin = offset;
    while (const auto text = lines.next()) {
        const auto line = split_line(*text);
        auto record = line ? parse_record(line->json) : Result<Record>{line.error()};
        if (record) waiting.push_back({.json = line->json, .record = std::move(*record), .offset = begin});
        begin = offset + lines.offset();
        if (!record && !read.damage) read.damage = "the line before byte " + std::to_string(begin);
        if (line && line->signature.empty()) continue;
        for (auto& one : waiting) take(std::move(one));
        waiting.clear();
        read.end = begin;
    }
    // A line that has its end and still was none: zeros in it, or longer than any of ours.
    if (!read.damage && bytes.find('\n', begin) != std::string_view::npos) {
        read.damage = "the line after byte " + std::to_string(begin);
    }
    return read;
}

}  // namespace countersign::audit
