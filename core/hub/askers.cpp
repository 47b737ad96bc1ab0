// SPDX-License-Identifier: Apache-2.0
#include "core/hub/askers.hpp"

#include "core/limits.hpp"

#include <algorithm>

namespace countersign {

bool Askers::asked(Runtime& through, const Asker& who) {
    const auto [found, fresh] = of_.try_emplace(&through);
    auto& askers = found->second;
    std::erase(askers, who);
    askers.push_back(who);
    if (askers.size() > limits::sessions_per_runtime_max) askers.erase(askers.begin());
    return !fresh;
}

bool Askers::asks_elsewhere(const Asker& who, const Runtime& than) const {
    return std::ranges::any_of(
        of_, [&](const auto& of) { return of.first != &than && std::ranges::find(of.second, who) != of.second.end(); });
}

}  // namespace countersign
