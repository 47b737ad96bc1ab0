// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtimes/acp/subject.hpp"
#include "runtimes/acp/translate.hpp"

#include <vector>

namespace countersign::runtimes::acp {

struct MadeOptions {
    std::vector<Option> shown;
    std::vector<RawOption> raw;
};
// The agent's own options by their optionId, and the session grant for exactly this call. The labels are ours, because
// the agent must not name an allow "Deny"; its own names follow as details. Errc::malformed or too_large if the options
// cannot be told apart or are too many. An option that would end the asking is left out, and so is a lasting one if a
// person must answer each time.
[[nodiscard]] Result<MadeOptions> options_of(const Ask& ask, const ReadSubject& subject, const Context& context);

}  // namespace countersign::runtimes::acp
