// SPDX-License-Identifier: Apache-2.0
// Patterns: one or more patterns, one of which must match. An empty list matches everything.
#pragma once

#include "core/glob.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace countersign {

class Patterns {
public:
    Patterns() = default;
    // Implicit, because one pattern is the common case: rule.tool = "Read".
    Patterns(const char* one) : Patterns{std::string{one}} {}  // NOLINT(google-explicit-constructor)
    Patterns(std::string one) {                                // NOLINT(google-explicit-constructor)
        if (!one.empty()) all_.push_back(std::move(one));
    }
    explicit Patterns(std::vector<std::string> several) : all_{std::move(several)} {}

    [[nodiscard]] bool empty() const { return all_.empty(); }
    [[nodiscard]] const std::vector<std::string>& all() const { return all_; }

    [[nodiscard]] bool fits(std::string_view text) const {
        return all_.empty() ||
               std::ranges::any_of(all_, [text](std::string_view pattern) { return glob_fits(pattern, text); });
    }
    // True if the text equals one of the patterns and has no wildcards.
    [[nodiscard]] bool names(std::string_view text) const {
        return text.find_first_of("*?") == text.npos && std::ranges::find(all_, text) != all_.end();
    }

    friend bool operator==(const Patterns&, const Patterns&) = default;

private:
    std::vector<std::string> all_;
};

}  // namespace countersign
