// SPDX-License-Identifier: Apache-2.0
// Askers: who has asked through each connected runtime, so that a name that a person types is also found between two
// calls. Entirely passive; it borrows the runtimes until they are gone.
//
// A server runtime has many sessions. Above sessions_per_runtime_max, the session whose last request is oldest is
// forgotten until it asks again; its open requests are still found through the request.
#pragma once

#include "core/asker.hpp"
#include "core/ports/runtime.hpp"

#include <map>
#include <set>
#include <vector>

namespace countersign {

class Askers {
public:
    struct Through {
        Runtime* runtime = nullptr;
        std::vector<Asker> askers;  // the latest one is last
    };
    void asked(Runtime& through, const Asker& who);
    void gone(const Runtime& through, const Asker& who);
    // True if it also asks through a runtime other than `than`.
    [[nodiscard]] bool asks_elsewhere(const Asker& who, RuntimeId than) const;
    // Null if the runtime is gone or no agent has asked through it.
    [[nodiscard]] const std::vector<Asker>* of(RuntimeId runtime) const;
    [[nodiscard]] const std::map<RuntimeId, Through>& all() const { return by_runtime_; }

private:
    std::map<RuntimeId, Through> by_runtime_;
};

// The askers that `whom` covers, without duplicates: the session if a session is meant, the agent if a whole agent is
// meant.
[[nodiscard]] std::set<Asker> meant(const std::vector<Asker>& askers, const std::vector<Asker>& whom);

}  // namespace countersign
