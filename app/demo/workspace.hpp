// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.hpp"

#include <string>

namespace countersign::app::demo {

// A fresh 0700 directory with a small project in it, for the demonstration agent to work on. Nobody else's files are
// ever touched, whatever is allowed.
struct Workspace {
    std::string root;     // holds both
    std::string project;  // where the agent works
    std::string state;    // where the hub lives
};
[[nodiscard]] Result<Workspace> make_workspace();

}  // namespace countersign::app::demo
