// SPDX-License-Identifier: Apache-2.0
#include "net/line_framing.hpp"

#include <utility>

namespace countersign::net {

void LineFraming::push(std::string_view bytes) {
    while (!bytes.empty()) {
        const auto end = bytes.find('\n');
        append(bytes.substr(0, end));
        if (end == std::string_view::npos) return;
        end_line();
        bytes.remove_prefix(end + 1);
    }
}

void LineFraming::finish() { end_line(); }

std::optional<Line> LineFraming::pop() {
    if (lines_.empty()) return std::nullopt;
    auto line = std::move(lines_.front());
    lines_.pop_front();
    return line;
}

void LineFraming::append(std::string_view bytes) {
    partial_bytes_ += bytes.size();
    if (partial_bytes_ <= line_bytes_max_) {
        partial_ += bytes;
    } else {
        // Frees its memory: an agent that never ends its line must not occupy ours.
        partial_ = (partial_ + std::string{bytes.substr(0, head_bytes_max_)}).substr(0, head_bytes_max_);
    }
}

void LineFraming::end_line() {
    const auto bytes = std::exchange(partial_bytes_, 0);
    auto text = std::exchange(partial_, {});
    if (bytes > line_bytes_max_) {
        lines_.push_back({.text = {}, .bytes_dropped = bytes, .head = std::move(text)});
    } else if (text.find_first_not_of("\r\t ") != std::string::npos) {
        lines_.push_back({.text = std::move(text)});
    }
}

}  // namespace countersign::net
