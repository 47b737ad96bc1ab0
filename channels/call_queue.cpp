// SPDX-License-Identifier: Apache-2.0
#include "channels/call_queue.hpp"

#include "core/limits.hpp"

#include <utility>

namespace countersign::channels {

namespace asio = boost::asio;

namespace {

// What takes buttons away is worth more patience than what only says something: a laptop that slept over night must not
// leave buttons that look as if they worked.
std::chrono::milliseconds time_for(Urgency urgency) {
    return urgency == Urgency::conclusion ? limits::outbox_conclusion_max : limits::outbox_other_max;
}

}  // namespace

CallQueue::CallQueue(const asio::any_io_executor& executor, TaskGroup& tasks, const DeliveryOptions& options,
                     DeliveryPorts ports)
    : options_{options}, ports_{ports}, outbox_{executor, tasks, ports.clock, ports.ids, options.rates} {
    for (const auto& [from, to] : options.moved) chats_.moved(from, to);
}

asio::awaitable<Tried> CallQueue::send(Outgoing call) {
    const auto bucket = call.bucket;
    if (const auto left = holds_.until(bucket) - ports_.clock.boot(); !bucket.empty() && left.count() > 0) {
        co_return Tried{.kind = Tried::Kind::retry,
                        .why = "the platform asked to wait with " + bucket,
                        .after = std::chrono::ceil<std::chrono::milliseconds>(left),
                        .scope = Tried::Scope::bucket,
                        .held = true};
    }
    auto tried = co_await ports_.messenger.send(std::move(call));
    const bool waits = tried.kind == Tried::Kind::retry && tried.after && tried.scope == Tried::Scope::bucket;
    if (waits) holds_.hold(bucket, ports_.clock.boot() + *tried.after, ports_.clock.boot());
    co_return tried;
}

bool CallQueue::reply(const std::string& chat, std::function<Outgoing()> make, Posted posted, Done done) {
    if (replies_ >= limits::chat_replies_max) return false;
    const auto ended = [this, done = std::move(done)](const Result<void>& sent) {
        --replies_;
        if (done) done(sent);
    };
    const auto call = [make = std::move(make)] { return std::optional{make()}; };
    if (put_call({.chat = chat, .what = "reply", .answers = true}, call, ended, std::move(posted)) == 0) return false;
    ++replies_;
    return true;
}

void CallQueue::answer(const std::string& order, Outgoing call) {
    put_call({.chat = order, .what = "answer", .rated = false, .time = limits::http_deadline_default},
             [call = std::move(call)] { return std::optional{call}; });
}

asio::awaitable<Sending> CallQueue::send_call(std::string chat, Make make, Posted posted) {
    auto call = make();
    if (!call) co_return Sending{.calls = 0};
    const auto target = chats_.target(chat);
    const auto tried = co_await send(std::move(*call));
    if (posted && tried.kind == Tried::Kind::done) posted(tried.message);
    co_return sending_of(tried, target);
}

Sending CallQueue::sending_of(const Tried& tried, const std::string& target) {
    switch (tried.kind) {
    case Tried::Kind::done:
        return {};
    case Tried::Kind::retry:
        return {Sending::State::retry, tried.why, tried.after, tried.scope, tried.held ? 0U : 1U};
    case Tried::Kind::moved: {
        if (!ports_.messenger.is_group(target)) return {Sending::State::failed, "only a group moves: " + tried.why};
        // The platform may have told it by itself while this was on its way.
        const bool known = target != tried.moved_to && chats_.target(target) == tried.moved_to;
        if (!known && !moved(target, tried.moved_to)) {
            return {Sending::State::failed, "the group moves in a circle: " + tried.why};
        }
        return {Sending::State::retry, tried.why, std::chrono::milliseconds{0}};
    }
    case Tried::Kind::unreachable:
    case Tried::Kind::rejected:
        break;
    }
    return {Sending::State::failed, tried.why};
}

bool CallQueue::moved(const std::string& from, const std::string& to) {
    if (!chats_.moved(from, to)) return false;
    problem("the group " + from + " has become " + to + "; write that into the configuration");
    if (options_.on_moved) options_.on_moved(from, to);
    return true;
}

LetterId CallQueue::put(Letter letter) {
    const auto id = outbox_.put(std::move(letter));
    if (id) return *id;
    problem(id.error().detail);
    return 0;
}

LetterId CallQueue::put_call(Call call, Make make, Done done, Posted posted) {
    const auto id = outbox_.put({.chat = call.chat,
                                 .urgency = call.urgency,
                                 .sender = call.sender,
                                 .rated = call.rated,
                                 .counts = !call.edits || can().edits_count,
                                 .answers = call.answers,
                                 .deadline = ports_.clock.boot() + call.time.value_or(time_for(call.urgency)),
                                 .send = [this, chat = call.chat, make = std::move(make),
                                          posted = std::move(posted)] { return send_call(chat, make, posted); },
                                 .done =
                                     [this, call, done = std::move(done)](const Result<void>& result) {
                                         if (!result) give_up(call, result.error());
                                         if (done) done(result);
                                     }});
    if (id) return *id;
    problem(id.error().detail);
    give_up(call, id.error());
    return 0;
}

// Whatever becomes of a call, somebody can see it.
void CallQueue::give_up(const Call& call, const Error& why) {
    ports_.deliveries.given_up({.channel = options_.channel,
                                .chat = call.rated ? call.chat : std::string{},
                                .what = std::string{call.what},
                                .request = call.request,
                                .why = why.detail});
}

MessageTarget CallQueue::spot_of(const std::string& chat) const {
    return {.channel = options_.channel, .chat = chat, .target = chats_.target(chat)};
}

void CallQueue::problem(const std::string& line) const {
    if (options_.on_problem) options_.on_problem(line);
}

}  // namespace countersign::channels
