// SPDX-License-Identifier: Apache-2.0
// SidecarClient: the client of a hub in another process. Adapters use the same Asking interface as with a hub in their
// own process.
//
// While no hub can be reached, requests wait and nothing runs: open requests are kept, the client looks for a hub, and
// when one accepts it, asks each request again under its id (I12). If the new hub cannot continue a request, the agent
// gets a refusal in its own protocol with outcome lost: nothing runs because no approver could be asked (I2).
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
    // Connects; borrows the clock. `asks_once`: it asks about one call of a session that another process owns.
    // Errc::unavailable if no hub listens at this path, Errc::not_authorised if the hub belongs to another user.
    [[nodiscard]] static Result<std::unique_ptr<SidecarClient>> open(boost::asio::any_io_executor executor,
                                                                     std::string path, std::string rules, Clock& clock,
                                                                     std::function<void(const std::string&)> complain,
                                                                     Asker asker = {}, bool asks_once = false);
    // Resolves when the hub has accepted or refused us. Errc::conflict: it judges calls by rules with another
    // fingerprint; Errc::timeout: it does not answer.
    boost::asio::awaitable<Result<void>> joined(std::chrono::milliseconds deadline = limits::sidecar_join_max);

    // Resolves at once if no hub is connected: the request is kept and asked later.
    boost::asio::awaitable<Result<Ulid>> ask(Request request, Runtime& from) override;
    void withdraw(const Ulid& id, const Runtime& from, std::string why) override;
    void gone(Runtime& from, const Asker& who, std::string why) override;
    void session_ended(const Runtime& from, const Asker& who, std::string failure) override;
    void unreadable(const std::string& agent_id, const Error& why) override;
    void unasked(const UnaskedCall& call) override;

    // Tells the hub that this session, which another process owns, is over.
    void session_over(const Asker& who, std::string why) { tell(Message{Gone{std::move(why), who}}); }

    // After joined(): why our agent is halted, for the person who started it. Empty if it is not halted.
    [[nodiscard]] std::string halted() const { return welcome_ ? welcome_->halted : std::string{}; }
    [[nodiscard]] bool connected() const { return connection_ != nullptr; }
    // How many requests wait for an answer.
    [[nodiscard]] std::size_t open() const { return open_.size(); }
    // Whether a request got no hub: the agent received a refusal for that reason, or has ended.
    [[nodiscard]] bool went_without_hub() const { return went_without_hub_; }
    // Sends what is queued and closes the connection; resolves when no task runs any more.
    boost::asio::awaitable<void> close();

private:
    struct Open {
        std::shared_ptr<const Request> request;
        Runtime* from = nullptr;
        BootTime since;          // on our clock; the request's own timeout also runs while no hub is connected
        bool sent = false;       // to the current hub
        bool kept = false;       // ask() has returned and the request waits: only forward() reports its end
        bool answering = false;  // its agent is being answered
    };
    // A caller that waits in ask().
    struct Waiter {
        boost::asio::steady_timer said;
        std::optional<Result<Ulid>> answer;
    };
    SidecarClient(boost::asio::any_io_executor executor, std::string path, std::string rules, Clock& clock,
                  std::function<void(const std::string&)> complain, Asker asker, bool asks_once);

    // Connecting, and looking for another hub.
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

    // Messages from the hub.
    boost::asio::awaitable<void> pass_on(TimedVerdict timed);
    boost::asio::awaitable<void> end_turns(Interrupt interrupt);
    bool take(Welcome welcome);
    void take(Asked asked);

    // Answers for the agent, or for the caller of ask().
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
    bool asks_once_;
    Clock& clock_;
    std::function<void(const std::string&)> complain_;
    std::shared_ptr<Connection> connection_;  // null while disconnected
    std::optional<Welcome> welcome_;          // from the last hub
    boost::asio::steady_timer welcomed_;      // cancelled when it arrives
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
