// SPDX-License-Identifier: Apache-2.0
// Finding: a part of a text that must not be shown, and the rule that found it.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace countersign::security {

// Why it is a secret, strongest reason first. If findings overlap, the strongest one names the mask.
enum class Evidence {
    known,    // it is one of our own secrets
    shape,    // it looks like a token of a known vendor
    name,     // the name before it suggests a secret
    entropy,  // people don't write such text by hand
};

struct Finding {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string_view rule;  // a string literal, so it outlives every finding
    Evidence evidence = Evidence::name;
    std::size_t value = 0;  // where the value containing it starts, after its quote; 0: at `begin`
    bool by_look = false;   // it is a complete token, recognised without any word around it
    friend bool operator==(const Finding&, const Finding&) = default;
};

using Findings = std::vector<Finding>;

// The rule of a finding that means: this text would take too long to read. None of it is shown.
inline constexpr std::string_view unreadable = "unreadable";

// Sorts findings and merges overlapping ones. Adjacent ones stay separate: two adjacent secrets get two masks.
[[nodiscard]] Findings united(Findings findings);

}  // namespace countersign::security
