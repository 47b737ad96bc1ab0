// SPDX-License-Identifier: Apache-2.0
// How many member functions each class of a header has. A class that needs very many is a program: its parts want
// their own state.
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

// Every class and struct that the text defines, nested ones apart, in the order in which they end. Declarations and
// definitions count, public or not; constructors, destructors, operators and friends don't. It reads our own style, not
// all of C++.
[[nodiscard]] std::vector<ClassSize> class_sizes(std::string_view source);

}  // namespace countersign::lint
