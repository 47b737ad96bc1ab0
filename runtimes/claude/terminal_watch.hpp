// SPDX-License-Identifier: Apache-2.0
// A hint that a person answered in the terminal: the CLI's file about its session says "waiting" while a dialog is up.
// It isn't documented, so this is only a hint: without the file, we wait for the events of the CLI (hook_event).
#pragma once

#include "core/time.hpp"

#include <chrono>
#include <optional>
#include <string_view>

namespace countersign::runtimes::claude {

// Whether the session waits for a person. Empty if the text isn't about this session.
[[nodiscard]] std::optional<bool> waits_for_person(std::string_view session_file, std::string_view session_id);

// TerminalWatch: has the dialog gone? Only if it was seen before, and not while another one takes its place.
class TerminalWatch {
public:
    // Between two dialogs the session may seem not to wait.
    static constexpr std::chrono::milliseconds settled{400};

    void observe(std::optional<bool> waits, BootTime now);
    [[nodiscard]] bool dialog_gone(BootTime now) const { return left_ && now - *left_ >= settled; }
    // It may have gone: look again after `settled`.
    [[nodiscard]] bool in_doubt() const { return left_.has_value(); }

private:
    bool seen_ = false;
    std::optional<BootTime> left_;
};

}  // namespace countersign::runtimes::claude
