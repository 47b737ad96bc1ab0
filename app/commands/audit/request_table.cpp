// SPDX-License-Identifier: Apache-2.0
#include "app/commands/audit/request_table.hpp"

#include "channels/terminal/width.hpp"
#include "core/time.hpp"
#include "security/display/display.hpp"

#include <algorithm>

namespace countersign::app {
namespace {

using audit::review::Decider;
using audit::review::Row;
using channels::terminal::Ink;
using channels::terminal::paint;
using channels::terminal::width_of;

constexpr std::size_t page_rows = 500;
constexpr std::size_t short_id_chars = 6;
constexpr std::size_t call_columns_min = 12;   // before other columns are dropped
constexpr std::size_t call_columns_least = 4;  // if even this does not fit, lines are wider than the terminal

std::string shown(std::string_view text) { return security::display(text, security::DisplayMode::line); }

// Who decided and, with a quorum, how many others voted. Rule names are long, so narrow terminals leave them to `show`.
std::string who(const Row& row, bool narrow) {
    if (row.decider == Decider::nobody) return row.voters.empty() ? "-" : shown(row.voters.front()) + " voted";
    if (row.decider == Decider::grant || (row.decider == Decider::policy && narrow))
        return std::string{name(row.decider)};
    const auto others = std::ranges::count_if(row.voters, [&](const auto& voter) { return voter != row.decided_by; });
    return shown(row.decided_by) + (others == 0 ? "" : " +" + std::to_string(others));
}

// The end of a path says more than its beginning.
std::string call_cell(const std::string& call, std::size_t columns) {
    return cell(call.starts_with('/') ? channels::terminal::fit_tail(call, columns) : call, columns);
}

}  // namespace

std::string short_id(std::string_view id) {
    return std::string{id.substr(id.size() - std::min(id.size(), short_id_chars))};
}

Ink ink_of(std::string_view outcome) {
    if (outcome == "allowed" || outcome == "answered") return Ink::good;
    return outcome == "denied" ? Ink::bad : Ink::warn;
}

RequestTable::Line RequestTable::line_of(const Row& row) const {
    const auto asked = audit::review::wall_time(row.asked);
    return {.day = day_in(zone_, asked),
            .zone = name_of(zone_, asked),
            .time = screen_.terminal() ? clock_in(zone_, asked).substr(0, time_columns()) : stamp_in(zone_, asked),
            .outcome = row.outcome,
            .who = who(row, narrow()),
            .agent = shown(row.agent),
            .tool = shown(row.tool),
            .call = shown(row.summary),
            .took = short_span(row.took),
            .id = screen_.terminal() ? short_id(row.id) : row.id};
}

void RequestTable::widen(const Line& line) {
    const auto most_of = [&](std::size_t narrow_columns, std::size_t wide_columns) {
        return !screen_.terminal() ? screen_.style.columns : narrow() ? narrow_columns : wide_columns;
    };
    const auto grow = [](std::size_t& width, const std::string& text, std::size_t most) {
        width = std::min(std::max(width, width_of(text)), most);
    };
    grow(widths_.outcome, line.outcome, 13);
    grow(widths_.who, line.who, most_of(8, 16));
    grow(widths_.agent, line.agent, most_of(9, 16));
    grow(widths_.tool, line.tool, most_of(6, 14));
    grow(widths_.took, line.took, 7);
}

std::string RequestTable::header() const {
    const Line titles{.day = {},
                      .zone = {},
                      .time = "TIME",
                      .outcome = "OUTCOME",
                      .who = "WHO",
                      .agent = "AGENT",
                      .tool = "TOOL",
                      .call = "CALL",
                      .took = "TOOK",
                      .id = "ID"};
    return paint(screen_.style, Ink::faint, printed(titles)) + "\n";
}

RequestTable::Columns RequestTable::columns() const {
    constexpr std::size_t gap = 2;
    auto taken = time_columns() + widths_.outcome + widths_.who + widths_.took + short_id_chars + 5 * gap;
    const auto all = screen_.style.columns;
    const auto fits = [&](std::size_t width) { return taken + width + gap + call_columns_min <= all; };
    Columns columns;
    columns.tool = fits(widths_.tool);
    if (columns.tool) taken += widths_.tool + gap;
    columns.agent = fits(widths_.agent);
    if (columns.agent) taken += widths_.agent + gap;
    columns.call = std::max(all > taken ? all - taken : 0, call_columns_least);
    return columns;
}

std::string RequestTable::printed(const Line& line) const {
    const std::string gap = "  ";
    if (!screen_.terminal()) {
        return line.time + gap + cell(line.outcome, widths_.outcome) + gap + cell(line.who, widths_.who) + gap +
               cell(line.agent, widths_.agent) + gap + cell(line.tool, widths_.tool) + gap +
               cell(line.took, widths_.took, Align::right) + gap + line.id + gap + line.call;
    }
    const auto [agent, tool, call] = columns();
    const bool title = line.id == "ID";
    const auto outcome = cell(line.outcome, widths_.outcome);
    return cell(line.time, time_columns()) + gap +
           (title ? outcome : paint(screen_.style, ink_of(line.outcome), outcome)) + gap + cell(line.who, widths_.who) +
           (agent ? gap + cell(line.agent, widths_.agent) : "") + (tool ? gap + cell(line.tool, widths_.tool) : "") +
           gap + call_cell(line.call, call) + gap + cell(line.took, widths_.took, Align::right) + gap +
           (title ? line.id : paint(screen_.style, Ink::faint, line.id));
}

bool RequestTable::add(Row row) {
    page_.push_back(line_of(row));
    return page_.size() < page_rows || finish();
}

bool RequestTable::finish() {
    std::ranges::for_each(page_, [&](const Line& line) { widen(line); });
    std::string text;
    for (const auto& line : page_) {
        if (screen_.terminal() && !day_) text += header();
        if (screen_.terminal() && day_ != line.day) {
            const auto day = rfc3339(WallTime{line.day.time_since_epoch()}).substr(0, 10);
            text += paint(screen_.style, Ink::strong, day + " " + line.zone) + "\n";
        }
        day_ = line.day;
        text += printed(line) + "\n";
    }
    page_.clear();
    return print_out(text);
}

}  // namespace countersign::app
