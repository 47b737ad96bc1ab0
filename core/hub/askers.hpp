// SPDX-License-Identifier: Apache-2.0
// Askers: who has asked through each runtime that is still there, so that a name a person types is found between two
// calls as well. Entirely passive; it borrows the runtimes until they are gone.
//
// A server runtime has many sessions. Past sessions_per_runtime_max the one that asked least lately is forgotten until
// it asks again; what it has open is found by the request.
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
        std::vector<Asker> askers;  // the one that asked last at the end
    };
    void asked(Runtime& through, const Asker& who);
    void gone(const Runtime& through, const Asker& who);
    // Through another runtime than this one.
    [[nodiscard]] bool asks_elsewhere(const Asker& who, RuntimeId than) const;
    // Null if the runtime is gone, or nobody asked through it.
    [[nodiscard]] const std::vector<Asker>* of(RuntimeId runtime) const;
    [[nodiscard]] const std::map<RuntimeId, Through>& all() const { return by_runtime_; }

private:
    std::map<RuntimeId, Through> by_runtime_;
};

// Which of these askers are meant by `whom`, each once: by its session, or where all of its agent is meant, by the
// agent.
[[nodiscard]] std::set<Asker> meant(const std::vector<Asker>& askers, const std::vector<Asker>& whom);

}  // namespace countersign
