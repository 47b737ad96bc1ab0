// SPDX-License-Identifier: Apache-2.0
#include "gateway/access_log.hpp"

#include "core/json/write.hpp"

#include <algorithm>
#include <array>

namespace countersign::gateway {

std::string to_line(const Access& access) {
    constexpr std::array<std::string_view, 7> usual{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"};
    const bool known = std::ranges::find(usual, access.method) != usual.end();
    json::Object line{{"event", "http"},
                      {"request", access.number},
                      {"time", rfc3339(access.time)},
                      {"client", access.client},
                      {"method", known ? access.method : "other"},
                      {"route", access.route.empty() ? "none" : access.route},
                      {"status", access.status},
                      {"bytes", access.bytes},
                      {"ms", access.took.count()}};
    if (!access.why.empty()) line.add("why", access.why);
    return json::canonical(std::move(line));
}

}  // namespace countersign::gateway
