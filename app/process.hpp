// SPDX-License-Identifier: Apache-2.0
// What this process is and promises to the system around it.
#pragma once

#include "core/result.hpp"

#include <exception>
#include <string>

namespace countersign::app {

// First of all: whoever starts us with a closed standard stream must not make the log, or a pipe to the agent, take its
// number, and everything we print go there. And what we were started with beyond the three is not for our children.
void settle_descriptors();

// Before any secret is read: no core dump, and no process of the same user may look inside or attach.
void keep_memory_private();

// Whether somebody could sit in front of us: a service has none, and neither has an agent's shell.
[[nodiscard]] bool has_controlling_terminal();

// An exception that came out of the main task is a defect of ours. What still runs refers to what unwinding would
// destroy, so the process ends here; the next start recovers the log, as after a crash.
void leave_if_broken(const std::exception_ptr& failed);

// Where the state is: as given, and if that is empty $XDG_STATE_HOME/countersign or ~/.local/state/countersign.
[[nodiscard]] Result<std::string> state_directory(const std::string& given);
// What can be made again: $XDG_CACHE_HOME/countersign or ~/.cache/countersign.
[[nodiscard]] Result<std::string> default_cache_directory();
// The first that exists of $XDG_CONFIG_HOME/countersign/countersign.toml, ~/.config/… and /etc/countersign/….
[[nodiscard]] Result<std::string> default_config_file();

// What this machine calls itself; empty if it does not say.
[[nodiscard]] std::string host_name();

// The kernel's random name of this boot.
[[nodiscard]] std::string boot_id();

}  // namespace countersign::app
