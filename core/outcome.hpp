// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace countersign {

// How a request ended. A failure never becomes `allowed`, and never looks like a person's `denied`.
enum class Outcome {
    allowed,
    denied,
    answered,
    cancelled,
    expired,
    withdrawn,
    undeliverable,
    lost,
    unlogged,
    indeterminate,
};
[[nodiscard]] std::string_view name(Outcome outcome);
[[nodiscard]] std::optional<Outcome> outcome_named(std::string_view text);

}  // namespace countersign
