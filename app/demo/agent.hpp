// SPDX-License-Identifier: Apache-2.0
// The demo agent: a real child process that speaks the approval event on its standard streams and does what it is
// allowed to do, in its own workspace.
#pragma once

namespace countersign::app::demo {

// Runs the agent in the current directory until its script or its input ends. Returns the exit code.
int run_agent(bool once);

}  // namespace countersign::app::demo
