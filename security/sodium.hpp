// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace countersign::security {

// Before the first use of libsodium: cheap to call again, safe from any thread. Ends the process if the library cannot
// start, because it then has no randomness and no guarded memory.
void sodium_ready();

}  // namespace countersign::security
