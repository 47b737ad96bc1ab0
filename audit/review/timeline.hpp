// SPDX-License-Identifier: Apache-2.0
// The whole life of a request for a person: what happened, how long after the request, and which record says so.
#pragma once

#include "audit/record.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace countersign::audit::review {

// All text has passed the display sanitiser and is one line.
struct Step {
    std::uint64_t seq = 0;
    std::chrono::milliseconds since{0};  // since the request
    std::string what;
    std::vector<std::string> details;
};

// Precondition: all records of one request, oldest first, at least one.
[[nodiscard]] std::vector<Step> timeline(const std::vector<Record>& records);

}  // namespace countersign::audit::review
