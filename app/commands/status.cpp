// SPDX-License-Identifier: Apache-2.0
// `status`, `pending` and `grants`: print what the running hub does, what waits for people, and which grants are valid.
#include "app/ask_hub.hpp"
#include "app/command_line/command.hpp"
#include "app/commands/audit/screen.hpp"
#include "app/commands/audit/zone.hpp"
#include "app/commands/commands.hpp"
#include "app/hub_listing.hpp"
#include "app/output.hpp"
#include "app/process.hpp"
#include "app/report.hpp"
#include "audit/print.hpp"
#include "core/json/fields.hpp"
#include "core/json/write.hpp"
#include "core/limits.hpp"

#include <filesystem>
#include <memory>

namespace countersign::app {
namespace {

struct Given {
    std::string state;
    bool json = false;
    bool utc = false;
};

Result<json::Value> listing_of(const std::string& what, const Given& given) {
    const auto state = state_directory(given.state);
    if (!state) return state.error();
    const auto answer = ask_hub(*state, sidecar::Message{sidecar::ListHub{what}}, limits::sidecar_join_max);
    if (!answer) return answer.error();
    const auto* listed = std::get_if<sidecar::HubListed>(&*answer);
    if (listed == nullptr) return Error{Errc::malformed, "the hub answered something else"};
    return listed->listing;
}

// The size of all files of the log. Unreadable files are skipped: the hub itself reports whether it is healthy.
std::uint64_t bytes_in(const std::string& directory) {
    namespace fs = std::filesystem;
    std::uint64_t bytes = 0;
    std::error_code failed;
    for (fs::recursive_directory_iterator at{directory, failed}, end; !failed && at != end; at.increment(failed)) {
        std::error_code ignored;
        if (at->is_regular_file(ignored)) bytes += at->file_size(ignored);
    }
    return bytes;
}

std::string log_directory_of(const json::Value& listing) {
    json::Fields fields{listing};
    json::Fields log{fields.value("log")};
    return log.text("directory");
}

int print(const Result<std::string>& text) {
    if (!text) return report(text.error());
    show("{}", *text);
    return exit_holds;
}

int print_json(const json::Value& listing) {
    show("{}\n", audit::print_json(json::canonical(listing)));
    return exit_holds;
}

int show_status(const Given& given) {
    const auto listing = listing_of("status", given);
    if (!listing) return report(listing.error());
    const auto bytes = bytes_in(log_directory_of(*listing));
    auto all = *listing->object();
    all.add("logBytes", bytes);
    const auto code =
        given.json ? print_json(all) : print(printed_status(*listing, bytes, screen(), zone_of(given.utc)));
    json::Fields fields{*listing};
    return code == exit_holds && !fields.truth("ready") ? exit_does_not_hold : code;
}

int show_pending(const Given& given) {
    const auto listing = listing_of("pending", given);
    if (!listing) return report(listing.error());
    return given.json ? print_json(*listing) : print(printed_pending(*listing, screen()));
}

int show_grants(const Given& given) {
    const auto listing = listing_of("grants", given);
    if (!listing) return report(listing.error());
    return given.json ? print_json(*listing) : print(printed_grants(*listing, screen(), zone_of(given.utc)));
}

enum class Times { none, shown };
void add(Command command, Times times, const std::string& footer, int (*run)(const Given&)) {
    auto given = std::make_shared<Given>();
    command.option("--state", given->state, "The state directory (default: ~/.local/state/countersign)")
        .type_name("DIR");
    command.flag("--json", given->json, "One JSON object, for programs");
    if (times == Times::shown) add_utc_option(command, given->utc);
    command.footer(footer);
    command.runs([given, run] { return run(*given); });
}

}  // namespace

void add_status(Command& program) {
    add(program.subcommand("status", "Show whether the hub runs and is ready, and what it is doing"), Times::shown,
        "It asks the hub over its local socket, so only the user who runs the hub can use it.\n\n"
        "Exit code 0 if the hub runs and is ready, 1 if it is not ready or no hub runs.\n\n"
        "Example: countersign status --json | jq .ready",
        show_status);
}

void add_pending(Command& program) {
    add(program.subcommand("pending", "List the requests that wait for a decision"), Times::none,
        "Oldest first: id, age, agent, risk, the channels that show it, and the call in one line. countersign audit "
        "show ID prints everything about one of them.\n\n"
        "Example: countersign pending --json | jq '.requests[].summary'",
        show_pending);
}

void add_grants(Command& program) {
    add(program.subcommand("grants", "List the standing permissions (grants)"), Times::shown,
        "A grant covers exactly one call: the same agent, runtime, tool, arguments and directory. /revoke in the chat "
        "takes one back; countersign halt takes back all grants of an agent.\n\n"
        "Example: countersign grants --json | jq '.grants[].until'",
        show_grants);
}

}  // namespace countersign::app
