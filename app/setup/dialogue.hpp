// SPDX-License-Identifier: Apache-2.0
// `setup <kind>`: the dialogue from a platform's credentials to the first tap, in this terminal.
#pragma once

#include "app/channels/registry.hpp"
#include "app/command_line/command.hpp"

namespace countersign::app::setup {

// Adds the command for a registry entry that has a setup.
void add_dialogue(Command& setup, const ChannelEntry& entry);

}  // namespace countersign::app::setup
