// SPDX-License-Identifier: Apache-2.0
// `audit show`: prints the whole life of one request.
#include "app/commands/audit/audit.hpp"
#include "app/commands/audit/request_table.hpp"
#include "app/commands/audit/reviewing.hpp"
#include "app/commands/audit/zone.hpp"
#include "app/invocation.hpp"
#include "app/output.hpp"
#include "app/report.hpp"
#include "audit/print.hpp"
#include "audit/review/search.hpp"
#include "audit/review/timeline.hpp"
#include "channels/duration.hpp"
#include "channels/terminal/width.hpp"
#include "core/json/write.hpp"
#include "core/limits.hpp"
#include "security/display/display.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <sstream>
#include <utility>

namespace countersign::app {
namespace {

namespace review = audit::review;
using channels::terminal::Ink;
using channels::terminal::paint;

struct ShowOptions {
    ReviewOptions review;
    std::string id;
    bool json = false;
};

std::string shown(std::string_view text) { return security::display(text, security::DisplayMode::line); }

// "+12.3 s"; long times as on a card.
std::string since(std::chrono::milliseconds span) {
    if (span < std::chrono::minutes{10}) return fmt::format("+{:.1f} s", static_cast<double>(span.count()) / 1000);
    return "+" + channels::duration(span);
}

// Everyone it took to allow the request, in voting order. For another outcome, also who had voted to allow it.
std::string by_whom(const review::Row& row) {
    std::string voters;
    for (const auto& voter : row.voters) {
        if (voter != row.decided_by) voters += (voters.empty() ? "" : ", ") + shown(voter);
    }
    const auto by = shown(row.decided_by);
    if (row.outcome == name(Outcome::allowed) && !voters.empty()) return " by " + voters + ", " + by;
    return (by.empty() ? "" : " by " + by) + (voters.empty() ? "" : " (voted to allow: " + voters + ")");
}

std::string head(const review::Row& row, const Screen& screen, Zone zone) {
    auto outcome = row.outcome;
    outcome += by_whom(row);
    if (row.took != review::not_known) outcome += " after " + short_span(row.took);
    return paint(screen.style, Ink::strong, row.id) + "  " + paint(screen.style, ink_of(row.outcome), outcome) + "\n" +
           moment_in(zone, review::wall_time(row.asked)) + "  " + shown(row.agent) + "  " + shown(row.tool) + "\n\n";
}

constexpr std::size_t blank_lines_max = 2;  // in a row; longer runs are replaced by their count

std::string block(const Screen& screen, std::string_view title, std::string_view text) {
    std::string lines = paint(screen.style, Ink::faint, title) + "\n";
    std::istringstream source{security::display(text)};
    std::string blanks;
    std::size_t blank_count = 0;
    // Many blank lines would hide what follows. The count starts in the first column, where no text begins.
    const auto end_blanks = [&] {
        const auto count = std::exchange(blank_count, 0);
        const auto rows = std::exchange(blanks, {});
        lines += count > blank_lines_max ? "⋮ " + std::to_string(count) + " blank lines\n" : rows;
    };
    for (std::string line; std::getline(source, line);) {
        const auto own = std::min(line.find_first_not_of(' '), line.size());
        const auto row = hanging(screen, "  " + line.substr(0, own), std::string_view{line}.substr(own));
        if (own == line.size()) {
            blanks += row;
            ++blank_count;
            continue;
        }
        end_blanks();
        lines += row;
    }
    end_blanks();
    return lines + "\n";
}

// The text as people saw it; a long one comes from the file next to the log, named by its hash. An error with that file
// is shown in its place and makes the command fail.
struct Texts {
    std::string lines;
    std::optional<Error> wrong;
};

enum class Seen { by_people, by_none };

Seen seen_by(const review::Life& life) {
    const bool person = life.shown != 0 && life.decider != review::Decider::demo;
    return person ? Seen::by_people : Seen::by_none;
}

Texts texts(review::Review& log, const std::vector<audit::Record>& records, Seen seen, const Screen& screen) {
    Texts found;
    for (const auto& record : records) {
        const bool aside = !record.text("textFile").empty();
        const auto whole = aside ? log.long_text(record) : Result<std::string>{std::string{record.text("displayText")}};
        const auto* const of_request =
            seen == Seen::by_people ? "as it was shown" : "as it was asked; no person saw it";
        const auto title = record.kind == "request" ? of_request : "the text of record #" + std::to_string(record.seq);
        if (!whole) {
            found.lines += block(screen, title, "(" + whole.error().detail + ")");
            if (!found.wrong) found.wrong = whole.error();
        } else if (!whole->empty()) {
            found.lines += block(screen, title, *whole);
        }
    }
    return found;
}

std::string steps(const std::vector<audit::Record>& records, const Screen& screen) {
    std::size_t since_columns = 6;
    std::size_t seq_columns = 2;
    const auto told = review::timeline(records);
    for (const auto& step : told) {
        since_columns = std::max(since_columns, since(step.since).size());
        seq_columns = std::max(seq_columns, std::to_string(step.seq).size() + 1);
    }
    std::string lines;
    for (const auto& step : told) {
        const auto lead = cell(since(step.since), since_columns, Align::right) + "  " +
                          cell("#" + std::to_string(step.seq), seq_columns, Align::right) + "  ";
        lines += hanging(screen, lead, step.what);
        for (const auto& detail : step.details) {
            auto text = hanging(screen, std::string(channels::terminal::width_of(lead) + 2, ' '), detail);
            text.pop_back();
            lines += paint(screen.style, Ink::faint, text) + "\n";
        }
    }
    return lines;
}

// How to prove the record that settled the request.
std::string how_to_prove(const std::vector<audit::Record>& records, const std::string& state) {
    auto seq = records.back().seq;
    for (const auto& record : records) {
        if (record.kind != "decision" && record.kind != "ended") continue;
        seq = record.seq;
        break;
    }
    return fmt::format("\nTo prove record #{} to somebody else:\n  {} audit prove {} -o {}.proof --record {}.json{}\n",
                       seq, own_command(), seq, seq, seq, state.empty() ? "" : " --state " + shell_word(state));
}

// Includes the texts that the records only name.
int show_json(review::Review& log, const review::Account& account, const ShowOptions& options) {
    auto object = json_of(row_of(account));
    json::Array records;
    json::Object texts;
    std::optional<Error> wrong;
    for (const auto& record : account.records) {
        records.emplace_back(record.members);
        const std::string hash{record.text("textFile")};
        if (hash.empty()) continue;
        auto text = log.long_text(record);
        if (text) {
            texts.add(hash, std::move(*text));
        } else if (!wrong) {
            wrong = text.error();
        }
    }
    object.add("log", std::move(records));
    object.add("texts", std::move(texts));
    write_to(stdout, audit::print_json(json::canonical(std::move(object))) + "\n");
    return wrong ? audit_failed(*wrong) : reviewed(log, options.review);
}

int show_account(review::Review& log, const review::Account& account, const ShowOptions& options) {
    if (options.json) return show_json(log, account, options);
    const auto where = screen();
    const auto text = texts(log, account.records, seen_by(account.life()), where);
    write_to(stdout, head(row_of(account), where, zone_of(options.review.utc)) + text.lines +
                         steps(account.records, where) + how_to_prove(account.records, options.review.state));
    return text.wrong ? audit_failed(*text.wrong) : reviewed(log, options.review);
}

// A record that belongs to no request is printed by itself.
int show_record(review::Review& log, std::uint64_t seq, const ShowOptions& options) {
    const auto record = log.record(seq);
    if (!record) return audit_failed(record.error());
    const auto id = Ulid::parse(record->text("requestId"));
    const auto account = id ? log.account(*id) : Result<review::Account>{Error{}};
    if (account) return show_account(log, *account, options);
    const auto json = audit::print_json(json::canonical(record->members));
    if (options.json) {
        write_to(stdout, json + "\n");
        return reviewed(log, options.review);
    }
    const auto text = texts(log, {*record}, Seen::by_none, screen());
    write_to(stdout, print_in(zone_of(options.review.utc), *record) + "\n\n" + json + "\n" +
                         (text.lines.empty() ? "" : "\n" + text.lines));
    return text.wrong ? audit_failed(*text.wrong) : reviewed(log, options.review);
}

int list_candidates(review::Review& log, const std::vector<Ulid>& found, const ShowOptions& options) {
    RequestTable table{screen(), zone_of(options.review.utc)};
    const auto first = found.size() - std::min(found.size(), limits::review_listed_max);
    for (auto i = first; i < found.size(); ++i) {
        const auto account = log.account(found[i]);
        if (!account) return audit_failed(account.error());
        if (!table.add(row_of(*account))) return exit_does_not_hold;
    }
    if (!table.finish()) return exit_does_not_hold;
    write_to(stdout, "");
    std::string ids;
    for (auto i = first; i < found.size(); ++i) ids += "\n  " + found[i].str();
    tell("{} could be {} requests{}; write more of it:{}\n", shown(options.id), found.size(),
         first > 0 ? fmt::format(", the newest {} are above", found.size() - first) : "", ids);
    return exit_does_not_hold;
}

int audit_show(const ShowOptions& options) {
    auto log = open_review(options.review);
    if (!log) return audit_failed(log.error());
    const auto named = review::look_up(log->catalogue(), options.id);
    if (!named) return usage_error(named.error().detail);
    if (const auto* record = std::get_if<review::NumberedRecord>(&*named))
        return show_record(*log, record->seq, options);
    const auto& found = std::get<std::vector<Ulid>>(*named);
    if (found.empty()) return audit_failed({Errc::unknown_request, "no request has " + options.id + " in its id"});
    if (found.size() > 1) return list_candidates(*log, found, options);
    const auto account = log->account(found.front());
    if (!account) return audit_failed(account.error());
    return show_account(*log, *account, options);
}

}  // namespace

void add_audit_show(Command& audit) {
    auto show = audit.subcommand("show", "Show everything that happened to one request");
    auto options = std::make_shared<ShowOptions>();
    show.option("ID", options->id,
                "The id of the request, or 4 or more characters of its start or end, or the number of a record as #123")
        .required();
    add_log_options(show, options->review);
    show.flag("--json", options->json, "One JSON object, with all records, and the texts that were too long for them");
    show.footer("What was asked, who saw it and where, who tried to decide, voted and decided, and what the agent was "
                "told. Each step has the time since the request and the number of its record.\n\n"
                "  countersign audit show 3F9K2M\n"
                "  countersign audit show '#4711'            the request of record 4711");
    show.runs([options] { return audit_show(*options); });
}

}  // namespace countersign::app
