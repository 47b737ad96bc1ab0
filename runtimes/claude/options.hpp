// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtimes/claude/translate.hpp"

#include <vector>

namespace countersign::runtimes::claude {

struct MadeOptions {
    std::vector<Option> shown;
    std::vector<RawOption> raw;
};
// Allow and deny, then the lasting options: the session grant for exactly this call, and each of the CLI's suggestions
// that we can put into words. A suggestion is not offered if we do not understand all of its members, or if its mode
// would end all asking.
[[nodiscard]] MadeOptions options_of(const CanUseTool& call, const Context& context);

}  // namespace countersign::runtimes::claude
