// SPDX-License-Identifier: Apache-2.0
// `hook claude`: its options, and which of its three tasks they ask for.
#include "app/command_line/command.hpp"
#include "app/commands/hook_claude.hpp"
#include "app/report.hpp"
#include "app/runtimes/registry.hpp"

#include <memory>

namespace countersign::app {
namespace {

constexpr std::uint64_t sub_agent_wait_max = 86'400;

std::string is_wait(const std::string& text) {
    const bool digits = !text.empty() && text.size() <= 5 && text.find_first_not_of("0123456789") == std::string::npos;
    if (digits && std::stoull(text) <= sub_agent_wait_max) return {};
    return "give 0 to 86400 seconds";
}

int run(const ClaudeHookOptions& options, const HookInstallOptions& installing) {
    if (installing.install) return install_claude_hook(options, installing);
    if (installing.uninstall) return uninstall_claude_hook(installing);
    if (installing.print || installing.project || !installing.settings.empty()) {
        return usage_error("--settings, --project and --print need --install or --uninstall");
    }
    return run_claude_hook(options);
}

}  // namespace

void add_hook_claude(Command& hook) {
    auto command = hook.subcommand("claude", "The Claude Code session that you run yourself: its dialog and your "
                                             "phone ask at the same time, and the first answer wins");
    auto options = std::make_shared<ClaudeHookOptions>();
    auto installing = std::make_shared<HookInstallOptions>();
    const auto install = command.flag("--install", installing->install,
                                      "Add the hook, with the other options given, to the settings of Claude Code");
    command.flag("--uninstall", installing->uninstall, "Remove what --install added").excludes(install);
    command
        .option("--settings", installing->settings,
                "The settings to change (default: ~/.claude/settings.json, or where CLAUDE_CONFIG_DIR says)")
        .type_name("FILE");
    command.flag("--project", installing->project, "Change .claude/settings.json in this directory, for its project");
    command.flag("--print", installing->print, "Print the changed settings instead of writing them");
    command.flag("--default-mode", installing->default_mode,
                 "With --install: start sessions in the mode that asks, not in \"auto\"");
    command.option("--agent", options->agent_id, "The agent's name in routes and records").shows_default();
    command.option("--state", options->state, "The state directory (default: ~/.local/state/countersign)")
        .type_name("DIR");
    command.option("--config", options->config,
                   "The configuration (default: ~/.config/countersign/countersign.toml, then /etc/countersign/…)");
    command.flag("--ask-everything", options->ask_everything,
                 "Have every call asked, reads included: --install adds the rule, and grants and policy rules may "
                 "answer");
    command.flag("--unattended", options->unattended,
                 "No one is at the terminal: deny what no one decides, and with --install also if the hook fails");
    command
        .option("--sub-agent-wait", options->sub_agent_wait,
                "Seconds that a sub-agent's call waits here before the terminal may ask")
        .check(is_wait)
        .type_name("SECONDS")
        .shows_default();
    command.footer("Claude Code starts it for each event and gives it the event on standard input. Standard output has "
                   "the decision, or nothing: then the terminal's dialog decides, also if no hub runs.\n\n"
                   "Example: countersign hook claude --install --default-mode && countersign serve\n"
                   "and in another shell: claude\n"
                   "docs/runtimes/claude.md says what is asked and what is not.");
    command.runs([options, installing] { return run(*options, *installing); });
}

}  // namespace countersign::app
