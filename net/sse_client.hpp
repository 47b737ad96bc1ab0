// SPDX-License-Identifier: Apache-2.0
// SseClient: a stream of server-sent events that survives its connections. It reconnects by itself, with a growing
// pause and the id of the last complete event.
//
// It runs no task: read() connects, waits and reconnects. net/curl_rules defines where calls may go and what they
// trust.
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

// A new connection begins here; also sent for the first one. Events may have been missed: query the open items again.
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
    std::chrono::milliseconds silence_max = limits::sse_silence_max;  // without a byte; then it reconnects
    // Called for each failed connection that will be retried. Errors contain no part of the URL but the host.
    std::function<void(const Error&)> trouble = [](const Error&) {};
};

class SseClient {
public:
    // Borrows the clock, which times the pauses.
    SseClient(boost::asio::any_io_executor executor, Clock& clock, SseOptions options);
    SseClient(const SseClient&) = delete;
    SseClient& operator=(const SseClient&) = delete;
    ~SseClient();

    // The next item, however long it takes. An error is final: an unusable address or header, an invalid certificate,
    // or a response that a retry won't change (status 204 or 4xx, or not an event stream). If cancelled, it throws and
    // loses nothing.
    boost::asio::awaitable<Result<SseItem>> read();

private:
    struct Connection;
    Result<void> connect();
    // The connection's next item. Empty if the connection ended or was silent; `trouble` was called.
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
    std::chrono::milliseconds first_pause_ = limits::sse_retry_first;  // the server may choose another
    std::chrono::milliseconds next_pause_{0};                          // none before the first connection
    std::optional<BootTime> resume_at_;                                // the end of the current pause
};

}  // namespace countersign::net
