// SPDX-License-Identifier: Apache-2.0
// Error reports: one line, and the matching exit code.
#pragma once

#include "core/result.hpp"

#include <string>

namespace countersign::app {

// The exit codes, the same for every command.
enum Exit : int {
    exit_holds = 0,
    exit_does_not_hold = 1,  // check failed, or the command failed; one line says why
    exit_usage = 2,
    exit_log_damaged = 3,    // a restart will not help; do not restart automatically
    exit_busy = 4,           // another hub holds the state directory
    exit_disk_hangs = 5,     // the log's disk did not respond during shutdown
    exit_reader_left = 141,  // the reader of standard output is gone; the value that shells report for other tools
};
[[nodiscard]] int exit_code_of(const Error& error);

// Prints one sanitised line to standard error and returns the matching exit code.
int report(const Error& error);
// The same for invalid usage.
int usage_error(const std::string& why);

}  // namespace countersign::app
