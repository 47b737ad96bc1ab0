// SPDX-License-Identifier: Apache-2.0
// From what a person typed here to an Attempt. Who sits here is known from the process, not from the bytes: the
// terminal belongs to its user, and an Attempt from it carries that user's id.
#pragma once

#include "channels/terminal/approval_prompt.hpp"
#include "core/attempt.hpp"
#include "core/ports/channel.hpp"
#include "core/time.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace countersign::channels::terminal {

struct Seat {
    std::string principal;  // "terminal:1000"
    std::string channel;
    std::string chat;  // the name of the tty, or "plain"
};

[[nodiscard]] Place place_of(const Seat& seat, DeliveryId id);

struct Moment {
    BootTime arrived;
    WallTime made;
};
[[nodiscard]] Attempt attempt_of(Decided decided, const Presentation& presentation, const Seat& seat, Moment moment);

// Bytes into lines. A line without its newline is none yet, also at the end of the input: half a word decides nothing.
class LineReader {
public:
    struct Line {
        std::string text;       // without the newline; empty if it was too long
        bool too_long = false;  // over terminal_line_bytes_max: all of it was dropped
        friend bool operator==(const Line&, const Line&) = default;
    };
    [[nodiscard]] std::vector<Line> feed(std::string_view bytes);
    // Drops a line that has no end yet. True if there was one.
    bool forget();

private:
    Line line_;
};

}  // namespace countersign::channels::terminal
