// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace countersign::security {

// Call before using libsodium. Repeated calls are cheap and safe from any thread. Aborts the process if the library
// can't start, because then it has no randomness and no guarded memory.
void sodium_ready();

}  // namespace countersign::security
