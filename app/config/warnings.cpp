// SPDX-License-Identifier: Apache-2.0
#include "app/config/warnings.hpp"

#include "app/config/route_rules.hpp"

#include <fmt/format.h>

#include <unistd.h>

namespace countersign::app {

void print_warnings(const ResolvedGroups& resolved) {
    for (const auto& warning : resolved.warnings) fmt::print(stderr, "warning: {}\n", warning);
    if (const auto stranger = stranger_at_the_terminal(resolved.configuration, ::geteuid())) {
        fmt::print(stderr, "warning: {}\n", *stranger);
    }
}

}  // namespace countersign::app
