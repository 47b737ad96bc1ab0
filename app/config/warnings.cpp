// SPDX-License-Identifier: Apache-2.0
#include "app/config/warnings.hpp"
#include "app/output.hpp"

#include "app/config/route_rules.hpp"

#include <fmt/format.h>

#include <unistd.h>

namespace countersign::app {

void print_warnings(const ResolvedGroups& resolved) {
    for (const auto& warning : resolved.warnings) tell("warning: {}\n", warning);
    if (const auto stranger = stranger_at_the_terminal(resolved.configuration, ::geteuid())) {
        tell("warning: {}\n", *stranger);
    }
}

}  // namespace countersign::app
