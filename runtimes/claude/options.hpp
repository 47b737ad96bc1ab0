// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtimes/claude/translate.hpp"

#include <vector>

namespace countersign::runtimes::claude {

struct MadeOptions {
    std::vector<Option> shown;
    std::vector<RawOption> raw;
};
// Allow and deny, then what may last: the session's grant for exactly this call, and each suggestion of the CLI's that
// we can say in words. A suggestion that we do not understand to the last member is not offered, nor is a mode that
// ends all asking.
[[nodiscard]] MadeOptions options_of(const CanUseTool& call, const Context& context);

}  // namespace countersign::runtimes::claude
