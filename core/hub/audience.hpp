// SPDX-License-Identifier: Apache-2.0
// The audience of a message: its language, and who is mentioned in a group. Pure.
#pragma once

#include "core/configuration.hpp"
#include "core/ports/channel.hpp"

#include <string>

namespace countersign {

// A direct message is in the person's own language and mentions no one. A chat message is in the route's language and,
// unless the route turns it off, mentions the deciders that the channel's platform knows: sorted by name, at most
// mentions_max.
[[nodiscard]] Audience audience_of(const Configuration& configuration, const std::string& route, const Request& request,
                                   const std::string& channel, const Recipient& to);

}  // namespace countersign
