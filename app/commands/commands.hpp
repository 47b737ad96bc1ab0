// SPDX-License-Identifier: Apache-2.0
// The commands. Each adds itself to the command line.
#pragma once

#include <string>

namespace countersign::app {

class Command;
class CommandLine;

void add_demo(Command& program);
void add_run(Command& program);
void add_hook(Command& program);
void add_serve(Command& program);
void add_reload(Command& program);
void add_halt(Command& program);
void add_resume(Command& program);
void add_outbox(Command& program);
void add_status(Command& program);
void add_pending(Command& program);
void add_grants(Command& program);
void add_check(Command& program);
void add_check_render(Command& check);
void add_check_signature(Command& check);
void add_check_proof(Command& check);
void add_policy(Command& program);
void add_audit(Command& program);
void add_setup(Command& program);
void add_witness(Command& program);
// The last one: it offers the names of all others.
void add_help(CommandLine& line, const std::string& version);
void add_completion(CommandLine& line);
void add_version(Command& program, const std::string& version);

}  // namespace countersign::app
