// SPDX-License-Identifier: Apache-2.0
#include "channels/terminal/screen.hpp"

#include "channels/terminal/render.hpp"
#include "channels/terminal/widget.hpp"
#include "channels/terminal/word.hpp"

#include <algorithm>
#include <utility>

namespace countersign::channels::terminal {

namespace {

std::size_t rows_of(std::string_view text) { return static_cast<std::size_t>(std::ranges::count(text, '\n')); }

}  // namespace

const Style& Screen::style() {
    style_.columns = client_.size().columns;
    return style_;
}

bool Screen::show(const Presentation& presentation, WallTime now, std::function<void()> written) {
    const auto rows = card(presentation, now, style());
    auto bytes = erased(std::exchange(widget_rows_, 0)) + rows;
    rows_ = rows_of(rows);
    columns_drawn_ = style_.columns;
    stuck_ = stuck_ || !client_.write(std::move(bytes), std::move(written));
    return !stuck_;
}

void Screen::print(std::string_view lines, std::function<void()> written) {
    rows_ += rows_of(lines);
    put(erased(std::exchange(widget_rows_, 0)) + std::string{lines}, std::move(written));
}

void Screen::draw(View view, std::size_t waiting) {
    if (style_.plain) return;
    const auto size = client_.size();
    style_.columns = size.columns;
    const auto above = [&](std::size_t rows) { return rows_ + rows - std::min(rows_ + rows, size.rows); };
    auto rows = widget(view, waiting, size.rows - 1, style_);
    // The note is a row itself: it is drawn once to know how much is above with it.
    for (int pass = 0; pass < 2 && above(rows.size()) > 0; ++pass) {
        view.above = above(rows.size());
        rows = widget(view, waiting, size.rows - 1, style_);
    }
    put(drawn(rows, widget_rows_));
    widget_rows_ = rows.size();
    columns_drawn_ = size.columns;
}

std::string Screen::note_above(std::string_view words, Language language) {
    if (!style_.plain || !style_.breaks) return {};
    const auto size = client_.size();
    const auto rows = rows_ + rows_of(broken(words, style())) + 1;  // with the one that is typed in
    if (rows <= size.rows) return {};
    return text(language, Word::lines_above, {{"count", std::to_string(rows + 1 - size.rows)}}) + "\n";
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
