// SPDX-License-Identifier: Apache-2.0
// Screen: what was printed and what is drawn in place. Cards and lines go into the scrollback, where a text longer than
// the screen can be read in full; only the widget below them is drawn again.
#pragma once

#include "channels/terminal/client.hpp"
#include "channels/terminal/speech.hpp"
#include "channels/terminal/style.hpp"
#include "channels/terminal/view.hpp"
#include "core/ports/channel.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace countersign::channels::terminal {

class Screen {
public:
    // Borrows the client.
    Screen(TerminalClient& client, bool plain, bool colour)
        : client_{client}, style_{.plain = plain, .colour = colour, .breaks = client.shown_on_terminal()} {}

    [[nodiscard]] const Style& style();

    // Prints the card in the place of the widget; `written` is called when all of it is out. False if the terminal
    // takes no more: then nobody saw it.
    [[nodiscard]] bool show(const Presentation& presentation, WallTime now, std::function<void()> written);
    // Prints lines above the widget, which has to be drawn again after it. `written` is called when they are out.
    void print(std::string_view lines, std::function<void()> written = {});
    // Lines of our own, broken for the screen.
    void tell(std::string_view lines) { print(broken(lines, style())); }
    void draw(View view, std::size_t waiting);
    // In plain style, below a card and `words` that do not fit the terminal together: how much is above it. Else empty.
    [[nodiscard]] std::string note_above(std::string_view words, Language language);
    // The rows of the widget are no longer where they were drawn, and the card is broken for another width.
    [[nodiscard]] bool resized();
    // The terminal took no more, so what is on it is not what was drawn.
    [[nodiscard]] bool stuck() const { return stuck_; }

private:
    void put(std::string bytes, std::function<void()> written = {});

    TerminalClient& client_;
    Style style_;
    std::size_t rows_ = 0;  // of the card, and of all that was printed since
    std::size_t widget_rows_ = 0;
    std::size_t columns_drawn_ = 0;
    bool stuck_ = false;
};

}  // namespace countersign::channels::terminal
