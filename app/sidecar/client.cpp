// SPDX-License-Identifier: Apache-2.0
#include "app/sidecar/client.hpp"

#include "core/hub/refusal.hpp"
#include "core/limits.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <unistd.h>

namespace countersign::app::sidecar {

namespace asio = boost::asio;
using asio::local::stream_protocol;

Result<std::unique_ptr<Client>> Client::open(asio::any_io_executor executor, std::string path, std::string rules,
                                             Clock& clock, std::function<void(const std::string&)> complain) {
    std::unique_ptr<Client> client{new Client{executor, std::move(path), std::move(rules), clock, std::move(complain)}};
    if (const auto connected = client->connect(); !connected) return connected.error();
    return client;
}

Client::Client(asio::any_io_executor executor, std::string path, std::string rules, Clock& clock,
               std::function<void(const std::string&)> complain)
    : executor_{executor},
      path_{std::move(path)},
      rules_{std::move(rules)},
      clock_{clock},
      complain_{complain},
      welcomed_{executor},
      tasks_{executor, std::move(complain)} {}

// Whoever listens there says what our agent may do, so that it must be who may say it.
Result<void> Client::check_owner(Connection& connection) const {
    const auto uid = connection.peer_uid();
    if (!uid) return uid.error();
    if (*uid == 0 || *uid == ::geteuid()) return {};
    return Error{Errc::not_authorised,
                 "the hub at " + path_ + " belongs to uid " + std::to_string(*uid) + "; it must be yours or root's"};
}

// Blocks for a moment at most: the socket is on this machine.
Result<void> Client::connect() {
    if (connection_) return {};
    if (closing_) return Error{Errc::unavailable, "shutting down"};
    boost::system::error_code failed;
    stream_protocol::socket socket{executor_};
    socket.connect(stream_protocol::endpoint{path_}, failed);
    if (failed) return Error{Errc::unavailable, "the hub at " + path_ + " does not answer: " + failed.message()};
    auto connection = std::make_shared<Connection>(std::move(socket));
    if (const auto ours = check_owner(*connection); !ours) return ours.error();
    connection_ = std::move(connection);
    welcome_ = std::nullopt;
    if (const auto said = connection_->write(Message{Hello{rules_}}); !said) return said;
    tasks_.spawn(write(connection_));
    tasks_.spawn(listen(connection_));
    return {};
}

asio::awaitable<void> Client::write(std::shared_ptr<Connection> connection) { co_await connection->run_writer(); }

asio::awaitable<void> Client::listen(std::shared_ptr<Connection> connection) {
    for (;;) {
        auto message = co_await connection->read();
        if (!message) break;
        if (auto* verdict = std::get_if<TimedVerdict>(&*message)) {
            tasks_.spawn(pass_on(std::move(*verdict)));
        } else if (auto* asked = std::get_if<Asked>(&*message)) {
            take(std::move(*asked));
        } else if (auto* welcome = std::get_if<Welcome>(&*message); welcome != nullptr && !take(std::move(*welcome))) {
            break;
        }
    }
    connection->close();
    if (connection_ == connection) connection_ = nullptr;
    welcomed_.cancel();
    const auto why = welcome_ && welcome_->failed ? "the hub that is there now does not take us: " + welcome_->detail
                                                  : std::string{"the hub is gone"};
    if (!closing_ && was_taken_) complain_(why + "; every further call is refused until a hub takes us");
    co_await lose_all(why + ": not run, please retry");
}

// False: it does not take us.
bool Client::take(Welcome welcome) {
    welcome_ = std::move(welcome);
    welcomed_.cancel();
    was_taken_ = was_taken_ || !welcome_->failed;
    return !welcome_->failed;
}

void Client::take(Asked asked) {
    const auto open = open_.find(asked.id);
    if (open == open_.end()) return;
    open->second.answer = std::move(asked);
    open->second.asked->cancel();
}

asio::awaitable<Result<void>> Client::joined(std::chrono::milliseconds deadline) {
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

// The hub gave up on an answer that we were too slow to hear: its log says that the agent never got it, so that it must
// not get it now.
asio::awaitable<void> Client::pass_on(TimedVerdict timed) {
    auto& verdict = timed.verdict;
    const auto id = verdict.request_id;
    const auto open = open_.find(id);
    auto* from = open == open_.end() ? nullptr : open->second.from;
    const bool late = clock_.boot() >= timed.valid_until;
    Result<void> sent = Error{Errc::unavailable, "the agent is gone"};
    if (from != nullptr && late) {
        verdict = refusal(*open->second.request, Outcome::lost, "the answer came too late: not run, please retry");
    }
    if (from != nullptr) sent = co_await from->forward(std::move(verdict));
    if (sent && late) sent = Error{Errc::late, "it came too late, and the agent heard a refusal"};
    Forwarded said{.id = id};
    if (!sent) {
        said.failed = sent.error().code;
        said.detail = sent.error().detail;
    }
    if (const auto again = open_.find(id); again != open_.end()) {
        again->second.decided = true;
        if (again->second.answer) open_.erase(again);  // else ask() still waits, and erases it
    }
    if (connection_ && !connection_->write(Message{std::move(said)})) connection_->close();
}

asio::awaitable<Result<Ulid>> Client::ask(Request request, Runtime& from) {
    const auto id = request.id;
    if (const auto known = open_.find(id); known != open_.end()) {
        const auto& first = *known->second.request;
        if (first.agent_id == request.agent_id && first.args_hash.hex == request.args_hash.hex) co_return id;
        co_return Error{Errc::conflict, "approvalId " + id.str() + " was used for another call"};
    }
    Result<void> written = connect();
    if (written) written = connection_->write(Message{Ask{request}});
    if (!written) {
        const auto told = co_await from.forward(refusal(request, Outcome::lost, written.error().detail));
        if (!told) co_return told.error();
        co_return written.error();
    }
    const auto asked = std::make_shared<asio::steady_timer>(executor_, asio::steady_timer::time_point::max());
    open_[id] = {.request = std::make_shared<const Request>(std::move(request)), .from = &from, .asked = asked};
    boost::system::error_code ignored;
    co_await asked->async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    const auto open = open_.find(id);
    if (open != open_.end() && open->second.withdrawn) {
        open_.erase(open);
        co_return id;  // as the hub itself answers: it was asked, and nobody waits for it any more
    }
    if (open == open_.end() || !open->second.answer) co_return Error{Errc::unavailable, "the hub is gone"};
    const auto answer = *open->second.answer;
    if (answer.failed || open->second.decided) open_.erase(open);
    if (answer.failed) co_return Error{*answer.failed, answer.detail};
    co_return id;
}

void Client::withdraw(const Ulid& id, const Runtime& from, std::string why) {
    const auto open = open_.find(id);
    if (open == open_.end() || open->second.from != &from) return;
    open->second.from = nullptr;
    open->second.withdrawn = true;
    open->second.asked->cancel();                // ask() wakes, and erases it
    if (open->second.answer) open_.erase(open);  // it had woken before
    if (connection_ && !connection_->write(Message{Withdraw{id, std::move(why)}})) connection_->close();
}

void Client::gone(Runtime& from, std::string why) {
    for (auto& [id, open] : open_) {
        if (open.from == &from) open.from = nullptr;
    }
    if (connection_ && !connection_->write(Message{Gone{std::move(why)}})) connection_->close();
}

void Client::session_ended(const Runtime& /*from*/, std::string failure) {
    if (connection_ && !connection_->write(Message{SessionEnded{std::move(failure)}})) connection_->close();
}

void Client::unreadable(const std::string& agent_id, const Error& why) {
    if (connection_ && !connection_->write(Message{Unreadable{agent_id, why.code, why.detail}})) connection_->close();
}

void Client::unasked(const UnaskedCall& call) {
    if (connection_ && !connection_->write(Message{Unasked{call}})) connection_->close();
}

asio::awaitable<void> Client::lose_all(std::string why) {
    auto lost = std::exchange(open_, {});
    for (auto& [id, open] : lost) {
        open.asked->cancel();
        if (open.from == nullptr) continue;
        const auto told = co_await open.from->forward(refusal(*open.request, Outcome::lost, why));
        if (!told) complain_(describe(told.error()));
    }
}

asio::awaitable<void> Client::close() {
    closing_ = true;
    if (connection_) connection_->close();
    co_await tasks_.join();
}

}  // namespace countersign::app::sidecar
