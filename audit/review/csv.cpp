// SPDX-License-Identifier: Apache-2.0
#include "audit/review/csv.hpp"

#include "security/display.hpp"

namespace countersign::audit::review {

std::string csv_cell(std::string_view text) {
    constexpr std::string_view begins_a_formula = "=+-@\t\r";
    const bool formula = !text.empty() && begins_a_formula.find(text.front()) != std::string_view::npos;
    auto shown = (formula ? "'" : "") + security::display(text, security::DisplayMode::line);
    if (shown.find_first_of("\",\r\n") == std::string::npos) return shown;
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
