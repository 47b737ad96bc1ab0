// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/json/value.hpp"
#include "core/request.hpp"
#include "core/result.hpp"

namespace countersign::sidecar {

// A request as a sidecar hands it to its hub, and back; pure. request_of(json_of(x)) is x. Every bound of the approval
// event holds here too: Errc::too_large or ::malformed names the member.
[[nodiscard]] json::Value json_of(const Request& request);
[[nodiscard]] Result<Request> request_of(const json::Value& value);

}  // namespace countersign::sidecar
