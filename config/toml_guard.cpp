// SPDX-License-Identifier: Apache-2.0
#include "config/toml_guard.hpp"

#include "core/limits.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

namespace countersign::config {

namespace {

constexpr auto npos = std::string_view::npos;

// The position after a string in triple quotes. Up to two quotes before the closing ones belong to the string.
std::size_t after_long_string(std::string_view text, std::size_t at, char quote) {
    const std::string three(3, quote);
    for (at += 3; at < text.size(); ++at) {
        if (quote == '"' && text[at] == '\\') {
            ++at;
        } else if (text.substr(at, 3) == three) {
            at += 3;
            for (int more = 0; more < 2 && at < text.size() && text[at] == quote; ++more) ++at;
            return at;
        }
    }
    return npos;
}

// npos if the string is not closed: the library reports that and reads no further.
std::size_t after_string(std::string_view text, std::size_t at) {
    const char quote = text[at];
    if (text.substr(at, 3) == std::string(3, quote)) return after_long_string(text, at, quote);
    for (++at; at < text.size() && text[at] != '\n'; ++at) {
        if (quote == '"' && text[at] == '\\') {
            ++at;
        } else if (text[at] == quote) {
            return at + 1;
        }
    }
    return npos;
}

Position position_of(std::string_view text, std::size_t at) {
    const auto before = text.substr(0, at);
    const auto row = before.substr(before.rfind('\n') + 1);  // npos + 1 is 0
    const auto begins_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
    return {.line = static_cast<int>(std::ranges::count(before, '\n')) + 1,
            .column = static_cast<int>(std::ranges::count_if(row, begins_character)) + 1};
}

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

std::size_t first_beyond_ascii(std::string_view text, std::size_t from, std::size_t to) {
    const auto part = text.substr(from, to - from);
    const auto found = static_cast<std::size_t>(std::ranges::find_if_not(part, is_ascii) - part.begin());
    return found == part.size() ? npos : from + found;
}

// A quote only begins a string where a key or a value may begin.
bool begins_string(std::string_view text, std::size_t at) {
    return at == 0 || std::string_view{" \t\r\n=,[{."}.find(text[at - 1]) != npos;
}

// Whether the library tests the string's characters for white space. It reads 1"x" and 1."x" as invalid numbers, to
// their end; in triple double quotes it looks for the end of a line.
bool must_be_ascii(std::string_view text, std::size_t at) {
    return !begins_string(text, at) || (at > 0 && text[at - 1] == '.') || text.substr(at, 3) == "\"\"\"";
}

void refuse_beyond_ascii(std::string_view text, std::size_t at, Problems& problems) {
    problems.add(position_of(text, at), {}, "only ASCII may stand outside of quotes, and in three of them",
                 "put it in one pair of quotes");
}

}  // namespace

bool may_be_parsed(std::string_view text, Problems& problems) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // a byte order mark
    std::size_t dots = 0;
    std::size_t at = 0;
    while (at < text.size()) {
        const char c = text[at];
        if (c == '"' || c == '\'') {
            const bool string = begins_string(text, at);
            const auto end = string ? after_string(text, at) : text.find('\n', at);
            if (const auto beyond = first_beyond_ascii(text, at, end); beyond != npos && must_be_ascii(text, at)) {
                refuse_beyond_ascii(text, beyond, problems);
                return false;
            }
            if (!string || end == npos) return true;
            at = end;
            continue;
        }
        if (c == '#') {
            at = std::min(text.find('\n', at), text.size());
            continue;
        }
        if (c == '\n') dots = 0;
        if (c == '.' && ++dots > limits::config_line_dots_max) {
            problems.add(position_of(text, at), {},
                         "more than " + std::to_string(limits::config_line_dots_max) + " dots in one line",
                         "write [headers], or break the line");
            return false;
        }
        if (!is_ascii(c)) {
            refuse_beyond_ascii(text, at, problems);
            return false;
        }
        ++at;
    }
    return true;
}

}  // namespace countersign::config
