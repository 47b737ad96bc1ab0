// SPDX-License-Identifier: Apache-2.0
// What a hub prints about requests when no terminal channel shows the cards: one line when people are asked, one when
// the request has ended.
#pragma once

#include "core/configuration.hpp"
#include "core/grant.hpp"
#include "core/hub/hub.hpp"

#include <optional>
#include <string>

namespace countersign::app {

// Empty if there is nothing to say, e.g. when a rule or a grant answered. Pure; the text must still be sanitised.
[[nodiscard]] std::optional<std::string> narrated(const Hub::Event& event, const Configuration& configuration,
                                                  const std::vector<Grant>& grants);

}  // namespace countersign::app
