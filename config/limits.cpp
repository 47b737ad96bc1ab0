// SPDX-License-Identifier: Apache-2.0
// [limits]: how much one agent may ask per minute.
#include "config/sections.hpp"

namespace countersign::config {

namespace {

constexpr std::int64_t asks_max = 1'000'000;
// The limit must admit the largest possible request, including its diff.
constexpr std::int64_t kilobytes_min = 1'024;
constexpr std::int64_t kilobytes_max = 1'024 * 1'024;

}  // namespace

void read_limits(Fields& root, Configuration& configuration) {
    const auto* node = root.node("limits");
    if (node == nullptr) return;
    Fields fields{*node, "limits", root.problems()};
    auto& asks = configuration.ask_limits;
    if (const auto given = fields.integer("asks_per_minute", 1, asks_max)) {
        asks.requests = static_cast<std::uint64_t>(*given);
    }
    if (const auto given = fields.integer("ask_kilobytes_per_minute", kilobytes_min, kilobytes_max)) {
        asks.bytes = static_cast<std::uint64_t>(*given) * 1'024;
    }
    fields.finish();
}

}  // namespace countersign::config
