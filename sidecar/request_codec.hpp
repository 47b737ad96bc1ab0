// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/value.hpp"
#include "core/request.hpp"
#include "core/result.hpp"

namespace countersign::sidecar {

// Encodes a request for the hub, and decodes it; pure. request_of(json_of(x)) is x. The bounds of the approval event
// apply here too: Errc::too_large or ::malformed names the member.
[[nodiscard]] json::Value json_of(const Request& request);
[[nodiscard]] Result<Request> request_of(const json::Value& value);

}  // namespace countersign::sidecar
