// SPDX-License-Identifier: Apache-2.0
// `serve`: runs a hub without an agent. `reload`: tells the running hub to read its configuration again.
#include "app/ask_hub.hpp"
#include "app/command_line/command.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/run.hpp"
#include "app/output.hpp"
#include "app/process.hpp"
#include "app/report.hpp"
#include "app/runtimes/registry.hpp"
#include "core/limits.hpp"
#include "security/display/display.hpp"

#include <memory>

namespace countersign::app {
namespace {

// Slightly longer than the commands that fill groups may take.
constexpr auto answer_max = limits::group_command_max + limits::sidecar_join_max;

Result<void> reload(const std::string& state) {
    const auto answer = ask_hub(state, sidecar::Message{sidecar::Reload{}}, answer_max);
    if (!answer) return answer.error();
    const auto* reloaded = std::get_if<sidecar::Reloaded>(&*answer);
    if (reloaded == nullptr) return Error{Errc::malformed, "the hub answered something else"};
    if (reloaded->failed) return Error{*reloaded->failed, reloaded->detail};
    return {};
}

int reload_hub(const std::string& given) {
    const auto state = state_directory(given);
    if (!state) return report(state.error());
    const auto done = reload(*state);
    if (done) {
        show("Configuration reloaded.\n");
        return exit_holds;
    }
    if (done.error().code != Errc::bad_config) return report(done.error());
    tell("{}\nNothing changed.\n", security::display(done.error().detail, security::DisplayMode::block));
    return exit_does_not_hold;
}

}  // namespace

void add_serve(Command& program) {
    auto command = program.subcommand("serve", "Run only the hub; agents that `countersign run` starts later join it");
    auto options = std::make_shared<RunOptions>();
    options->access_log = true;
    command.option("--state", options->state, "The state directory (default: ~/.local/state/countersign)")
        .type_name("DIR");
    command.option("--config", options->config,
                   "The configuration (default: ~/.config/countersign/countersign.toml, then /etc/countersign/…)");
    command.flag("--plain", options->plain, "Numbered choices and whole lines, for pipes and screen readers");
    command.footer(
        "Without a terminal, e.g. as a service, SIGHUP has the same effect as countersign reload. Such a hub can't "
        "have a terminal channel.\n\n"
        "Example: countersign serve --config /etc/countersign/countersign.toml\n"
        "and in another shell: countersign run " +
        example_runtime() + " --prompt 'make the tests pass'");
    command.runs([options] { return serve(*options); });
}

void add_reload(Command& program) {
    auto command =
        program.subcommand("reload", "Make the hub read its configuration, secrets and certificate again; if "
                                     "anything is invalid, nothing changes");
    auto state = std::make_shared<std::string>();
    command.option("--state", *state, "The state directory (default: ~/.local/state/countersign)").type_name("DIR");
    command.footer("Example: countersign check config && countersign reload");
    command.runs([state] { return reload_hub(*state); });
}

}  // namespace countersign::app
