// SPDX-License-Identifier: Apache-2.0
// SidecarClient: a sidecar's hub, which lives in another process. An adapter sees the same Asking as the hub's own.
//
// A hub that is away means waiting, not running: what is open is kept, a hub is looked for, and when one takes us each
// request is asked again under its id (I12). Whatever that one cannot go on with, the agent hears as a refusal of its
// own vocabulary, outcome lost: nothing runs because nobody could be asked (I2).
#pragma once

#include "core/asker.hpp"
#include "core/hub/askers.hpp"
#include "core/hub/task_group.hpp"
#include "core/limits.hpp"
#include "core/ports/asking.hpp"
#include "core/ports/clock.hpp"
#include "core/result.hpp"
#include "sidecar/connection.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace countersign::sidecar {

class SidecarClient final : public Asking {
public:
    // Connects; borrows the clock. Errc::unavailable if nobody listens there, Errc::not_authorised if another user
    // does.
    [[nodiscard]] static Result<std::unique_ptr<SidecarClient>> open(boost::asio::any_io_executor executor,
                                                                     std::string path, std::string rules, Clock& clock,
                                                                     std::function<void(const std::string&)> complain,
                                                                     Asker asker = {});
    // Resolves when the hub has said whether it takes us. Errc::conflict: it judges calls by other rules than those
    // whose fingerprint we gave; Errc::timeout: it says nothing.
    boost::asio::awaitable<Result<void>> joined(std::chrono::milliseconds deadline = limits::sidecar_join_max);

    // Resolves at once when the hub is away: the request is kept, and asked when there is one.
    boost::asio::awaitable<Result<Ulid>> ask(Request request, Runtime& from) override;
    void withdraw(const Ulid& id, const Runtime& from, std::string why) override;
    void gone(Runtime& from, const Asker& who, std::string why) override;
    void session_ended(const Runtime& from, const Asker& who, std::string failure) override;
    void unreadable(const std::string& agent_id, const Error& why) override;
    void unasked(const UnaskedCall& call) override;

    // After joined(): our agent is halted, in words for the person who started it. Empty if it isn't.
    [[nodiscard]] std::string halted() const { return welcome_ ? welcome_->halted : std::string{}; }
    [[nodiscard]] bool connected() const { return connection_ != nullptr; }
    // Requests that wait for an answer.
    [[nodiscard]] std::size_t open() const { return open_.size(); }
    // Something was asked and no hub could be: the agent was refused for that, or ended meanwhile.
    [[nodiscard]] bool went_without_hub() const { return went_without_hub_; }
    // Ends the connection and resolves when nothing runs any more.
    boost::asio::awaitable<void> close();

private:
    struct Open {
        std::shared_ptr<const Request> request;
        Runtime* from = nullptr;
        BootTime since;          // on our clock; its own timeout counts also while the hub is away
        bool sent = false;       // to the hub that is there now
        bool kept = false;       // whoever asked was told that it waits: what becomes of it comes by forward alone
        bool answering = false;  // its agent is being told
    };
    // Whoever waits in ask().
    struct Waiter {
        boost::asio::steady_timer said;
        std::optional<Result<Ulid>> answer;
    };
    SidecarClient(boost::asio::any_io_executor executor, std::string path, std::string rules, Clock& clock,
                  std::function<void(const std::string&)> complain, Asker asker);

    // Connecting, and looking for a hub again.
    Result<void> connect();
    [[nodiscard]] Result<void> check_owner(Connection& connection) const;
    [[nodiscard]] bool taken() const { return connection_ && welcome_ && !welcome_->failed; }
    boost::asio::awaitable<void> listen(std::shared_ptr<Connection> connection);
    boost::asio::awaitable<void> write(std::shared_ptr<Connection> connection);
    boost::asio::awaitable<void> lost_hub();
    boost::asio::awaitable<void> look_for_hub();
    boost::asio::awaitable<void> ask_again();
    Result<void> send(Open& open);
    void look();

    // What the hub says.
    boost::asio::awaitable<void> pass_on(TimedVerdict timed);
    boost::asio::awaitable<void> end_turns(Interrupt interrupt);
    bool take(Welcome welcome);
    void take(Asked asked);

    // What the agent hears, or whoever asked for it.
    void wake(const Ulid& id, Result<Ulid> answer);
    boost::asio::awaitable<void> refuse(Ulid id, Error why);
    boost::asio::awaitable<void> refuse_all(Error why);
    boost::asio::awaitable<void> refuse_overdue();
    void forget(const Ulid& id);
    void tell(Message message);

    boost::asio::any_io_executor executor_;
    std::string path_;
    std::string rules_;
    Asker asker_;  // the agent and session that it asks for
    Clock& clock_;
    std::function<void(const std::string&)> complain_;
    std::shared_ptr<Connection> connection_;  // null while there is none
    std::optional<Welcome> welcome_;          // what the hub said last
    boost::asio::steady_timer welcomed_;      // cancelled when it has
    std::map<Ulid, Open> open_;
    Askers askers_;
    std::map<Ulid, std::shared_ptr<Waiter>> waiters_;
    bool was_taken_ = false;
    bool looking_ = false;
    bool went_without_hub_ = false;
    bool closing_ = false;
    TaskGroup::Handle look_;
    TaskGroup tasks_;
};

}  // namespace countersign::sidecar
