// SPDX-License-Identifier: Apache-2.0
// SseParser: parses server-sent events from a stream of bytes, without I/O, as the HTML standard defines
// text/event-stream. Lines and events are bounded; past a bound the parser fails for good, because part of an event
// must not pass for the whole. Invalid UTF-8 becomes U+FFFD.
#pragma once

#include "core/limits.hpp"
#include "core/result.hpp"

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace countersign::net {

struct SseEvent {
    std::string type = "message";
    std::string data = {};
    std::string id = {};  // the last id in the stream, up to and including this event
    friend bool operator==(const SseEvent&, const SseEvent&) = default;
};

class SseParser {
public:
    // `last_id`: the last id of an earlier connection to the same stream.
    explicit SseParser(std::string last_id = {}, std::size_t line_bytes_max = limits::sse_line_bytes_max,
                       std::size_t event_bytes_max = limits::sse_event_bytes_max)
        : line_bytes_max_{line_bytes_max}, event_bytes_max_{event_bytes_max}, named_id_{std::move(last_id)} {
        last_id_ = named_id_;
    }

    // Errc::too_large past a bound, and from then on.
    Result<void> push(std::string_view bytes);
    [[nodiscard]] std::optional<SseEvent> pop();
    // How many events pop() can return.
    [[nodiscard]] std::size_t events() const { return events_.size(); }
    // The id after the last complete event. The id of an incomplete event is ignored: the server must send that event
    // again.
    [[nodiscard]] const std::string& last_id() const { return last_id_; }
    // How long the server wants us to wait before we reconnect.
    [[nodiscard]] std::optional<std::chrono::milliseconds> retry() const { return retry_; }

private:
    void end_line();
    void field(std::string_view name, std::string_view value);
    void dispatch();

    std::size_t line_bytes_max_;
    std::size_t event_bytes_max_;
    std::string named_id_;  // including the current event's
    std::string last_id_;
    std::optional<std::chrono::milliseconds> retry_;
    std::string line_;
    bool first_line_ = true;  // may begin with a byte order mark
    bool after_cr_ = false;
    bool has_data_ = false;
    std::string type_;
    std::string data_;
    bool failed_ = false;
    std::deque<SseEvent> events_;
};

}  // namespace countersign::net
