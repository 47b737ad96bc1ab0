// SPDX-License-Identifier: Apache-2.0
// Settings and facts of this process: descriptors, memory, default paths, host and boot.
#pragma once

#include "core/result.hpp"

#include <exception>
#include <string>

namespace countersign::app {

// Call it first. If we were started with a closed standard stream, the log or a pipe to the agent must not get its
// number, or our output would be written there. Descriptors beyond the three are not passed on to our children.
void settle_descriptors();

// Call it before any secret is read. Disables core dumps, and prevents other processes of this user from attaching.
void keep_memory_private();

// Whether a person could be at a terminal: services and an agent's own shell have none.
[[nodiscard]] bool has_controlling_terminal();

// Ends the process if the main task threw an exception, which is a bug. Unwinding would destroy objects that running
// tasks refer to; the next start recovers the log, as after a crash.
void leave_if_broken(const std::exception_ptr& failed);

// The state directory: as given, or $XDG_STATE_HOME/countersign, or ~/.local/state/countersign.
[[nodiscard]] Result<std::string> state_directory(const std::string& given);
// For data that can be rebuilt: $XDG_CACHE_HOME/countersign or ~/.cache/countersign.
[[nodiscard]] Result<std::string> default_cache_directory();
// The first existing file of $XDG_CONFIG_HOME/countersign/countersign.toml, ~/.config/… and /etc/countersign/….
[[nodiscard]] Result<std::string> default_config_file();

// The machine's host name; empty if it has none.
[[nodiscard]] std::string host_name();

// The kernel's random id of this boot.
[[nodiscard]] std::string boot_id();

}  // namespace countersign::app
