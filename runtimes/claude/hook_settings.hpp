// SPDX-License-Identifier: Apache-2.0
// Adds Countersign's hook to the text of a Claude Code settings file, and removes it. Pure. Everything else in the file
// keeps its bytes.
#pragma once

#include "core/result.hpp"

#include <string>
#include <string_view>

namespace countersign::runtimes::claude {

struct HookInstallation {
    std::string command;          // for a shell: "countersign hook claude", perhaps with options
    bool unattended = false;      // a hook that fails denies
    bool default_mode = false;    // sets permissions.defaultMode to "default"
    bool ask_everything = false;  // adds "*" to permissions.ask
};

// Also replaces a hook of ours with other options. An empty text is that of a new file. `before`: the text before the
// first installation, empty if it isn't known. Errc::malformed if the text isn't a JSON object, or if a member that we
// need is of another kind.
[[nodiscard]] Result<std::string> with_hook(std::string_view settings, const HookInstallation& wanted,
                                            std::string_view before = {});

// Removes our hooks, and the settings that their command says were made with them (--default-mode, --ask-everything).
// If `before` had another mode, puts it back.
[[nodiscard]] Result<std::string> without_hook(std::string_view settings, std::string_view before);

// A command that runs `countersign hook claude`.
[[nodiscard]] bool is_our_hook(std::string_view command);

}  // namespace countersign::runtimes::claude
