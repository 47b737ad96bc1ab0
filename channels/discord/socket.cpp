// SPDX-License-Identifier: Apache-2.0
#include "channels/discord/socket.hpp"

#include "channels/backoff.hpp"
#include "channels/discord/bounds.hpp"
#include "channels/duration.hpp"
#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/limits.hpp"
#include "security/url.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

namespace countersign::channels::discord {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

// Discord's numbers.
namespace op {
constexpr std::int64_t dispatch = 0;
constexpr std::int64_t heartbeat = 1;
constexpr std::int64_t identify = 2;
constexpr std::int64_t resume = 6;
constexpr std::int64_t reconnect = 7;
constexpr std::int64_t invalid_session = 9;
constexpr std::int64_t hello = 10;
constexpr std::int64_t heartbeat_ack = 11;
}  // namespace op
constexpr int direct_messages = 1 << 12;  // an intent; it needs no privilege

// 1000 and 1001 would end the session; all other codes leave it.
constexpr std::uint16_t to_resume = 4000;

constexpr std::string_view refused_token =
    "Discord refuses the bot's token: reset it on the app's page, Bot, and give the channel the new one";

struct CloseCode {
    std::uint16_t code;
    Closing closing;
};
using enum Closing::Then;
constexpr std::array close_codes{
    CloseCode{4004, {give_up, refused_token}},
    CloseCode{4007, {start_over}},  // our place in the session is not valid
    CloseCode{4009, {start_over}},  // the session timed out
    CloseCode{4010, {give_up, "Discord says that our shard is invalid: update Countersign, or use mode = \"webhook\""}},
    CloseCode{4011,
              {give_up, "this bot is in too many servers for one connection: give approvals a bot of their own, or use "
                        "mode = \"webhook\""}},
    CloseCode{4012,
              {give_up, "Discord no longer takes this version of its Gateway: update Countersign, or use mode = "
                        "\"webhook\""}},
    CloseCode{4013,
              {give_up, "Discord says that our intents are invalid: update Countersign, or use mode = \"webhook\""}},
    CloseCode{4014,
              {give_up,
               "Discord does not let this bot receive direct messages: look at the app's page, Bot, Privileged "
               "Gateway Intents, or use mode = \"webhook\""}},
};

// As an http address, which the strict reader of URLs knows.
std::string as_http(std::string_view url) {
    if (url.starts_with("wss://")) return "https" + std::string{url.substr(3)};
    if (url.starts_with("ws://")) return "http" + std::string{url.substr(2)};
    return {};
}

std::string with_version(std::string url) {
    const auto path = url.find('/', url.find("://") + 3);
    if (path == std::string::npos) url += '/';
    return url + (url.find('?') == std::string::npos ? "?" : "&") + "v=10&encoding=json";
}

}  // namespace

Closing closing_of(std::uint16_t code) {
    const auto* const found = std::ranges::find(close_codes, code, &CloseCode::code);
    return found == close_codes.end() ? Closing{} : found->closing;
}

bool may_connect_to(std::string_view url, std::string_view base_url) {
    const auto host = security::url_host(as_http(url));
    if (!host) return false;
    const bool of_discord = *host == "discord.gg" || host->ends_with(".discord.gg") || host->ends_with(".discord.com");
    if (of_discord) return url.starts_with("wss://");
    const bool same_scheme = url.starts_with("wss://") == base_url.starts_with("https://");
    return same_scheme && host == security::url_host(base_url);
}

EventSocket::EventSocket(DiscordClient& client, std::string base_url, Connect connect, Clock& clock, Ids& ids,
                         TaskGroup& tasks, Handler handler)
    : client_{client},
      base_url_{std::move(base_url)},
      connect_{std::move(connect)},
      clock_{clock},
      ids_{ids},
      tasks_{tasks},
      handler_{std::move(handler)} {}

void EventSocket::start() { keeping_ = tasks_.spawn(keep_line()); }

void EventSocket::stop() {
    stopped_ = true;
    keeping_.cancel();
    beating_.cancel();
    if (line_) line_->close();
}

std::optional<BootTime> EventSocket::last_connected() const {
    return ready_ ? std::optional{clock_.boot()} : last_connected_;
}

asio::awaitable<void> EventSocket::keep_line() {
    for (unsigned failures = 0; !stopped_;) {
        auto pause = 0ms;
        auto line = co_await open();
        if (line) {
            const auto before = clock_.boot();
            const auto ended = co_await serve(std::move(*line));
            // A connection that is taken away as soon as it is there is a failure too.
            const bool lasted = clock_.boot() - before >= limits::discord_ready_max;
            if (lasted) failures = 0;
            if (ended == Ended::replaced && lasted) continue;
            if (ended == Ended::wait_and_resume || ended == Ended::start_over) pause = 1s + part_of(4s);
        } else {
            tell("no connection to Discord: " + line.error().detail);
        }
        if (!refused_.empty()) co_return;
        co_await clock_.sleep_until(clock_.boot() + std::max(pause, backoff(failures++, ids_)));
    }
}

asio::awaitable<Result<LinePtr>> EventSocket::open() {
    const auto url = co_await address();
    if (!url) co_return url.error();
    if (!may_connect_to(*url, base_url_)) {
        co_return Error{Errc::malformed, "Discord's answer names an address that is not its own"};
    }
    co_return co_await connect_(with_version(*url));
}

// Of the session that is to be continued; else of a new one, of which Discord allows only so many in a day. A bot that
// asks for more loses its token.
asio::awaitable<Result<std::string>> EventSocket::address() {
    if (session_ && resumes_++ < limits::discord_resumes_max) co_return session_->url;
    session_.reset();
    seq_.reset();
    resumes_ = 0;
    if (identified_) co_await clock_.sleep_until(*identified_ + limits::discord_identify_interval);
    const auto reply = co_await client_.call(gateway_bot());
    if (const auto* refusal = std::get_if<Refusal>(&reply)) {
        const bool bad = refusal->kind == Refusal::Kind::bad_token && co_await client_.is_token_refused();
        if (bad) end(std::string{refused_token});
        if (!bad && refusal->retry_after) co_await clock_.sleep_until(clock_.boot() + *refusal->retry_after);
        co_return Error{Errc::unavailable, refusal->why};
    }
    const auto& answer = std::get<ApiAnswer>(reply).object;
    const auto& limit = object_in(answer, "session_start_limit");
    if (const auto remaining = integer_of(limit, "remaining"); remaining && *remaining <= 0) {
        const auto reset = std::chrono::milliseconds{integer_of(limit, "reset_after").value_or(0)};
        const auto wait = std::clamp<std::chrono::milliseconds>(reset, 1s, limits::discord_reset_max);
        tell("Discord allows this bot no new session for " + duration(wait) +
             ": it has begun too many today, here or elsewhere. It is tried again then");
        co_await clock_.sleep_until(clock_.boot() + wait);
        co_return Error{Errc::unavailable, "no new session was allowed"};
    }
    auto url = text_of(answer, "url");
    if (url.empty()) co_return Error{Errc::malformed, "Discord's answer names no address"};
    co_return url;
}

asio::awaitable<EventSocket::Ended> EventSocket::serve(LinePtr line) {
    line_ = line;
    const auto pulse = std::make_shared<Pulse>();
    const auto waiting = tasks_.spawn(leave_unless_ready(line));
    auto ended = Ended::broken;
    while (!stopped_) {
        auto text = co_await line->read();
        if (!text) {
            const auto closing = line->closed() ? closing_of(*line->closed()) : Closing{};
            if (closing.then == start_over) ended = Ended::start_over;
            if (closing.then == give_up) {
                ended = Ended::refused;
                end(std::string{closing.why});
            }
            break;
        }
        if (const auto what = co_await hear(line, pulse, std::move(*text))) {
            ended = *what;
            break;
        }
    }
    waiting.cancel();
    beating_.cancel();
    if (std::exchange(ready_, false)) last_connected_ = clock_.boot();
    if (ended == Ended::start_over) {
        session_.reset();
        seq_.reset();
    }
    co_await line->leave(to_resume);
    line_.reset();
    co_return ended;
}

asio::awaitable<void> EventSocket::leave_unless_ready(LinePtr line) {
    co_await clock_.sleep_until(clock_.boot() + limits::discord_ready_max);
    if (!ready_) co_await line->leave(to_resume);
}

asio::awaitable<std::optional<EventSocket::Ended>> EventSocket::hear(LinePtr line, std::shared_ptr<Pulse> pulse,
                                                                     std::string text) {
    const auto document = json::read(text, limits::discord_frame_bytes_max);
    const auto* frame = document ? document->value.object() : nullptr;
    if (frame == nullptr) {
        tell("Discord sent a message that cannot be read");
        co_return std::nullopt;
    }
    switch (integer_of(*frame, "op").value_or(-1)) {
    case op::hello:
        co_return co_await greet(std::move(line), std::move(pulse), object_in(*frame, "d"));
    case op::heartbeat:
        co_await send(std::move(line), std::move(pulse), heartbeat());
        break;
    case op::heartbeat_ack:
        pulse->answered = true;
        break;
    case op::reconnect:
        co_return Ended::replaced;
    case op::invalid_session:
        co_return truth_of(*frame, "d") ? Ended::wait_and_resume : Ended::start_over;
    case op::dispatch:
        if (const auto seq = integer_of(*frame, "s")) seq_ = seq;
        event(text_of(*frame, "t"), object_in(*frame, "d"));
        break;
    default:
        break;
    }
    co_return std::nullopt;
}

// The first heartbeat comes after a part of the interval, so that many bots do not beat as one.
asio::awaitable<std::optional<EventSocket::Ended>> EventSocket::greet(LinePtr line, std::shared_ptr<Pulse> pulse,
                                                                      const json::Object& hello) {
    const std::chrono::milliseconds interval{integer_of(hello, "heartbeat_interval").value_or(0)};
    if (interval < limits::discord_heartbeat_min || interval > limits::discord_heartbeat_max) {
        tell("Discord asks for a heartbeat of " + duration(interval) + ", which is not possible");
        co_return Ended::broken;
    }
    if (pulse->interval > 0ms) co_return std::nullopt;  // it greeted before
    pulse->interval = interval;
    beating_ = tasks_.spawn(beat(line, pulse));
    if (session_) {
        co_await send(std::move(line), std::move(pulse), resume());
    } else {
        identified_ = clock_.boot();
        co_await send(std::move(line), std::move(pulse), identify());
    }
    co_return std::nullopt;
}

void EventSocket::event(std::string_view name, const json::Object& event) {
    if (name == "READY") {
        Session session{.id = text_of(event, "session_id"), .url = text_of(event, "resume_gateway_url")};
        const bool resumable = !session.id.empty() && may_connect_to(session.url, base_url_);
        session_ = resumable ? std::optional{std::move(session)} : std::nullopt;
    }
    if (name == "READY" || name == "RESUMED") {
        ready_ = true;
        resumes_ = 0;
        if (!last_told_.empty() && handler_.on_problem) handler_.on_problem("Discord is connected again");
        last_told_.clear();
    } else if (name == "INTERACTION_CREATE") {
        take(read_interaction(event));
    } else if (name == "MESSAGE_CREATE" || name == "MESSAGE_UPDATE") {
        take(read_message(event, name == "MESSAGE_UPDATE"));
    }
}

// A peer that did not answer the last one is gone, whatever the connection says.
asio::awaitable<void> EventSocket::beat(LinePtr line, std::shared_ptr<Pulse> pulse) {
    co_await clock_.sleep_until(clock_.boot() + part_of(pulse->interval));
    while (pulse->answered) {
        pulse->answered = false;
        co_await send(line, pulse, heartbeat());
        co_await clock_.sleep_until(clock_.boot() + pulse->interval);
    }
    co_await line->leave(to_resume);
}

asio::awaitable<void> EventSocket::send(LinePtr line, std::shared_ptr<Pulse> pulse, Json frame) {
    const auto now = clock_.boot();
    auto text = dumped(frame);
    if (pulse->sends.ready_at() > now || text.size() > limits::discord_sent_frame_bytes_max) {
        tell("Discord was not sent a message: it would take no more of them, or none so long");
        co_return;
    }
    pulse->sends.take(now);
    // A write that fails ends the connection, which the reader sees.
    static_cast<void>(co_await line->write(std::move(text)));
}

void EventSocket::take(Payload payload) {
    if (std::holds_alternative<Ignored>(payload) || std::holds_alternative<Ping>(payload)) return;
    if (in_hand_ >= limits::discord_in_hand_max) return tell("too many presses are in hand: one was not answered");
    handler_.expect();
    ++in_hand_;
    ++unanswered_;
    tasks_.spawn(answer(std::move(payload)));
}

// Discord brings an interaction again after a resume, when it is too old to be answered. What it decides counts all the
// same, and the card shows it.
asio::awaitable<void> EventSocket::answer(Payload payload) {
    const auto* context = context_of(payload);
    const auto interaction = context == nullptr ? Interaction{} : context->interaction;
    const auto reply = co_await handler_.take(std::move(payload));
    --in_hand_;
    if (!interaction.id.empty() && !reply.body.empty()) co_await respond_to(interaction, reply.body);
    --unanswered_;
    if (handler_.on_answered) handler_.on_answered();
}

asio::awaitable<void> EventSocket::respond_to(Interaction interaction, std::string body) {
    std::string why;
    for (int tries = 0; tries < 2; ++tries) {
        const auto sent =
            co_await client_.call(respond(interaction.id, interaction.token, body), limits::discord_respond_max);
        const auto* refusal = std::get_if<Refusal>(&sent);
        if (refusal == nullptr) co_return;
        why = refusal->why;
        if (refusal->kind != Refusal::Kind::retry) break;
    }
    tell("Discord did not take the answer to a press (" + why + "); what the press decided is not affected");
}

void EventSocket::end(std::string why) {
    refused_ = std::move(why);
    if (handler_.on_refused) handler_.on_refused(refused_);
}

Json EventSocket::identify() const {
    return {{"op", op::identify},
            {"d",
             {{"token", client_.token()},
              {"intents", direct_messages},
              {"compress", false},
              {"properties", {{"os", "linux"}, {"browser", "countersign"}, {"device", "countersign"}}}}}};
}

Json EventSocket::resume() const {
    Json data{{"token", client_.token()}, {"session_id", session_->id}, {"seq", nullptr}};
    if (seq_) data["seq"] = *seq_;
    return {{"op", op::resume}, {"d", std::move(data)}};
}

Json EventSocket::heartbeat() const {
    Json beat{{"op", op::heartbeat}, {"d", nullptr}};
    if (seq_) beat["d"] = *seq_;
    return beat;
}

std::chrono::milliseconds EventSocket::part_of(std::chrono::milliseconds whole) {
    std::array<std::uint8_t, 2> random{};
    ids_.random(random);
    return whole * (random[0] * 256 + random[1]) / 65'536;
}

void EventSocket::tell(const std::string& line) {
    if (line == last_told_) return;
    last_told_ = line;
    if (handler_.on_problem) handler_.on_problem(line);
}

}  // namespace countersign::channels::discord
