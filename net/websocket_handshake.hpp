// SPDX-License-Identifier: Apache-2.0
// The HTTP exchange that opens a WebSocket (RFC 6455, 4), without I/O.
#pragma once

#include "core/http_message.hpp"
#include "net/answer_head.hpp"
#include "net/http_address.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::net {

struct WebSocketOffer {
    std::string key;  // 16 random bytes in base64
    std::string subprotocol = {};
    std::vector<HttpHeader> headers = {};  // checked by core's check(HttpRequest)
};

// Errc::malformed if one of the headers belongs to the handshake itself.
[[nodiscard]] Result<std::string> handshake_request(const HttpAddress& address, const WebSocketOffer& offer);

// The value by which the server proves that it read the key.
[[nodiscard]] std::string expected_accept(std::string_view key);

// Parses the server's response as it arrives.
class WebSocketAnswer {
public:
    explicit WebSocketAnswer(const WebSocketOffer& offer) : offer_{offer} {}
    // True if the response is complete and accepts us; rest() may already contain frames. False if more must arrive.
    // Errors contain nothing that the server wrote but its status.
    [[nodiscard]] Result<bool> push(std::string_view bytes);
    [[nodiscard]] const std::string& rest() const { return unread_; }

private:
    Result<bool> take_line(std::string_view line);
    [[nodiscard]] Result<void> check();
    [[nodiscard]] std::vector<std::string> values(std::string_view name);

    WebSocketOffer offer_;
    AnswerHead head_;
    std::string unread_;
    bool began_ = false;
};

}  // namespace countersign::net
