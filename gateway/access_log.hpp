// SPDX-License-Identifier: Apache-2.0
// One JSON line a request. It says who, when, which route and how it ended; never a path, query, header or body,
// because each of those can hold a secret.
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
    std::uint64_t number = 0;  // of the request, since the server was opened
    WallTime time;             // when its head was there
    std::string client;
    std::string method;
    std::string route;  // empty: none fits
    unsigned status = 0;
    std::size_t bytes = 0;  // of the request's body
    std::chrono::milliseconds took{0};
    std::string_view why = {};  // of a refusal
};

using LineSink = std::function<void(const std::string& line)>;

// Without a line break. A method that is not one of the usual is "other": it is the sender's text.
[[nodiscard]] std::string to_line(const Access& access);

}  // namespace countersign::gateway
