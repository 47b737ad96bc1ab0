// SPDX-License-Identifier: Apache-2.0
// `setup`: connects a chat platform.
#include "app/channels/registry.hpp"
#include "app/command_line/command.hpp"
#include "app/commands/commands.hpp"
#include "app/setup/dialogue.hpp"

namespace countersign::app {

void add_setup(Command& program) {
    auto command = program.subcommand("setup", "Connect a chat platform, step by step");
    command.needs_subcommand();
    command.footer("Example: " + setup_example());
    for (const auto& entry : channel_registry()) {
        if (entry.setup != nullptr) setup::add_dialogue(command, entry);
    }
}

}  // namespace countersign::app
