// SPDX-License-Identifier: Apache-2.0
// `setup`: connects a chat platform. Each dialogue is its platform's own.
#include "app/channels/registry.hpp"
#include "app/command_line/command.hpp"
#include "app/commands/commands.hpp"

namespace countersign::app {

void add_setup(Command& program) {
    auto command = program.subcommand("setup", "Connect a chat platform, step by step");
    command.needs_subcommand();
    command.footer("Example: " + setup_example());
    for (const auto& entry : channel_registry()) {
        if (entry.add_setup != nullptr) entry.add_setup(command);
    }
}

}  // namespace countersign::app
