// SPDX-License-Identifier: Apache-2.0
// This test program's own resolver: no test queries a real one. "hangs.test" blocks until it is released, every other
// name is unknown.
#pragma once

namespace countersign::testing_tools {

// The number of lookups of hangs.test that are blocked now.
[[nodiscard]] int hanging_lookups();
// Releases them, and resolves at once from now on.
void release_lookups();

}  // namespace countersign::testing_tools
