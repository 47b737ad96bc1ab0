// SPDX-License-Identifier: Apache-2.0
// What `countersign status`, `pending` and `grants` show: made by the hub, printed by the command. Everything in it was
// redacted when it was asked.
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

// Requests, grants and halts in one answer; how many more there are is in it.
inline constexpr std::size_t hub_listed_max = 200;

struct HubFacts {
    BootTime started;
    std::string configuration;  // the file
};
// By what the command asks for: "status", "pending" or "grants". Null for any other word. Precondition: the host has
// the hub.
[[nodiscard]] json::Value hub_listing(std::string_view what, Host& host, const HubFacts& facts);

// Two parts of it. Pure.
using StandingOf = std::function<std::optional<Queries::Standing>(const Ulid& id)>;
[[nodiscard]] json::Object pending_listing(const std::vector<OpenRequest>& open, const StandingOf& standing_of,
                                           BootTime now);
struct Now {
    BootTime boot;
    WallTime wall;
};
// Those in force.
[[nodiscard]] json::Object grants_listing(const std::vector<Grant>& grants, Now now);

// The same for people. Errc::malformed names the member that is wrong.
[[nodiscard]] Result<std::string> printed_status(const json::Value& listing, std::uint64_t log_bytes,
                                                 const Screen& screen, Zone zone);
[[nodiscard]] Result<std::string> printed_pending(const json::Value& listing, const Screen& screen);
[[nodiscard]] Result<std::string> printed_grants(const json::Value& listing, const Screen& screen, Zone zone);

}  // namespace countersign::app
