// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "channels/catalogue.hpp"
#include "channels/terminal/view.hpp"
#include "core/request.hpp"
#include "core/risk.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace countersign::channels::terminal {

[[nodiscard]] Ink ink_of(RiskLevel level);

// Risk, tool and the first line of the call that has a letter or a digit, with runs of blanks as one: what is behind
// many of them must not be pushed off the row. Nothing for a question.
[[nodiscard]] std::optional<CallLine> call_line(const Request& request, Language language);

// In at most so many columns.
[[nodiscard]] std::string fitted(const CallLine& line, std::size_t columns);

}  // namespace countersign::channels::terminal
