// SPDX-License-Identifier: Apache-2.0
// What the commands that review the log have in common: which requests, and from which log.
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
    audit::review::Filter filter;  // the texts of it; times and outcomes are filled in by filter_of
};

void add_log_options(Command& command, ReviewOptions& options);
// --since, --until, --agent, --tool.
void add_scope_options(Command& command, ReviewOptions& options);
// The others: --person, --outcome, --channel, --session.
void add_request_options(Command& command, ReviewOptions& options);

// Errc::bad_config names the option that is wrong, and what can be written.
[[nodiscard]] Result<audit::review::Filter> filter_of(const ReviewOptions& options, WallTime now);
[[nodiscard]] WallTime wall_now();

// Shows how far it is on a terminal, when it takes long.
[[nodiscard]] Result<audit::review::Review> open_review(const ReviewOptions& options);

// The exit code of a review that printed what it found. Verifies the log, because what was printed may have been
// changed, and says at the end if it does not verify or could not be read everywhere.
[[nodiscard]] int reviewed(const audit::review::Review& review, const ReviewOptions& options);

}  // namespace countersign::app
