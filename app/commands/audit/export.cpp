// SPDX-License-Identifier: Apache-2.0
// `audit export`: exports the log for another program.
#include "audit/export.hpp"
#include "app/commands/audit/audit.hpp"
#include "app/commands/audit/given_key.hpp"
#include "app/commands/audit/progress_bar.hpp"
#include "app/commands/audit/reviewing.hpp"
#include "app/commands/audit/screen.hpp"
#include "app/output.hpp"
#include "app/report.hpp"
#include "audit/long_text.hpp"
#include "audit/print.hpp"
#include "audit/review/csv.hpp"
#include "audit/review/row.hpp"
#include "security/display/display.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>

namespace countersign::app {
namespace {

namespace review = audit::review;

struct ExportOptions {
    ReviewOptions review;
    bool csv = false;
    bool jsonl = false;
    std::string tiles;
    std::string texts;
    GivenKey key;
};

// Exports the long texts of the exported records, each under the name in its record and checked against it. An invalid
// one is reported at the end and does not stop the export.
class LongTexts {
public:
    LongTexts(const std::string& directory, const std::string& target) : directory_{directory}, target_{target} {}

    [[nodiscard]] Result<void> begin() const {
        if (target_.empty()) return {};
        return audit::posix_file_system().make_directory(target_);
    }
    void take(const audit::Record& record) {
        const std::string hash{record.text("textFile")};
        if (hash.empty()) return;
        ++count_;
        if (target_.empty()) return;
        auto& files = audit::posix_file_system();
        const auto text = audit::read_long_text(files, directory_, record.seq, hash);
        const auto put = text ? audit::replace(files, target_, hash, *text) : Result<void>{text.error()};
        if (put) return;
        ++wrong_;
        if (!first_) first_ = put.error();
    }
    // The exit code for an export whose code so far is this one.
    [[nodiscard]] int finish(int exit_code) const {
        if (target_.empty() && count_ > 0) {
            tell("{} of these {} a text too long for a record; --texts DIR writes {} too\n", grouped(count_),
                 count_ == 1 ? "has" : "have", count_ == 1 ? "it" : "them");
        }
        if (!first_) return exit_code;
        return audit_failed(
            {first_->code, first_->detail + (wrong_ == 1 ? "" : fmt::format(", and {} more", wrong_ - 1))});
    }

private:
    const std::string& directory_;
    const std::string& target_;
    std::uint64_t count_ = 0;
    std::uint64_t wrong_ = 0;
    std::optional<Error> first_;
};

int export_csv(const ExportOptions& options, const review::Filter& filter) {
    const auto directory = existing_log(options.review.state);
    if (!directory) return audit_failed(directory.error());
    auto log = open_review(options.review);
    if (!log) return audit_failed(log.error());
    LongTexts texts{*directory, options.texts};
    if (const auto begun = texts.begin(); !begun) return audit_failed(begun.error());
    if (!print_out(review::csv_line(review::csv_titles()))) return exit_holds;
    const auto found = log->each(filter, 0, [&](const review::Account& account) {
        for (const auto& record : account.records) texts.take(record);
        return print_out(review::csv_line(review::csv_cells(row_of(account))));
    });
    write_to(stdout, "");
    if (!found) return audit_failed(found.error());
    return texts.finish(reviewed(*log, options.review));
}

bool at_that_time(const audit::Record& record, const review::Filter& filter) {
    const auto time = wall_time_of(record.text("ts"));
    return time && (!filter.since || *time >= *filter.since) && (!filter.until || *time < *filter.until);
}

// Prints the bytes of each leaf, so that they can be hashed; on a terminal, escapes keep them from moving the cursor.
int export_records(const ExportOptions& options, const review::Filter& filter) {
    const auto directory = existing_log(options.review.state);
    if (!directory) return audit_failed(directory.error());
    const bool terminal = screen().terminal();
    bool read = true;
    LongTexts texts{*directory, options.texts};
    if (const auto begun = texts.begin(); !begun) return audit_failed(begun.error());
    review::LogReader log{audit::posix_file_system(), *directory};
    review::LogReader::Position from;
    ProgressBar progress{ProgressBar::Output::meanwhile};
    const auto take = [&](const audit::BatchRecord& one, std::uint64_t) {
        if (!read || !at_that_time(one.record, filter)) return;
        const auto json = terminal ? audit::print_json(one.json) : std::string{one.json};
        read = print_out(json + "\n");
        texts.take(one.record);
    };
    const auto walked = log.walk(from, {.record = take, .progress = progress.watch()});
    progress.clear();
    write_to(stdout, "");
    if (!walked) return audit_failed(walked.error());
    const auto& damage = log.damage();
    if (!damage) return texts.finish(exit_holds);
    return texts.finish(audit_failed({Errc::damaged, *damage + "; run `countersign audit verify`"}));
}

int export_tiles(const ExportOptions& options) {
    const auto directory = existing_log(options.review.state);
    if (!directory) return audit_failed(directory.error());
    const auto key = options.key.or_own(*directory);
    if (!key) return audit_failed(key.error());
    ProgressBar progress;
    const auto exported = audit::export_tiles({.files = audit::posix_file_system(),
                                               .directory = *directory,
                                               .key = *key,
                                               .target = options.tiles,
                                               .progress = progress.watch()});
    progress.clear();
    if (!exported) return audit_failed(exported.error());
    show("{} of {} as {}{}\n", counted(exported->tree.size, "record"),
         security::display(key->name(), security::DisplayMode::line),
         counted(exported->tiles, "tile or bundle", "tiles and bundles"),
         exported->texts == 0 ? "" : ", and " + counted(exported->texts, "long text"));
    return exit_holds;
}

int audit_export(const ExportOptions& options) {
    const auto filter = filter_of(options.review, wall_now());
    if (!filter) return usage_error(filter.error().detail);
    const bool tiles = !options.tiles.empty();
    if (int{options.csv} + int{options.jsonl} + int{tiles} != 1) {
        return usage_error("write one of --csv, --jsonl and --tiles");
    }
    if (!tiles && options.key.given()) {
        return usage_error("--vkey goes with --tiles; run `audit verify --vkey` before a --csv or --jsonl");
    }
    if (tiles && (filter->since || filter->until)) {
        return usage_error("--tiles holds the whole log: leave out --since and --until");
    }
    if (tiles && !options.texts.empty()) {
        return usage_error("--tiles has the long texts in its directory: leave out --texts");
    }
    if (tiles) return export_tiles(options);
    return options.csv ? export_csv(options, *filter) : export_records(options, *filter);
}

}  // namespace

void add_audit_export(Command& audit) {
    auto command = audit.subcommand("export", "Export the log for other programs");
    auto options = std::make_shared<ExportOptions>();
    add_log_options(command, options->review);
    command.flag("--csv", options->csv, "One row per request, for a spreadsheet (RFC 4180)");
    command.flag("--jsonl", options->jsonl, "The records themselves, one per line, exactly as they were hashed");
    command.option("--since", options->review.since, "Only records from this time on: 24h, 30d, 2026-11-01, RFC 3339")
        .type_name("TIME");
    command.option("--until", options->review.until, "Only records before this time").type_name("TIME");
    command
        .option(
            "--tiles", options->tiles,
            "Write the log as c2sp.org/tlog-tiles to this directory, to serve, mirror or check it. The directory is "
            "new, empty or has an earlier export. Texts too long for their records go to its text/")
        .type_name("DIR");
    command
        .option("--texts", options->texts,
                "With --csv or --jsonl: write texts too long for their records there. Each file is named by its "
                "SHA-256, which the record has as textFile")
        .type_name("DIR");
    options->key.add_to(command);
    command.footer("A cell that a spreadsheet would run as a formula begins with an apostrophe.\n\n"
                   "  countersign audit export --tiles mirror\n"
                   "  countersign audit export --csv --since 30d > november.csv\n"
                   "  countersign audit export --jsonl --texts texts > records.jsonl");
    command.runs([options] { return audit_export(*options); });
}

}  // namespace countersign::app
