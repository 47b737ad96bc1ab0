// SPDX-License-Identifier: Apache-2.0
#include "net/sse_client.hpp"

#include "net/curl_loop.hpp"
#include "net/event_transfer.hpp"

#include <algorithm>
#include <strings.h>

namespace countersign::net {

namespace asio = boost::asio;

struct SseClient::Connection {
    std::shared_ptr<EventTransfer> transfer;
    std::unique_ptr<RunningTask> running;
    SseParser parser;
    bool accepted = false;  // status and type were checked, and the reset was returned
};

namespace {

bool is_event_stream(std::string_view type) {
    constexpr std::string_view wanted = "text/event-stream";
    if (type.size() < wanted.size() || ::strncasecmp(type.data(), wanted.data(), wanted.size()) != 0) return false;
    return type.size() == wanted.size() || type[wanted.size()] == ';' || type[wanted.size()] == ' ';
}

// The standard allows ids that HTTP does not. Without an id the server starts with new events; the reset says so
// anyway.
bool fits_a_header(std::string_view id) {
    return !id.empty() && std::ranges::none_of(id, [](unsigned char c) { return c < 0x20 || c == 0x7F; });
}

// A retry may succeed: the server is starting, busy, or behind a proxy that can't reach it.
bool passes(int status) { return status >= 500 || status == 408 || status == 425 || status == 429; }

}  // namespace

SseClient::SseClient(asio::any_io_executor executor, Clock& clock, SseOptions options)
    : executor_{std::move(executor)},
      clock_{clock},
      options_{std::move(options)},
      loop_{std::make_shared<CurlLoop>(executor_)} {}

SseClient::~SseClient() = default;

asio::awaitable<Result<SseItem>> SseClient::read() {
    for (;;) {
        if (!connection_) {
            co_await pause();
            if (const auto started = connect(); !started) co_return started.error();
        }
        auto item = co_await advance();
        if (!item) co_return item.error();
        if (*item) co_return std::move(**item);
    }
}

// If an earlier read was cancelled, waits only for the rest.
asio::awaitable<void> SseClient::pause() {
    if (!resume_at_) resume_at_ = clock_.boot() + next_pause_;
    if (clock_.boot() < *resume_at_) co_await clock_.sleep_until(*resume_at_);
    resume_at_.reset();
    next_pause_ = std::clamp(next_pause_ * 2, first_pause_, limits::sse_retry_max);
}

Result<void> SseClient::connect() {
    HttpRequest request{.url = options_.url, .headers = options_.headers};
    if (fits_a_header(last_id_)) request.headers.push_back({"Last-Event-ID", last_id_});
    if (const auto sound = check(request); !sound) return sound;
    auto address = read_address(request.url);
    if (!address) return address.error();
    auto transfer = std::make_shared<EventTransfer>(executor_, std::move(request), std::move(*address));
    if (const auto prepared = transfer->prepare(options_.ca_file, options_.connect_max); !prepared) return prepared;
    if (const auto started = loop_->start(transfer); !started) return started;
    auto running = std::make_unique<RunningTask>(loop_, transfer);
    SseParser parser{last_id_, options_.line_bytes_max, options_.event_bytes_max};
    connection_ = std::make_unique<Connection>(std::move(transfer), std::move(running), std::move(parser));
    return {};
}

asio::awaitable<Result<std::optional<SseItem>>> SseClient::advance() {
    auto& parser = connection_->parser;
    if (auto event = parser.pop()) {
        last_id_ = event->id;
        // Only after an event: a server that merely accepts connections may still be failing.
        next_pause_ = first_pause_;
        co_return std::optional<SseItem>{std::move(*event)};
    }
    auto& transfer = *connection_->transfer;
    const bool alive = co_await transfer.changed(options_.silence_max);
    if (alive && transfer.answered() && !connection_->accepted) {
        if (const auto accepted = check_answer(); !accepted) co_return accepted.error();
        if (!connection_) co_return std::optional<SseItem>{};
        connection_->accepted = true;
        co_return std::optional<SseItem>{SseReset{}};
    }
    const auto pushed = parser.push(transfer.take_bytes());
    if (const auto wish = parser.retry()) first_pause_ = std::max(*wish, limits::sse_retry_first);
    Result<void> lost;
    if (!pushed) {
        lost = lose(pushed.error());
    } else if (!alive) {
        lost = lose({Errc::timeout, "the stream of events was silent for too long"});
    } else if (const auto ended = transfer.ended(); ended && parser.events() == 0) {
        lost = lose(*ended ? Error{Errc::away, "the server ended the stream of events"} : ended->error());
    }
    if (!lost) co_return lost.error();
    co_return std::optional<SseItem>{};
}

Result<void> SseClient::check_answer() {
    const auto status = connection_->transfer->status();
    if (status == 200) {
        if (is_event_stream(connection_->transfer->content_type())) return {};
        connection_.reset();
        return Error{Errc::unsupported, "the server does not answer with a stream of events"};
    }
    Error error{Errc::unavailable, "the server answered with status " + std::to_string(status)};
    if (passes(status)) return lose(std::move(error));
    connection_.reset();
    return error;
}

// Prepares a reconnect, or returns the error if a retry can't help.
Result<void> SseClient::lose(Error why) {
    // An id may come without an event. But while events are unread, it is too early to use the last id.
    if (connection_->parser.events() == 0) last_id_ = connection_->parser.last_id();
    connection_.reset();
    if (why.code == Errc::bad_signature || why.code == Errc::bad_config) return why;
    options_.trouble(why);
    return {};
}

}  // namespace countersign::net
