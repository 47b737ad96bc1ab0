// SPDX-License-Identifier: Apache-2.0
// View: all that is drawn of a prompt, as values. The prompt says what there is, the widget how it looks.
#pragma once

#include "channels/catalogue.hpp"
#include "channels/terminal/style.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace countersign::channels::terminal {

struct Tab {
    std::string label;
    bool answered = false;
    bool current = false;
};
struct Row {
    std::string mark;  // "●", "☐", or empty
    std::string label;
    std::string meaning;  // in our words, and never cut for the sake of the agent's
    std::string detail;
    bool focused = false;
    Ink ink = Ink::plain;
};
struct Field {
    std::string label;
    std::string text;        // dots where it is secret
    std::size_t cursor = 0;  // in bytes of it
};

// The call once more, right above what can be chosen: whatever was printed since the card, this is what is decided.
struct CallLine {
    std::string words;  // "high risk · Bash: rm -rf build"; cut to the row, the card has all of it
    std::string place;  // " (line 1 of 3)", never cut
    Ink ink = Ink::plain;
};

struct View {
    Language language = {};
    std::optional<CallLine> call;  // of an approval
    std::vector<Tab> tabs;         // of a bundle; the widget adds Submit
    bool submit_current = false;
    bool submit_active = false;
    std::string heading;
    std::vector<Row> rows;
    std::optional<Field> field;
    std::string keys;
    std::string note;  // what the last key could not do, or what came back
    bool waiting = false;
    std::size_t above = 0;  // rows of the card that are above the screen
    std::size_t held = 0;   // lines that are printed when this card is answered
};

}  // namespace countersign::channels::terminal
