// SPDX-License-Identifier: Apache-2.0
// ApprovalPrompt: the widget of one approval. The focus begins on the refusal, or nowhere, and Esc never allows: the
// first moves back to the refusal, the second takes it.
#pragma once

#include "channels/terminal/entry.hpp"
#include "channels/terminal/keys.hpp"
#include "channels/terminal/view.hpp"
#include "core/attempt.hpp"
#include "core/option.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace countersign::channels::terminal {

// "(allows, once)": the label is the agent's, this is ours.
[[nodiscard]] std::string effect_note(const Option& option);

// The option as the widget lists it.
[[nodiscard]] Row row_of(const Option& option);

// What a person decided here. Not an Attempt yet: who and where is added by inbound.
struct Decided {
    std::variant<Choose, Submit, Cancel> what;
    std::string reason;
    friend bool operator==(const Decided&, const Decided&) = default;
};

// How a refusal is said where a person does not pick an option: the refusal that is offered, else Cancel.
[[nodiscard]] Decided refusal(const std::vector<Option>& offered);

class ApprovalPrompt {
public:
    explicit ApprovalPrompt(std::vector<Option> offered);

    [[nodiscard]] std::optional<Decided> press(const Key& key);
    [[nodiscard]] bool typing() const { return refusing_.has_value(); }
    [[nodiscard]] View view() const;

private:
    [[nodiscard]] std::optional<Decided> press_in_reason(const Key& key, const Option& option);
    [[nodiscard]] std::optional<Decided> choose();
    [[nodiscard]] std::optional<Decided> escape(bool again);
    void move(bool down);
    void focus_refusal();
    void focus_number(std::string_view digit);

    std::vector<Option> offered_;
    std::optional<std::size_t> focus_;
    bool escaped_ = false;                 // the key before this one was Esc
    std::optional<std::size_t> refusing_;  // the option whose reason is being typed
    TextEntry reason_;
    std::string note_;
};

}  // namespace countersign::channels::terminal
