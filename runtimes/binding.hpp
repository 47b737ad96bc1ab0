// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ports/runtime.hpp"
#include "core/result.hpp"

#include <string_view>

namespace countersign::runtimes {

// The last look before an answer leaves: is it about this call, as it is now? Hashes the call again; Errc::conflict
// when the decision was about another one (I9), Errc::unsupported when it comes with an edited input.
[[nodiscard]] Result<void> check_binding(const Ulid& id, std::string_view tool, std::string_view raw_input,
                                         const Verdict& verdict);

}  // namespace countersign::runtimes
