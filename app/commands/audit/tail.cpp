// SPDX-License-Identifier: Apache-2.0
// `audit tail`: prints the last records, and new ones as they come.
#include "app/commands/audit/audit.hpp"
#include "app/commands/audit/screen.hpp"
#include "app/commands/audit/zone.hpp"
#include "app/report.hpp"
#include "audit/follower.hpp"
#include "audit/print.hpp"
#include "core/limits.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <thread>

namespace countersign::app {
namespace {

struct TailOptions {
    std::string state;
    std::uint64_t records = 20;
    std::optional<std::uint64_t> after;
    bool follow = false;
    bool json = false;
    bool utc = false;
};

// On a terminal, long lines continue below the kind, wrapped at spaces.
std::string line_of(const audit::TailRecord& entry, const TailOptions& options, const Screen& where) {
    if (options.json) return audit::print_json(entry.json) + "\n";
    const auto line = print_in(zone_of(options.utc), entry.record);
    const auto time = line.find("  ");
    const auto kind = time == std::string::npos ? time : line.find("  ", time + 2);
    if (!where.terminal() || kind == std::string::npos) return line + "\n";
    return hanging(where, line.substr(0, kind + 2), line.substr(kind + 2));
}

// False if the reader has closed the output.
bool print_all(const std::vector<audit::TailRecord>& records, const TailOptions& options) {
    const auto where = screen();
    for (const auto& entry : records) {
        const auto line = line_of(entry, options, where);
        if (std::fwrite(line.data(), 1, line.size(), stdout) != line.size()) return false;
    }
    return std::fflush(stdout) == 0;
}

// An error if --after is past the end and we don't follow: a reader that resumes must not believe that it is up to
// date.
std::optional<Error> beyond_the_end(const TailOptions& options, const audit::Follower& follower) {
    if (!options.after || options.follow) return std::nullopt;
    const auto newest = follower.newest();
    if (newest && *options.after <= *newest) return std::nullopt;
    return Error{Errc::unavailable, fmt::format("there is no record {} yet; {}", *options.after,
                                                newest ? fmt::format("the newest is {}", *newest) : "there is none")};
}

int audit_tail(const TailOptions& options) {
    const auto directory = existing_log(options.state);
    if (!directory) return audit_failed(directory.error());
    audit::Follower follower{audit::posix_file_system(), *directory};
    auto records = options.after ? follower.after(*options.after) : follower.last(options.records);
    if (!records) return audit_failed(records.error());
    if (const auto beyond = beyond_the_end(options, follower)) return audit_failed(*beyond);
    int exit_code = exit_holds;
    while (true) {
        const bool read = print_all(*records, options);
        if (follower.damage() && exit_code == exit_holds) {
            exit_code = audit_failed({Errc::damaged, *directory + "/" + *follower.damage() +
                                                         " cannot be read; run `countersign audit verify`"});
        }
        const bool more = options.follow || (options.after && !records->empty());
        if (!read || !more) return exit_code;
        if (records->empty()) std::this_thread::sleep_for(limits::audit_follow_interval);
        records = follower.next();
        if (!records) return audit_failed(records.error());
    }
}

}  // namespace

void add_audit_tail(Command& audit) {
    auto tail = audit.subcommand("tail", "Print the last records, one per line");
    auto options = std::make_shared<TailOptions>();
    add_state_option(tail, options->state);
    auto records = tail.option("-n,--records", options->records, "How many records");
    records.shows_default().check(whole_number);
    tail.option("--after", options->after, "Start after record SEQ")
        .check(whole_number)
        .type_name("SEQ")
        .excludes(records);
    tail.flag("-f,--follow", options->follow, "Keep printing new records");
    tail.flag("--json", options->json, "Print the records exactly as they are in the log");
    add_utc_option(tail, options->utc);
    tail.footer("A program that collects records keeps the seq of the last one it has stored, and continues after it:\n"
                "  countersign audit tail -f --json --after 41250\n"
                "Each record is printed once, in order, as one line, after it was signed and written to disk.");
    tail.runs([options] { return audit_tail(*options); });
}

}  // namespace countersign::app
