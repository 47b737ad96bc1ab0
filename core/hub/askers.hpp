// SPDX-License-Identifier: Apache-2.0
// Askers: who has asked through each runtime that is still there, so that a name a person types is found between two
// calls as well. Entirely passive.
//
// A server runtime has many sessions. Past sessions_per_runtime_max the one that asked least lately is forgotten until
// it asks again; what it has open is found by the request.
#pragma once

#include "core/asker.hpp"
#include "core/ports/runtime.hpp"

#include <map>
#include <vector>

namespace countersign {

class Askers {
public:
    // False: nobody asked through this runtime before.
    bool asked(Runtime& through, const Asker& who);
    void gone(Runtime& through) { of_.erase(&through); }
    // Through another runtime than this one.
    [[nodiscard]] bool asks_elsewhere(const Asker& who, const Runtime& than) const;
    [[nodiscard]] bool is_there(Runtime* runtime) const { return of_.contains(runtime); }
    // Of each runtime, with the one that asked last at the end.
    [[nodiscard]] const std::map<Runtime*, std::vector<Asker>>& all() const { return of_; }

private:
    std::map<Runtime*, std::vector<Asker>> of_;
};

}  // namespace countersign
