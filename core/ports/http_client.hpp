// SPDX-License-Identifier: Apache-2.0
// HttpClient: all outgoing HTTP calls of the program.
//
// A response is what the server sent, including 302 and 500: redirects aren't followed, and a status is never an error.
// A call may reach the server twice: if a kept-alive connection breaks before the first byte of the response, the call
// is sent again.
#pragma once

#include "core/http_message.hpp"

#include <boost/asio/awaitable.hpp>

namespace countersign {

class HttpClient {
public:
    virtual ~HttpClient() = default;
    // Returns the complete response or an error. With these errors nothing was sent: unsupported (an address that we
    // don't call), malformed, busy, bad_signature (invalid server certificate), bad_config (our CA file), away (no
    // connection was made). With these the server may have received the call: too_large, timeout, unavailable
    // (everything else). An error names at most the host. If cancelled, it throws boost::system::system_error, as every
    // Asio operation does.
    virtual boost::asio::awaitable<Result<HttpResponse>> send(HttpRequest request) = 0;
};

}  // namespace countersign
