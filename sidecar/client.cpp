// SPDX-License-Identifier: Apache-2.0
#include "sidecar/client.hpp"

#include "core/counted.hpp"
#include "core/hub/decision.hpp"
#include "core/limits.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <unistd.h>

namespace countersign::sidecar {

namespace asio = boost::asio;
using asio::local::stream_protocol;

namespace {

constexpr auto retry = ": not run, please retry";

}  // namespace

Result<std::unique_ptr<SidecarClient>> SidecarClient::open(asio::any_io_executor executor, std::string path,
                                                           std::string rules, Clock& clock,
                                                           std::function<void(const std::string&)> complain,
                                                           Asker asker, bool asks_once) {
    std::unique_ptr<SidecarClient> client{new SidecarClient{executor, std::move(path), std::move(rules), clock,
                                                            std::move(complain), std::move(asker), asks_once}};
    if (const auto connected = client->connect(); !connected) return connected.error();
    return client;
}

SidecarClient::SidecarClient(asio::any_io_executor executor, std::string path, std::string rules, Clock& clock,
                             std::function<void(const std::string&)> complain, Asker asker, bool asks_once)
    : executor_{executor},
      path_{std::move(path)},
      rules_{std::move(rules)},
      asker_{std::move(asker)},
      asks_once_{asks_once},
      clock_{clock},
      complain_{complain},
      welcomed_{executor},
      tasks_{executor, std::move(complain)} {}

// The process that listens there decides what our agent may do, so check that its user is allowed to.
Result<void> SidecarClient::check_owner(Connection& connection) const {
    const auto uid = connection.peer_uid();
    if (!uid) return uid.error();
    if (*uid == 0 || *uid == ::geteuid()) return {};
    return Error{Errc::not_authorised,
                 "the hub at " + path_ + " belongs to uid " + std::to_string(*uid) + "; it must be yours or root's"};
}

// Blocks only briefly: the socket is local.
Result<void> SidecarClient::connect() {
    if (connection_) return {};
    if (closing_) return Error{Errc::unavailable, "shutting down"};
    boost::system::error_code failed;
    stream_protocol::socket socket{executor_};
    socket.connect(stream_protocol::endpoint{path_}, failed);
    if (failed) return Error{Errc::unavailable, "the hub at " + path_ + " does not answer: " + failed.message()};
    auto connection = std::make_shared<Connection>(std::move(socket));
    if (const auto ours = check_owner(*connection); !ours) return ours.error();
    const Message hello{Hello{rules_, asker_.agent_id, asker_.session_key, asks_once_}};
    if (const auto said = connection->write(hello); !said) return said;
    connection_ = std::move(connection);
    welcome_ = std::nullopt;
    tasks_.spawn(write(connection_));
    tasks_.spawn(listen(connection_));
    return {};
}

asio::awaitable<void> SidecarClient::write(std::shared_ptr<Connection> connection) {
    co_await connection->run_writer();
}

asio::awaitable<void> SidecarClient::listen(std::shared_ptr<Connection> connection) {
    for (;;) {
        auto message = co_await connection->read();
        if (!message) break;
        if (auto* verdict = std::get_if<TimedVerdict>(&*message)) {
            tasks_.spawn(pass_on(std::move(*verdict)));
        } else if (auto* asked = std::get_if<Asked>(&*message)) {
            take(std::move(*asked));
        } else if (const auto* narrated = std::get_if<Narrated>(&*message)) {
            complain_(narrated->line);
        } else if (auto* interrupt = std::get_if<Interrupt>(&*message)) {
            tasks_.spawn(end_turns(std::move(*interrupt)));
        } else if (auto* welcome = std::get_if<Welcome>(&*message); welcome != nullptr && !take(std::move(*welcome))) {
            break;
        }
    }
    connection->close();
    connection_ = nullptr;
    welcomed_.cancel();
    co_await lost_hub();
}

// Nothing may run without a hub. If the current hub refused us, our open requests are refused as well, and we don't
// look for another hub until the next ask.
asio::awaitable<void> SidecarClient::lost_hub() {
    for (auto& [id, open] : open_) {
        open.sent = false;
        if (was_taken_) open.kept = true;
    }
    const bool refused = welcome_ && welcome_->failed;
    if (closing_ || refused || !was_taken_) {
        const auto why = refused ? "the hub that is there now does not take us: " + welcome_->detail
                                 : std::string{"the hub is gone"};
        if (!closing_ && was_taken_) complain_(why + "; every further call is refused until a hub takes us");
        co_return co_await refuse_all({Errc::unavailable, why + retry});
    }
    complain_("the hub is gone; nothing runs until one is back (countersign serve, or run, with the same --state)" +
              (open_.empty() ? std::string{} : "; " + counted(open_.size(), "request waits", "requests wait")));
    while (!waiters_.empty()) wake(waiters_.begin()->first, waiters_.begin()->first);
    look();
}

void SidecarClient::look() {
    if (closing_ || std::exchange(looking_, true)) return;
    look_ = tasks_.spawn(look_for_hub());
}

asio::awaitable<void> SidecarClient::look_for_hub() {
    auto pause = limits::sidecar_retry_first;
    std::string said;
    while (!closing_ && !connection_) {
        co_await clock_.sleep_until(clock_.boot() + pause);
        co_await refuse_overdue();
        pause = std::min(pause * 2, limits::sidecar_retry_max);
        const auto found = connect();
        if (found || found.error().code != Errc::not_authorised) continue;
        if (std::exchange(said, found.error().detail) != found.error().detail) complain_(said);
    }
    looking_ = false;
}

// False: the hub refuses us.
bool SidecarClient::take(Welcome welcome) {
    welcome_ = std::move(welcome);
    welcomed_.cancel();
    if (welcome_->failed) return false;
    if (std::exchange(was_taken_, true)) {
        complain_("the hub is back" +
                  (open_.empty() ? std::string{}
                                 : "; " + counted(open_.size(), "request goes", "requests go") + " on there"));
    }
    tasks_.spawn(ask_again());
    return true;
}

// Asks each open request again under its id: the hub recognises the id, or sees it for the first time.
asio::awaitable<void> SidecarClient::ask_again() {
    std::vector<Ulid> ids;
    for (const auto& [id, open] : open_) ids.push_back(id);
    for (const auto& id : ids) {
        for (auto open = open_.find(id);
             taken() && open != open_.end() && !open->second.sent && !open->second.answering; open = open_.find(id)) {
            const auto written = send(open->second);
            if (written || written.error().code == Errc::unavailable) break;
            // The queue is full: wait until the socket has taken some of it.
            if (written.error().code == Errc::busy)
                co_await clock_.sleep_until(clock_.boot() + limits::sidecar_retry_first);
            if (written.error().code != Errc::busy) co_await refuse(id, written.error());
        }
    }
}

// Checks each message first: one that the hub cannot parse would cost us the connection and everything else that waits,
// again and again.
Result<void> SidecarClient::send(Open& open) {
    const Message message{Ask{*open.request}};
    if (const auto readable = parse(print(message)); !readable) return readable.error();
    const auto written = connection_->write(message);
    open.sent = written.has_value();
    return written;
}

// If a caller waits in ask(), it gets the result; otherwise only the agent is left to be told.
void SidecarClient::take(Asked asked) {
    const auto open = open_.find(asked.id);
    const bool kept = open != open_.end() && open->second.kept;
    if (kept && asked.failed) {
        if (!open->second.answering) {
            tasks_.spawn(refuse(asked.id, {*asked.failed, "the hub restarted, and " + asked.detail + retry}));
        }
        return;
    }
    if (asked.failed && open != open_.end() && !open->second.answering) open_.erase(open);
    wake(asked.id, asked.failed ? Result<Ulid>{Error{*asked.failed, asked.detail}} : Result<Ulid>{asked.id});
}

void SidecarClient::wake(const Ulid& id, Result<Ulid> answer) {
    const auto waiter = waiters_.extract(id);
    if (waiter.empty()) return;
    waiter.mapped()->answer = std::move(answer);
    waiter.mapped()->said.cancel();
}

asio::awaitable<Result<void>> SidecarClient::joined(std::chrono::milliseconds deadline) {
    boost::system::error_code said;
    if (!welcome_ && connection_) {
        welcomed_.expires_after(deadline);
        co_await welcomed_.async_wait(asio::redirect_error(asio::use_awaitable, said));
    }
    if (welcome_ && welcome_->failed) co_return Error{*welcome_->failed, welcome_->detail};
    if (welcome_) co_return Result<void>{};
    if (said || !connection_) co_return Error{Errc::unavailable, "the hub is gone"};
    co_return Error{Errc::timeout, "the hub does not answer"};
}

// If the verdict is too late, the hub has given up and logged that the agent never got it, so the agent must not get it
// now.
asio::awaitable<void> SidecarClient::pass_on(TimedVerdict timed) {
    auto& verdict = timed.verdict;
    const auto id = verdict.request_id;
    const auto open = open_.find(id);
    auto* from = open == open_.end() || open->second.answering ? nullptr : open->second.from;
    const bool late = clock_.boot() >= timed.valid_until;
    Result<void> sent = Error{Errc::unavailable, "the agent is gone"};
    if (from != nullptr && late) {
        verdict = refusal(*open->second.request, Outcome::lost, "the answer came too late: not run, please retry");
    }
    if (from != nullptr) {
        open->second.answering = true;  // from here on it gets no other answer, even if the hub is lost
        sent = co_await from->forward(std::move(verdict));
        open_.erase(id);
    }
    if (sent && late) sent = Error{Errc::late, "it came too late, and the agent heard a refusal"};
    Forwarded said{.id = id};
    if (!sent) {
        said.failed = sent.error().code;
        said.detail = sent.error().detail;
    }
    tell(Message{std::move(said)});
}

// If any of them cannot be interrupted, the answer must not say that all were.
asio::awaitable<void> SidecarClient::end_turns(Interrupt interrupt) {
    Interrupted said{.number = interrupt.number, .failed = std::nullopt, .detail = {}};
    const auto fail = [&said](const Error& why) {
        said.failed = why.code;
        said.detail = why.detail;
    };
    std::vector<RuntimeId> asking;
    for (const auto& [id, through] : askers_.all()) {
        if (!meant(through.askers, {interrupt.who}).empty()) asking.push_back(id);
    }
    if (asking.empty()) fail({Errc::unavailable, "the agent is gone"});
    for (const auto id : asking) {
        const auto there = askers_.all().find(id);
        if (there == askers_.all().end()) continue;  // it has gone meanwhile
        const auto ended = co_await there->second.runtime->interrupt(interrupt.who, interrupt.why);
        if (!ended) fail(ended.error());
    }
    if (connection_ && !connection_->write(Message{std::move(said)})) connection_->close();
}

asio::awaitable<Result<Ulid>> SidecarClient::ask(Request request, Runtime& from) {
    const auto id = request.id;
    askers_.asked(from, asker_of(request));
    if (const auto known = open_.find(id); known != open_.end()) {
        const auto& first = *known->second.request;
        if (first.agent_id == request.agent_id && first.args_hash.hex == request.args_hash.hex) co_return id;
        co_return Error{Errc::conflict, "approvalId " + id.str() + " was used for another call"};
    }
    Result<void> possible;
    if (open_.size() >= limits::sidecar_open_max) {
        possible = Error{Errc::busy, "too many requests of this agent wait"};
    } else if (const auto there = connect(); !there && (!was_taken_ || closing_)) {
        possible = there;
    }
    auto& open = open_[id];
    open = {.request = std::make_shared<const Request>(std::move(request)), .from = &from, .since = clock_.boot()};
    if (possible && taken()) {
        possible = send(open);
        if (!possible && possible.error().code == Errc::busy) {
            possible = Result<void>{};
            tasks_.spawn(ask_again());
        }
    }
    if (!possible) {
        co_await refuse(id, possible.error());
        co_return possible.error();
    }
    if (!connection_) {
        open.kept = true;
        look();
        co_return id;
    }
    const auto waiter = std::make_shared<Waiter>(
        Waiter{.said = asio::steady_timer{executor_, asio::steady_timer::time_point::max()}, .answer = {}});
    wake(id, id);  // wakes an earlier caller whose request was answered before the hub confirmed it
    waiters_[id] = waiter;
    boost::system::error_code ignored;
    co_await waiter->said.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    co_return waiter->answer.value_or(Error{Errc::unavailable, "the hub is gone"});
}

void SidecarClient::withdraw(const Ulid& id, const Runtime& from, std::string why) {
    const auto open = open_.find(id);
    if (open == open_.end() || open->second.from != &from) return;
    forget(id);
    tell(Message{Withdraw{id, std::move(why)}});
}

void SidecarClient::gone(Runtime& from, const Asker& who, std::string why) {
    askers_.gone(from, who);
    std::vector<Ulid> ids;
    for (const auto& [id, open] : open_) {
        if (open.from == &from && covers(who, asker_of(*open.request))) ids.push_back(id);
    }
    if (!ids.empty() && !taken()) went_without_hub_ = true;
    for (const auto& id : ids) forget(id);
    tell(Message{Gone{std::move(why), who}});
}

// The agent does not wait for this request any more. Its ask() succeeds, as it would with the hub itself.
void SidecarClient::forget(const Ulid& id) {
    open_.erase(id);
    wake(id, id);
}

void SidecarClient::session_ended(const Runtime& /*from*/, const Asker& who, std::string failure) {
    if (connection_ && !connection_->write(Message{SessionEnded{std::move(failure), who}})) connection_->close();
}

void SidecarClient::unreadable(const std::string& agent_id, const Error& why) {
    tell(Message{Unreadable{agent_id, why.code, why.detail}});
}

void SidecarClient::unasked(const UnaskedCall& call) { tell(Message{Unasked{call}}); }

void SidecarClient::tell(Message message) {
    if (connection_ && !connection_->write(message)) connection_->close();
}

asio::awaitable<void> SidecarClient::refuse(Ulid id, Error why) {
    const auto open = open_.find(id);
    if (open == open_.end() || std::exchange(open->second.answering, true)) co_return;
    const auto request = open->second.request;
    const auto told = co_await open->second.from->forward(refusal(*request, Outcome::lost, why.detail));
    open_.erase(id);
    if (!told) complain_(describe(told.error()));
    wake(id, why);
}

asio::awaitable<void> SidecarClient::refuse_all(Error why) {
    std::vector<Ulid> ids;
    for (const auto& [id, open] : open_) ids.push_back(id);
    if (!ids.empty()) went_without_hub_ = true;
    for (const auto& id : ids) co_await refuse(id, why);
    while (!waiters_.empty()) wake(waiters_.begin()->first, why);
}

// Normally the hub watches a request's timeout; without a hub we do.
asio::awaitable<void> SidecarClient::refuse_overdue() {
    std::vector<Ulid> ids;
    for (const auto& [id, open] : open_) {
        if (open.request->timeout && clock_.boot() - open.since >= *open.request->timeout) ids.push_back(id);
    }
    if (!ids.empty()) went_without_hub_ = true;
    for (const auto& id : ids)
        co_await refuse(id, {Errc::timeout, std::string{"its time is over, and the hub is away"} + retry});
}

asio::awaitable<void> SidecarClient::close() {
    closing_ = true;
    look_.cancel();
    if (const auto connection = connection_) {
        co_await connection->flush(limits::sidecar_flush_max);
        connection->close();
    }
    co_await refuse_all({Errc::unavailable, "the hub is gone"});
    co_await tasks_.join();
}

}  // namespace countersign::sidecar
