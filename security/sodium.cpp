// SPDX-License-Identifier: Apache-2.0
#include "security/sodium.hpp"

#include <cstdlib>
#include <sodium.h>

namespace countersign::security {

void sodium_ready() {
    static const bool ready = sodium_init() >= 0;
    if (!ready) std::abort();
}

}  // namespace countersign::security
