// SPDX-License-Identifier: Apache-2.0
// What the commands that read the log have in common. Each command has a file of its own.
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

// The log's directory. An empty place is not a damaged log, and usually a wrong path. One that may not be read is
// neither.
[[nodiscard]] Result<std::string> existing_log(const std::string& state);
void add_state_option(Command& command, std::string& state);

// The code for a damaged log is a hub's that refuses to start on it; to look at one is no such thing.
int audit_failed(const Error& error);

// What is wrong with a number, or nothing.
[[nodiscard]] std::string whole_number(const std::string& text);
// The same for a reason that a person gives for the log.
[[nodiscard]] std::string reason_mistake(const std::string& text);

}  // namespace countersign::app
