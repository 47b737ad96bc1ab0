// SPDX-License-Identifier: Apache-2.0
#include "channels/terminal/speech.hpp"

#include "channels/terminal/guard.hpp"
#include "channels/terminal/width.hpp"
#include "channels/terminal/word.hpp"
#include "core/utf8.hpp"

#include <algorithm>
#include <utility>

namespace countersign::channels::terminal {

namespace {

constexpr std::string_view indent = "    ";
constexpr std::size_t speaker_columns_max = 24;

std::string_view next_line(std::string_view& rest) {
    const auto end = rest.find('\n');
    const auto line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    return line;
}

// At least one line, also of an empty text. A newline at the end begins no other.
template <class Take> void each_line(std::string_view text, Take take) {
    do {
        take(next_line(text));
    } while (!text.empty());
}

// In rows: `lead` before the first, `next` before each other.
std::string rows_of(std::string_view line, std::string_view lead, std::string_view next, std::size_t columns) {
    std::string out;
    for (const auto piece : wrap(line, columns)) {
        out.append(lead).append(piece).append("\n");
        lead = next;
    }
    return out;
}

std::string own_row(std::string_view line, bool begins, const Style& style) {
    const auto columns = row_columns(style) - (unbroken(style) ? 0 : indent.size());
    return rows_of(line, begins ? "" : indent, indent, columns);
}

std::string quoted_row(std::string_view speaker, std::string_view line, const Style& style) {
    const auto columns = row_columns(style);
    const auto name = fit(guarded_line(speaker), std::min(speaker_columns_max, columns / 3));
    const std::string lead = name + (style.plain ? " | " : " │ ");
    const std::string next = name + (style.plain ? " : " : " ┊ ");
    return rows_of(line, paint(style, Ink::faint, lead), paint(style, Ink::faint, next),
                   unbroken(style) ? columns : columns - width_of(lead));
}

}  // namespace

std::string broken(std::string_view lines, const Style& style) {
    std::string out;
    each_line(lines, [&](std::string_view line) { out += own_row(line, true, style); });
    return out;
}

std::string spoken(std::string_view text, const Style& style) {
    std::string out;
    each_line(guarded_block(text), [&](std::string_view line) { out += own_row(line, out.empty(), style); });
    return out;
}

std::string quoted(std::string_view speaker, std::string_view text, const Style& style) {
    std::string out;
    each_line(guarded_block(text), [&](std::string_view line) { out += quoted_row(speaker, line, style); });
    return out;
}

void HeldLines::add(std::string_view speaker, std::string_view text) {
    bool begins = true;
    each_line(text, [&](std::string_view line) {
        const auto head = utf8::head(line, bytes_max);
        add_line({std::string{speaker}, std::string{head}, std::exchange(begins, false)});
    });
}

void HeldLines::add_line(Line line) {
    auto& share = share_of(line);
    ++share.lines;
    share.bytes += line.text.size();
    lines_.push_back(std::move(line));
    while (share.lines > lines_max || share.bytes > bytes_max) leave_out_oldest(lines_.back().speaker.empty());
}

void HeldLines::leave_out_oldest(bool own) {
    const auto oldest = std::ranges::find_if(lines_, [&](const Line& line) { return line.speaker.empty() == own; });
    auto& share = share_of(*oldest);
    --share.lines;
    share.bytes -= oldest->text.size();
    lines_.erase(oldest);
    ++left_out_;
}

std::size_t HeldLines::count() const { return lines_.size() + left_out_; }

std::string HeldLines::take(const Style& style, Language language) {
    std::string out;
    if (left_out_ > 0)
        out = spoken(text(language, Word::lines_left_out, {{"count", std::to_string(left_out_)}}), style);
    for (const auto& line : std::exchange(lines_, {})) {
        const auto shown = guarded_line(line.text);
        out += line.speaker.empty() ? own_row(shown, line.begins, style) : quoted_row(line.speaker, shown, style);
    }
    shares_ = {};
    left_out_ = 0;
    return out;
}

}  // namespace countersign::channels::terminal
