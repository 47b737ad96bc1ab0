// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.hpp"

#include <string>

namespace countersign::app::demo {

// A fresh 0700 directory with a small project for the demo agent. The agent never touches other files, whatever is
// allowed.
struct Workspace {
    std::string root;     // contains both
    std::string project;  // where the agent works
    std::string state;    // where the hub keeps its state
};
[[nodiscard]] Result<Workspace> make_workspace();

}  // namespace countersign::app::demo
