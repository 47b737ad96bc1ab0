// SPDX-License-Identifier: Apache-2.0
// Starting a process: its own session and process group, default signals, an allow-listed environment, and of our
// descriptors none but the three that are made for it. It gets SIGTERM when the thread that started it ends, however
// that comes about.
#pragma once

#include "core/result.hpp"

#include <string>
#include <sys/types.h>
#include <vector>

namespace countersign::net {

struct ChildSpec {
    std::vector<std::string> argv;              // argv[0] is looked up in PATH
    std::string directory;                      // empty: ours
    std::vector<std::string> keep_environment;  // further names to pass on, beside the usual ones
    bool share_stderr = false;                  // true: its stderr is ours, and so it shares our terminal
};

// Whoever gets it owns the descriptors, and the process until it is reaped.
struct Spawned {
    pid_t pid = -1;
    int in = -1;  // our ends of its pipes
    int out = -1;
    int err = -1;
    int pidfd = -1;  // readable when it has ended
};
// Called on the thread that lives as long as this program does.
[[nodiscard]] Result<Spawned> spawn(const ChildSpec& spec);

}  // namespace countersign::net
