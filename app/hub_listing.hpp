// SPDX-License-Identifier: Apache-2.0
// The output of `countersign status`, `pending` and `grants`: the hub makes the listing, the command prints it. All
// texts were redacted when the request was made.
#pragma once

#include "app/host.hpp"
#include "core/grant.hpp"
#include "core/hub/hub.hpp"
#include "core/json/value.hpp"
#include "core/result.hpp"
#include "core/time.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::app {

struct Screen;
enum class Zone;

// Maximum number of requests, grants and halts in one answer; the listing says how many more there are.
inline constexpr std::size_t hub_listed_max = 200;

struct HubFacts {
    BootTime started;
    std::string configuration;  // its file
};
// `what`: "status", "pending" or "grants". Null for any other word. Precondition: the host has the hub.
[[nodiscard]] json::Value hub_listing(std::string_view what, Host& host, const HubFacts& facts);

// Builders of two of the listings. Pure.
using StandingOf = std::function<std::optional<Queries::Standing>(const Ulid& id)>;
[[nodiscard]] json::Object pending_listing(const std::vector<OpenRequest>& open, const StandingOf& standing_of,
                                           BootTime now);
struct Now {
    BootTime boot;
    WallTime wall;
};
// Only the grants that are still valid.
[[nodiscard]] json::Object grants_listing(const std::vector<Grant>& grants, Now now);

// Print a listing for people. Errc::malformed names the invalid member.
[[nodiscard]] Result<std::string> printed_status(const json::Value& listing, std::uint64_t log_bytes,
                                                 const Screen& screen, Zone zone);
[[nodiscard]] Result<std::string> printed_pending(const json::Value& listing, const Screen& screen);
[[nodiscard]] Result<std::string> printed_grants(const json::Value& listing, const Screen& screen, Zone zone);

}  // namespace countersign::app
