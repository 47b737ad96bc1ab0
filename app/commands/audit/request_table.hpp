// SPDX-License-Identifier: Apache-2.0
// Requests as a table for people, one per line.
#pragma once

#include "app/commands/audit/screen.hpp"
#include "app/commands/audit/zone.hpp"
#include "audit/review/row.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace countersign::app {

// Enough of an id to identify a request among a million; `show` accepts it.
[[nodiscard]] std::string short_id(std::string_view id);
// The colour of an outcome.
[[nodiscard]] channels::terminal::Ink ink_of(std::string_view outcome);

// Prints in pages, so that columns fit their content and memory does not grow with the log. On a terminal each day has
// a heading and long texts are cut to the width; on a pipe every line has the full time with its offset, and the call
// at the end.
class RequestTable {
public:
    RequestTable(Screen screen, Zone zone) : screen_{screen}, zone_{zone} {}
    // False if the reader has closed the output.
    [[nodiscard]] bool add(audit::review::Row row);
    [[nodiscard]] bool finish();

private:
    struct Line {
        std::chrono::sys_days day;
        std::string zone, time, outcome, who, agent, tool, call, took, id;
    };
    struct Widths {
        std::size_t outcome = 7, who = 3, agent = 5, tool = 4, took = 4;
    };
    [[nodiscard]] Line line_of(const audit::review::Row& row) const;
    [[nodiscard]] std::string printed(const Line& line) const;
    [[nodiscard]] std::string header() const;
    void widen(const Line& line);
    // If not all columns fit, agent and tool are left out; `show` prints them.
    struct Columns {
        bool agent = true, tool = true;
        std::size_t call = 0;
    };
    [[nodiscard]] Columns columns() const;
    [[nodiscard]] bool narrow() const { return screen_.terminal() && screen_.style.columns < 100; }
    // 03:14, or 03:14:07 if there is room.
    [[nodiscard]] std::size_t time_columns() const { return narrow() ? 5 : 8; }

    Screen screen_;
    Zone zone_;
    Widths widths_;
    std::vector<Line> page_;
    std::optional<std::chrono::sys_days> day_;
};

}  // namespace countersign::app
