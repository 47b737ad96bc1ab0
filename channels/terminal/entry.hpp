// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "channels/catalogue.hpp"
#include "channels/terminal/keys.hpp"

#include <cstddef>
#include <string>

namespace countersign::channels::terminal {

// TextEntry: one bounded piece of text that a person types. What does not fit is refused, never cut: an answer that
// lost its tail is another answer.
class TextEntry {
public:
    explicit TextEntry(std::size_t bytes_max) : bytes_max_{bytes_max} {}

    // Takes characters, pastes and Backspace, and leaves every other key alone. False if the key did not fit.
    [[nodiscard]] bool press(const Key& key);
    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] std::size_t bytes_max() const { return bytes_max_; }

private:
    std::size_t bytes_max_;
    std::string text_;
};

[[nodiscard]] std::string too_long_note(const TextEntry& entry, Language language);

}  // namespace countersign::channels::terminal
