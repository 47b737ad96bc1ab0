// SPDX-License-Identifier: Apache-2.0
// LineFraming: splits a stream of bytes into lines, without I/O: one JSON value per line, as agents send on stdio.
//
// Buffers at most one line plus the bytes pushed with it. Of a line past the bound only the head is kept; it is
// reported once, with its length, and reading continues with the next line.
#pragma once

#include "core/limits.hpp"

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace countersign::net {

struct Line {
    std::string text;               // without its LF; empty if it was too long
    std::size_t bytes_dropped = 0;  // if not zero: the length of a line that was too long
    std::string head = {};          // the beginning of that line; may end in the middle of a character
    friend bool operator==(const Line&, const Line&) = default;
};

class LineFraming {
public:
    // `head_bytes_max` must be at most `line_bytes_max`.
    explicit LineFraming(std::size_t line_bytes_max = limits::agent_line_bytes_max, std::size_t head_bytes_max = 0)
        : line_bytes_max_{line_bytes_max}, head_bytes_max_{head_bytes_max} {}

    void push(std::string_view bytes);
    // Treats an unfinished line at the end of the stream as a line, too.
    void finish();
    // The next complete line. Empty lines are skipped.
    [[nodiscard]] std::optional<Line> pop();
    // Whether an unfinished line has begun.
    [[nodiscard]] bool within_a_line() const { return partial_bytes_ > 0; }

private:
    void end_line();
    void append(std::string_view bytes);

    std::size_t line_bytes_max_;
    std::size_t head_bytes_max_;
    std::string partial_;
    std::size_t partial_bytes_ = 0;  // including bytes that are not kept
    std::deque<Line> lines_;
};

}  // namespace countersign::net
