// SPDX-License-Identifier: Apache-2.0
#include "net/http_client.hpp"

#include "net/curl_loop.hpp"
#include "net/transfer.hpp"

namespace countersign::net {

namespace asio = boost::asio;

CurlHttpClient::CurlHttpClient(asio::any_io_executor executor, std::string ca_file,
                               std::chrono::milliseconds connect_max)
    : executor_{std::move(executor)},
      ca_file_{std::move(ca_file)},
      connect_max_{connect_max},
      loop_{std::make_shared<CurlLoop>(executor_)} {}

CurlHttpClient::~CurlHttpClient() = default;

asio::awaitable<Result<HttpResponse>> CurlHttpClient::send(HttpRequest request) {
    if (const auto sound = check(request); !sound) co_return sound.error();
    auto address = read_address(request.url);
    if (!address) co_return address.error();
    const auto transfer = std::make_shared<Transfer>(executor_, std::move(request), std::move(*address));
    if (const auto prepared = transfer->prepare(ca_file_, connect_max_); !prepared) co_return prepared.error();
    if (const auto started = loop_->start(transfer); !started) co_return started.error();
    const RunningTask leave{loop_, transfer};
    co_return co_await transfer->outcome();  // this client may be destroyed meanwhile
}

}  // namespace countersign::net
