// SPDX-License-Identifier: Apache-2.0
#include "runtimes/redacted_diff.hpp"

#include <algorithm>

namespace countersign::runtimes {

namespace {

std::string_view take_line(std::string_view& text) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

constexpr char no_sign = '\0';

char sign_of(std::string_view line) {
    const char first = line.empty() ? no_sign : line.front();
    return first == '+' || first == '-' || first == ' ' ? first : no_sign;
}

}  // namespace

std::string with_sign(char sign, std::string_view text) {
    std::string out;
    while (!text.empty()) (out += sign).append(take_line(text)).append("\n");
    return out;
}

std::string redacted_diff(std::string_view diff, security::TextKind kind, const security::Redactor& redactor) {
    const bool line_end = diff.ends_with('\n');
    std::string out;
    while (!diff.empty()) {
        const char sign = sign_of(diff.substr(0, diff.find('\n')));
        std::string block;
        while (!diff.empty() && sign_of(diff.substr(0, diff.find('\n'))) == sign) {
            const auto line = take_line(diff);
            block.append(sign == no_sign ? line : line.substr(1)).append("\n");
        }
        if (sign != no_sign) {
            out += with_sign(sign, redactor.text(block, kind));
            continue;
        }
        out += redactor.text(block);
        if (!out.ends_with('\n')) out += '\n';
    }
    if (!line_end && out.ends_with('\n')) out.pop_back();
    return out;
}

}  // namespace countersign::runtimes
