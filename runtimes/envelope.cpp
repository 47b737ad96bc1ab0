// SPDX-License-Identifier: Apache-2.0
#include "runtimes/envelope.hpp"

#include <algorithm>
#include <cstddef>

namespace countersign::runtimes {

namespace {

// The position after the closing quote of the string that begins here; the end of the text if it is not closed.
std::size_t string_end(std::string_view text, std::size_t at) {
    for (++at; at < text.size(); ++at) {
        if (text[at] == '\\') {
            ++at;
        } else if (text[at] == '"') {
            return at + 1;
        }
    }
    return text.size();
}

std::size_t scalar_end(std::string_view text, std::size_t at) {
    if (text[at] == '"') return string_end(text, at);
    return std::min(text.find_first_of(",:{}[] \t\r\n\"", at), text.size());
}

bool closed_string(std::string_view token) {
    return token.size() >= 2 && token.front() == '"' && token.back() == '"' && string_end(token, 0) == token.size();
}

}  // namespace

std::optional<std::string_view> outer_scalar(std::string_view text, std::string_view name) {
    std::optional<std::string_view> found;
    std::string_view member;
    std::size_t depth = 0;
    bool value_next = false;
    auto at = text.find_first_not_of(" \t\r\n");
    if (at == std::string_view::npos || text[at] != '{') return std::nullopt;
    while (at < text.size()) {
        const char symbol = text[at];
        if (symbol == '{' || symbol == '[') {
            ++depth;
        } else if (symbol == '}' || symbol == ']') {
            if (--depth == 0) return found;
        } else if (depth == 1 && symbol == ':') {
            value_next = true;
        } else if (depth == 1 && symbol == ',') {
            value_next = false;
        } else if (symbol != ' ' && symbol != '\t' && symbol != '\r' && symbol != '\n' && symbol != ',' &&
                   symbol != ':') {
            const auto end = scalar_end(text, at);
            const auto token = text.substr(at, end - at);
            const bool whole = end < text.size() || closed_string(token);
            if (depth == 1 && whole && !value_next) {
                member = closed_string(token) ? token.substr(1, token.size() - 2) : std::string_view{};
            } else if (depth == 1 && whole && member == name) {
                found = token;
            }
            at = end;
            continue;
        }
        ++at;
    }
    return found;
}

}  // namespace countersign::runtimes
