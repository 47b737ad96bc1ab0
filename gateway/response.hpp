// SPDX-License-Identifier: Apache-2.0
// A response, and its bytes on the wire.
#pragma once

#include "core/http_message.hpp"
#include "core/ports/inbound.hpp"
#include "core/time.hpp"
#include "gateway/framing.hpp"

#include <string>
#include <vector>

namespace countersign::gateway {

struct Response {
    Reply reply;
    std::string_view why = {};  // of a refusal, for the log
};

// The deferred answer of a handler whose late result would be useless.
[[nodiscard]] inline Reply unavailable() { return {.status = 503, .content_type = {}, .body = {}}; }

// A response with this status and one line of text.
[[nodiscard]] Response refused(const Refusal& refusal);

// A handler's reply if it can be sent as it is, else a 500: for a status outside 200 to 599, a header that check()
// refuses or that every response already has, or a body over gateway_reply_bytes_max.
[[nodiscard]] Response sendable(Reply reply);

[[nodiscard]] std::string to_bytes(const Response& response, bool keep_alive, WallTime now);

}  // namespace countersign::gateway
