// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace countersign {

// True for this machine, for hosts in its own network including metadata services, and for any ambiguous spelling of an
// address. Names aren't looked up, so a public name that resolves to a private address isn't detected.
[[nodiscard]] bool is_private_host(std::string_view host);

}  // namespace countersign
