// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ports/runtime.hpp"
#include "core/request.hpp"

#include <string>
#include <string_view>

namespace countersign {

inline constexpr std::string_view log_unavailable = "audit log unavailable";

// What the agent hears when nobody decided: the refusal of its own vocabulary, with the outcome that says why.
[[nodiscard]] Verdict refusal(const Request& request, Outcome outcome, std::string reason);

}  // namespace countersign
