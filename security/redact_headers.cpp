// SPDX-License-Identifier: Apache-2.0
#include "security/redact_headers.hpp"

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

std::size_t end_of_quoted_credentials(std::string_view text, std::size_t begin, const Quote& around) {
    const auto last = std::min(text.size(), begin + limits::redact_value_bytes_max);
    auto at = begin;
    while (at < last && std::string_view{"\n`;|&"}.find(text[at]) == std::string_view::npos &&
           !text.substr(at).starts_with("$(") && quote_at(text, at) != around) {
        ++at;
    }
    return at;
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

std::size_t end_of_credentials(std::string_view text, const LexedValue& value, const std::optional<Quote>& around) {
    if (around) return end_of_quoted_credentials(text, value.begin, *around);
    const auto scheme = after_scheme(text.substr(value.begin, limits::redact_value_bytes_max));
    auto end = scheme == 0 ? value.end : lex_word(text, value.begin + scheme).end;
    while (end > value.begin && end < text.size() && (text[end] == ',' || text[end - 1] == ',')) {
        const auto next = text.find_first_not_of(", \t", end);
        if (next == std::string_view::npos || text[next] == '\n') break;
        const auto further = lex_word(text, next).end;
        if (further == next) break;
        end = further;
    }
    return end;
}

std::size_t end_of_cookies(std::string_view text, std::size_t at) {
    static constexpr auto flags =
        std::to_array<std::string_view>({"secure", "httponly", "partitioned", "Secure", "HttpOnly"});
    auto end = at;
    while (at < text.size()) {
        const auto word = lex_word(text, at).end;
        const auto cookie = text.substr(at, word - at);
        const bool pair = cookie.find('=') != std::string_view::npos;
        if (!pair && std::ranges::find(flags, cookie) == flags.end()) break;
        end = word;
        at = text.find_first_not_of(' ', word);
        if (at == std::string_view::npos || text[at] != ';') break;
        at = std::min(text.find_first_not_of("; ", at), text.size());
    }
    return end;
}

}  // namespace countersign::security
