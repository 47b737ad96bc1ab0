// SPDX-License-Identifier: Apache-2.0
#include "core/outcome.hpp"

#include <array>
#include <utility>

namespace countersign {

namespace {

constexpr std::array<std::pair<Outcome, std::string_view>, 10> names{{
    {Outcome::allowed, "allowed"},
    {Outcome::denied, "denied"},
    {Outcome::answered, "answered"},
    {Outcome::cancelled, "cancelled"},
    {Outcome::expired, "expired"},
    {Outcome::withdrawn, "withdrawn"},
    {Outcome::undeliverable, "undeliverable"},
    {Outcome::lost, "lost"},
    {Outcome::unlogged, "unlogged"},
    {Outcome::indeterminate, "indeterminate"},
}};

}  // namespace

std::string_view name(Outcome outcome) {
    for (const auto& [value, text] : names) {
        if (value == outcome) return text;
    }
    return "indeterminate";
}

std::optional<Outcome> outcome_named(std::string_view text) {
    for (const auto& [value, known] : names) {
        if (known == text) return value;
    }
    return std::nullopt;
}

}  // namespace countersign
