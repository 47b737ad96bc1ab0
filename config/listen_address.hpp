// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/configuration.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace countersign::config {

[[nodiscard]] bool is_ip_address(std::string_view text);

// 127.0.0.1:8443 or [::1]:8443. Names are left out: what one resolves to can change, and with it who is let in.
[[nodiscard]] std::optional<ListenAddress> listen_address(std::string_view text);
// As it is read.
[[nodiscard]] std::string print(const ListenAddress& address);

}  // namespace countersign::config
