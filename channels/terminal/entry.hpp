// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "channels/catalogue.hpp"
#include "channels/terminal/keys.hpp"

#include <cstddef>
#include <string>

namespace countersign::channels::terminal {

// TextEntry: one bounded piece of text that a person types and edits at a cursor. What does not fit is refused, never
// cut: an answer that lost its tail is another answer.
class TextEntry {
public:
    explicit TextEntry(std::size_t bytes_max) : bytes_max_{bytes_max} {}

    // Takes characters, pastes and the keys that edit, and leaves every other key alone. False if the key did not fit.
    [[nodiscard]] bool press(const Key& key);
    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] std::size_t cursor() const { return cursor_; }  // in bytes, at the beginning of a character
    [[nodiscard]] std::size_t bytes_max() const { return bytes_max_; }

private:
    [[nodiscard]] std::size_t before() const;
    [[nodiscard]] std::size_t after() const;
    [[nodiscard]] std::size_t word_before() const;
    void erase(std::size_t from, std::size_t to);

    std::size_t bytes_max_;
    std::string text_;
    std::size_t cursor_ = 0;
};

[[nodiscard]] std::string too_long_note(const TextEntry& entry, Language language);

}  // namespace countersign::channels::terminal
