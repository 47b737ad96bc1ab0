// SPDX-License-Identifier: Apache-2.0
// How the program says no: one line, and the exit code that belongs to it.
#pragma once

#include "core/result.hpp"

#include <string>

namespace countersign::app {

// Exit codes, the same for every command.
enum Exit : int {
    exit_holds = 0,
    exit_does_not_hold = 1,  // the checked thing is wrong, or the command failed; one line says why
    exit_usage = 2,
    exit_log_damaged = 3,    // a restart does not help; do not restart automatically
    exit_busy = 4,           // another hub holds the state directory
    exit_disk_hangs = 5,     // the log's disk did not answer at the stop
    exit_reader_left = 141,  // nobody reads standard output any more: what a shell says of other tools then
};
[[nodiscard]] int exit_code_of(const Error& error);

// One sanitised line on standard error; returns the exit code that belongs to it.
int report(const Error& error);
// The same for wrong usage.
int usage_error(const std::string& why);

}  // namespace countersign::app
