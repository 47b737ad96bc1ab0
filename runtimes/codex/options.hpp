// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtimes/codex/subject.hpp"
#include "runtimes/codex/translate.hpp"

#include <vector>

namespace countersign::runtimes::codex {

struct MadeOptions {
    std::vector<Option> shown;
    std::vector<RawOption> raw;
};
// Codex's own decisions that we can put into words, its decline, and the session grant for exactly this call. A lasting
// decision is not offered if a person must answer each time.
[[nodiscard]] MadeOptions options_of(const Ask& ask, const ReadSubject& subject, const Context& context);

}  // namespace countersign::runtimes::codex
