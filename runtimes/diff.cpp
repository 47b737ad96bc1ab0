// SPDX-License-Identifier: Apache-2.0
#include "runtimes/diff.hpp"

#include "core/limits.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace countersign::runtimes {

namespace {

using Lines = std::vector<std::string_view>;
using LineSpan = std::span<const std::string_view>;

// Each line includes its newline, so that a last line without one differs from the same line with one.
Lines split(std::string_view text) {
    Lines lines;
    while (!text.empty()) {
        const auto end = text.find('\n');
        const auto length = end == std::string_view::npos ? text.size() : end + 1;
        lines.push_back(text.substr(0, length));
        text.remove_prefix(length);
    }
    return lines;
}

void put(std::string& out, char mark, std::string_view line) {
    out += mark;
    out += line;
    if (!line.ends_with('\n')) out += "\n\\ no newline at the end\n";
}

void put_all(std::string& out, char mark, LineSpan lines) {
    for (const auto line : lines) put(out, mark, line);
}

// Lengths of the longest common subsequences of all pairs of tails, row by row.
std::vector<std::uint32_t> common_lengths(LineSpan before, LineSpan after) {
    const auto width = after.size() + 1;
    std::vector<std::uint32_t> lengths((before.size() + 1) * width, 0);
    for (auto i = before.size(); i-- > 0;) {
        for (auto j = after.size(); j-- > 0;) {
            const auto below = lengths[(i + 1) * width + j];
            const auto beside = lengths[i * width + j + 1];
            const auto both = lengths[(i + 1) * width + j + 1] + 1;
            lengths[i * width + j] = before[i] == after[j] ? both : std::max(below, beside);
        }
    }
    return lengths;
}

void put_changes(std::string& out, LineSpan before, LineSpan after) {
    const auto lengths = common_lengths(before, after);
    const auto width = after.size() + 1;
    std::size_t i = 0;
    std::size_t j = 0;
    while (i < before.size() && j < after.size()) {
        if (before[i] == after[j]) {
            put(out, ' ', before[i++]);
            ++j;
        } else if (lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]) {
            put(out, '-', before[i++]);
        } else {
            put(out, '+', after[j++]);
        }
    }
    put_all(out, '-', before.subspan(i));
    put_all(out, '+', after.subspan(j));
}

}  // namespace

std::string line_diff(std::string_view before_text, std::string_view after_text) {
    const auto before_lines = split(before_text);
    const auto after_lines = split(after_text);
    LineSpan before{before_lines};
    LineSpan after{after_lines};

    const auto [kept, unused] = std::ranges::mismatch(before, after);
    const auto head = before.first(static_cast<std::size_t>(kept - before.begin()));
    before = before.subspan(head.size());
    after = after.subspan(head.size());
    std::size_t same = 0;
    while (same < before.size() && same < after.size() &&
           before[before.size() - 1 - same] == after[after.size() - 1 - same]) {
        ++same;
    }
    const auto tail = before.last(same);
    before = before.first(before.size() - same);
    after = after.first(after.size() - same);

    std::string out;
    put_all(out, ' ', head);
    if ((before.size() + 1) * (after.size() + 1) > limits::diff_cells_max) {
        put_all(out, '-', before);
        put_all(out, '+', after);
    } else {
        put_changes(out, before, after);
    }
    put_all(out, ' ', tail);
    return out;
}

}  // namespace countersign::runtimes
