// SPDX-License-Identifier: Apache-2.0
#include "security/redact/blocks.hpp"

#include "security/redact/base64.hpp"
#include "security/redact/runs.hpp"

#include <algorithm>
#include <array>

namespace countersign::security {
namespace {

constexpr std::string_view begin_line = "-----BEGIN ";
constexpr std::string_view end_line = "-----END";
constexpr std::string_view dashes = "-----";
constexpr std::string_view putty = "Private-Lines:";
constexpr std::size_t label_bytes_max = 64;
constexpr std::size_t line_bytes_min = 16;  // a shorter line is the last one, or not a key's

bool one_of(char byte, std::string_view list) { return list.find(byte) != std::string_view::npos; }

// Skips the gap between two lines of a key: line breaks, also as the \n of a JSON string, and characters that source
// code and diffs put around a line.
std::size_t after_gap(std::string_view text, std::size_t at) {
    for (; at < text.size(); ++at) {
        if (text.substr(at).starts_with("\\n") || text.substr(at).starts_with("\\r")) {
            ++at;
        } else if (!one_of(text[at], " \t\r\n\"'+,>|\\\x02")) {
            break;
        }
    }
    return at;
}

std::size_t after_run(std::string_view text, std::size_t at) {
    while (at < text.size() && base64_byte(text[at]) && !text.substr(at).starts_with(dashes)) ++at;
    while (at < text.size() && text[at] == '=') ++at;
    return at;
}

// Only small letters and hyphens: a shell may have a command with that name.
bool is_word(std::string_view line) {
    return std::ranges::all_of(line,
                               [](char byte) { return (byte >= 'a' && byte <= 'z') || byte == '-' || byte == '_'; });
}

// The headers before the body in old PEM and PGP.
bool armour_header(std::string_view text, std::size_t at) {
    static constexpr auto names =
        std::to_array<std::string_view>({"Proc-Type:", "DEK-Info:", "Version:", "Comment:", "Hash:"});
    return std::ranges::any_of(names, [&](auto name) { return text.substr(at).starts_with(name); });
}

// Lines separated only by an escape such as \n are one word for a shell, and one finding.
bool joined_by_escapes(std::string_view gap) {
    return !gap.empty() && std::ranges::all_of(gap, [](char byte) { return one_of(byte, "\\nr"); });
}

// Adds the lines of the body, each as a separate finding: a mask over several lines could hide a command between them.
// Headers stay visible. The body ends at its END line, or after the last line that looks like a key's. A command below
// an unfinished key isn't part of it, so a line must be long, unbroken and not a path. Returns where the body ends.
std::size_t add_body(Findings& findings, std::string_view text, std::size_t begin) {
    auto end = begin;
    bool follows = false;  // the previous line was part of the body
    while (true) {
        const auto at = after_gap(text, end);
        if (armour_header(text, at)) {
            end = std::min(text.find('\n', at), std::min(text.find("\\n", at), text.size()));
            follows = false;
            if (end == text.size()) return end;
            continue;
        }
        const auto after = after_run(text, at);
        const auto line = text.substr(at, after - at);
        if (line.empty() || is_path(line) || is_word(line)) return end;
        const bool last = text.substr(after_gap(text, after)).starts_with(end_line);
        if (line.size() < line_bytes_min && !last) return end;
        if (follows && joined_by_escapes(text.substr(end, at - end))) {
            findings.back().end = after;
        } else {
            findings.push_back({at, after, "private-key", Evidence::shape, 0, true});
        }
        end = after;
        follows = true;
    }
}

}  // namespace

Findings find_key_blocks(std::string_view text) {
    Findings findings;
    for (auto at = text.find(begin_line); at != std::string_view::npos; at = text.find(begin_line, at)) {
        const auto label = text.substr(at + begin_line.size(), label_bytes_max);
        const auto close = label.find(dashes);
        at += begin_line.size();
        if (close == std::string_view::npos || label.substr(0, close).find("PRIVATE") == std::string_view::npos)
            continue;
        const auto begin = at + close + dashes.size();
        at = add_body(findings, text, begin);
    }
    for (auto at = text.find(putty); at != std::string_view::npos; at = text.find(putty, at)) {
        const auto begin = std::min(text.find_first_of("\n\\", at), text.size());
        at = add_body(findings, text, begin);
    }
    return findings;
}

}  // namespace countersign::security
