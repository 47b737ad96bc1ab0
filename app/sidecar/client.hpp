// SPDX-License-Identifier: Apache-2.0
// Client: a sidecar's hub, which lives in another process. To an adapter it is the same Asking as the hub itself.
//
// When the hub is gone, every open request is answered with the refusal of its own vocabulary, outcome lost: nothing
// runs because nobody could be asked (I2). A later ask tries to reach a hub again.
#pragma once

#include "app/sidecar/connection.hpp"
#include "core/hub/task_group.hpp"
#include "core/limits.hpp"
#include "core/ports/asking.hpp"
#include "core/ports/clock.hpp"
#include "core/result.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace countersign::app::sidecar {

class Client final : public Asking {
public:
    // Connects; borrows the clock. Errc::unavailable if nobody listens there, Errc::not_authorised if another user
    // does.
    [[nodiscard]] static Result<std::unique_ptr<Client>> open(boost::asio::any_io_executor executor, std::string path,
                                                              std::string rules, Clock& clock,
                                                              std::function<void(const std::string&)> complain);
    // Resolves when the hub has said whether it takes us. Errc::conflict: it judges calls by other rules than those
    // whose fingerprint we gave; Errc::timeout: it says nothing.
    boost::asio::awaitable<Result<void>> joined(std::chrono::milliseconds deadline = limits::sidecar_join_max);

    boost::asio::awaitable<Result<Ulid>> ask(Request request, Runtime& from) override;
    void withdraw(const Ulid& id, const Runtime& from, std::string why) override;
    void gone(Runtime& from, std::string why) override;
    void session_ended(const Runtime& from, std::string failure) override;
    void unreadable(const std::string& agent_id, const Error& why) override;
    void unasked(const UnaskedCall& call) override;

    [[nodiscard]] bool connected() const { return connection_ != nullptr; }
    // Ends the connection and resolves when nothing runs any more.
    boost::asio::awaitable<void> close();

private:
    struct Open {
        std::shared_ptr<const Request> request;
        Runtime* from = nullptr;
        std::shared_ptr<boost::asio::steady_timer> asked;  // cancelled when the hub has said what became of it
        std::optional<Asked> answer;
        bool decided = false;
        bool withdrawn = false;
    };
    Client(boost::asio::any_io_executor executor, std::string path, std::string rules, Clock& clock,
           std::function<void(const std::string&)> complain);
    Result<void> connect();
    [[nodiscard]] Result<void> check_owner(Connection& connection) const;
    boost::asio::awaitable<void> listen(std::shared_ptr<Connection> connection);
    boost::asio::awaitable<void> write(std::shared_ptr<Connection> connection);
    boost::asio::awaitable<void> pass_on(TimedVerdict timed);
    bool take(Welcome welcome);
    void take(Asked asked);
    boost::asio::awaitable<void> lose_all(std::string why);

    boost::asio::any_io_executor executor_;
    std::string path_;
    std::string rules_;
    Clock& clock_;
    std::function<void(const std::string&)> complain_;
    std::shared_ptr<Connection> connection_;  // null while there is none
    std::optional<Welcome> welcome_;          // what the hub said last
    boost::asio::steady_timer welcomed_;      // cancelled when it has
    std::map<Ulid, Open> open_;
    bool was_taken_ = false;
    bool closing_ = false;
    TaskGroup tasks_;
};

}  // namespace countersign::app::sidecar
