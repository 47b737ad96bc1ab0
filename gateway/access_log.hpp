// SPDX-License-Identifier: Apache-2.0
// One JSON line per request: who, when, which route, and the result. Never a path, query, header or body, because each
// of them may contain a secret.
#pragma once

#include "core/time.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace countersign::gateway {

struct Access {
    std::uint64_t number = 0;  // since the server was opened
    WallTime time;             // when the head was complete
    std::string client;
    std::string method;
    std::string route;  // empty if no route matches
    unsigned status = 0;
    std::size_t bytes = 0;  // of the request's body
    std::chrono::milliseconds took{0};
    std::string_view why = {};  // of a refusal
};

using LineSink = std::function<void(const std::string& line)>;

// Without a line break. An unusual method is written as "other", because it is the sender's text.
[[nodiscard]] std::string to_line(const Access& access);

}  // namespace countersign::gateway
