// SPDX-License-Identifier: Apache-2.0
// VirtualScreen: what a person sees on a terminal with this many columns and rows after these bytes.
//
// It supports exactly the control sequences that our own code sends: all others are counted in `strange`, so that a
// test fails. The width of a character comes from the C library, which our own code doesn't use for that.
#pragma once

#include "core/utf8.hpp"

#include <clocale>
#include <cwchar>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::fakes {

class VirtualScreen {
public:
    VirtualScreen(std::size_t columns, std::size_t rows)
        : columns_{columns}, height_{rows}, locale_{::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)} {}
    VirtualScreen(const VirtualScreen&) = delete;
    VirtualScreen& operator=(const VirtualScreen&) = delete;
    ~VirtualScreen() {
        if (locale_ != nullptr) ::freelocale(locale_);
    }

    void feed(std::string_view bytes) {
        pending_ += bytes;
        while (!pending_.empty()) {
            const auto taken = pending_.front() == '\x1b' ? sequence() : character();
            if (taken == 0) return;  // the rest hasn't arrived yet
            pending_.erase(0, taken);
        }
    }

    // All text that was printed and not erased, including rows that scrolled off the top, without blanks at the end of
    // a row.
    [[nodiscard]] std::vector<std::string> all_rows() const {
        std::vector<std::string> rows;
        for (const auto& cells : rows_) rows.push_back(text_of(cells));
        return rows;
    }
    // Only the visible rows.
    [[nodiscard]] std::vector<std::string> rows() const {
        auto rows = all_rows();
        rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(top()));
        return rows;
    }
    [[nodiscard]] std::string text() const {
        std::string all;
        for (const auto& row : rows()) all += row + "\n";
        return all;
    }

    int strange = 0;

private:
    using Cells = std::vector<std::string>;  // the second half of a wide character is an empty cell

    static std::string text_of(const Cells& cells) {
        std::string text;
        for (const auto& cell : cells) text += cell;
        text.erase(text.find_last_not_of(' ') + 1);
        return text;
    }
    [[nodiscard]] std::size_t top() const { return rows_.size() > height_ ? rows_.size() - height_ : 0; }

    void newline() {
        if (++row_ == rows_.size()) rows_.emplace_back();
    }

    std::size_t character() {
        const auto byte = static_cast<unsigned char>(pending_.front());
        if (byte == '\r') column_ = 0;
        if (byte == '\n') newline();
        if (byte == '\r' || byte == '\n') return 1;
        const auto next = utf8::decode(pending_);
        if (!next) {
            if (byte >= 0x80 && pending_.size() < 4) return 0;
            ++strange;
            return 1;
        }
        put(pending_.substr(0, next->length), next->value);
        return next->length;
    }

    void put(const std::string& glyph, char32_t code) {
        const auto before = ::uselocale(locale_);
        const auto width = ::wcwidth(static_cast<wchar_t>(code));
        ::uselocale(before);
        if (width < 0) ++strange;
        if (width <= 0) return;
        const auto wide = static_cast<std::size_t>(width);
        if (column_ + wide > columns_) {
            column_ = 0;
            newline();
        }
        auto& cells = rows_[row_];
        if (cells.size() < column_ + wide) cells.resize(column_ + wide, " ");
        cells[column_] = glyph;
        if (wide == 2) cells[column_ + 1].clear();
        column_ += wide;
    }

    std::size_t sequence() {
        if (pending_.size() < 2) return 0;
        if (pending_[1] != '[') {
            ++strange;
            return 1;
        }
        const auto end =
            std::find_if(pending_.begin() + 2, pending_.end(), [](char c) { return c >= '@' && c <= '~'; });
        if (end == pending_.end()) return 0;
        const std::string parameters{pending_.begin() + 2, end};
        if (*end == 'A') {
            row_ = std::max(top(), row_ - std::min(row_, static_cast<std::size_t>(std::stoul(parameters))));
        } else if (*end == 'J' && parameters.empty()) {
            rows_.resize(row_ + 1);
            if (rows_[row_].size() > column_) rows_[row_].resize(column_);
        } else if (*end == 'D' || *end == 'G') {
            move_column(*end, std::stoul(parameters));
        } else if (*end != 'm' && parameters != "?2004") {
            ++strange;
        }
        return static_cast<std::size_t>(end - pending_.begin()) + 1;
    }

    void move_column(char how, std::size_t count) {
        column_ = how == 'G' ? count - 1 : column_ - std::min(column_, count);
    }

    std::size_t columns_;
    std::size_t height_;
    ::locale_t locale_;
    std::vector<Cells> rows_{1};
    std::size_t row_ = 0;
    std::size_t column_ = 0;
    std::string pending_;
};

}  // namespace countersign::fakes
