// SPDX-License-Identifier: Apache-2.0
// The number of member functions of each class in a header. A class with very many is a program: its parts need their
// own state.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::lint {

struct ClassSize {
    std::string name;
    std::size_t functions = 0;
    friend bool operator==(const ClassSize&, const ClassSize&) = default;
};

// Every class and struct that the text defines, with nested ones listed separately, in the order in which they end.
// Declarations and definitions are counted, public or not; constructors, destructors, operators and friends aren't. It
// parses our own style, not all of C++.
[[nodiscard]] std::vector<ClassSize> class_sizes(std::string_view source);

}  // namespace countersign::lint
