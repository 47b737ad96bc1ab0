// SPDX-License-Identifier: Apache-2.0
// Prompt: the widget of one request, from the moment its card is on the screen to the one thing a person decided. A
// pure state machine: keys and times come in as values.
//
// Nothing counts before it was shown and within the dwell time after that, and nothing that decides within it after a
// paste: a key meant for what was on the screen before must not answer what is there now, nor move the focus for the
// key that does.
#pragma once

#include "channels/terminal/approval_prompt.hpp"
#include "channels/terminal/question_prompt.hpp"
#include "core/request.hpp"
#include "core/time.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace countersign::channels::terminal {

class Prompt {
public:
    Prompt(const Request& request, std::vector<Option> offered, std::chrono::milliseconds dwell, Language language);

    // The card was put on the screen, or put there again.
    void shown(BootTime now) { shown_ = now; }
    // Another card took its place; the draft stays.
    void hidden() { shown_.reset(); }
    // After it returned a decision it takes no key until reopen().
    [[nodiscard]] std::optional<Decided> press(const Key& key, BootTime now);
    // How many of the session wait behind the request now.
    void behind(std::uint32_t waiting);
    // The decision settled nothing, or not everything: the person may decide again. The draft is as it was.
    void reopen();
    // Whether a letter is text now, or may be a command.
    [[nodiscard]] bool typing() const;
    [[nodiscard]] View view() const;

private:
    std::variant<ApprovalPrompt, QuestionPrompt> widget_;
    std::optional<CallLine> call_;
    std::chrono::milliseconds dwell_;
    std::optional<BootTime> shown_;
    std::optional<BootTime> pasted_;
    bool waiting_ = false;
};

}  // namespace countersign::channels::terminal
