// SPDX-License-Identifier: Apache-2.0
#include "audit/handled_deliveries.hpp"

#include "core/limits.hpp"

namespace countersign::audit {

void HandledDeliveries::take(const Record& record) {
    const auto delivery = record.text("delivery");
    const auto& kind = record.kind;
    const bool changed = kind == "decision" || kind == "vote" || kind == "halt" || kind == "revoke";
    if (delivery.empty() || !changed) return;
    latest_.push_back({.channel = std::string{record.text("channel")}, .delivery = std::string{delivery}});
    if (latest_.size() > limits::handled_deliveries_max) latest_.pop_front();
}

}  // namespace countersign::audit
