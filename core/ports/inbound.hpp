// SPDX-License-Identifier: Apache-2.0
// Inbound: takes the raw bytes that a platform sent to a webhook or a socket. A channel implements it.
//
// It must verify the bytes before it parses them (I5): the caller has parsed nothing.
#pragma once

#include "core/http_message.hpp"
#include "core/time.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace countersign {

// The variable part of a route's path, e.g. `id` in /approvals/{id}.
struct PathParameter {
    std::string name;
    std::string value;  // only letters, digits, '-', '_' and '.'
    friend bool operator==(const PathParameter&, const PathParameter&) = default;
};

struct Reply {
    unsigned status = 200;
    std::string content_type;  // empty if there is no body
    std::string body;
    std::vector<HttpHeader> headers = {};  // in addition to the headers that every reply gets
};

// The one HTTP response that the platform waits for, and only for a limited time.
class ReplySlot {
public:
    virtual ~ReplySlot() = default;
    // False if it was already filled or the platform no longer waits. Then the reply must go out through the channel.
    virtual bool fill(Reply reply) = 0;
};

struct InboundMessage {
    std::string method;
    std::string path;   // as received, without the query
    std::string query;  // after the first '?', as received: the handler decodes it once the message is verified
    std::vector<PathParameter> parameters;
    std::vector<HttpHeader> headers;  // as received; names in any case
    std::string body;
    BootTime arrived;  // when its last byte arrived
    std::shared_ptr<ReplySlot> slot = {};
};

class Inbound {
public:
    virtual ~Inbound() = default;
    // The reply is sent unless the slot was already filled. It doesn't tell the result: the channel shows what came of
    // the message.
    virtual boost::asio::awaitable<Reply> handle(InboundMessage message) = 0;
    // The reply to a message whose body is larger than the route takes. The body was dropped: `message` has all the
    // rest. Empty: 413. A platform may repeat a delivery, and hold back what follows, until it is accepted. So override
    // this if the headers alone show that a message is the platform's.
    [[nodiscard]] virtual std::optional<Reply> handle_without_body(const InboundMessage&) { return std::nullopt; }
    // How long the platform waits for the reply. After that it gets `deferred` and `handle` continues; its result goes
    // out through the channel.
    [[nodiscard]] virtual std::chrono::milliseconds reply_max() const { return limits::gateway_handle_max; }
    // The response that means "received, the result follows". For most platforms this is an empty 200.
    [[nodiscard]] virtual Reply deferred() const { return {}; }
};

}  // namespace countersign
