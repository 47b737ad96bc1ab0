// SPDX-License-Identifier: Apache-2.0
// Shared by the commands that read the log. Each command has its own file.
#pragma once

#include "app/command_line/command.hpp"
#include "core/result.hpp"

#include <string>

namespace countersign::app {

void add_audit_key(Command& audit);
void add_audit_seal(Command& audit);
void add_audit_prove(Command& audit);
void add_audit_list(Command& audit);
void add_audit_show(Command& audit);
void add_audit_stats(Command& audit);
void add_audit_coverage(Command& audit);
void add_audit_export(Command& audit);
void add_audit_tail(Command& audit);
void add_audit_verify(Command& audit);

// The log's directory. Distinguishes a directory without a log, usually a wrong path, from a damaged log and from one
// that cannot be read.
[[nodiscard]] Result<std::string> existing_log(const std::string& state);
void add_state_option(Command& command, std::string& state);

// Reports the error. Does not use the exit code for a damaged log: that one means that a hub refuses to start on it.
int audit_failed(const Error& error);

// Returns what is wrong with a number, or an empty string.
[[nodiscard]] std::string whole_number(const std::string& text);
// The same for a reason that the operator gives for the log.
[[nodiscard]] std::string reason_mistake(const std::string& text);

}  // namespace countersign::app
