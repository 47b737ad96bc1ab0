// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/option.hpp"
#include "runtimes/event/fields.hpp"
#include "runtimes/event/translate.hpp"

#include <vector>

namespace countersign::runtimes::event {

struct ReadOptions {
    std::vector<Option> shown;
    std::vector<RawOption> raw;
};
// Reads `event.options` and checks their bounds. Ids and labels must be unique.
[[nodiscard]] ReadOptions read_options(Fields& event);

}  // namespace countersign::runtimes::event
