// SPDX-License-Identifier: Apache-2.0
#include "security/redact/shapes.hpp"

#include "core/limits.hpp"
#include "security/redact/base64.hpp"
#include "security/redact/running.hpp"
#include "security/redact/runs.hpp"
#include "security/redact/values.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <re2/filtered_re2.h>
#include <re2/re2.h>
#include <string>

namespace countersign::security {
namespace {

RE2::Options options() {
    RE2::Options options;
    options.set_encoding(RE2::Options::EncodingLatin1);  // invalid UTF-8 must not stop a pattern
    options.set_max_mem(limits::redact_regex_memory_max);
    options.set_log_errors(false);
    return options;
}

std::vector<std::string_view> words_of(std::string_view keywords) {
    std::vector<std::string_view> words;
    while (!keywords.empty()) {
        const auto comma = std::min(keywords.find(','), keywords.size());
        words.push_back(keywords.substr(0, comma));
        keywords.remove_prefix(std::min(comma + 1, keywords.size()));
    }
    return words;
}

bool digit(char byte) { return byte >= '0' && byte <= '9'; }

bool printable_user_and_password(std::string_view text) {
    return text.find(':') != std::string_view::npos &&
           std::ranges::all_of(text, [](char byte) { return byte >= 0x20 && byte != 0x7F; });
}

bool telling_userinfo(std::string_view text) {
    const auto colon = text.find(':');
    if (colon == std::string_view::npos) return text.size() >= 20 && looks_secret(text);
    return !placeholder(text.substr(colon + 1)) || (colon >= 16 && looks_secret(text.substr(0, colon)));
}

// A match of a weak pattern ends where a shell's word ends, because the rest may be a command.
std::string_view first_word(std::string_view found) {
    const auto end = std::min(found.find_first_of(" \t\r\n;|&`"), found.find("$("));
    return found.substr(0, std::min(end, found.size()));
}

// PASSWORD 'a;b': cut_to_words later decides whether the quotes belong to it.
bool in_quotes(std::string_view text, std::size_t begin, std::size_t size) {
    if (begin == 0 || begin + size >= text.size()) return false;
    return (text[begin - 1] == '\'' || text[begin - 1] == '"') && text[begin + size] == text[begin - 1];
}

// user.password 'rm -rf /': the word before it doesn't make a command a secret.
bool is_command(const Shape& shape, std::string_view text, std::size_t begin) {
    if (shape.alone || begin == 0 || (text[begin - 1] != '\'' && text[begin - 1] != '"')) return false;
    return reads_as_command(rest_of_value(text, begin, text[begin - 1]), true);
}

bool holds(ShapeCheck check, std::string_view found) {
    switch (check) {
    case ShapeCheck::none:
        return true;
    case ShapeCheck::mixed:
        return looks_secret(found);
    case ShapeCheck::basic:
        return printable_user_and_password(decode_base64(found).value_or(""));
    case ShapeCheck::userinfo:
        return telling_userinfo(found);
    case ShapeCheck::not_a_name:
        return !placeholder(found) && !found.starts_with('$') && !code_expression(found);
    case ShapeCheck::number_like:
        return std::ranges::any_of(found, digit);
    }
    return true;
}

// True if every match contains one of the shape's keywords, not just the text around it. RE2 knows the strings of which
// every match must contain some; without those that contain a keyword, it must report that no match is possible.
bool has_keyword_in_match(const Shape& shape) {
    re2::FilteredRE2 filter{2};
    int id = 0;
    if (filter.Add(re2::StringPiece{shape.pattern.data(), shape.pattern.size()}, options(), &id) != RE2::NoError)
        return false;
    std::vector<std::string> strings;
    filter.Compile(&strings);
    std::vector<int> others;
    for (std::size_t i = 0; i < strings.size(); ++i) {
        const auto in_string = [&](std::string_view word) { return strings[i].find(word) != std::string::npos; };
        if (std::ranges::none_of(words_of(shape.keywords), in_string)) others.push_back(static_cast<int>(i));
    }
    std::vector<int> matching;
    filter.AllPotentials(others, &matching);
    return !strings.empty() && matching.empty();
}

// True if a match may contain a line end, judging by the pattern. If in doubt, true.
bool may_cross_lines(std::string_view pattern) {
    if (pattern.find("$)") != std::string_view::npos || pattern.ends_with('$')) return true;
    for (const std::string_view mark : {"\\W", "\\D", "(?s", "(?is"}) {
        if (pattern.find(mark) != std::string_view::npos) return true;
    }
    bool in_class = false;
    bool negated = false;
    bool excluded = false;  // the line end is excluded by the negated class
    for (std::size_t at = 0; at < pattern.size(); ++at) {
        const bool space = pattern.substr(at).starts_with("\\s");
        if (pattern[at] == '\\') {
            excluded = excluded || space || pattern.substr(at).starts_with("\\n");
            if (space && !(in_class && negated)) return true;
            ++at;
        } else if (!in_class && pattern[at] == '[') {
            in_class = true;
            excluded = false;
            negated = pattern.substr(at + 1).starts_with('^');
            if (negated) ++at;
            if (pattern.substr(at + 1).starts_with(']')) ++at;
        } else if (in_class && pattern[at] == ']') {
            if (negated && !excluded) return true;
            in_class = false;
        }
    }
    return false;
}

}  // namespace

struct Shapes::Compiled {
    Shape shape;
    std::unique_ptr<RE2> pattern;
    int group;
    bool one_line;  // it only needs the lines that contain its keyword
};

Shapes::Shapes() {
    std::vector<Keywords::Word> words;
    const auto add = [&](const Shape& shape) {
        auto pattern = std::make_unique<RE2>(std::string{shape.pattern}, options());
        if (!pattern->ok()) std::abort();  // our own table is wrong; tests would detect that
        const int group = pattern->NumberOfCapturingGroups() > 0 ? 1 : 0;
        for (const auto word : words_of(shape.keywords)) words.push_back({std::string{word}, compiled_.size()});
        const bool one_line = !may_cross_lines(shape.pattern) && has_keyword_in_match(shape);
        compiled_.push_back({shape, std::move(pattern), group, one_line});
    };
    std::ranges::for_each(token_shapes(), add);
    std::ranges::for_each(context_shapes(), add);
    std::ranges::for_each(prose_shapes(), add);
    keywords_ = std::make_unique<Keywords>(words, compiled_.size());
}

Shapes::~Shapes() = default;

void Shapes::find_with(const Compiled& compiled, std::string_view text, Keywords::Lines lines,
                       Findings& findings) const {
    const re2::StringPiece input{text.data(), text.size()};
    std::array<re2::StringPiece, 2> found;
    auto at = lines.begin;
    while (at < lines.end && compiled.pattern->Match(input, at, lines.end, RE2::UNANCHORED, found.data(), 2)) {
        const auto& piece = found[static_cast<std::size_t>(compiled.group)];
        const auto begin = static_cast<std::size_t>(piece.data() - text.data());
        const auto whole_end = static_cast<std::size_t>(found[0].data() - text.data()) + found[0].size();
        const bool quoted = in_quotes(text, begin, piece.size());
        const auto secret = quoted ? text.substr(begin, piece.size()) : first_word(text.substr(begin, piece.size()));
        if (!secret.empty() && !blank_token(secret) && holds(compiled.shape.check, secret) &&
            !is_command(compiled.shape, text, begin)) {
            const bool by_look = compiled.shape.alone && piece.data() == found[0].data();
            findings.push_back(
                {begin, begin + secret.size(), compiled.shape.rule, Evidence::shape, quoted ? begin : 0, by_look});
        }
        at = std::max(whole_end, at + 1);
    }
}

Findings Shapes::find_if(std::string_view text, bool alone) const {
    Findings findings;
    const auto lines_with = keywords_->lines_with(text);
    for (std::size_t i = 0; i < compiled_.size(); ++i) {
        if (lines_with[i].empty() || (alone && !compiled_[i].shape.alone)) continue;
        if (!compiled_[i].one_line) {
            find_with(compiled_[i], text, {0, text.size()}, findings);
            continue;
        }
        for (const auto& lines : lines_with[i]) find_with(compiled_[i], text, lines, findings);
    }
    return findings;
}

Findings Shapes::find(std::string_view text) const { return find_if(text, false); }

Findings Shapes::find_alone(std::string_view text) const { return find_if(text, true); }

std::vector<std::string_view> Shapes::rules() const {
    std::vector<std::string_view> names;
    for (const auto& one : compiled_) names.push_back(one.shape.rule);
    return names;
}

}  // namespace countersign::security
