// SPDX-License-Identifier: Apache-2.0
#include "audit/batches.hpp"

#include "audit/segment.hpp"

#include <vector>

namespace countersign::audit {
namespace {

// A record of an unfinished batch. Keeps positions only: if an attacker removed the signatures, parsed records would
// otherwise pile up for a whole segment.
struct Waiting {
    std::string_view json;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

std::string damage_before(std::uint64_t end) { return "the line before byte " + std::to_string(end); }

}  // namespace

BatchesRead read_batches(std::string_view bytes, std::uint64_t offset, const std::function<void(BatchRecord&&)>& take) {
    BatchesRead read{.end = offset, .damage = {}};
    if (offset >= bytes.size()) return read;
    std::vector<Waiting> waiting;
    const auto read_record = [&](const Waiting& one) {
        auto record = parse_record(one.json);
        if (!record && !read.damage) read.damage = damage_before(one.end);
        return record;
    };
    SegmentLines lines{bytes.substr(offset)};
    auto begin = offset;
    while (const auto text = lines.next()) {
        const auto line = split_line(*text);
        const auto end = offset + lines.offset();
        if (line) waiting.push_back({.json = line->json, .begin = begin, .end = end});
        begin = end;
        if (line && line->signature.empty()) continue;
        for (const auto& one : waiting) {
            if (auto record = read_record(one)) {
                take({.json = one.json, .record = std::move(*record), .offset = one.begin});
            }
        }
        waiting.clear();
        if (!line && !read.damage) read.damage = damage_before(end);
        read.end = end;
    }
    // Records without a signature yet are not passed on, but are damage if they cannot be parsed.
    for (const auto& one : waiting) (void)read_record(one);
    // A complete line that was not accepted: it contains zeros or is too long.
    if (!read.damage && bytes.find('\n', begin) != std::string_view::npos) {
        read.damage = "the line after byte " + std::to_string(begin);
    }
    return read;
}

}  // namespace countersign::audit
