// SPDX-License-Identifier: Apache-2.0
// The calls in the CLI's stream, from the model's wish to their result: which of them ran without having asked.
//
// The CLI's own rules and hooks may let a call run. Nobody here can stop that; the log can say that it happened. Holds
// at most tool_uses_kept_max calls and forgets the oldest.
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
        std::string summary = {};       // fit to be shown, like the next
        std::string display_text = {};  // cut by unasked_text_of
        friend bool operator==(const Wish&, const Wish&) = default;
    };
    void wanted(const std::string& id, Wish wish);
    void asked(const std::string& id, Wish wish);
    // Somebody else answered it, or nobody waits for it any more.
    void withdrawn(const std::string& id);
    // What was wanted, if the call ran and came to its result without having been answered here. A call did not run if
    // the CLI refused it, if it was withdrawn and then failed, or if it failed to read or edit a file. Where only the
    // text of the result says that the CLI refused it, a command and a tool that we don't know ran all the same.
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
    std::deque<std::string> order_;  // oldest first; may name calls that are over
};

}  // namespace countersign::runtimes::claude
