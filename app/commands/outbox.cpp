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
    auto command = program.subcommand("outbox", "List the messages that the hub has yet to send, and those it gave up");
    auto options = std::make_shared<OutboxOptions>();
    command.option("--state", options->state, "The state directory (default: ~/.local/state/countersign)")
        .type_name("DIR");
    command.flag("--json", options->json, "One JSON object, for programs");
    command.footer(
        "It asks the hub over its local socket, so only the user who runs the hub can use it. It never shows the text "
        "of a message.\n\n"
        "There is one line for each chat with waiting messages, the longest wait first: the number of messages, how "
        "many of them are cards, how long the oldest has waited, how often the next was tried, when it will be tried "
        "again, and why the platform refused it. A card waits until its request ends. If a card hasn't been delivered "
        "after two minutes, or the platform says that it will take longer, the route's next step is asked too. Cards "
        "are sent first, then edits that remove buttons, then everything else.\n\n"
        "Then come the messages that were given up since the hub started, because the chat is gone, the bot was "
        "blocked, or the time was over. The log has a dead_letter record for each card, and for up to 60 other "
        "messages a minute; /metrics counts all of them.\n\n"
        "  countersign outbox\n"
        "  countersign outbox --json | jq '.channels[].waiting.approval'\n"
        "  countersign audit tail --json | jq 'select(.kind == \"dead_letter\")'");
    command.runs([options] { return show_outbox(*options); });
}

}  // namespace countersign::app
