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

void Askers::gone(const Runtime& through, const Asker& who) {
    const auto found = by_runtime_.find(through.id());
    if (found == by_runtime_.end()) return;
    std::erase_if(found->second.askers, [&](const Asker& asker) { return covers(who, asker); });
    if (found->second.askers.empty()) by_runtime_.erase(found);
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

std::set<Asker> meant(const std::vector<Asker>& askers, const std::vector<Asker>& whom) {
    std::set<Asker> found;
    for (const auto& asker : askers) {
        const Asker agent{.agent_id = asker.agent_id, .session_key = {}};
        const auto is_meant = [&](const Asker& who) {
            return std::ranges::any_of(whom, [&](const Asker& one) { return covers(one, who); });
        };
        if (is_meant(agent)) {
            found.insert(agent);
        } else if (is_meant(asker)) {
            found.insert(asker);
        }
    }
    return found;
}

}  // namespace countersign
