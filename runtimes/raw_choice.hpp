// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace countersign::runtimes {

// A choice of a question, on both sides.
struct RawChoice {
    std::string shown;  // the label that people saw
    std::string label;  // the label that the agent knows
    friend bool operator==(const RawChoice&, const RawChoice&) = default;
};

}  // namespace countersign::runtimes
