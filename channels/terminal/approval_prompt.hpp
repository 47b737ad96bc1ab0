// SPDX-License-Identifier: Apache-2.0
// ApprovalPrompt: the widget of one approval. The focus begins on the refusal, or nowhere, and Esc never allows: the
// first moves back to the refusal, the second takes it. Where others of the session wait behind the request, the last
// row refuses all of them.
#pragma once

#include "channels/catalogue.hpp"
#include "channels/terminal/entry.hpp"
#include "channels/terminal/keys.hpp"
#include "channels/terminal/view.hpp"
#include "core/attempt.hpp"
#include "core/option.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace countersign::channels::terminal {

// "(allow once)": what the option does, in our words. Empty if its label says it already.
[[nodiscard]] std::string effect_note(const Option& option, Language language);

// What can be chosen: an option, or the refusal once more for whatever waits behind the request (docs/adr/0014).
struct Offer {
    Option option;
    bool and_behind = false;
};
// The options in their order, and below them, where `waiting` others wait and there is a refusal, the one for all.
[[nodiscard]] std::vector<Offer> offers_of(const std::vector<Option>& offered, std::uint32_t waiting,
                                           Language language);

// The option as the widget lists it.
[[nodiscard]] Row row_of(const Option& option, Language language);

// What a person decided here. Not an Attempt yet: who and where is added by inbound.
struct Decided {
    std::variant<Choose, Submit, Cancel> what;
    std::string reason;
    bool and_behind = false;  // a refusal of all that wait behind it, too
    friend bool operator==(const Decided&, const Decided&) = default;
};

// How a refusal is said where a person does not pick an option: the refusal that is offered, else Cancel.
[[nodiscard]] Decided refusal(const std::vector<Option>& offered);

class ApprovalPrompt {
public:
    ApprovalPrompt(std::vector<Option> offered, Language language);

    // How many wait behind the request now.
    void behind(std::uint32_t waiting);
    [[nodiscard]] std::optional<Decided> press(const Key& key);
    [[nodiscard]] bool typing() const { return refusing_.has_value(); }
    [[nodiscard]] View view() const;

private:
    [[nodiscard]] std::optional<Decided> press_in_reason(const Key& key, const Offer& offer);
    [[nodiscard]] std::optional<Decided> choose();
    [[nodiscard]] std::optional<Decided> escape(bool again);
    void move(bool down);
    void focus_refusal();
    void focus_number(std::string_view digit);

    std::vector<Option> offered_;
    Language language_;
    std::vector<Offer> offers_;
    std::optional<std::size_t> focus_;     // among the offers, as the next but one
    bool escaped_ = false;                 // the key before this one was Esc
    std::optional<std::size_t> refusing_;  // the option whose reason is being typed
    TextEntry reason_;
    std::string note_;
};

}  // namespace countersign::channels::terminal
