// SPDX-License-Identifier: Apache-2.0
// Inbound: where a front (webhook, socket) hands the raw bytes that a platform sent. A channel implements it.
//
// It verifies before it reads (I5): nothing of the bytes has been parsed when it is called.
#pragma once

#include "core/http_message.hpp"
#include "core/time.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace countersign {

// The part of a path that a route leaves open, e.g. `id` in /approvals/{id}.
struct PathParameter {
    std::string name;
    std::string value;  // plain: letters, digits, '-', '_' and '.'
    friend bool operator==(const PathParameter&, const PathParameter&) = default;
};

struct Reply {
    unsigned status = 200;
    std::string content_type;  // empty without a body
    std::string body;
    std::vector<HttpHeader> headers = {};  // besides those of every answer
};

// The platform takes one answer to what it brought, and waits for it only so long.
class ReplySlot {
public:
    virtual ~ReplySlot() = default;
    // False: it was filled before, or the platform no longer waits. Then the words go out through the channel.
    virtual bool fill(Reply reply) = 0;
};

struct InboundMessage {
    std::string method;
    std::string path;   // as it came, without the query
    std::string query;  // after the first '?', as it came: the handler decodes it once the message is verified
    std::vector<PathParameter> parameters;
    std::vector<HttpHeader> headers;  // as they came; names in any case
    std::string body;
    BootTime arrived;  // its last byte
    std::shared_ptr<ReplySlot> slot = {};
};

class Inbound {
public:
    virtual ~Inbound() = default;
    // The reply goes out unless the slot was filled before. It promises nothing: what came of the message is shown
    // through the channel.
    virtual boost::asio::awaitable<Reply> handle(InboundMessage message) = 0;
    // How long the platform waits for the reply. After that it gets `deferred`, and `handle` continues: its result goes
    // out through the channel.
    [[nodiscard]] virtual std::chrono::milliseconds reply_max() const { return limits::gateway_handle_max; }
    // What the platform takes as "received, the result follows". For most of them an empty 200.
    [[nodiscard]] virtual Reply deferred() const { return {}; }
};

}  // namespace countersign
