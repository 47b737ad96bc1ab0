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
    std::vector<HttpHeader> headers = {};  // ours, beside those that every answer has
    std::string_view why = {};             // of a refusal; for the log
};

// The status and one line of text.
[[nodiscard]] Response refused(const Refusal& refusal);

// What a channel answered, if it can be sent as it is; else a 500: a status outside of 200 to 599, a line break in the
// content type, a body over gateway_reply_bytes_max.
[[nodiscard]] Response sendable(Reply reply);

[[nodiscard]] std::string to_bytes(const Response& response, bool keep_alive, WallTime now);

}  // namespace countersign::gateway
