// SPDX-License-Identifier: Apache-2.0
#include "channels/terminal/widget.hpp"

#include "channels/terminal/call_line.hpp"
#include "channels/terminal/guard.hpp"
#include "channels/terminal/width.hpp"
#include "channels/terminal/word.hpp"
#include "core/utf8.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace countersign::channels::terminal {

namespace {

constexpr std::size_t tab_columns_max = 16;

// "■ Stack □ Notes ✓ Submit", the current one inverse. It is cut at whole tabs: half an escape sequence is worse than
// a missing tab.
std::string tab_bar(const View& view, std::size_t columns, const Style& style) {
    std::string bar;
    std::size_t used = 0;
    const auto add = [&](const std::string& label, Ink ink) {
        used += width_of(label) + 1;
        if (used <= columns) bar += (bar.empty() ? "" : " ") + paint(style, ink, label);
    };
    for (const auto& tab : view.tabs) {
        add((tab.answered ? "■ " : "□ ") + fit(guarded_line(tab.label), tab_columns_max),
            tab.current ? Ink::inverse : Ink::plain);
    }
    const auto submit_ink = view.submit_active ? Ink::good : Ink::faint;
    add("✓ " + text(view.language, Word::submit), view.submit_current ? Ink::inverse : submit_ink);
    return bar;
}

// A widget is drawn in place, so that its rows are never lines of a pipe.
std::size_t columns_of(const Style& style) { return row_columns({.columns = style.columns}); }

std::string lead_of(const Row& row) {
    return std::string{row.focused ? "▶ " : "  "} + (row.mark.empty() ? "" : row.mark + " ");
}
std::string tail_of(const Row& row, Language language) {
    auto tail = row.meaning.empty() ? "" : " " + row.meaning;
    if (!row.detail.empty()) tail += text(language, Word::detail, {{"value", guarded_line(row.detail)}});
    return tail;
}

std::string row_text(const Row& row, Language language, std::size_t columns, const Style& style) {
    const auto lead = lead_of(row);
    const auto meaning = row.meaning.empty() ? 0 : width_of(row.meaning) + 1;
    const std::size_t cut_mark = row.detail.empty() ? 0 : 1;
    const auto room = columns - std::min(columns, width_of(lead) + meaning + cut_mark);
    const auto whole = lead + fit(guarded_line(row.label), room) + tail_of(row, language);
    return paint(style, row.focused ? Ink::strong : row.ink, fit(whole, columns));
}

std::string with_cursor(std::string_view text, const Style& style) {
    const auto first = text.empty() ? std::string_view{" "} : text;
    const auto next = utf8::decode(first);
    const auto length = next ? next->length : 1;
    const auto rest = text.substr(std::min(length, text.size()));
    return paint(style, Ink::inverse, first.substr(0, length)) + std::string{rest};
}

// The text around the cursor, which is shown by the character it is on: the terminal's own is below the keys.
std::string field_row(const Field& field, std::size_t columns, const Style& style) {
    const auto label = guarded_line(field.label) + "> ";
    const auto room = columns - std::min(columns, width_of(label) + 2);
    const auto rest = std::string_view{field.text}.substr(field.cursor);
    const auto after = shown_line(rest);
    const auto before =
        fit_tail(shown_line(field.text.substr(0, field.cursor)), room - std::min(width_of(after), room / 3));
    return label + before + with_cursor(fit(after, room - std::min(room, width_of(before)) + 1), style);
}

std::string footer(const View& view, std::size_t waiting) {
    const auto counted = [&](Word key, std::size_t count, std::string_view name, std::string keys) {
        if (count == 0) return std::string{};
        return text(view.language, key, {{"count", std::to_string(count)}, {name, std::move(keys)}}) + " · ";
    };
    return counted(Word::more_waiting, waiting, "keys", "n/p") + counted(Word::lines_held, view.held, "key", "l") +
           (view.waiting ? text(view.language, Word::waiting_for_record) : view.keys);
}

// Keeps the rows around the focused one, and the last two where there is room: what is typed and which keys there are.
std::vector<std::string> windowed(std::vector<std::string> rows, std::size_t focus, std::size_t rows_max) {
    rows_max = std::max<std::size_t>(rows_max, 2);
    if (rows.size() <= rows_max) return rows;
    const std::size_t tail = rows_max < 3 ? 1 : 2;
    const auto room = rows_max - tail;
    const auto list = rows.size() - tail;
    const auto begin = std::min(focus - std::min(focus, room / 2), list - room);
    std::vector<std::string> kept(rows.begin() + static_cast<std::ptrdiff_t>(begin),
                                  rows.begin() + static_cast<std::ptrdiff_t>(begin + room));
    kept.insert(kept.end(), rows.end() - static_cast<std::ptrdiff_t>(tail), rows.end());
    return kept;
}

// What stays above them however few rows there are: the call, and how much of the card isn't on the screen.
std::vector<std::string> below_call(const View& view, std::vector<std::string> rows, std::size_t focus,
                                    std::size_t rows_max, const Style& style) {
    constexpr std::size_t rows_for_note = 4;  // with fewer the choices need them all
    std::vector<std::string> kept;
    if (view.above > 0 && rows_max >= rows_for_note) {
        const auto words = text(view.language, Word::lines_above, {{"count", std::to_string(view.above)}});
        kept.push_back(paint(style, Ink::warn, fit(words, columns_of(style))));
    }
    if (view.call) kept.push_back(paint(style, view.call->ink, fitted(*view.call, columns_of(style))));
    auto below = windowed(std::move(rows), focus, rows_max - std::min(rows_max, kept.size()));
    std::ranges::move(below, std::back_inserter(kept));
    return kept;
}

}  // namespace

std::vector<std::string> widget(const View& view, std::size_t waiting, std::size_t rows_max, const Style& style) {
    const auto columns = columns_of(style);
    std::vector<std::string> rows;
    std::size_t focus = 0;
    if (!view.tabs.empty()) rows.push_back(tab_bar(view, columns, style));
    if (!view.heading.empty()) rows.push_back(fit(guarded_line(view.heading), columns));
    for (const auto& row : view.rows) {
        if (row.focused) focus = rows.size();
        rows.push_back(row_text(row, view.language, columns, style));
    }
    if (!view.note.empty()) rows.push_back(paint(style, Ink::warn, fit(guarded_line(view.note), columns)));
    if (view.field) {
        rows.push_back(field_row(*view.field, columns, style));
    }
    rows.push_back(paint(style, Ink::faint, fit(footer(view, waiting), columns)));
    return below_call(view, std::move(rows), focus, rows_max, style);
}

bool fits(const Row& row, Language language, const Style& style) {
    return width_of(lead_of(row) + guarded_line(row.label) + tail_of(row, language)) <= columns_of(style);
}

std::string erased(std::size_t rows) {
    if (rows == 0) return {};
    std::string bytes = "\r";
    if (rows > 1) bytes += "\x1b[" + std::to_string(rows - 1) + "A";
    return bytes + "\x1b[J";
}

std::string drawn(const std::vector<std::string>& rows, std::size_t rows_before) {
    auto bytes = erased(rows_before);
    for (std::size_t at = 0; at < rows.size(); ++at) bytes += (at == 0 ? "" : "\n") + rows[at];
    return bytes;
}

}  // namespace countersign::channels::terminal
