// SPDX-License-Identifier: Apache-2.0
// The HTTP client: libcurl on our loop, one connection pool for all channels. Where calls may go and whom they believe
// is in net/transfer; what a call may hold is in core/http_message.
//
// Used on its executor's one thread, and destroyed before its loop is. Destroyed with calls under way, each of them
// gets an error on a later turn.
#pragma once

#include "core/limits.hpp"
#include "core/ports/http_client.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <memory>
#include <string>

namespace countersign::net {

class CurlLoop;

class CurlHttpClient final : public HttpClient {
public:
    // `ca_file`: PEM certificates to believe instead of the system's; empty: the system's. `connect_max`: how long a
    // name is resolved, a connection made and TLS agreed upon.
    explicit CurlHttpClient(boost::asio::any_io_executor executor, std::string ca_file = {},
                            std::chrono::milliseconds connect_max = limits::http_connect_max);
    CurlHttpClient(const CurlHttpClient&) = delete;
    CurlHttpClient& operator=(const CurlHttpClient&) = delete;
    ~CurlHttpClient() override;

    boost::asio::awaitable<Result<HttpResponse>> send(HttpRequest request) override;

private:
    boost::asio::any_io_executor executor_;
    std::string ca_file_;
    std::chrono::milliseconds connect_max_;
    std::shared_ptr<CurlLoop> loop_;  // the only owner; a call under way looks whether it is still there
};

}  // namespace countersign::net
