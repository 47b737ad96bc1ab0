// SPDX-License-Identifier: Apache-2.0
// The limits of one listener. The defaults are in core/limits.hpp; tests use small values.
#pragma once

#include "core/limits.hpp"

#include <chrono>
#include <cstddef>

namespace countersign::gateway {

// Limits for unverified bodies: this many bytes of each body are free, enough for an update from any platform; beyond
// that, all connections together may use unverified_body_bytes_max.
inline constexpr std::size_t unverified_body_bytes_free = 32 * 1024;
inline constexpr std::size_t unverified_body_bytes_max = 32 * 1024 * 1024;

// How much of a body that is too large is dropped for a verified sender, who must not get a reset before the answer.
inline constexpr std::size_t dropped_body_bytes_max = 16 * 1024 * 1024;

struct Bounds {
    std::size_t connections = limits::gateway_connections_max;
    std::size_t connections_per_client = limits::gateway_connections_per_client_max;
    std::size_t requests_per_connection = limits::gateway_requests_per_connection_max;
    std::size_t head_bytes = limits::gateway_head_bytes_max;
    std::size_t headers = limits::gateway_headers_max;
    std::size_t target_bytes = limits::gateway_target_bytes_max;
    std::size_t unverified_free = unverified_body_bytes_free;
    std::size_t unverified_bytes = unverified_body_bytes_max;
    std::size_t handles = limits::gateway_handles_max;
    std::size_t refusals_per_minute = limits::gateway_refusals_per_minute_max;
    std::size_t refused_clients = limits::gateway_refused_clients_max;
    std::size_t requests_per_second = limits::gateway_requests_per_second_max;
    std::size_t requests_burst = limits::gateway_requests_burst_max;
    std::size_t rated_clients = limits::gateway_rated_clients_max;
    std::chrono::milliseconds idle = limits::gateway_idle_max;
    std::chrono::milliseconds head = limits::gateway_head_max;
    std::chrono::milliseconds body = limits::gateway_body_max;
    std::chrono::milliseconds write = limits::gateway_write_max;
    std::chrono::milliseconds linger = limits::gateway_linger_max;
};

}  // namespace countersign::gateway
