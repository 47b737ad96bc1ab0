// SPDX-License-Identifier: Apache-2.0
// For whom a message is written: its language, and who in a group should look at it. Pure.
#pragma once

#include "core/configuration.hpp"
#include "core/ports/channel.hpp"

#include <string>

namespace countersign {

// Who is written to directly is written to in their own language; nobody else is mentioned there. A chat is written to
// in the route's language, and unless the route says otherwise the deciders are mentioned whom the channel's platform
// knows, by name and at most mentions_max of them.
[[nodiscard]] Audience audience_of(const Configuration& configuration, const std::string& route, const Request& request,
                                   const std::string& channel, const Recipient& to);

}  // namespace countersign
