// SPDX-License-Identifier: Apache-2.0
// `halt` and `resume`: stop an agent or a session of the hub that runs, or let it go on, without a chat.
#include "app/command_line/command.hpp"
#include "app/commands/commands.hpp"
#include "app/output.hpp"
#include "app/process.hpp"
#include "app/report.hpp"
#include "app/sidecar/question.hpp"
#include "core/limits.hpp"
#include "security/display.hpp"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <unistd.h>

namespace countersign::app {
namespace {

// As long as an agent may take that does not listen, and a little.
constexpr auto answer_max = limits::sidecar_verdict_max + 3 * limits::agent_write_max + limits::sidecar_join_max;

// An agent's own shell has no terminal: it must not let itself go on by mistake. It is no defence against one that
// attacks; docs/THREAT_MODEL.md says which is.
Result<void> somebody_is_there(bool resume) {
    if (!resume || has_controlling_terminal()) return {};
    return Error{Errc::not_authorised, "resume is typed at a terminal, by a person"};
}

std::string next_step(Errc failed, bool resume) {
    if (failed != Errc::not_authorised) return {};
    return fmt::format("; {} it in the chat, or give a person who may \"terminal = {}\" and reload",
                       resume ? "/resume" : "/halt", ::geteuid());
}

int give_order(bool resume, const std::string& target, const std::string& given) {
    if (const auto there = somebody_is_there(resume); !there) return report(there.error());
    const auto state = state_directory(given);
    if (!state) return report(state.error());
    const auto answer =
        sidecar::ask_hub(*state, sidecar::Message{sidecar::GiveOrder{.resume = resume, .target = target}}, answer_max);
    if (!answer) return report(answer.error());
    const auto* carried = std::get_if<sidecar::OrderCarried>(&*answer);
    if (carried == nullptr) return report({Errc::malformed, "the hub answered something else"});
    if (carried->failed) return report({*carried->failed, carried->detail + next_step(*carried->failed, resume)});
    show("{}\n", security::display(carried->said, security::DisplayMode::block));
    return exit_holds;
}

constexpr auto who_halts = "You are terminal:UID to the hub: whoever may refuse something of the agent may halt it. It "
                           "stays halted until resume, also after a restart of the hub.";
constexpr auto who_resumes = "You are terminal:UID to the hub: a resume needs what an allow needs, and is typed at a "
                             "terminal. What was refused meanwhile stays refused.";

void add_order(Command command, bool resume) {
    struct Given {
        std::string target;
        std::string state;
    };
    auto given = std::make_shared<Given>();
    command.option("NAME", given->target, "The agent's or the session's name, as it stands on each card").required();
    command.option("--state", given->state, "The state directory (default: ~/.local/state/countersign)");
    command.footer(resume ? who_resumes : who_halts);
    command.runs([given, resume] { return give_order(resume, given->target, given->state); });
}

}  // namespace

void add_halt(Command& program) {
    add_order(program.subcommand("halt", "Stop an agent or a session of the hub that runs: refuse what is open, and "
                                         "whatever it asks until resume"),
              false);
}

void add_resume(Command& program) {
    add_order(program.subcommand("resume", "Let an agent or a session go on that was halted"), true);
}

}  // namespace countersign::app
