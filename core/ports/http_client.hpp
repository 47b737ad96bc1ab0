// SPDX-License-Identifier: Apache-2.0
// HttpClient: every outgoing call of the program.
//
// An answer is whatever the server said, also 302 or 500: redirects are not followed and no status is an error. A call
// may reach the server twice: on a kept connection that breaks before the first byte of an answer it is sent again.
#pragma once

#include "core/http_message.hpp"

#include <boost/asio/awaitable.hpp>

namespace countersign {

class HttpClient {
public:
    virtual ~HttpClient() = default;
    // The whole answer, or why there is none. Nothing of the call was sent: unsupported (an address we do not call),
    // malformed, busy, bad_signature (the server's certificate is not valid), bad_config (our CA file), away (no
    // connection was made). The server may have got it: too_large, timeout, unavailable (all else). An error names at
    // most the host. Cancelled, it throws boost::system::system_error, as every Asio operation does.
    virtual boost::asio::awaitable<Result<HttpResponse>> send(HttpRequest request) = 0;
};

}  // namespace countersign
