// SPDX-License-Identifier: Apache-2.0
// Shared by the commands that review the log: which requests, and from which log.
#pragma once

#include "app/command_line/command.hpp"
#include "audit/review/review.hpp"
#include "core/result.hpp"

#include <string>
#include <vector>

namespace countersign::app {

struct ReviewOptions {
    std::string state;
    bool no_index = false;
    bool no_verify = false;
    bool utc = false;
    std::string since;
    std::string until;
    std::vector<std::string> outcomes;
    audit::review::Filter filter;  // text fields only; filter_of() adds times and outcomes
};

void add_log_options(Command& command, ReviewOptions& options);
// --since, --until, --agent, --tool.
void add_scope_options(Command& command, ReviewOptions& options);
// --person, --outcome, --channel, --session.
void add_request_options(Command& command, ReviewOptions& options);

// Errc::bad_config names the invalid option and the accepted values.
[[nodiscard]] Result<audit::review::Filter> filter_of(const ReviewOptions& options, WallTime now);
[[nodiscard]] WallTime wall_now();

// Shows a progress bar on a terminal if it takes long.
[[nodiscard]] Result<audit::review::Review> open_review(const ReviewOptions& options);

// The exit code of a review that printed its results. Verifies the log, because the printed records may have been
// changed, and reports if it is invalid or partly unreadable.
[[nodiscard]] int reviewed(const audit::review::Review& review, const ReviewOptions& options);

}  // namespace countersign::app
