// SPDX-License-Identifier: Apache-2.0
// `hook`: puts Countersign next to the dialogs of a session that people run themselves.
#include "app/command_line/command.hpp"
#include "app/commands/commands.hpp"
#include "app/runtimes/registry.hpp"

namespace countersign::app {

void add_hook(Command& program) {
    auto hook = program.subcommand("hook", "Ask your phone as well in a session that you run yourself");
    hook.needs_subcommand();
    for (const auto& entry : runtime_registry()) {
        if (entry.add_hook == nullptr) continue;
        hook.footer("Example: countersign hook " + std::string{entry.name} + " --install --print");
        entry.add_hook(hook);
    }
}

}  // namespace countersign::app
