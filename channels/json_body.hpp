// SPDX-License-Identifier: Apache-2.0
// The JSON body of a call to a platform.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace countersign::channels {

using Json = nlohmann::json;

// All text was made valid before; should it not be, a question mark is better than an exception.
[[nodiscard]] inline std::string dumped(const Json& body) {
    return body.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace countersign::channels
