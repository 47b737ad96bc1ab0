// SPDX-License-Identifier: Apache-2.0
// `audit list`: prints requests, one per line.
#include "app/commands/audit/audit.hpp"
#include "app/commands/audit/request_table.hpp"
#include "app/commands/audit/reviewing.hpp"
#include "app/commands/audit/zone.hpp"
#include "app/output.hpp"
#include "app/report.hpp"
#include "audit/print.hpp"
#include "audit/review/csv.hpp"
#include "core/json/write.hpp"

#include <memory>

namespace countersign::app {
namespace {

namespace review = audit::review;

struct ListOptions {
    ReviewOptions review;
    std::uint64_t newest = 50;
    bool json = false;
    bool csv = false;
};

std::function<bool(const review::Account&)> printer(const ListOptions& options, RequestTable& table) {
    if (options.json) {
        return [](const review::Account& account) {
            return print_out(audit::print_json(json::canonical(json_of(row_of(account)))) + "\n");
        };
    }
    if (options.csv)
        return [](const review::Account& account) { return print_out(review::csv_line(csv_cells(row_of(account)))); };
    return [&table](const review::Account& account) { return table.add(row_of(account)); };
}

// On standard error, so that programs can ignore it.
void tell_the_rest(const review::Review::Found& found, std::size_t all) {
    if (found.fitting == 0) return tell("nothing found among {}\n", counted(all, "request"));
    if (found.given == found.fitting) return;
    tell("the newest {} of {}; -n 0 prints all\n", grouped(found.given), grouped(found.fitting));
}

int audit_list(const ListOptions& options) {
    const auto filter = filter_of(options.review, wall_now());
    if (!filter) return usage_error(filter.error().detail);
    auto opened = open_review(options.review);
    if (!opened) return audit_failed(opened.error());
    if (options.csv && !print_out(review::csv_line(review::csv_titles()))) return exit_holds;
    RequestTable table{screen(), zone_of(options.review.utc)};
    const auto found = opened->each(*filter, options.newest, printer(options, table));
    if (!table.finish()) return exit_holds;
    write_to(stdout, "");
    if (!found) return audit_failed(found.error());
    tell_the_rest(*found, opened->catalogue().lives().size());
    return reviewed(*opened, options.review);
}

}  // namespace

void add_audit_list(Command& audit) {
    auto list = audit.subcommand("list", "List requests, one per line, newest last");
    auto options = std::make_shared<ListOptions>();
    add_log_options(list, options->review);
    add_scope_options(list, options->review);
    add_request_options(list, options->review);
    list.option("-n,--newest", options->newest, "How many requests; 0 for all").shows_default().check(whole_number);
    const auto json = list.flag("--json", options->json, "One JSON object per request");
    list.flag("--csv", options->csv, "A table for a spreadsheet (RFC 4180)").excludes(json);
    list.footer("Outcomes: open, allowed, denied, answered, cancelled, expired, withdrawn, undeliverable, lost, "
                "unlogged, indeterminate. Times are in this machine's time zone; --json and --csv are always in UTC. "
                "The log is "
                "verified, and the exit code is 1 if it isn't valid.\n\n"
                "  countersign audit list --since 24h --outcome denied\n"
                "  countersign audit list --agent 'prod-*' --tool Bash --person alice -n 0\n"
                "  countersign audit list --since 2026-11-01 --json | jq -r .summary\n"
                "  countersign audit show 3F9K2M             an id from the last column");
    list.runs([options] { return audit_list(*options); });
}

}  // namespace countersign::app
