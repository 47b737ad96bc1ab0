// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ports/runtime.hpp"
#include "core/result.hpp"

#include <string_view>

namespace countersign::runtimes {

// The last check before an answer is sent: is the decision about this very call? Hashes the call again; Errc::conflict
// if the decision was about another call (I9), Errc::unsupported if it includes an edited input.
[[nodiscard]] Result<void> check_binding(const Ulid& id, std::string_view tool, std::string_view raw_input,
                                         const Verdict& verdict);

}  // namespace countersign::runtimes
