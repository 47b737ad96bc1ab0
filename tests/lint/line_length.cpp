// SPDX-License-Identifier: Apache-2.0
#include "tests/lint/line_length.hpp"

#include <algorithm>

namespace countersign::lint {
namespace {

// Counts every byte of UTF-8 except continuation bytes.
std::size_t columns(std::string_view line) {
    return static_cast<std::size_t>(
        std::ranges::count_if(line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

// Lines that can't be broken: rows of a table, and indented or fenced examples.
class Unbroken {
public:
    explicit Unbroken(bool markdown) : markdown_{markdown} {}
    bool take(std::string_view line) {
        if (markdown_ && line.starts_with("```")) inside_ = !inside_;
        if (line.find("clang-format off") != line.npos) inside_ = true;
        if (line.find("clang-format on") != line.npos) inside_ = false;
        return inside_ || (markdown_ && (line.starts_with('|') || line.starts_with("    ")));
    }

private:
    bool markdown_;
    bool inside_ = false;
};

}  // namespace

std::vector<std::string> long_lines(std::string_view path, std::string_view text) {
    std::vector<std::string> found;
    Unbroken unbroken{path.ends_with(".md")};
    for (std::size_t number = 1; !text.empty(); ++number) {
        const auto line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (unbroken.take(line) || columns(line) <= line_columns_max) continue;
        found.push_back(std::string{path} + ":" + std::to_string(number) + ": " + std::to_string(columns(line)) +
                        " columns");
    }
    return found;
}

}  // namespace countersign::lint
