// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/config/group_command.hpp"

namespace countersign::app {

// Says on standard error what holds and yet will disappoint: too few people, nobody who could use this terminal.
void print_warnings(const ResolvedGroups& resolved);

}  // namespace countersign::app
