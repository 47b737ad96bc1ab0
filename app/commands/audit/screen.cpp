// SPDX-License-Identifier: Apache-2.0
#include "app/commands/audit/screen.hpp"

#include "channels/terminal/client.hpp"
#include "channels/terminal/width.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <sys/ioctl.h>
#include <unistd.h>

namespace countersign::app {
namespace {

namespace terminal = channels::terminal;

std::string variable(const char* name) {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here changes the environment
    return value == nullptr ? std::string{} : value;
}

}  // namespace

// Like the C library: uses the first of these variables that is set.
bool utf8_locale() {
    for (const auto* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        auto value = variable(name);
        if (value.empty()) continue;
        std::ranges::transform(value, value.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
        return value.find("utf-8") != std::string::npos || value.find("utf8") != std::string::npos;
    }
    return false;
}

std::size_t terminal_columns(int descriptor) {
    winsize window{};
    if (::ioctl(descriptor, TIOCGWINSZ, &window) != 0 || window.ws_col == 0) return 80;
    return window.ws_col;
}

terminal::Style style_of(int descriptor) {
    if (::isatty(descriptor) != 1) {
        return {.plain = true, .colour = false, .columns = std::numeric_limits<std::size_t>::max()};
    }
    return {.plain = false, .colour = terminal::colours_wanted(), .columns = terminal_columns(descriptor)};
}

Screen screen() { return {.style = style_of(STDOUT_FILENO), .utf8 = utf8_locale()}; }

bool print_out(std::string_view text) { return std::fwrite(text.data(), 1, text.size(), stdout) == text.size(); }

std::string cell(std::string_view text, std::size_t columns, Align align) {
    auto fitted = terminal::fit(text, columns);
    const auto width = terminal::width_of(fitted);
    if (width >= columns) return fitted;
    const std::string blanks(columns - width, ' ');
    return align == Align::left ? fitted + blanks : blanks + fitted;
}

std::string hanging(const Screen& screen, const std::string& lead, std::string_view text) {
    const auto indent = terminal::width_of(lead);
    const auto columns = screen.style.columns > indent + 20 ? screen.style.columns - indent : 20;
    std::string lines;
    for (const auto piece : terminal::wrap(text, columns)) {
        lines += (lines.empty() ? lead : std::string(indent, ' ')) + std::string{piece} + "\n";
    }
    return lines;
}

std::string table(const std::vector<std::vector<std::string>>& rows, const Screen& screen) {
    std::vector<std::size_t> widths(rows.front().size());
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], terminal::width_of(row[i]));
    }
    std::string text;
    for (std::size_t line = 0; line < rows.size(); ++line) {
        std::string lead = "  ";
        for (std::size_t i = 0; i + 1 < widths.size(); ++i) lead += cell(rows[line][i], widths[i]) + "  ";
        auto printed = hanging(screen, lead, rows[line].back());
        printed.pop_back();  // don't paint the line end
        text += (line == 0 ? paint(screen.style, terminal::Ink::strong, printed) : printed) + "\n";
    }
    return text;
}

std::string short_span(std::int64_t milliseconds) {
    if (milliseconds < 0) return "-";
    const auto seconds = static_cast<double>(milliseconds) / 1000;
    if (milliseconds < 1000) return fmt::format("{} ms", milliseconds);
    if (seconds < 59.95) return fmt::format("{:.1f} s", seconds);
    if (seconds < 3600) return fmt::format("{:.0f} min", seconds / 60);
    if (seconds < 2 * 86400) return fmt::format("{:.0f} h", seconds / 3600);
    return fmt::format("{:.0f} d", seconds / 86400);
}

std::string bar(std::uint64_t value, std::uint64_t largest, std::size_t columns, bool utf8) {
    if (value == 0 || largest == 0) return {};
    const auto share = static_cast<double>(value) / static_cast<double>(largest) * static_cast<double>(columns);
    if (!utf8) return std::string(std::max<std::size_t>(static_cast<std::size_t>(std::lround(share)), 1), '#');
    constexpr std::array<const char*, 8> eighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const auto parts = std::max<std::size_t>(static_cast<std::size_t>(std::lround(share * 8)), 1);
    std::string text;
    for (std::size_t i = 0; i < parts / 8; ++i) text += "█";
    return text + eighths[parts % 8];
}

}  // namespace countersign::app
