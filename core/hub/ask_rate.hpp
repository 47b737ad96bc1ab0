// SPDX-License-Identifier: Apache-2.0
// AskRate: bounds the number of requests and of recorded bytes that one agent may cause per minute. An agent that keeps
// asking and withdrawing must not fill the disk that the log needs.
//
// Two token buckets per agent, each with the capacity of one minute. No clock: the hub passes in the time.
#pragma once

#include "core/configuration.hpp"
#include "core/result.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace countersign {

inline constexpr std::size_t ask_rate_agents_max = 1'000;  // remembered at once
// Added for each request to the size of its text, for its other records.
inline constexpr std::uint64_t ask_base_bytes = 1024;

// The cost of a request: roughly the number of bytes that the log keeps of it.
[[nodiscard]] std::uint64_t bytes_of(const Request& request);

class AskRate {
public:
    // Charges the agent for the request. If it can't pay, nothing is charged and the result is Errc::busy with a text
    // for the agent. A request larger than a minute's bytes needs a full bucket. If the table is full, the agent whose
    // last request is oldest is forgotten.
    Result<void> take(const Request& request, const AskLimits& limits, BootTime now);
    [[nodiscard]] std::size_t size() const { return agents_.size(); }

private:
    struct Used {
        std::int64_t requests = 0;  // in units of 1/60,000; each millisecond gives back as many units as the limit
        std::int64_t bytes = 0;     // the same
        BootTime as_of;
    };
    Used& used_by(const std::string& agent_id, const AskLimits& limits, BootTime now);
    std::map<std::string, Used> agents_;
};

}  // namespace countersign
