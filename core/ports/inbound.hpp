// SPDX-License-Identifier: Apache-2.0
// Inbound: where a front (webhook, socket) hands the raw bytes that a platform sent. A channel implements it.
//
// It verifies before it reads (I5): nothing of the bytes has been parsed when it is called.
#pragma once

#include "core/http_message.hpp"
#include "core/time.hpp"

#include <boost/asio/awaitable.hpp>

#include <string>
#include <vector>

namespace countersign {

struct InboundMessage {
    std::vector<HttpHeader> headers;  // as they came; names in any case
    std::string body;
    BootTime arrived;
};

struct Reply {
    unsigned status = 200;
    std::string content_type;  // empty without a body
    std::string body;
};

class Inbound {
public:
    virtual ~Inbound() = default;
    // An acknowledgement, which promises nothing: what came of it is shown through the channel.
    virtual boost::asio::awaitable<Reply> handle(InboundMessage message) = 0;
};

}  // namespace countersign
