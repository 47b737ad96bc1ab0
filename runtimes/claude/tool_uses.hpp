// SPDX-License-Identifier: Apache-2.0
// ToolUses: follows the calls in the CLI's stream from the model's wish to the result, to find those that ran without
// asking.
//
// The CLI's own rules and hooks may let a call run. We cannot prevent that, but the log can report it. Keeps at most
// tool_uses_kept_max calls and forgets the oldest.
#pragma once

#include "runtimes/claude/message.hpp"

#include <deque>
#include <map>
#include <optional>
#include <string>

namespace countersign::runtimes::claude {

class ToolUses {
public:
    struct Wish {
        std::string tool_name;
        std::string summary = {};       // fit to be shown, as is display_text
        std::string display_text = {};  // cut by unasked_text_of
        friend bool operator==(const Wish&, const Wish&) = default;
    };
    void wanted(const std::string& id, Wish wish);
    void asked(const std::string& id, Wish wish);
    // The call was answered elsewhere, or the CLI does not wait for an answer any more.
    void withdrawn(const std::string& id);
    // Returns the call if it ran without an answer from us. A call did not run if the CLI refused it, if it was
    // withdrawn and then failed, or if it failed to read or edit a file. If only the result's text claims that the CLI
    // refused it, commands and unknown tools are assumed to have run.
    [[nodiscard]] std::optional<Wish> finished(const std::string& id, ToolResult::End end);
    [[nodiscard]] std::size_t size() const { return uses_.size(); }

private:
    enum class State { wanted, asked, withdrawn };
    struct Use {
        Wish wish;
        State state = State::wanted;
    };
    [[nodiscard]] static bool ran(const Use& use, ToolResult::End end);
    void set(const std::string& id, State state);

    std::map<std::string, Use> uses_;
    std::deque<std::string> order_;  // oldest first; may include finished calls
};

}  // namespace countersign::runtimes::claude
