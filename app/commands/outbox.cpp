// SPDX-License-Identifier: Apache-2.0
// `outbox`: lists the messages that the running hub still has to send, and those it could not send.
#include "app/ask_hub.hpp"
#include "app/command_line/command.hpp"
#include "app/commands/audit/screen.hpp"
#include "app/commands/commands.hpp"
#include "app/outbox_listing.hpp"
#include "app/output.hpp"
#include "app/process.hpp"
#include "app/report.hpp"
#include "audit/print.hpp"
#include "core/json/write.hpp"
#include "core/limits.hpp"

#include <memory>

namespace countersign::app {
namespace {

struct OutboxOptions {
    std::string state;
    bool json = false;
};

Result<json::Value> listing_of(const std::string& state) {
    const auto answer = ask_hub(state, sidecar::Message{sidecar::ListOutbox{}}, limits::sidecar_join_max);
    if (!answer) return answer.error();
    const auto* listed = std::get_if<sidecar::OutboxListed>(&*answer);
    if (listed == nullptr) return Error{Errc::malformed, "the hub answered something else"};
    return listed->listing;
}

int show_outbox(const OutboxOptions& options) {
    const auto state = state_directory(options.state);
    if (!state) return report(state.error());
    const auto listing = listing_of(*state);
    if (!listing) return report(listing.error());
    if (options.json) {
        show("{}\n", audit::print_json(json::canonical(*listing)));
        return exit_holds;
    }
    const auto printed = printed_outbox(*listing, screen());
    if (!printed) return report(printed.error());
    show("{}", *printed);
    return exit_holds;
}

}  // namespace

void add_outbox(Command& program) {
    auto command = program.subcommand("outbox", "Show what the hub that runs has still to send, and what it gave up");
    auto options = std::make_shared<OutboxOptions>();
    command.option("--state", options->state, "The state directory (default: ~/.local/state/countersign)")
        .type_name("DIR");
    command.flag("--json", options->json, "One JSON object, for programs");
    command.footer(
        "Asks the hub over its local socket, so only the user who runs the hub may. No text of a message is shown.\n\n"
        "A line a chat that waits, whoever waits longest first: how many messages, how many of them are cards, how "
        "long the oldest waits, how often the next was tried, when it is tried next, and why it was not taken. A card "
        "waits until its request ends; two minutes after it was asked, or as soon as the platform says that it will "
        "take longer, the route's next step is asked too. Cards go first, then edits that take buttons away, then all "
        "else, and none of the three waits for ever.\n\n"
        "Below it, what was given up since the start: the chat is gone, the bot was blocked, or the time was over. "
        "Each card has a dead_letter record in the log, and of all else up to 60 a minute; /metrics counts them "
        "all.\n\n"
        "  countersign outbox\n"
        "  countersign outbox --json | jq '.channels[].waiting.approval'\n"
        "  countersign audit tail --json | jq 'select(.kind == \"dead_letter\")'");
    command.runs([options] { return show_outbox(*options); });
}

}  // namespace countersign::app
