// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace countersign {

// True for a host that is this machine or in its own network, metadata services included, and for every spelling of an
// address that is not read in one way. Names are not looked up: one that leads to a private address is not found.
[[nodiscard]] bool is_private_host(std::string_view host);

}  // namespace countersign
