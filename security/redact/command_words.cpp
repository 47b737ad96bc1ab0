// SPDX-License-Identifier: Apache-2.0
#include "security/redact/command_words.hpp"

#include "core/limits.hpp"
#include "security/display/characters.hpp"
#include "security/redact/bytes.hpp"
#include "security/redact/command_prefixes.hpp"
#include "security/redact/view.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace countersign::security {
namespace {

constexpr ByteSet separators{";&|()`"};
// The first bytes of everything after which a command may start.
constexpr ByteSet opening_heads{";&|()`\n\v\f\r\\\xC2\xE2"};
// The first bytes of everything that ends an unquoted word.
constexpr ByteSet word_end_heads{" \t;&|<>()`$\n\v\f\r\\"};

// Nested brackets and quotes; deeper ones aren't read.
constexpr std::size_t nesting_max = 16;

bool one_of(char byte, std::string_view list) { return list.find(byte) != std::string_view::npos; }
bool letter(char byte) { return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'); }
bool digit(char byte) { return byte >= '0' && byte <= '9'; }
bool name_byte(char byte) { return letter(byte) || digit(byte) || byte == '_'; }

// The length of an escape that a JSON string or $'…' would read as a line end, or 0.
std::size_t escaped_line_end(std::string_view rest) {
    if (rest.starts_with("\\n") || rest.starts_with("\\r")) return 2;
    static constexpr auto codes =
        std::to_array<std::string_view>({"000a", "000A", "000d", "000D", "0085", "2028", "2029"});
    if (!rest.starts_with("\\u")) return 0;
    return std::ranges::find(codes, rest.substr(2, 4)) != codes.end() ? 6 : 0;
}

bool is_assignment(std::string_view word) {
    std::size_t at = 0;
    while (at < word.size() && name_byte(word[at])) ++at;
    if (at == 0 || digit(word[0])) return false;
    if (at < word.size() && word[at] == '[') at = std::min(word.find(']', at), word.size() - 1) + 1;
    if (at < word.size() && word[at] == '+') ++at;
    return at < word.size() && word[at] == '=';
}

std::string without_quotes(std::string_view word) {
    std::string plain;
    for (const char byte : word) {
        if (!one_of(byte, "'\"\\\x02")) plain += byte;
    }
    return plain;
}

// The end of $NAME, $1 or ${…} at `at`, or `at` itself.
std::size_t after_reference(std::string_view text, std::size_t at) {
    if (text[at] != '$' || at + 1 >= text.size()) return at;
    auto end = at + 1;
    if (text[end] == '{') {
        const auto close = text.substr(0, at + 256).find('}', end);
        return close == std::string_view::npos ? end + 1 : close + 1;
    }
    if (one_of(text[end], "@*#?!$-0123456789'\"")) return end + (one_of(text[end], "'\"") ? 0 : 1);
    while (end < text.size() && name_byte(text[end])) ++end;
    return end == at + 1 ? at : end;
}

}  // namespace

std::size_t line_end(std::string_view text, std::size_t at) {
    if (at >= text.size()) return 0;
    if (text[at] >= '\n' && text[at] <= '\r') return 1;
    if (text[at] == '\xC2') return text.substr(at).starts_with("\xC2\x85") ? 2 : 0;
    const bool separator = text[at] == '\xE2' && (text.substr(at).starts_with("\xE2\x80\xA8") ||  // U+2028
                                                  text.substr(at).starts_with("\xE2\x80\xA9"));
    return separator ? 3 : 0;
}

CommandWords::CommandWords(std::string_view text, bool arguments)
    : text_{text},
      arguments_{arguments},
      budget_{limits::redact_rereads_max * text.size() + limits::redact_value_bytes_max},
      marks_(text.size() + 1) {
    read_from(0);
    read_openings();
    if (arguments_) read_elements();
}

bool CommandWords::starts_at(std::size_t at) const { return (marks_[after_void(at)] & command_start) != 0; }

void CommandWords::read_openings() {
    bool array = false;  // A=(: if it isn't an array, bash continues with the next line, even after a continued one
    for (std::size_t at = 0; at < text_.size() && !unreadable();) {
        array = array || opens_array(at);
        if (!opening_heads.has(text_[at])) {
            ++at;
        } else if (const auto bytes = line_end(text_, at); bytes > 0) {
            at += bytes;
            const bool continued = text_[at - 1] == '\n' && at > 1 && continued_line(text_, at - 2) != 0;
            if (!continued || array) read_from(at);
        } else if (const auto escaped = text_[at] == '\\' ? escaped_line_end(text_.substr(at)) : 0; escaped > 0) {
            at += escaped;
            read_from(at);
        } else if (separators.has(text_[at++])) {
            read_from(at);
        }
    }
}

bool CommandWords::opens_array(std::size_t at) const {
    if (text_[at] != '(') return false;
    while (at > 1 && text_.substr(at - 2, 2) == "\\\n") at -= 2;
    return at > 0 && text_[at - 1] == '=';
}

// An element that contains a blank is a command line rather than a word, so the next element may be one too.
void CommandWords::read_elements() {
    bool blank = false;
    for (std::size_t at = 1; at < text_.size() && !unreadable(); ++at) {
        if (text_[at] != argument_quote) {
            blank = blank || one_of(text_[at], " \t\n\r");
            continue;
        }
        if (blank) read_from(at + 1);
        at += 2;  // a blank and the next element's quote
        blank = false;
    }
}

void CommandWords::read_from(std::size_t at) {
    places_.push_back({at});
    while (!places_.empty() && !unreadable()) {
        const auto place = places_.back();
        places_.pop_back();
        read_word(place);
    }
}

bool CommandWords::is_new(const Place& place) {
    if (place.prefix != 0) {
        return seen_.insert((std::uint64_t{place.at} << 16U) | (place.prefix << 4U) | place.operands).second;
    }
    const bool seen = (marks_[place.at] & was_read) != 0;
    marks_[place.at] |= was_read;
    return !seen;
}

void CommandWords::read_word(Place place) {
    const auto begin = after_blanks(place.at, Blanks::of_shells);
    place.at = after_blanks(begin);
    if (place.at >= text_.size() || !is_new(place)) return;
    if (const auto target = after_redirection(place.at); target > place.at) {
        place.at = after_blanks(target);
        return go_on_behind(place);
    }
    const auto end = bare_end(place.at, Lines::of_screens);
    spend(end - place.at + 1);
    if (end == place.at) return;
    const auto word = without_quotes(text_.substr(place.at, end - place.at));
    if (is_assignment(word)) {  // but not every program treats it as one: exec A=b runs it
        mark(place.at, std::min(text_.find('=', place.at), end));
        return go_on_behind(place);
    }
    // A space that isn't one for a shell is part of the command's name, unless it belongs to the previous word.
    if (begin == 0 || one_of(text_[begin - 1], " \t\n;&|()`")) mark(begin, place.at);
    mark(place.at, end);
    if (place.prefix != 0 && word.size() > 1 && word[0] == '-') return read_option(place, word);
    if (place.operands > 0) {
        --place.operands;
        return go_on_behind(place);
    }
    if (after_void(place.at) >= end) return go_on_behind(place);  // may expand to nothing
    const auto prefix = command_prefix(word);
    if (prefix == 0) return;
    place.prefix = prefix;
    place.operands = operands_of(prefix);
    go_on_behind(place);
}

void CommandWords::read_option(Place place, std::string_view word) {
    if (!option_takes_value(place.prefix, word)) return go_on_behind(place);
    const auto begin = place.at;
    place.at = after_blanks(bare_end(begin, Lines::of_screens));
    go_on_behind(place);
    const auto end = after_blanks(bare_end(begin, Lines::of_shells));
    if (end == place.at) return;
    place.at = end;
    go_on_behind(place);
}

void CommandWords::go_on_behind(Place place) {
    if (place.at >= text_.size()) return;
    std::array<std::size_t, 4> ends{};
    std::size_t count = 0;
    const auto add = [&](std::size_t end) {
        if (end > place.at && std::find(ends.begin(), ends.begin() + count, end) == ends.begin() + count) {
            ends[count++] = end;
        }
    };
    const auto ends_for_screens = [&](std::size_t end) {
        return end < text_.size() && (one_of(text_[end], "\r\v\f") || text_[end] < 0);
    };
    const auto bare = bare_end(place.at, Lines::of_screens);
    const auto quoted = quoted_end(place.at, Lines::of_screens);
    add(bare);
    add(quoted);
    if (ends_for_screens(bare)) {
        const auto whole = bare_end(place.at, Lines::of_shells);
        spend(whole - place.at);
        add(whole);
    }
    if (ends_for_screens(quoted)) add(quoted_end(place.at, Lines::of_shells));
    for (std::size_t i = 0; i < count; ++i) places_.push_back({ends[i], place.prefix, place.operands});
}

void CommandWords::mark(std::size_t begin, std::size_t end) {
    for (auto at = begin; at < end; ++at) marks_[at] |= in_command;
    if (const auto first = after_void(begin); first < end) marks_[first] |= command_start;
}

std::size_t CommandWords::after_blanks(std::size_t at, Blanks blanks) const {
    while (at < text_.size()) {
        if (text_[at] == ' ' || text_[at] == '\t') {
            ++at;
        } else if (const auto continued = continued_line(text_, at); continued > 0) {
            at += continued;
        } else if (const auto found = character_at(text_, at); blanks == Blanks::of_screens && text_[at] < 0 &&
                                                               found.valid && odd_space(found.code) &&
                                                               line_end(text_, at) == 0) {
            at += found.bytes;
        } else {
            break;
        }
    }
    return at;
}

// Skips quotes, braces, references and invisible characters, because none of them names the command. In zsh, =rm is rm.
std::size_t CommandWords::after_void(std::size_t at) const {
    while (at < text_.size() && line_end(text_, at) == 0) {
        if (one_of(text_[at], "'\"\\{},=\x02")) {
            ++at;
        } else if (const auto reference = after_reference(text_, at); reference > at) {
            at = reference;
        } else if (const auto sequence = control_sequence(text_, at); sequence > 0) {
            at += sequence;
        } else if (const auto found = character_at(text_, at);
                   found.valid && text_[at] != '\t' && !odd_space(found.code) && hidden(found.code)) {
            at += found.bytes;
        } else {
            break;
        }
    }
    return at;
}

std::size_t CommandWords::bare_end(std::size_t at, Lines lines) const {
    while (at < text_.size()) {
        const char byte = text_[at];
        if (byte >= 0 && !word_end_heads.has(byte)) {
            ++at;
            continue;
        }
        if (byte == '\\' && continued_line(text_, at) > 0) {
            at += 2;
            continue;
        }
        if (one_of(byte, " \t;&|<>()`") || ends_line(at, lines)) break;
        if (byte == '$' && at + 1 < text_.size() && text_[at + 1] == '(') break;
        if (byte < 0 && lines == Lines::of_screens) {
            const auto found = character_at(text_, at);
            if (found.valid && odd_space(found.code)) break;
        }
        ++at;
    }
    return at;
}

bool CommandWords::ends_line(std::size_t at, Lines lines) const {
    return lines == Lines::of_shells ? text_[at] == '\n' : line_end(text_, at) > 0;
}

// 2>file, &>file, <<EOF: the position after the operator, or `at` itself.
std::size_t CommandWords::after_redirection(std::size_t at) const {
    auto end = at;
    while (end < text_.size() && digit(text_[end])) ++end;
    if (end >= text_.size() || (text_[end] != '<' && text_[end] != '>')) return at;
    while (end < text_.size() && one_of(text_[end], "<>&|-")) ++end;
    return end;
}

// Where a shell ends the word at `at`.
std::size_t CommandWords::quoted_end(std::size_t at, Lines lines) {
    const auto begin = at;
    while (at < text_.size() && !unreadable()) {
        const bool array = text_[at] == '(' && at > begin && text_[at - 1] == '=';
        if (array || text_[at] == '(') {
            if (!array && at > begin) break;
            at = after_brackets(at, 0);
        } else if (one_of(text_[at], " \t;&|<>)") || ends_line(at, lines)) {
            break;
        } else {
            at = after_quotes(at, 0);
        }
    }
    spend(at - begin);
    return at;
}

// The position after the quotes or the expansion at `at`, or after the byte.
std::size_t CommandWords::after_quotes(std::size_t at, std::size_t depth) {
    if (depth > nesting_max) budget_ = 0;
    if (unreadable()) return text_.size();
    const auto behind = [&](char close, std::size_t from) {
        const auto end = text_.find(close, from);
        spend(std::min(end, text_.size()) - at);
        return end == std::string_view::npos ? text_.size() : end + 1;
    };
    switch (text_[at]) {
    case '\\':
        return std::min(at + 2, text_.size());
    case '\'':
        if (at > 0 && text_[at - 1] == '$') {  // $'it\'s'
            for (++at; at < text_.size() && text_[at] != '\''; ++at) at += text_[at] == '\\' ? 1 : 0;
            return std::min(at + 1, text_.size());
        }
        return behind('\'', at + 1);
    case '"':
        return after_double_quotes(at + 1, depth + 1);
    case '`':
    case argument_quote:
        return behind(text_[at], at + 1);
    case '$':
        if (at + 1 < text_.size() && text_[at + 1] == '(') return after_brackets(at + 1, depth + 1);
        if (at + 1 < text_.size() && text_[at + 1] == '{') return behind('}', at + 2);
        return at + 1;
    default:
        return at + 1;
    }
}

std::size_t CommandWords::after_double_quotes(std::size_t at, std::size_t depth) {
    const auto begin = at;
    while (at < text_.size() && !unreadable() && text_[at] != '"') {
        at = text_[at] == '\'' ? at + 1 : after_quotes(at, depth);
    }
    spend(at - begin);
    return std::min(at + 1, text_.size());
}

std::size_t CommandWords::after_brackets(std::size_t at, std::size_t depth) {
    const auto begin = at;
    std::size_t open = 0;
    while (at < text_.size() && !unreadable()) {
        if (text_[at] == '(') ++open;
        if (text_[at] == ')' && --open == 0) break;
        at = one_of(text_[at], "()") ? at + 1 : after_quotes(at, depth);
    }
    spend(at - begin);
    return std::min(at + 1, text_.size());
}

}  // namespace countersign::security
