// SPDX-License-Identifier: Apache-2.0
#include "audit/review/csv.hpp"

#include "security/display/display.hpp"

#include <algorithm>
#include <array>

namespace countersign::audit::review {
namespace {

// Signs that begin a formula in a spreadsheet, also in the full-width and small forms that some programs treat alike.
constexpr std::array<std::string_view, 12> signs{"=",      "+",      "-",      "@",      "\uFF1D", "\uFF0B",
                                                 "\uFF0D", "\uFF20", "\uFE66", "\uFE62", "\uFE63", "\uFE6B"};
// Characters that some programs skip before the sign. The sanitiser has already escaped other blanks.
constexpr std::array<std::string_view, 2> skipped{" ", "\""};

bool begins_a_formula(std::string_view text) {
    const auto begins = [&](std::string_view one) { return text.starts_with(one); };
    for (auto found = std::ranges::find_if(skipped, begins); found != skipped.end();
         found = std::ranges::find_if(skipped, begins)) {
        text.remove_prefix(found->size());
    }
    return std::ranges::any_of(signs, begins);
}

// A program that expects another separator splits the cell as well, quoted or not: to it, a quote only matters at the
// beginning of a cell. So each possible piece must be harmless by itself.
std::string without_formulas(std::string_view text) {
    std::string safe;
    while (true) {
        if (begins_a_formula(text)) safe += '\'';
        const auto end = text.find_first_of(",;\t\r\n");
        safe += text.substr(0, end == std::string_view::npos ? end : end + 1);
        if (end == std::string_view::npos) return safe;
        text.remove_prefix(end + 1);
    }
}

}  // namespace

std::string csv_cell(std::string_view text) {
    const bool blank = text.starts_with('\t') || text.starts_with('\r') || text.starts_with('\n');
    const auto shown = (blank ? "'" : "") + without_formulas(security::display(text, security::DisplayMode::line));
    if (shown.find_first_of("\",;\t\r\n") == std::string::npos) return shown;
    std::string quoted = "\"";
    for (const char character : shown) quoted += character == '"' ? "\"\"" : std::string(1, character);
    return quoted + "\"";
}

std::string csv_line(const std::vector<std::string>& cells) {
    std::string line;
    for (const auto& cell : cells) line += (line.empty() && &cell == &cells.front() ? "" : ",") + csv_cell(cell);
    return line + "\r\n";
}

}  // namespace countersign::audit::review
