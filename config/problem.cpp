// SPDX-License-Identifier: Apache-2.0
#include "config/problem.hpp"

#include "core/limits.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace countersign::config {

namespace {

constexpr std::size_t shown_key_bytes_max = 64;

bool is_bare(std::string_view key) {
    return !key.empty() && std::ranges::all_of(key, [](unsigned char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    });
}

// U+200B to U+200F, U+2028 to U+202E and U+2060 to U+206F, recognised by their last two bytes of UTF-8.
bool is_invisible(unsigned char second, unsigned char third) {
    if (second == 0x81) return third >= 0xA0 && third <= 0xAF;
    return second == 0x80 && ((third >= 0x8B && third <= 0x8F) || (third >= 0xA8 && third <= 0xAE));
}

// Also escapes U+0080 to U+009F, which some terminals obey, and characters that change the writing direction.
std::string without_controls(std::string_view text) {
    static constexpr std::string_view hex = "0123456789abcdef";
    std::string out;
    const auto escape = [&](unsigned char c) {
        out += "\\x";
        out += hex[c >> 4U];
        out += hex[c & 15U];
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(k < text.size() ? text[k] : '\0'); };
        const bool c1 = byte(i) == 0xC2 && byte(i + 1) >= 0x80 && byte(i + 1) <= 0x9F;
        const bool bidi = byte(i) == 0xE2 && is_invisible(byte(i + 1), byte(i + 2));
        if (byte(i) < 0x20 || byte(i) == 0x7F || c1 || bidi) {
            const std::size_t bytes = c1 ? 2 : bidi ? 3 : 1;
            for (std::size_t k = 0; k < bytes; ++k) escape(byte(i + k));
            i += bytes - 1;
        } else {
            out += text[i];
        }
    }
    return out;
}

// Cuts on a character boundary, so that the text stays valid UTF-8.
std::string_view cut(std::string_view text, std::size_t bytes_max) {
    if (text.size() <= bytes_max) return text;
    while (bytes_max > 0 && (static_cast<unsigned char>(text[bytes_max]) & 0xC0U) == 0x80U) --bytes_max;
    return text.substr(0, bytes_max);
}

}  // namespace

std::string print(const ConfigProblem& problem) {
    std::string out = problem.file;
    if (problem.line > 0) out += ":" + std::to_string(problem.line) + ":" + std::to_string(problem.column);
    out += ": ";
    if (!problem.key.empty()) out += problem.key + ": ";
    out += problem.what;
    if (!problem.instead.empty()) out += "; " + problem.instead;
    return without_controls(out);
}

void Problems::add(Position at, std::string key, std::string what, std::string instead) {
    if (full()) return;
    found_.push_back({.file = file_,
                      .line = at.line,
                      .column = at.column,
                      .key = std::move(key),
                      .what = std::move(what),
                      .instead = std::move(instead)});
}

bool Problems::full() const { return found_.size() >= limits::config_problems_max; }

std::vector<ConfigProblem> Problems::sorted() && {
    std::ranges::sort(found_, {}, [](const ConfigProblem& p) { return std::tie(p.line, p.column, p.key, p.what); });
    return std::move(found_);
}

std::string key_path(std::string_view outer, std::string_view key) {
    std::string out{outer};
    if (!out.empty()) out += '.';
    const auto shown = cut(key, shown_key_bytes_max);
    const auto* more = shown.size() < key.size() ? "…" : "";
    return is_bare(key) ? out + std::string{shown} + more : out + '"' + std::string{shown} + more + '"';
}

std::string index_path(std::string_view outer, std::size_t index) {
    return std::string{outer} + '[' + std::to_string(index) + ']';
}

}  // namespace countersign::config
