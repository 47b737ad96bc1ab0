// SPDX-License-Identifier: Apache-2.0
// The commands. Each adds itself to the command line and, when it was chosen, sets the exit code.
#pragma once

namespace CLI {
class App;
}

namespace countersign::app {

void add_demo(CLI::App& app, int& exit_code);
void add_run(CLI::App& app, int& exit_code);
void add_serve(CLI::App& app, int& exit_code);
void add_reload(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_check_signature(CLI::App& check, int& exit_code);
void add_check_proof(CLI::App& check, int& exit_code);
void add_check_render(CLI::App& check, int& exit_code);
void add_audit(CLI::App& app, int& exit_code);
void add_setup(CLI::App& app, int& exit_code);
void add_witness(CLI::App& app, int& exit_code);

}  // namespace countersign::app
