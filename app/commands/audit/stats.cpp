// SPDX-License-Identifier: Apache-2.0
// `audit stats`: prints what happened, in numbers.
#include "app/commands/audit/audit.hpp"
#include "app/commands/audit/request_table.hpp"
#include "app/commands/audit/reviewing.hpp"
#include "app/commands/audit/zone.hpp"
#include "app/output.hpp"
#include "app/report.hpp"
#include "audit/print.hpp"
#include "audit/review/silence.hpp"
#include "audit/review/statistics.hpp"
#include "channels/terminal/width.hpp"
#include "core/json/write.hpp"
#include "core/limits.hpp"
#include "security/display/display.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace countersign::app {
namespace {

namespace review = audit::review;
using channels::terminal::Ink;
using channels::terminal::paint;

struct StatsOptions {
    ReviewOptions review;
    bool json = false;
};

// A line of a chart: label, number, bar, and a note.
struct ChartLine {
    std::string label;
    std::uint64_t value = 0;
    std::string note = {};
    Ink ink = Ink::plain;
};

constexpr std::size_t label_columns_max = 24;
constexpr std::size_t bar_columns_max = 40;

std::string chart(const std::string& title, const std::vector<ChartLine>& lines, const Screen& screen) {
    std::size_t label = 0;
    std::size_t note = 0;
    std::uint64_t largest = 0;
    for (const auto& line : lines) {
        label = std::max(label, std::min(channels::terminal::width_of(line.label), label_columns_max));
        note = std::max(note, channels::terminal::width_of(line.note));
        largest = std::max(largest, line.value);
    }
    const auto count = grouped(largest).size();
    const auto taken = 2 + label + 2 + count + 2 + note + (note > 0 ? 2 : 0);
    const auto columns = std::min(screen.style.columns, std::size_t{100});
    const auto width = std::min(columns > taken + 10 ? columns - taken : 10, bar_columns_max);
    std::string text = paint(screen.style, Ink::strong, title) + "\n";
    for (const auto& line : lines) {
        const auto drawn = cell(bar(line.value, largest, width, screen.utf8), width);
        text += "  " + cell(line.label, label) + "  " + cell(grouped(line.value), count, Align::right) + "  " +
                paint(screen.style, line.ink, drawn) + (line.note.empty() ? "" : "  " + line.note);
        while (text.ends_with(' ')) text.pop_back();
        text += "\n";
    }
    return text + "\n";
}

void largest_first(std::vector<ChartLine>& lines) {
    std::ranges::sort(lines, [](const ChartLine& left, const ChartLine& right) {
        return left.value != right.value ? left.value > right.value : left.label < right.label;
    });
}

std::string by_day(const review::Statistics& found, const Screen& screen) {
    if (found.days.empty()) return {};
    std::vector<ChartLine> lines;
    const auto last = found.days.rbegin()->first;
    auto first = found.days.begin()->first;
    const auto shown = std::chrono::days{limits::review_days_shown_max - 1};
    const bool cut = last - first > shown;
    if (cut) first = last - shown;
    // Include days without requests, because a reviewer wants to see such gaps.
    for (auto day = first; day <= last; day += std::chrono::days{1}) {
        const auto there = found.days.find(day);
        const auto counts = there == found.days.end() ? review::Counts{} : there->second.counts;
        lines.push_back({.label = rfc3339(WallTime{day.time_since_epoch()}).substr(0, 10),
                         .value = counts.requests,
                         .note = fmt::format("{} by people", grouped(counts.by_person))});
    }
    return chart(cut ? fmt::format("Requests a day, the last {} days", lines.size()) : "Requests a day", lines, screen);
}

// "2 allowed, 1 denied, 3 answered, 4 votes, half within 12 s", without zero counts.
std::string of_person(const review::PersonStatistics& person) {
    std::string text;
    const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    for (const auto& [count, word] : {std::pair{person.allowed, "allowed"}, std::pair{person.denied, "denied"},
                                      std::pair{person.answered, "answered"}}) {
        if (count > 0) add(grouped(count) + " " + word);
    }
    if (person.voted > 0) add(counted(person.voted, "vote"));
    if (person.latency.count > 0) add("half within " + short_span(person.latency.p50));
    return text;
}

std::string by_person(const review::Statistics& found, const Screen& screen) {
    std::vector<ChartLine> lines;
    lines.reserve(found.people.size());
    for (const auto& [who, person] : found.people) {
        lines.push_back({.label = security::display(who, security::DisplayMode::line),
                         .value = person.decided,
                         .note = of_person(person)});
    }
    largest_first(lines);
    return lines.empty() ? std::string{} : chart("Decided by people", lines, screen);
}

std::string counters(const std::string& title, const std::map<std::string, std::uint64_t>& values,
                     const Screen& screen) {
    std::vector<ChartLine> lines;
    lines.reserve(values.size());
    for (const auto& [name, count] : values) {
        // A record that only counts suppressed ones does not give their reason.
        const auto label = name.empty() ? "(only counted)" : security::display(name, security::DisplayMode::line);
        lines.push_back({.label = label, .value = count, .ink = ink_of(name)});
    }
    largest_first(lines);
    return lines.empty() ? std::string{} : chart(title, lines, screen);
}

std::string summary(const review::Statistics& found, const Screen& screen) {
    const auto& [requests, person, policy, grant, nobody, open, demo] = found.counts;
    auto text = paint(screen.style, Ink::strong, counted(requests, "request")) +
                (open == 0 ? std::string{} : fmt::format(", {} still open", grouped(open))) + "\n";
    text += fmt::format("decided: {} by people, {} by policy, {} by grant{}; {} ended undecided\n", grouped(person),
                        grouped(policy), grouped(grant),
                        demo == 0 ? "" : fmt::format(", {} by an unattended demo", grouped(demo)), grouped(nobody));
    const auto answered = found.outcomes.find(std::string{name(Outcome::answered)});
    const auto answers = answered == found.outcomes.end() ? 0 : answered->second;
    if (answers + found.votes > 0) {
        text += fmt::format("questions answered: {}, votes: {}\n", grouped(answers), grouped(found.votes));
    }
    if (const auto& latency = found.latency; latency.count > 0) {
        text += fmt::format("people took: p50 {}, p90 {}, p99 {}, at most {}\n", short_span(latency.p50),
                            short_span(latency.p90), short_span(latency.p99), short_span(latency.longest));
    }
    text += fmt::format("refused attempts: {}, requests turned away: {}, unreadable: {}\n\n", grouped(found.refused),
                        grouped(found.turned_away), grouped(found.unreadable));
    return text;
}

std::string span_of(const review::Silence::Span& span, Zone zone) {
    return fmt::format("{}, from {} to {}", short_span(span.lasted.count()), moment_in(zone, span.from),
                       span.to ? moment_in(zone, *span.to) : "now");
}

std::string of_silence(const review::Silence& found, const Screen& screen, Zone zone) {
    if (!found.last) return {};
    const auto& [longest, unexplained, last] = found;
    auto text = !longest ? std::string{"longest silence: less than a minute\n"}
                         : fmt::format("longest silence: {}{}\n", span_of(*longest, zone),
                                       longest->stopped ? "; the log was stopped" : "");
    text += fmt::format("last record: {}, {} ago{}\n\n", moment_in(zone, last->at), short_span(last->age.count()),
                        last->stopped ? ", a stop" : "");
    if (unexplained.empty()) return text;
    text += paint(screen.style, Ink::bad, "Unexplained silence") + ", without a stop before it\n";
    const auto shown = std::min(unexplained.size(), limits::review_silences_shown_max);
    for (std::size_t i = 0; i < shown; ++i) text += "  " + span_of(unexplained[i], zone) + "\n";
    if (shown < unexplained.size()) text += fmt::format("  and {} more\n", grouped(unexplained.size() - shown));
    return text + "\n";
}

int audit_stats(const StatsOptions& options) {
    const auto now = wall_now();
    const auto filter = filter_of(options.review, now);
    if (!filter) return usage_error(filter.error().detail);
    const auto log = open_review(options.review);
    if (!log) return audit_failed(log.error());
    const auto zone = zone_of(options.review.utc || options.json);
    const auto found = statistics(log->catalogue(), *filter, [zone](WallTime time) { return day_in(zone, time); });
    const auto silent = silence(log->catalogue(), *filter, now);
    if (options.json) {
        auto object = json_of(found);
        object.add("silence", json_of(silent));
        write_to(stdout, audit::print_json(json::canonical(object)) + "\n");
        return reviewed(*log, options.review);
    }
    const auto where = screen();
    if (found.counts.requests + found.refused + found.turned_away + found.unreadable == 0) {
        tell("nothing found among {}\n", counted(log->catalogue().lives().size(), "request"));
        if (auto text = of_silence(silent, where, zone); !text.empty())
            write_to(stdout, text.substr(0, text.size() - 1));
        return reviewed(*log, options.review);
    }
    auto text = summary(found, where) + of_silence(silent, where, zone) + by_day(found, where) +
                by_person(found, where) + counters("Outcomes", found.outcomes, where) +
                counters("Refused attempts", found.refusals, where);
    text.pop_back();  // the empty line after the last chart
    write_to(stdout, text);
    return reviewed(*log, options.review);
}

}  // namespace

void add_audit_stats(Command& audit) {
    auto stats = audit.subcommand(
        "stats", "Count decisions by day and person, and show how fast they were and when the log was silent");
    auto options = std::make_shared<StatsOptions>();
    add_log_options(stats, options->review);
    add_scope_options(stats, options->review);
    stats.flag("--json", options->json, "One JSON object");
    stats.footer("A request is counted on the day when it was asked, in this machine's time zone (in UTC with --utc or "
                 "--json). Latency is the time from the request to the tap that decided it, for people's decisions "
                 "only. A p90 of 12 s means that nine of ten took at most 12 s.\n\n"
                 "Silence is a time without any record in the whole log, even if you ask for one agent or tool. A "
                 "running hub writes a heartbeat every quarter of an hour. A silence of more than half an hour is "
                 "unexplained unless the hub was stopped before it: the hub was killed, the machine slept, or "
                 "something kept the hub from writing.\n\n"
                 "  countersign audit stats --since 30d\n"
                 "  countersign audit stats --agent 'prod-*' --json | jq .people");
    stats.runs([options] { return audit_stats(*options); });
}

}  // namespace countersign::app
