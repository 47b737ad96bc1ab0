// SPDX-License-Identifier: Apache-2.0
// Starts a process: with its own session and process group, default signals, an allow-listed environment, and only the
// three descriptors made for it. It gets SIGTERM when the thread that started it ends for any reason.
#pragma once

#include "core/result.hpp"

#include <string>
#include <sys/types.h>
#include <vector>

namespace countersign::net {

struct ChildSpec {
    std::vector<std::string> argv;              // argv[0] is searched in PATH
    std::string directory;                      // empty: ours
    std::vector<std::string> keep_environment;  // extra variable names to pass on
    bool share_stderr = false;                  // true: it shares our stderr, and thus our terminal
};

// The caller owns the descriptors, and the process until it is reaped.
struct Spawned {
    pid_t pid = -1;
    int in = -1;  // our ends of its pipes
    int out = -1;
    int err = -1;
    int pidfd = -1;  // readable when the process has ended
};
// Call it on the thread that lives as long as the program.
[[nodiscard]] Result<Spawned> spawn(const ChildSpec& spec);

}  // namespace countersign::net
