// SPDX-License-Identifier: Apache-2.0
#include "security/redact/headers.hpp"

#include "core/limits.hpp"

#include <algorithm>
#include <array>

namespace countersign::security {
namespace {

constexpr std::size_t scheme_bytes_max = 24;

// clang-format off
constexpr auto schemes = std::to_array<std::string_view>(
    {"basic", "bearer", "token", "digest", "negotiate", "ntlm", "apikey", "api-key", "key", "hmac", "jwt", "oauth",
     "aws4-hmac-sha256", "sharedkey", "sharedaccesssignature", "splunk", "genie", "bot", "dpop", "goog1", "sso-key"});
// clang-format on

bool letters_only(std::string_view word) {
    return std::ranges::all_of(word, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
}

// The position after the comma at `at`, which may follow a closing quote; `at` itself if there is no comma.
std::size_t after_comma(std::string_view text, std::size_t at) {
    auto comma = at;
    if (const auto quote = quote_at(text, comma)) comma += quote->bytes();
    if (comma >= text.size() || text[comma] != ',') return at;
    return std::min(text.find_first_not_of(", \t", comma), text.size());
}

}  // namespace

std::size_t after_scheme(std::string_view value) {
    const auto space = value.substr(0, scheme_bytes_max).find(' ');
    if (space == std::string_view::npos) return 0;
    const auto same = [](char left, char right) { return (left | 0x20) == right || left == right; };
    const auto word = value.substr(0, space);
    const bool known =
        std::ranges::any_of(schemes, [&](auto scheme) { return std::ranges::equal(word, scheme, same); });
    return known ? std::min(value.find_first_not_of(' ', space), value.size()) : 0;
}

std::vector<Stretch> credential_parts(std::string_view text, std::size_t begin, bool quoted) {
    const auto scheme = after_scheme(text.substr(begin, limits::redact_value_bytes_max));
    auto word = lex_word(text, begin + scheme);
    std::vector<Stretch> parts{{word.begin, word.end}};
    if (quoted && scheme == 0 && letters_only(text.substr(word.begin, word.end - word.begin)) &&
        text.substr(word.end).starts_with(' ')) {
        word = lex_word(text, word.end + 1);
        parts.push_back({word.begin, word.end});
    }
    const auto last = begin + limits::redact_value_bytes_max;
    while (word.end < std::min(text.size(), last)) {
        const auto next = after_comma(text, word.end);
        if (next == word.end || next >= text.size() || text[next] == '-') break;
        word = lex_word(text, next);
        if (text.substr(word.begin, word.end - word.begin).find('=') == std::string_view::npos) break;
        parts.push_back({word.begin, word.end});
    }
    return parts;
}

std::vector<Stretch> cookie_values(std::string_view text, std::size_t begin) {
    static constexpr auto flags =
        std::to_array<std::string_view>({"secure", "httponly", "partitioned", "Secure", "HttpOnly"});
    std::vector<Stretch> values;
    for (auto at = begin; at < text.size();) {
        const auto end = lex_word(text, at).end;
        const auto cookie = text.substr(at, end - at);
        const auto equals = cookie.find('=');
        if (equals == std::string_view::npos && std::ranges::find(flags, cookie) == flags.end()) break;
        if (equals != std::string_view::npos) values.push_back({at + equals + 1, end});
        at = text.find_first_not_of(' ', end);
        if (at == std::string_view::npos || text[at] != ';') break;
        at = std::min(text.find_first_not_of("; ", at), text.size());
    }
    return values;
}

}  // namespace countersign::security
