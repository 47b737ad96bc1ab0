// SPDX-License-Identifier: Apache-2.0
#include "channels/terminal/inbound.hpp"

#include "core/limits.hpp"

#include <utility>

namespace countersign::channels::terminal {

Place place_of(const Seat& seat, DeliveryId id) {
    return {.channel = seat.channel, .chat = seat.chat, .thread = {}, .message = std::to_string(id)};
}

Attempt attempt_of(Decided decided, const Presentation& presentation, const Seat& seat, Moment moment) {
    Attempt attempt;
    attempt.request_id = presentation.request->id;
    attempt.principal = seat.principal;
    attempt.what = std::move(decided.what);
    attempt.reason = std::move(decided.reason);
    attempt.and_behind = decided.and_behind;
    attempt.where = place_of(seat, presentation.id);
    attempt.assurance = Assurance::chat;
    attempt.arrived = moment.arrived;
    attempt.made = moment.made;
    attempt.generation = generation_digit(presentation.generation);
    return attempt;
}

std::vector<LineReader::Line> LineReader::feed(std::string_view bytes) {
    std::vector<Line> lines;
    for (const char byte : bytes) {
        if (byte == '\n') {
            lines.push_back(std::exchange(line_, {}));
        } else if (line_.too_long || line_.text.size() >= limits::terminal_line_bytes_max) {
            line_ = {.text = {}, .too_long = true};
        } else {
            line_.text += byte;
        }
    }
    return lines;
}

bool LineReader::forget() {
    const auto dropped = std::exchange(line_, {});
    return dropped.too_long || !dropped.text.empty();
}

}  // namespace countersign::channels::terminal
