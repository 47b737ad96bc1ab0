// SPDX-License-Identifier: Apache-2.0
// `setup <kind>`: from a platform's credentials to the first tap, in this terminal.
#pragma once

#include "app/channels/registry.hpp"
#include "app/command_line/command.hpp"

namespace countersign::app::setup {

// Adds the command of an entry that has a set-up.
void add_dialogue(Command& setup, const ChannelEntry& entry);

}  // namespace countersign::app::setup
