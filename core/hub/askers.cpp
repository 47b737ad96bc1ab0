// SPDX-License-Identifier: Apache-2.0
#include "core/hub/askers.hpp"

#include "core/limits.hpp"

namespace countersign {

bool Askers::asked(Runtime& through, const Asker& who) {
    const auto [found, fresh] = of_.try_emplace(&through);
    auto& askers = found->second;
    std::erase(askers, who);
    askers.push_back(who);
    if (askers.size() > limits::sessions_per_runtime_max) askers.erase(askers.begin());
    return !fresh;
}

}  // namespace countersign
