// SPDX-License-Identifier: Apache-2.0
// AskRate: how much one agent may ask in a minute: so many requests, and so many bytes of what is recorded of them. An
// agent that asks and takes back, again and again, must not fill the disk that the log needs.
//
// Two token buckets per agent, each of which holds what one minute brings. No clock: the hub brings the time.
#pragma once

#include "core/configuration.hpp"
#include "core/result.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace countersign {

inline constexpr std::size_t ask_rate_agents_max = 1'000;  // remembered
// Counted for each request beside its text: the records of its way through the hub.
inline constexpr std::uint64_t ask_base_bytes = 1024;

// What a request costs, about as many bytes as the log keeps of it.
[[nodiscard]] std::uint64_t bytes_of(const Request& request);

class AskRate {
public:
    // Takes what the request costs. Errc::busy with words for the agent, and nothing taken, if there is not enough. A
    // request that is larger than a minute's bytes needs a full bucket. When the table is full, the agent that has
    // asked least lately is forgotten.
    Result<void> take(const Request& request, const AskLimits& limits, BootTime now);
    [[nodiscard]] std::size_t size() const { return agents_.size(); }

private:
    struct Used {
        std::int64_t requests = 0;  // in parts of 1/60,000, of which each millisecond gives back the limit's number
        std::int64_t bytes = 0;     // the same
        BootTime as_of;
    };
    Used& used_by(const std::string& agent_id, const AskLimits& limits, BootTime now);
    std::map<std::string, Used> agents_;
};

}  // namespace countersign
