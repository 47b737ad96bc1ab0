// SPDX-License-Identifier: Apache-2.0
// What the commands that read the log have in common. Each command has a file of its own.
#pragma once

#include "core/result.hpp"

#include <CLI/CLI.hpp>

#include <string>

namespace countersign::app {

void add_audit_key(CLI::App& audit, int& exit_code);
void add_audit_seal(CLI::App& audit, int& exit_code);
void add_audit_prove(CLI::App& audit, int& exit_code);
void add_audit_list(CLI::App& audit, int& exit_code);
void add_audit_show(CLI::App& audit, int& exit_code);
void add_audit_stats(CLI::App& audit, int& exit_code);
void add_audit_coverage(CLI::App& audit, int& exit_code);
void add_audit_export(CLI::App& audit, int& exit_code);
void add_audit_tail(CLI::App& audit, int& exit_code);
void add_audit_verify(CLI::App& audit, int& exit_code);

// The log's directory. An empty place is not a damaged log, and usually a wrong path. One that may not be read is
// neither.
[[nodiscard]] Result<std::string> existing_log(const std::string& state);
void add_state_option(CLI::App& command, std::string& state);

// The code for a damaged log is a hub's that refuses to start on it; to look at one is no such thing.
int audit_failed(const Error& error);

// For CLI11: what is wrong with a number, or nothing.
[[nodiscard]] std::string whole_number(const std::string& text);
// The same for a reason that a person gives for the log.
[[nodiscard]] std::string reason_mistake(const std::string& text);

}  // namespace countersign::app
