// SPDX-License-Identifier: Apache-2.0
// What a hub says of each request on its own output, where no terminal channel shows the cards: one line when people
// are asked, one when it has ended.
#pragma once

#include "core/configuration.hpp"
#include "core/grant.hpp"
#include "core/hub/hub.hpp"

#include <optional>
#include <string>

namespace countersign::app {

// Nothing where there is nothing to say: what a rule or a grant answers is asked nowhere. Pure; fit to be sanitised.
[[nodiscard]] std::optional<std::string> narrated(const Hub::Event& event, const Configuration& configuration,
                                                  const std::vector<Grant>& grants);

}  // namespace countersign::app
