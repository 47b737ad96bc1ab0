// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/configuration.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace countersign::config {

[[nodiscard]] bool is_ip_address(std::string_view text);

// 127.0.0.1:8443 or [::1]:8443. Host names are refused: their address can change, and with it who can connect.
[[nodiscard]] std::optional<ListenAddress> listen_address(std::string_view text);
// In the format that listen_address() reads.
[[nodiscard]] std::string print(const ListenAddress& address);

}  // namespace countersign::config
