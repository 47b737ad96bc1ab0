// SPDX-License-Identifier: Apache-2.0
#include "channels/slack/socket.hpp"

#include "channels/backoff.hpp"
#include "channels/slack/bounds.hpp"
#include "channels/slack/slots.hpp"
#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/limits.hpp"

#include <boost/asio/this_coro.hpp>

#include <utility>

namespace countersign::channels::slack {

namespace asio = boost::asio;

namespace {

Payload payload_of(const std::string& type, const json::Object& payload) {
    if (type == "interactive") return read_interaction(payload);
    if (type == "slash_commands") return read_slash(payload);
    if (type == "events_api") return read_event(payload);
    return Ignored{"an envelope of another kind"};
}

}  // namespace

SocketMode::SocketMode(const SlackClient& client, Connect connect, Clock& clock, Ids& ids, TaskGroup& tasks,
                       Handler handler)
    : client_{client},
      connect_{std::move(connect)},
      clock_{clock},
      ids_{ids},
      tasks_{tasks},
      handler_{std::move(handler)} {}

void SocketMode::start() {
    for (std::size_t i = 0; i < limits::slack_sockets; ++i) lines_.push_back(tasks_.spawn(keep_line()));
}

void SocketMode::stop() {
    stopped_ = true;
    for (const auto& line : lines_) line.cancel();
    for (const auto& stream : streams_) stream->close();
}

std::optional<BootTime> SocketMode::last_connected() const {
    return greeted_ > 0 ? std::optional{clock_.boot()} : last_connected_;
}

asio::awaitable<void> SocketMode::keep_line() {
    for (unsigned failures = 0; !stopped_ && !refused_;) {
        auto stream = co_await open();
        if (stream) {
            const auto before = clock_.boot();
            const auto ended = co_await serve(std::move(*stream));
            if (ended == Ended::refused) {
                refused_ = true;
                if (handler_.on_refused) handler_.on_refused();
                co_return;
            }
            // A connection that is taken away as soon as it is there is a failure too.
            const bool lasted = clock_.boot() - before >= limits::slack_hello_max;
            if (lasted) failures = 0;
            if (ended == Ended::replaced && lasted) continue;
        } else {
            tell("no connection to Slack: " + stream.error().detail);
            if (stream.error().code == Errc::missing_secret) {
                refused_ = true;
                if (handler_.on_refused) handler_.on_refused();
                co_return;
            }
        }
        if (!stopped_) co_await clock_.sleep_until(clock_.boot() + backoff(failures++, ids_));
    }
}

// Errc::missing_secret: Slack itself says that the app's token is not valid.
asio::awaitable<Result<Stream>> SocketMode::open() {
    const auto reply = co_await client_.call(open_connection());
    if (const auto* refusal = std::get_if<Refusal>(&reply)) {
        const bool bad = refusal->kind == Refusal::Kind::bad_token && co_await client_.is_token_refused();
        if (bad) co_return Error{Errc::missing_secret, "Slack refuses the app's token (" + refusal->why + ")"};
        if (refusal->retry_after) co_await clock_.sleep_until(clock_.boot() + *refusal->retry_after);
        co_return Error{Errc::unavailable, refusal->why};
    }
    auto url = text_of(std::get<json::Object>(reply), "url");
    if (url.empty()) co_return Error{Errc::malformed, "Slack's answer names no address"};
    if (!client_.may_connect_to(url)) {
        co_return Error{Errc::malformed, "the address for Socket Mode is not one of Slack's; is base_url right?"};
    }
    co_return co_await connect_(std::move(url));
}

asio::awaitable<SocketMode::Ended> SocketMode::serve(Stream stream) {
    streams_.insert(stream);
    bool greeted = false;
    auto ended = Ended::broken;
    const auto waiting = tasks_.spawn(close_later(stream));  // unless it greets
    while (!stopped_) {
        const auto text = co_await stream->read();
        if (!text) break;
        if (!std::exchange(greeted, true)) {
            waiting.cancel();
            ++greeted_;
            if (!last_told_.empty() && handler_.on_problem) handler_.on_problem("Slack is connected again");
            last_told_.clear();
        }
        if (const auto what = hear(stream, *text)) {
            ended = *what;
            break;
        }
    }
    waiting.cancel();
    if (greeted) {
        --greeted_;
        last_connected_ = clock_.boot();
    }
    if (ended == Ended::replaced) {
        tasks_.spawn(drain(std::move(stream)));
    } else {
        streams_.erase(stream);
        stream->close();
    }
    co_return ended;
}

asio::awaitable<void> SocketMode::close_later(Stream stream) {
    co_await clock_.sleep_until(clock_.boot() + limits::slack_hello_max);
    stream->close();
}

asio::awaitable<void> SocketMode::drain(Stream stream) {
    const auto waiting = tasks_.spawn(close_later(stream));
    while (!stopped_) {
        const auto text = co_await stream->read();
        if (!text) break;
        static_cast<void>(hear(stream, *text));
    }
    waiting.cancel();
    streams_.erase(stream);
    stream->close();
}

std::optional<SocketMode::Ended> SocketMode::hear(const Stream& stream, const std::string& text) {
    const auto document = json::read(text, limits::webhook_body_bytes_max);
    const auto* message = document ? document->value.object() : nullptr;
    if (message == nullptr) {
        tell("Slack sent a message that cannot be read");
        return std::nullopt;
    }
    const auto type = text_of(*message, "type");
    if (type == "hello") {
        if (handler_.on_greeted) {
            handler_.on_greeted(static_cast<std::size_t>(integer_of(*message, "num_connections").value_or(0)));
        }
        return std::nullopt;
    }
    if (type == "disconnect") {
        if (text_of(*message, "reason") != "link_disabled") return Ended::replaced;
        tell("Socket Mode is switched off for this app: switch it on at the app's page, Socket Mode");
        return Ended::refused;
    }
    const auto id = text_of(*message, "envelope_id");
    if (id.empty()) return std::nullopt;
    if (in_hand_ >= limits::slack_envelopes_max) {
        tell("too many envelopes are in hand: one was left to Slack");
        return std::nullopt;
    }
    handler_.expect();
    ++in_hand_;
    tasks_.spawn(envelope(stream, id, payload_of(type, object_in(*message, "payload")),
                          truth_of(*message, "accepts_response_payload")));
    return std::nullopt;
}

// The acknowledgement waits for words only where Slack takes them, and no longer than Slack waits.
asio::awaitable<void> SocketMode::envelope(Stream stream, std::string id, Payload payload, bool takes_payload) {
    const auto slot = std::make_shared<WaitingSlot>(co_await asio::this_coro::executor);
    tasks_.spawn(fill(std::move(payload), slot));
    const auto late = tasks_.spawn(fill_late(slot));
    const auto reply = co_await slot->filled();
    late.cancel();
    if (reply.status != 503) {  // when we are closing, Slack brings it to the next process
        co_await acknowledge(*stream, id, takes_payload ? reply.body : std::string{});
    }
    --in_hand_;
    if (handler_.on_acknowledged) handler_.on_acknowledged();
}

asio::awaitable<void> SocketMode::acknowledge(net::MessageStream& stream, const std::string& id,
                                              const std::string& payload) {
    Json answer{{"envelope_id", id}};
    auto body = payload.empty() ? Json{} : Json::parse(payload, nullptr, false);
    if (body.is_object()) answer["payload"] = std::move(body);
    if (const auto sent = co_await stream.write(dumped(answer)); !sent) {
        tell("an envelope was not acknowledged: " + sent.error().detail);
    }
}

asio::awaitable<void> SocketMode::fill(Payload payload, std::shared_ptr<ReplySlot> slot) {
    auto reply = co_await handler_.take(std::move(payload), slot);
    slot->fill(std::move(reply));
}

asio::awaitable<void> SocketMode::fill_late(std::shared_ptr<ReplySlot> slot) {
    co_await clock_.sleep_until(clock_.boot() + limits::slack_reply_max);
    slot->fill({});
}

void SocketMode::tell(const std::string& line) {
    if (line == last_told_) return;
    last_told_ = line;
    if (handler_.on_problem) handler_.on_problem(line);
}

}  // namespace countersign::channels::slack
