// SPDX-License-Identifier: Apache-2.0
// Values: where one starts and ends in a text of any language, and whether it is worth masking.
//
// Shell, JSON, YAML, INI, source code and prose are parsed alike, by their common conventions. If a shell could run the
// text, the value ends there: a mask must never cover a command that a person is asked to allow.
#pragma once

#include "security/redact/finding.hpp"
#include "security/redact/quoting.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace countersign::security {

// A quote, possibly escaped: \" in a JSON string that contains JSON, \\\" one level deeper. Equal quotes form a pair.
struct Quote {
    char mark = 0;
    std::size_t slashes = 0;
    [[nodiscard]] std::size_t bytes() const { return slashes + 1; }
    friend bool operator==(const Quote&, const Quote&) = default;
};

// The quote that starts at `at`, including its backslashes.
[[nodiscard]] std::optional<Quote> quote_at(std::string_view text, std::size_t at);
// The quote that ends right before `at`.
[[nodiscard]] std::optional<Quote> quote_before(std::string_view text, std::size_t at);

struct Stretch {
    std::size_t begin;
    std::size_t end;
};

struct LexedValue {
    std::size_t begin = 0;
    std::size_t end = 0;         // of the value itself, without its quotes
    std::size_t after = 0;       // after the closing quote
    std::optional<Quote> quote;  // none: an unquoted word
    // Text that a shell joins to a quoted value: b in "a"b. The closing quote between them stays visible. Without it,
    // the next quote in the text would be read as the end of this value, and a command before that as part of it.
    Stretch tail{0, 0};
};

// The value that starts at `at`; empty if there is none. `quoting` must be of the same text.
[[nodiscard]] LexedValue lex_value(std::string_view text, std::size_t at, const Quoting& quoting);
// The unquoted word at `at`, ignoring a quote before it.
[[nodiscard]] LexedValue lex_word(std::string_view text, std::size_t at);

// The parts of a value other than $(command), `command` and ${reference}, which stay visible.
[[nodiscard]] std::vector<Stretch> literal_parts(std::string_view text, Stretch value);

// True if there is nothing to mask: a reference ($TOKEN, ${{ secrets.X }}, %TOKEN%, <token>), a constant (null, true),
// a placeholder in a template (changeme, your-token-here), a public key, asterisks, or one of our masks.
[[nodiscard]] bool placeholder(std::string_view value);
// True for a vendor's prefix without a token: ghp_xxxxxxxxxxxxxxxx.
[[nodiscard]] bool blank_token(std::string_view token);
// True for a call, an index, a path of names or a type: source code, whose value is elsewhere. Only for unquoted words.
[[nodiscard]] bool code_expression(std::string_view value);
// True if letters and digits are mixed unlike in a word, and the value is long enough.
[[nodiscard]] bool looks_secret(std::string_view value);

}  // namespace countersign::security
