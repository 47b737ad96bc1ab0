// SPDX-License-Identifier: Apache-2.0
#include "app/commands/audit/reviewing.hpp"

#include "app/commands/audit/audit.hpp"
#include "app/commands/audit/progress_bar.hpp"
#include "app/commands/audit/zone.hpp"
#include "app/invocation.hpp"
#include "app/process.hpp"
#include "app/report.hpp"
#include "audit/review/row.hpp"
#include "audit/review/when.hpp"
#include "audit/verifier.hpp"
#include "config/nearest.hpp"
#include "security/digest.hpp"
#include "security/encoding.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <malloc.h>
#include <memory>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>

namespace countersign::app {
namespace {

namespace review = audit::review;
namespace fs = std::filesystem;

// Uses the cache only if no other user could have written an index there.
bool ours_alone(const std::string& directory) {
    struct stat status{};
    if (::lstat(directory.c_str(), &status) != 0) return errno == ENOENT;
    return S_ISDIR(status.st_mode) && status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// The index is in the reader's own cache, not next to the log. So a review never touches a running hub's files, works
// on read-only storage, and trusts nothing from the log's owner but the log.
review::Keeping keeping_for(const std::string& log_directory) {
    const auto cache = default_cache_directory();
    if (!cache || !ours_alone(*cache)) return {};
    std::error_code failed;
    const auto log = fs::canonical(log_directory, failed);
    if (!failed) fs::create_directories(fs::path{*cache}.parent_path(), failed);
    if (failed) return {};
    const auto name = security::hex(security::sha256(log.string())).substr(0, 32);
    return {.directory = *cache, .name = "review-" + name};
}

// A day begins at different times in different zones.
Result<WallTime> moment(const std::string& option, const std::string& text, const ReviewOptions& options,
                        WallTime now) {
    const auto time = review::moment_of(text, now);
    if (!time) return Error{Errc::bad_config, option + " " + text + ": " + time.error().detail};
    if (!review::is_day(text)) return *time;
    return beginning_of(zone_of(options.utc), std::chrono::floor<std::chrono::days>(*time));
}

std::vector<std::string_view> outcome_names() {
    std::vector<std::string_view> names{review::open_outcome};
    for (auto i = 0; i <= static_cast<int>(Outcome::indeterminate); ++i) names.push_back(name(static_cast<Outcome>(i)));
    return names;
}

Result<std::optional<Outcome>> outcome_given(const std::string& text) {
    if (text == review::open_outcome) return std::optional<Outcome>{};
    if (auto outcome = outcome_named(text)) return outcome;
    return Error{Errc::bad_config,
                 "--outcome " + text + ": unknown outcome; use one of " + config::joined(outcome_names())};
}

}  // namespace

void add_log_options(Command& command, ReviewOptions& options) {
    add_state_option(command, options.state);
    command.flag("--no-index", options.no_index, "Read every record; don't use or write an index");
    command.flag("--no-verify", options.no_verify, "Don't verify the log; this is faster");
    add_utc_option(command, options.utc);
}

void add_scope_options(Command& command, ReviewOptions& options) {
    command
        .option("--since", options.since,
                "Only requests from this time on: 90s, 15m, 24h, 30d, 2026-11-01 (from its midnight here), RFC 3339")
        .type_name("TIME")
        .not_empty();
    command.option("--until", options.until, "Only requests before this time").type_name("TIME").not_empty();
    command.option("--agent", options.filter.agent, "Only of this agent; * and ? work as in file names")
        .type_name("GLOB")
        .not_empty();
    command.option("--tool", options.filter.tool, "Only for this tool").type_name("GLOB").not_empty();
}

void add_request_options(Command& command, ReviewOptions& options) {
    command
        .option("--person", options.filter.person,
                "Only those that this person decided or voted on; also policy:RULE or grant:ID")
        .type_name("GLOB")
        .not_empty();
    const auto outcomes = outcome_names();
    command.option("--outcome", options.outcomes, "Only with this outcome; can be given several times, or as a,b")
        .separated_by(',')
        .suggests({outcomes.begin(), outcomes.end()})
        .type_name("NAME");
    command
        .option("--channel", options.filter.channel,
                "Only those decided in this channel, or shown there if no person decided")
        .type_name("GLOB")
        .not_empty();
    command.option("--session", options.filter.session, "Only of this session").type_name("GLOB").not_empty();
}

Result<review::Filter> filter_of(const ReviewOptions& options, WallTime now) {
    auto filter = options.filter;
    for (const auto& [option, text, bound] :
         {std::tuple{"--since", &options.since, &filter.since}, std::tuple{"--until", &options.until, &filter.until}}) {
        if (text->empty()) continue;
        const auto time = moment(option, *text, options, now);
        if (!time) return time.error();
        *bound = *time;
    }
    for (const auto& text : options.outcomes) {
        const auto outcome = outcome_given(text);
        if (!outcome) return outcome.error();
        filter.outcomes.push_back(*outcome);
    }
    return filter;
}

WallTime wall_now() { return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()); }

Result<review::Review> open_review(const ReviewOptions& options) {
    // Make large tables and segments go back to the system as soon as they are freed. Otherwise the C library would
    // keep such blocks, and use half as much memory again as the log needs.
    constexpr int own_pages_from = 1024 * 1024;
    (void)::mallopt(M_MMAP_THRESHOLD, own_pages_from);
    const auto directory = existing_log(options.state);
    if (!directory) return directory.error();
    review::Review::Settings settings{.files = audit::posix_file_system(), .directory = *directory};
    if (!options.no_index) settings.keeping = keeping_for(*directory);
    // A later rebuild shows the bar again.
    auto progress = std::make_shared<ProgressBar>();
    if (auto watch = progress->watch()) settings.progress = [progress, watch](const auto& at) { watch(at); };
    return review::Review::open(std::move(settings));
}

int reviewed(const review::Review& review, const ReviewOptions& options) {
    const auto footer = [](const std::string& why) {
        return audit_failed({Errc::damaged, why + "; what is printed above may not be what was written; run `" +
                                                own_command() + " audit verify`"});
    };
    if (const auto& damage = review.damage()) return footer(*damage);
    if (options.no_verify) return exit_holds;
    const auto directory = existing_log(options.state);
    if (!directory) return audit_failed(directory.error());
    ProgressBar progress;
    const auto found = audit::verify(audit::posix_file_system(), *directory, {.progress = progress.watch()});
    progress.clear();
    if (!found) return footer("the log could not be verified: " + found.error().detail);
    if (found->verdict != audit::Verification::Verdict::broken) return exit_holds;
    const auto where = found->first_bad_seq ? " from record " + std::to_string(*found->first_bad_seq) + " on" : "";
    return footer("this log does not verify" + where + ": " + found->why);
}

}  // namespace countersign::app
