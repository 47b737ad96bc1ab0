// SPDX-License-Identifier: Apache-2.0
// `audit export`: the log for another program.
#include "audit/export.hpp"
#include "app/commands/audit/audit.hpp"
#include "app/commands/audit/given_key.hpp"
#include "app/commands/audit/reviewing.hpp"
#include "app/commands/audit/screen.hpp"
#include "app/output.hpp"
#include "app/process.hpp"
#include "audit/print.hpp"
#include "audit/review/csv.hpp"
#include "audit/review/row.hpp"

#include <memory>

namespace countersign::app {
namespace {

namespace review = audit::review;

struct ExportOptions {
    ReviewOptions review;
    bool csv = false;
    bool jsonl = false;
    std::string tiles;
    GivenKey key;
};

int export_csv(const ExportOptions& options, const review::Filter& filter) {
    auto log = open_review(options.review);
    if (!log) return audit_failed(log.error());
    if (!print_out(review::csv_line(review::csv_titles()))) return exit_holds;
    const auto found = log->each(filter, 0, [](const review::Account& account) {
        return print_out(review::csv_line(review::csv_cells(row_of(account))));
    });
    write_to(stdout, "");
    if (!found) return audit_failed(found.error());
    return reviewed(*log);
}

bool at_that_time(const audit::Record& record, const review::Filter& filter) {
    const auto time = wall_time_of(record.text("ts"));
    return time && (!filter.since || *time >= *filter.since) && (!filter.until || *time < *filter.until);
}

// The bytes of each leaf, so that whoever has the file can hash them; on a terminal nothing may move the cursor.
int export_records(const ExportOptions& options, const review::Filter& filter) {
    const auto directory = existing_log(options.review.state);
    if (!directory) return audit_failed(directory.error());
    const bool terminal = screen().terminal();
    bool read = true;
    review::LogReader log{audit::posix_file_system(), *directory};
    review::LogReader::Position from;
    const auto walked = log.walk(from, {.record = [&](const audit::BatchRecord& one, std::uint64_t) {
                                     if (!read || !at_that_time(one.record, filter)) return;
                                     const auto json = terminal ? audit::print_json(one.json) : std::string{one.json};
                                     read = print_out(json + "\n");
                                 }});
    write_to(stdout, "");
    if (!walked) return audit_failed(walked.error());
    const auto& damage = log.damage();
    if (!damage) return exit_holds;
    return audit_failed({Errc::damaged, *damage + "; run `countersign audit verify`"});
}

int export_tiles(const ExportOptions& options) {
    const auto directory = existing_log(options.review.state);
    if (!directory) return audit_failed(directory.error());
    const auto key = options.key.or_own(*directory);
    if (!key) return audit_failed(key.error());
    const auto exported = audit::export_tiles(
        {.files = audit::posix_file_system(), .directory = *directory, .key = *key, .target = options.tiles});
    if (!exported) return audit_failed(exported.error());
    show("{} records of {} as {} tiles and bundles\n", exported->tree.size, key->name(), exported->tiles);
    return exit_holds;
}

int audit_export(const ExportOptions& options) {
    const auto filter = filter_of(options.review, wall_now());
    if (!filter) return usage_error(filter.error());
    const bool tiles = !options.tiles.empty();
    if (int{options.csv} + int{options.jsonl} + int{tiles} != 1) {
        return usage_error({Errc::bad_config, "write one of --csv, --jsonl and --tiles"});
    }
    if (tiles && (filter->since || filter->until)) {
        return usage_error({Errc::bad_config, "--tiles holds the whole log: leave out --since and --until"});
    }
    if (tiles) return export_tiles(options);
    return options.csv ? export_csv(options, *filter) : export_records(options, *filter);
}

}  // namespace

void add_audit_export(CLI::App& audit, int& exit_code) {
    auto* command = audit.add_subcommand("export", "Write the log out for another program");
    auto options = std::make_shared<ExportOptions>();
    add_log_options(*command, options->review);
    command->add_flag("--csv", options->csv, "One row a request, for a spreadsheet (RFC 4180)");
    command->add_flag("--jsonl", options->jsonl,
                      "The records themselves, one a line, byte for byte as they were hashed");
    command->add_option("--since", options->review.since, "From then on: 24h, 30d, 2026-11-01, RFC 3339")
        ->type_name("TIME");
    command->add_option("--until", options->review.until, "Before then")->type_name("TIME");
    command
        ->add_option("--tiles", options->tiles,
                     "The log as c2sp.org/tlog-tiles, for whoever serves, mirrors or checks it, in this directory: a\n"
                     "new or empty one, or an earlier export")
        ->type_name("DIR");
    options->key.add_to(*command);
    command->footer("A cell that a spreadsheet would run as a formula begins with an apostrophe.\n\n"
                    "  countersign audit export --tiles mirror\n"
                    "  countersign audit export --csv --since 30d > november.csv\n"
                    "  countersign audit export --jsonl > records.jsonl");
    command->callback([&exit_code, options] { exit_code = audit_export(*options); });
}

}  // namespace countersign::app
