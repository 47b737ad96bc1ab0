// SPDX-License-Identifier: Apache-2.0
// SseClient: a stream of server-sent events that survives its connections. It comes again by itself, with a growing
// pause and the id of the last whole event.
//
// There is no task behind it: read() connects, waits and comes again. Where calls may go and whom they believe is in
// net/curl_rules.
#pragma once

#include "core/http_message.hpp"
#include "core/limits.hpp"
#include "core/ports/clock.hpp"
#include "net/sse_parser.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace countersign::net {

class CurlLoop;
class EventTransfer;
class RunningTask;

// A new connection begins here, the first one included. Events may have been missed: list what is open again.
struct SseReset {
    friend bool operator==(const SseReset&, const SseReset&) = default;
};
using SseItem = std::variant<SseReset, SseEvent>;

struct SseOptions {
    std::string url;  // https; http to a loopback address only
    std::vector<HttpHeader> headers = {};
    std::string ca_file = {};  // as in CurlHttpClient
    std::size_t line_bytes_max = limits::sse_line_bytes_max;
    std::size_t event_bytes_max = limits::sse_event_bytes_max;
    std::chrono::milliseconds connect_max = limits::stream_connect_max;
    std::chrono::milliseconds silence_max = limits::sse_silence_max;  // without a byte; then it comes again
    // Told of each failed connection that will be tried again. No error has any part of the URL but the host.
    std::function<void(const Error&)> trouble = [](const Error&) {};
};

class SseClient {
public:
    // Borrows the clock, which times the pauses.
    SseClient(boost::asio::any_io_executor executor, Clock& clock, SseOptions options);
    SseClient(const SseClient&) = delete;
    SseClient& operator=(const SseClient&) = delete;
    ~SseClient();

    // The next item, however long it takes. An error is for good: an address or header that can't be used, an invalid
    // certificate, or an answer that another try won't change (status 204 or 4xx, or not an event stream).
    // Cancelled, it throws and loses nothing.
    boost::asio::awaitable<Result<SseItem>> read();

private:
    struct Connection;
    Result<void> connect();
    // What the connection has; none: it ended or was silent, and trouble knows.
    boost::asio::awaitable<Result<std::optional<SseItem>>> advance();
    boost::asio::awaitable<void> pause();
    Result<void> check_answer();
    Result<void> lose(Error why);

    boost::asio::any_io_executor executor_;
    Clock& clock_;
    SseOptions options_;
    std::shared_ptr<CurlLoop> loop_;  // the only owner
    std::unique_ptr<Connection> connection_;
    std::string last_id_;
    std::chrono::milliseconds first_pause_ = limits::sse_retry_first;  // the server may wish another one
    std::chrono::milliseconds next_pause_{0};                          // none before the first connection
    std::optional<BootTime> resume_at_;                                // of the pause under way
};

}  // namespace countersign::net
