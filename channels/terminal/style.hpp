// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace countersign::channels::terminal {

enum class Ink { plain, faint, good, warn, bad, strong, inverse };

struct Style {
    bool plain = false;  // no escape sequences, no drawn lines, no wrapping: for pipes and screen readers
    bool colour = true;  // false under NO_COLOR; bold, faint and inverse stay
    std::size_t columns = 80;
};

[[nodiscard]] std::string paint(const Style& style, Ink ink, std::string_view text);

}  // namespace countersign::channels::terminal
