// SPDX-License-Identifier: Apache-2.0
// Finding: a stretch of text that must not be shown, and the rule that says so.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace countersign::security {

// Why we think so, strongest first. Where findings overlap, the strongest names the mask.
enum class Evidence {
    known,    // it is a secret of ours
    shape,    // it looks like a token of a certain maker
    name,     // what stands before it says so
    entropy,  // nobody writes such a thing by hand
};

struct Finding {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string_view rule;  // a literal: findings outlive nothing
    Evidence evidence = Evidence::name;
    std::size_t value = 0;  // where the value that it is in begins, behind its quote; 0: at `begin`
    bool by_look = false;   // all of the token is in it, and no word around it was needed to tell
    friend bool operator==(const Finding&, const Finding&) = default;
};

using Findings = std::vector<Finding>;

// The rule of a finding that says: reading this text would take more than its share of time. Nothing of it is shown.
inline constexpr std::string_view unreadable = "unreadable";

// In order, and those that overlap made one. Those that only touch stay two: two secrets side by side are two masks.
[[nodiscard]] Findings united(Findings findings);

}  // namespace countersign::security
