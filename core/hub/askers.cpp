// SPDX-License-Identifier: Apache-2.0
#include "core/hub/askers.hpp"

#include "core/limits.hpp"

#include <algorithm>

namespace countersign {

void Askers::asked(Runtime& through, const Asker& who) {
    auto& [runtime, askers] = by_runtime_[through.id()];
    runtime = &through;
    std::erase(askers, who);
    askers.push_back(who);
    if (askers.size() > limits::sessions_per_runtime_max) askers.erase(askers.begin());
}

bool Askers::asks_elsewhere(const Asker& who, RuntimeId than) const {
    return std::ranges::any_of(by_runtime_, [&](const auto& entry) {
        const auto& askers = entry.second.askers;
        return entry.first != than && std::ranges::find(askers, who) != askers.end();
    });
}

const std::vector<Asker>* Askers::of(RuntimeId runtime) const {
    const auto found = by_runtime_.find(runtime);
    return found == by_runtime_.end() ? nullptr : &found->second.askers;
}

}  // namespace countersign
