// SPDX-License-Identifier: Apache-2.0
// CurlHttpClient: the HTTP client, with libcurl on our event loop and one connection pool for all channels.
// net/curl_rules defines where calls may go and what they trust; core/http_message defines what a call may contain.
//
// Use it on its executor's one thread, and destroy it before the event loop. If it is destroyed with calls under way,
// each of them fails on a later turn.
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
    // `ca_file`: PEM certificates to trust instead of the system's; if empty, the system's. `connect_max`: time to
    // resolve the name, connect and negotiate TLS.
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
    std::shared_ptr<CurlLoop> loop_;  // the only owner; running calls check whether it still exists
};

}  // namespace countersign::net
