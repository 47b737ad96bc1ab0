// SPDX-License-Identifier: Apache-2.0
// Lines out of a stream of bytes, without I/O: one JSON value a line, as agents on stdio speak.
//
// Holds at most one line and what was pushed with it. A line past the bound is not kept but for its head; it is
// reported once, with its length, and the next line is read as if nothing had happened.
#pragma once

#include "core/limits.hpp"

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace countersign::net {

struct Line {
    std::string text;               // without its LF; empty when it was too long
    std::size_t bytes_dropped = 0;  // not zero: a line of so many bytes was too long
    std::string head = {};          // how that line began; may end in the middle of a character
    friend bool operator==(const Line&, const Line&) = default;
};

class LineFraming {
public:
    // `head_bytes_max` is at most `line_bytes_max`.
    explicit LineFraming(std::size_t line_bytes_max = limits::agent_line_bytes_max, std::size_t head_bytes_max = 0)
        : line_bytes_max_{line_bytes_max}, head_bytes_max_{head_bytes_max} {}

    void push(std::string_view bytes);
    // What is left at the end of the stream counts as a line, too.
    void finish();
    // The next whole line. Empty lines are passed over.
    [[nodiscard]] std::optional<Line> pop();
    // Some bytes of a line are here and its end isn't.
    [[nodiscard]] bool within_a_line() const { return partial_bytes_ > 0; }

private:
    void end_line();
    void append(std::string_view bytes);

    std::size_t line_bytes_max_;
    std::size_t head_bytes_max_;
    std::string partial_;
    std::size_t partial_bytes_ = 0;  // also counts what is not kept
    std::deque<Line> lines_;
};

}  // namespace countersign::net
