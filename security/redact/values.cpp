// SPDX-License-Identifier: Apache-2.0
#include "security/redact/values.hpp"

#include "core/limits.hpp"
#include "security/redact/bytes.hpp"
#include "security/redact/view.hpp"

#include <algorithm>
#include <array>

namespace countersign::security {
namespace {

constexpr std::size_t slashes_max = 15;

bool space(char byte) { return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r'; }
bool quote_mark(char byte) { return byte == '"' || byte == '\'' || byte == argument_quote; }

// Bytes that may end an unquoted word, or start something in it.
constexpr ByteSet word_marks{" \t\n\r;|&`<>\"'\\\x02,)]}$"};
constexpr ByteSet closing_bytes{" \t\n\r,;:)]}>&|\"'`\\\x02"};
constexpr ByteSet quote_heads{"\"'\\\x02"};

bool one_of(char byte, std::string_view list) { return list.find(byte) != std::string_view::npos; }

// After these a shell starts a new command, so they end an unquoted value even inside a word.
bool ends_command(char byte) { return byte == ';' || byte == '|' || byte == '&'; }

// True if a bracket, comma or quote at `at` closes something around the value and isn't part of it.
bool closes_around(std::string_view text, std::size_t at) { return at >= text.size() || closing_bytes.has(text[at]); }

bool ends_word(std::string_view text, std::size_t at) {
    const char byte = text[at];
    if (space(byte) || ends_command(byte) || byte == '`' || byte == '<') return true;
    if (const auto quote = quote_at(text, at)) return closes_around(text, at + quote->bytes());
    return one_of(byte, ",)]}>") && closes_around(text, at + 1);
}

// A value with several words, or with a character that can start a command, is taken only if its quote certainly opens
// it. That isn't certain if a shell would already be inside the same quotes, if it is an escaped quote outside of all
// quotes, or if the other kind of quote in the value may end the text around it.
bool doubtful(std::string_view text, std::size_t at, std::string_view value, const Quote& quote,
              const Quoting& quoting) {
    if (quote.mark == argument_quote) return false;
    const auto breaks = [](char byte) { return ends_command(byte) || space(byte); };
    if (std::ranges::none_of(value, breaks)) return false;
    const char other = quote.mark == '"' ? '\'' : '"';
    const char open = quoting.open_before(std::min(at, text.size()));
    return value.find(other) != std::string_view::npos || open == quote.mark || (open == 0 && quote.slashes > 0);
}

std::optional<std::size_t> closing_quote(std::string_view text, std::size_t from, const Quote& quote) {
    const auto end = std::min(text.size(), from + limits::redact_value_bytes_max);
    for (auto at = from; at < end;) {
        const auto found = quote_heads.has(text[at]) ? quote_at(text, at) : std::nullopt;
        if (!found) {
            ++at;
            continue;
        }
        if (*found == quote) return at;
        at += found->bytes();
    }
    return std::nullopt;
}

// String prefixes in source code: b"…", r'…', $'…', @"…".
std::size_t string_prefix(std::string_view text, std::size_t at) {
    std::size_t length = 0;
    while (length < 2 && at + length < text.size() && one_of(text[at + length], "bBrRuUfF$@")) ++length;
    if (length == 0 || at + length >= text.size()) return 0;
    return quote_mark(text[at + length]) ? length : 0;
}

std::size_t after_command(std::string_view text, std::size_t at, std::size_t end, char open, char close) {
    std::size_t depth = 0;
    for (; at < end; ++at) {
        if (text[at] == open) ++depth;
        if (text[at] == close && --depth == 0) return at + 1;
    }
    return end;
}

// The end of the $(…), ${…} or `…` at `at`, or `at` itself.
std::size_t after_substitution(std::string_view text, std::size_t at, std::size_t end) {
    if (text[at] == '`') {
        const auto close = text.substr(0, end).find('`', at + 1);
        return close == std::string_view::npos || close >= end ? at : close + 1;
    }
    if (text[at] != '$' || at + 1 >= end) return at;
    if (text[at + 1] == '(') return after_command(text, at + 1, end, '(', ')');
    return text[at + 1] == '{' ? after_command(text, at + 1, end, '{', '}') : at;
}

}  // namespace

std::optional<Quote> quote_at(std::string_view text, std::size_t at) {
    Quote quote;
    while (at < text.size() && text[at] == '\\' && quote.slashes < slashes_max) {
        ++at;
        ++quote.slashes;
    }
    if (at >= text.size() || !quote_mark(text[at])) return std::nullopt;
    quote.mark = text[at];
    return quote;
}

std::optional<Quote> quote_before(std::string_view text, std::size_t at) {
    if (at == 0 || !quote_mark(text[at - 1])) return std::nullopt;
    Quote quote{text[at - 1], 0};
    for (auto before = at - 1; before > 0 && text[before - 1] == '\\' && quote.slashes < slashes_max; --before) {
        ++quote.slashes;
    }
    return quote;
}

LexedValue lex_word(std::string_view text, std::size_t at) {
    auto end = at;
    const auto last = std::min(text.size(), at + limits::redact_value_bytes_max);
    while (end < last) {
        if (!word_marks.has(text[end])) {
            ++end;
            continue;
        }
        if (ends_word(text, end)) break;
        const auto substitution = after_substitution(text, end, last);
        end = substitution == end ? end + 1 : substitution;
    }
    return {at, end, end, std::nullopt};
}

LexedValue lex_value(std::string_view text, std::size_t at, const Quoting& quoting) {
    const auto prefix = string_prefix(text, at);
    const auto quote = at < text.size() ? quote_at(text, at + prefix) : std::nullopt;
    if (!quote) return lex_word(text, at);
    const auto begin = at + prefix + quote->bytes();
    const auto close = closing_quote(text, begin, *quote);
    if (!close || doubtful(text, at + prefix, text.substr(begin, *close - begin), *quote, quoting)) {
        return lex_word(text, begin);
    }
    LexedValue value{begin, *close, *close + quote->bytes(), quote};
    // A shell joins adjacent texts: 'a''b', 'it'\''s' and "a"b are one word.
    while (value.after < text.size() && quote->slashes == 0 &&
           (text[value.after] == '"' || text[value.after] == '\'') && quoting.open_before(value.after) == 0) {
        const auto next = closing_quote(text, value.after + 1, {text[value.after], 0});
        if (!next) break;
        value.end = *next;
        value.after = *next + 1;
    }
    if (value.after >= text.size() || closes_around(text, value.after)) return value;
    if (one_of(text[value.after], ".!?%*+-/=") && quote->mark != argument_quote) return value;
    value.tail = {value.after, lex_word(text, value.after).end};
    value.after = value.tail.end;
    return value;
}

std::vector<Stretch> literal_parts(std::string_view text, Stretch value) {
    std::vector<Stretch> parts;
    auto begin = value.begin;
    for (auto at = value.begin; at < value.end;) {
        const auto after = after_substitution(text, at, value.end);
        if (after == at) {
            ++at;
            continue;
        }
        parts.push_back({begin, at});
        begin = at = after;
    }
    parts.push_back({begin, value.end});
    std::erase_if(parts, [](const Stretch& part) { return part.begin >= part.end; });
    return parts;
}

}  // namespace countersign::security
