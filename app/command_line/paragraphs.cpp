// SPDX-License-Identifier: Apache-2.0
#include "app/command_line/paragraphs.hpp"

#include "channels/terminal/width.hpp"

#include <algorithm>
#include <utility>

namespace countersign::app {

std::string paragraphs(std::string_view text, std::size_t columns) {
    std::string lines;
    while (!text.empty()) {
        const auto line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (!lines.empty()) lines += '\n';
        if (line.empty()) continue;
        const auto indent = line.substr(0, line.find_first_not_of(' '));
        bool first = true;
        for (const auto piece : channels::terminal::wrap(line.substr(indent.size()), columns - indent.size())) {
            if (!std::exchange(first, false)) lines += '\n';
            lines.append(indent).append(piece.substr(0, piece.find_last_not_of(' ') + 1));
        }
    }
    return lines;
}

}  // namespace countersign::app
