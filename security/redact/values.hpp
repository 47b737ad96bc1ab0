// SPDX-License-Identifier: Apache-2.0
// Values: where one begins and ends in a text of any language, and whether it is worth hiding.
//
// Shell, JSON, YAML, INI, source code and prose are read alike, by their common habits. Where the shell could run
// something, we end the value rather than hide it: a mask must never cover a command that a person is asked to allow.
#pragma once

#include "security/redact/finding.hpp"
#include "security/redact/quoting.hpp"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace countersign::security {

// A quote, maybe escaped: \" inside a JSON string that holds JSON, \\\" one level below. Equal ones belong together.
struct Quote {
    char mark = 0;
    std::size_t slashes = 0;
    [[nodiscard]] std::size_t bytes() const { return slashes + 1; }
    friend bool operator==(const Quote&, const Quote&) = default;
};

// The quote that begins at `at`, backslashes first.
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
    std::size_t after = 0;       // behind the closing quote
    std::optional<Quote> quote;  // none: a bare word
    // What a shell joins to a quoted value: b in "a"b. The closing quote between them stays visible: without it, the
    // next quote in the text would be read as the end of this value, and a command before that as part of it.
    Stretch tail{0, 0};
};

// The value that begins at `at`. Empty where there is none. `quoting` is of the same text.
[[nodiscard]] LexedValue lex_value(std::string_view text, std::size_t at, const Quoting& quoting);
// The bare word at `at`, whatever quote is in front of it.
[[nodiscard]] LexedValue lex_word(std::string_view text, std::size_t at);

// The stretches of a value that are no $(command), `command` or ${reference}: those stay visible.
[[nodiscard]] std::vector<Stretch> literal_parts(std::string_view text, Stretch value);

// A reference ($TOKEN, ${{ secrets.X }}, %TOKEN%, <token>), a constant (null, true), what a template has instead of a
// secret (changeme, your-token-here), a public key, asterisks, or a mask of ours: there is nothing in it to hide.
[[nodiscard]] bool placeholder(std::string_view value);
// A maker's prefix with nothing behind it: ghp_xxxxxxxxxxxxxxxx.
[[nodiscard]] bool blank_token(std::string_view token);
// A call, an index, a path of names or a type: source code, whose value is elsewhere. For bare words only.
[[nodiscard]] bool code_expression(std::string_view value);
// Letters and digits mixed as no word mixes them, and long enough.
[[nodiscard]] bool looks_secret(std::string_view value);

}  // namespace countersign::security
