// SPDX-License-Identifier: Apache-2.0
// WebSocket frames as a client reads and writes them (RFC 6455, 5), without I/O and without extensions.
//
// Stricter than the standard in one way: only text messages are accepted, because all our peers use JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace countersign::net {

// RFC 6455, 7.4.1. Platforms define their own codes from 4000 to 4999.
namespace close_code {
inline constexpr std::uint16_t normal = 1000;
inline constexpr std::uint16_t protocol_error = 1002;
inline constexpr std::uint16_t unsupported_data = 1003;
inline constexpr std::uint16_t no_status = 1005;  // never sent: the close frame had no code
inline constexpr std::uint16_t invalid_text = 1007;
inline constexpr std::uint16_t too_big = 1009;
}  // namespace close_code

struct WebSocketMessage {
    std::string text;  // valid UTF-8
    friend bool operator==(const WebSocketMessage&, const WebSocketMessage&) = default;
};
struct WebSocketPing {
    std::string payload;
    friend bool operator==(const WebSocketPing&, const WebSocketPing&) = default;
};
struct WebSocketPong {
    friend bool operator==(const WebSocketPong&, const WebSocketPong&) = default;
};
struct WebSocketClose {
    std::uint16_t code = close_code::no_status;
    std::string reason = {};  // the peer's text, valid UTF-8
    friend bool operator==(const WebSocketClose&, const WebSocketClose&) = default;
};
// The peer broke a rule; we close the connection with this code.
struct WebSocketViolation {
    std::uint16_t code = close_code::protocol_error;
    std::string what = {};
    friend bool operator==(const WebSocketViolation&, const WebSocketViolation&) = default;
};
using WebSocketItem = std::variant<WebSocketMessage, WebSocketPing, WebSocketPong, WebSocketClose, WebSocketViolation>;

class WebSocketReader {
public:
    explicit WebSocketReader(std::size_t message_bytes_max) : message_bytes_max_{message_bytes_max} {}
    void push(std::string_view bytes);
    // Items in the order of their frames; fragments of a message become one. Nothing follows a close or a violation.
    [[nodiscard]] std::optional<WebSocketItem> pop();

private:
    struct Head {
        unsigned opcode = 0;
        bool last = false;
        std::uint64_t length = 0;
    };
    // Both remove bytes from the front of `rest`.
    bool take_head(std::string_view& rest);
    void take_payload(std::string_view& rest);
    void end_frame();
    void end_message();
    void end_close();
    [[nodiscard]] std::string_view fault_of_first_bytes(unsigned first, unsigned second) const;
    void end_with(WebSocketItem item);
    void violate(std::uint16_t code, std::string_view what) { end_with(WebSocketViolation{code, std::string{what}}); }

    std::size_t message_bytes_max_;
    std::string unread_;        // bytes of an incomplete head
    std::optional<Head> head_;  // of the frame whose payload is being read
    std::string control_;       // payload of a control frame
    std::string message_;       // payload of the fragments so far
    bool fragmented_ = false;   // a message began and its last fragment has not arrived
    bool ended_ = false;
    std::deque<WebSocketItem> items_;
};

enum class WebSocketOpcode : std::uint8_t { text = 1, close = 8, ping = 9, pong = 10 };

// One whole frame, masked with this key as the standard requires of clients.
[[nodiscard]] std::string websocket_frame(WebSocketOpcode opcode, std::string_view payload, std::uint32_t mask);

// The payload of a close frame. The reason is cut to fit, on a character boundary.
[[nodiscard]] std::string close_payload(std::uint16_t code, std::string_view reason);

}  // namespace countersign::net
