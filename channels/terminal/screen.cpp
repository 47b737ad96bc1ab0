// SPDX-License-Identifier: Apache-2.0
#include "channels/terminal/screen.hpp"

#include "channels/terminal/render.hpp"
#include "channels/terminal/widget.hpp"

#include <utility>

namespace countersign::channels::terminal {

const Style& Screen::style() {
    style_.columns = client_.size().columns;
    return style_;
}

bool Screen::show(const Presentation& presentation, WallTime now, std::function<void()> written) {
    auto bytes = erased(std::exchange(widget_rows_, 0)) + card(presentation, now, style());
    columns_drawn_ = style_.columns;
    stuck_ = stuck_ || !client_.write(std::move(bytes), std::move(written));
    return !stuck_;
}

void Screen::print(std::string_view lines, std::function<void()> written) {
    put(erased(std::exchange(widget_rows_, 0)) + std::string{lines}, std::move(written));
}

void Screen::draw(const View& view, std::size_t waiting) {
    if (style_.plain) return;
    const auto size = client_.size();
    style_.columns = size.columns;
    const auto rows = widget(view, waiting, size.rows - 1, style_);
    put(drawn(rows, widget_rows_));
    widget_rows_ = rows.size();
    columns_drawn_ = size.columns;
}

bool Screen::resized() {
    if (style_.plain || client_.size().columns == columns_drawn_) return false;
    // Where the old rows are now depends on the terminal. They are left as they are: erasing too much would take away
    // text of the card.
    if (std::exchange(widget_rows_, 0) > 0) put("\n");
    return true;
}

void Screen::put(std::string bytes, std::function<void()> written) {
    if (bytes.empty()) return;
    stuck_ = stuck_ || !client_.write(std::move(bytes), std::move(written));
}

}  // namespace countersign::channels::terminal
