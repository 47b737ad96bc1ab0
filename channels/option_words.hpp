// SPDX-License-Identifier: Apache-2.0
// What an option does, in our words: the label is the agent's, and an agent may call an allow "Deny". Pure.
#pragma once

#include "channels/catalogue.hpp"
#include "core/option.hpp"

#include <string>
#include <string_view>

namespace countersign::channels {

// "allow once"
[[nodiscard]] std::string_view meaning_of(const Option& option, Language language = {});

// Whether somebody who reads the label alone knows what it does. A label in words that we do not know says nothing, and
// one that has words of the other effect says too much.
[[nodiscard]] bool says_its_effect(const Option& option);

// The label that people see: ours where a grant implements the option, else the agent's.
[[nodiscard]] std::string_view shown_label(const Option& option, Language language = {});

// The shown label if it says its effect, else with our word before it: "Allow: Deny". We know the words of English
// labels only: one in another language gets our word, in the reader's.
[[nodiscard]] std::string label_with_effect(const Option& option, Language language = {});

// It outlives this one call, or might: an allow for longer than once, and whatever no table knows.
[[nodiscard]] bool lasts(const Option& option);

}  // namespace countersign::channels
