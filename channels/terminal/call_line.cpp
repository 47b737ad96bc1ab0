// SPDX-License-Identifier: Apache-2.0
#include "channels/terminal/call_line.hpp"

#include "channels/risk_words.hpp"
#include "channels/terminal/guard.hpp"
#include "channels/terminal/width.hpp"
#include "channels/terminal/word.hpp"

#include <algorithm>
#include <string_view>

namespace countersign::channels::terminal {

namespace {

// An agent of its own kind names its tools; a long name must not push the call off the row.
constexpr std::size_t tool_columns_max = 24;

struct FirstLine {
    std::string_view text;
    std::size_t number = 1;
};

// A brace alone, which begins the arguments of most tools, says nothing.
bool says_something(std::string_view line) {
    return std::ranges::any_of(line, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               static_cast<unsigned char>(c) >= 0x80;
    });
}

// The first line of all where none says anything.
FirstLine first_line_of(std::string_view text) {
    const FirstLine first{.text = text.substr(0, text.find('\n'))};
    for (FirstLine line = first;; ++line.number) {
        const auto end = text.find('\n');
        line.text = text.substr(0, end);
        if (says_something(line.text)) return line;
        if (end == std::string_view::npos) return first;
        text.remove_prefix(end + 1);
    }
}

std::string single_blanks(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c != ' ' || (!out.empty() && out.back() != ' ')) out += c;
    }
    return out;
}

}  // namespace

Ink ink_of(RiskLevel level) {
    if (level == RiskLevel::low) return Ink::good;
    return level == RiskLevel::medium ? Ink::warn : Ink::bad;
}

std::optional<CallLine> call_line(const Request& request, Language language) {
    const auto* approval = request.approval();
    if (approval == nullptr) return std::nullopt;
    const auto level = request.judgement.risk.level;
    const std::string_view shown = approval->display_text;
    const auto first = first_line_of(shown);
    CallLine line{.words = text(language, Word::call_again,
                                {{"level", std::string{pattern(language, risk_word(level))}},
                                 {"tool", fit(single_blanks(guarded_line(tool_name_of(request))), tool_columns_max)},
                                 {"call", guarded_line(single_blanks(first.text))}}),
                  .place = {},
                  .ink = ink_of(level)};
    const auto lines = static_cast<std::size_t>(std::ranges::count(shown, '\n')) + 1;
    if (lines > 1) {
        line.place = text(language, Word::call_line_of,
                          {{"line", std::to_string(first.number)}, {"count", std::to_string(lines)}});
    }
    return line;
}

std::string fitted(const CallLine& line, std::size_t columns) {
    const auto room = columns - std::min(columns, width_of(line.place));
    return fit(fit(line.words, room) + line.place, columns);
}

}  // namespace countersign::channels::terminal
