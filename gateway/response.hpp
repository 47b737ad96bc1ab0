// SPDX-License-Identifier: Apache-2.0
// An answer, and its bytes on the wire.
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
    std::string_view why = {};  // of a refusal; for the log
};

// For a handler whose late answer would be of no use.
[[nodiscard]] inline Reply unavailable() { return {.status = 503, .content_type = {}, .body = {}}; }

// The status and one line of text.
[[nodiscard]] Response refused(const Refusal& refusal);

// What a handler answered, if it can be sent as it is; else a 500: a status outside of 200 to 599, a header that
// check() refuses or that every answer has, a body over gateway_reply_bytes_max.
[[nodiscard]] Response sendable(Reply reply);

[[nodiscard]] std::string to_bytes(const Response& response, bool keep_alive, WallTime now);

}  // namespace countersign::gateway
