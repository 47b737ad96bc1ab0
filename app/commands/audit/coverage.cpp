// SPDX-License-Identifier: Apache-2.0
// `audit coverage`: which calls were shown to a person, and which were not.
#include "app/commands/audit/audit.hpp"
#include "app/commands/audit/request_table.hpp"
#include "app/commands/audit/reviewing.hpp"
#include "app/output.hpp"
#include "app/report.hpp"
#include "audit/print.hpp"
#include "audit/review/statistics.hpp"
#include "channels/terminal/width.hpp"
#include "core/json/write.hpp"
#include "security/display/display.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace countersign::app {
namespace {

namespace review = audit::review;
using channels::terminal::Ink;
using channels::terminal::paint;
using Agents = std::map<std::string, review::Coverage>;

struct CoverageOptions {
    ReviewOptions review;
    bool json = false;
};

using Cells = std::vector<std::string>;

// Only a log from `demo --answer` has a demo column.
Cells titles(bool demo) {
    Cells cells{"AGENT", "ASKED", "PEOPLE", "POLICY", "GRANT"};
    if (demo) cells.emplace_back("DEMO");
    cells.insert(cells.end(), {"NOBODY", "OPEN", "UNASKED", "SEEN"});
    return cells;
}

Cells cells_of(const std::string& agent, const review::Coverage& covered, bool with_demo) {
    const auto& [requests, person, policy, grant, nobody, open, demo] = covered.counts;
    const auto percent = covered.seen_percent();
    Cells cells{agent, grouped(requests), grouped(person), grouped(policy), grouped(grant)};
    if (with_demo) cells.push_back(grouped(demo));
    cells.insert(cells.end(), {grouped(nobody), grouped(open), grouped(covered.unasked),
                               percent ? fmt::format("{:.1f} %", *percent) : std::string{"-"}});
    return cells;
}

std::string table(const Agents& agents, const Screen& screen) {
    const bool demo = std::ranges::any_of(agents, [](const auto& one) { return one.second.counts.by_demo > 0; });
    std::vector<Cells> lines{titles(demo)};
    review::Coverage all;
    for (const auto& [agent, covered] : agents) {
        const auto shown = security::display(agent, security::DisplayMode::line);
        lines.push_back(cells_of(shown.empty() ? "(no name)" : shown, covered, demo));
        all.add(covered);
    }
    if (agents.size() > 1) lines.push_back(cells_of("all", all, demo));
    std::vector<std::size_t> widths(lines.front().size());
    for (const auto& line : lines) {
        for (std::size_t i = 0; i < line.size(); ++i) {
            widths[i] = std::max(widths[i], channels::terminal::width_of(line[i]));
        }
    }
    widths.front() = std::min(widths.front(), screen.terminal() ? std::size_t{24} : widths.front());
    std::string text;
    for (const auto& line : lines) {
        std::string printed = cell(line.front(), widths.front());
        for (std::size_t i = 1; i < line.size(); ++i) printed += "  " + cell(line[i], widths[i], Align::right);
        const bool title = &line == &lines.front();
        const bool total = agents.size() > 1 && &line == &lines.back();
        text += paint(screen.style, title ? Ink::faint : total ? Ink::strong : Ink::plain, printed) + "\n";
    }
    return text;
}

int audit_coverage(const CoverageOptions& options) {
    const auto filter = filter_of(options.review, wall_now());
    if (!filter) return usage_error(filter.error().detail);
    const auto log = open_review(options.review);
    if (!log) return audit_failed(log.error());
    const auto agents = coverage(log->catalogue(), *filter);
    if (options.json) {
        json::Object object;
        for (const auto& [agent, covered] : agents) object.add(agent, json_of(covered));
        write_to(stdout, audit::print_json(json::canonical(std::move(object))) + "\n");
        return reviewed(*log, options.review);
    }
    if (agents.empty()) {
        tell("nothing found among {}\n", counted(log->catalogue().lives().size(), "request"));
    } else {
        write_to(stdout, table(agents, screen()));
    }
    return reviewed(*log, options.review);
}

}  // namespace

void add_audit_coverage(Command& audit) {
    auto coverage = audit.subcommand("coverage", "Count for each agent what people saw, and what ran without them");
    auto options = std::make_shared<CoverageOptions>();
    add_log_options(coverage, options->review);
    add_scope_options(coverage, options->review);
    coverage.flag("--json", options->json, "One JSON object, by agent; seenPermille is the last column");
    coverage.footer("ASKED    requests of the agent; of these\n"
                    "PEOPLE   were decided by a person,\n"
                    "POLICY   by a rule of the configuration,\n"
                    "GRANT    by what a person had allowed before,\n"
                    "DEMO     by `demo --answer`, with no approver (shown only if there are any),\n"
                    "NOBODY   ended without a decision (expired, withdrawn, lost …), and\n"
                    "OPEN     have not ended.\n"
                    "UNASKED  calls that ran without asking, as far as the agent reports them\n"
                    "SEEN     the share of all of these calls that a person was shown\n\n"
                    "To make Claude Code ask about every call, use countersign run claude --ask-everything.\n\n"
                    "  countersign audit coverage --since 30d");
    coverage.runs([options] { return audit_coverage(*options); });
}

}  // namespace countersign::app
