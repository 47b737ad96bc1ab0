// SPDX-License-Identifier: Apache-2.0
// Server: the hub's side of its local socket. Each connection is a Runtime of the hub. If the sidecar ends it, its
// requests are lost; if the hub does, they wait for the next hub (I12). Only root and the user who runs the hub can
// connect: the socket has mode 0600, and the kernel tells the peer's user id.
//
// Agents run as the same user, so silent connections must not block `countersign halt`. A connection that has not said
// what it wants has a deadline and is closed to make room for newer ones; commands and sidecars have their own places.
#pragma once

#include "core/asker.hpp"
#include "core/hub/task_group.hpp"
#include "core/ports/asking.hpp"
#include "core/ports/attempts.hpp"
#include "core/ports/clock.hpp"
#include "core/result.hpp"
#include "sidecar/connection.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace countersign::sidecar {

inline constexpr std::size_t unintroduced_max = 64;    // connections; one more closes the oldest
inline constexpr std::size_t local_commands_max = 64;  // the same for connections with a command
inline constexpr std::chrono::milliseconds introduction_max{5'000};
inline constexpr std::chrono::milliseconds answer_read_max{5'000};  // for a command to read its answer and disconnect

class Server {
public:
    // Binds `path`, which must be in a directory that only we can enter. Replaces a socket left by a dead hub, because
    // the caller holds the directory's lock. Borrows the hub and the clock. `rules` is the fingerprint of the hub's
    // rules: a sidecar with other rules is refused, because the hub relies on the sidecar's judgement of calls (I15).
    [[nodiscard]] static Result<std::unique_ptr<Server>> open(boost::asio::any_io_executor executor, std::string path,
                                                              Asking& hub, Clock& clock, std::string rules,
                                                              std::function<void(const std::string&)> complain);
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    ~Server();

    // Serves until close() was called and every connection has ended.
    boost::asio::awaitable<void> run();
    void close();
    [[nodiscard]] std::size_t connections() const { return tasks_.size(); }
    // The accepted sidecars, i.e. agents that ask here.
    [[nodiscard]] std::size_t sidecars() const { return taken_; }
    // The rules that later sidecars must have.
    void judge_by(std::string rules) { rules_ = std::move(rules); }
    // Handles reload requests; without a handler they are refused.
    void on_reload(std::function<boost::asio::awaitable<Result<void>>()> reload) { reload_ = std::move(reload); }
    // Receives orders from the command line; without it they are refused. Borrows `attempts`. `words` describes the
    // result to the person who gave the order.
    using OrderWords = std::function<std::string(const Order& order, const Result<Carried>& carried)>;
    void take_orders(Attempts& attempts, OrderWords words) {
        orders_ = &attempts;
        order_words_ = std::move(words);
    }
    // Returns why an agent that joins now would be refused every request; empty if it would not.
    void on_join(std::function<std::string(const Asker&)> halted) { halted_ = std::move(halted); }
    // Tells the sidecar that made this request, if one did, what happened to it, in one line for the person who started
    // it. The last call for a request sets `ended`; an empty line is not sent.
    void narrate(const Ulid& request, const std::string& line, bool ended);
    // Answers requests to list the outbox.
    void on_list_outbox(std::function<json::Value()> list) { list_outbox_ = std::move(list); }
    // Answers `status`, `pending` and `grants` with an object, or null for an unknown name.
    void on_list_hub(std::function<json::Value(const std::string& what)> list) { list_hub_ = std::move(list); }

private:
    class SidecarConnection;
    enum class Stage { unintroduced, command, sidecar };
    // Closes the oldest connection at this stage if the limit is reached.
    void make_room(Stage stage, std::size_t most);
    Server(boost::asio::local::stream_protocol::acceptor acceptor, std::string path, Asking& hub, Clock& clock,
           std::string rules, std::function<void(const std::string&)> complain);
    boost::asio::awaitable<void> serve(std::shared_ptr<SidecarConnection> session);

    boost::asio::local::stream_protocol::acceptor acceptor_;
    std::string path_;
    Asking& hub_;
    Clock& clock_;
    std::string rules_;
    std::function<void(const std::string&)> complain_;
    std::function<boost::asio::awaitable<Result<void>>()> reload_;
    Attempts* orders_ = nullptr;
    OrderWords order_words_;
    std::function<json::Value()> list_outbox_;
    std::function<json::Value(const std::string& what)> list_hub_;
    std::function<std::string(const Asker&)> halted_;
    std::size_t taken_ = 0;
    TaskGroup tasks_;
    std::vector<std::weak_ptr<SidecarConnection>> sessions_;
};

}  // namespace countersign::sidecar
