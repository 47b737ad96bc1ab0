// SPDX-License-Identifier: Apache-2.0
// Server: the hub's side of its local socket. Each connection is a Runtime of the hub; when the sidecar ends it, its
// requests are lost; when the hub does, they wait for the next one (I12). Only the user who runs the hub, and root, get
// in: the socket is 0600, and the kernel is asked who came.
//
// An agent runs as the same user, so connections that say nothing must not keep `countersign halt` out. A connection
// that has not said what it wants has a deadline, and makes room for newer ones; commands and sidecars each have places
// of their own.
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

inline constexpr std::size_t unintroduced_max = 64;    // connections; one more closes the oldest of them
inline constexpr std::size_t local_commands_max = 64;  // the same, for those that gave a command
inline constexpr std::chrono::milliseconds introduction_max{5'000};
inline constexpr std::chrono::milliseconds answer_read_max{5'000};  // for a command to read its answer, and to go

class Server {
public:
    // Binds `path`, which must lie in a directory that only we may enter. A socket left by a dead hub is replaced: the
    // caller holds the directory's lock. Borrows the hub and the clock. `rules` is the fingerprint of the hub's rules:
    // a sidecar that judges calls by others is turned away, because what it says of a call would count here (I15).
    [[nodiscard]] static Result<std::unique_ptr<Server>> open(boost::asio::any_io_executor executor, std::string path,
                                                              Asking& hub, Clock& clock, std::string rules,
                                                              std::function<void(const std::string&)> complain);
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    ~Server();

    // Serves until close(), and until every connection has ended.
    boost::asio::awaitable<void> run();
    void close();
    [[nodiscard]] std::size_t connections() const { return tasks_.size(); }
    // Those that were taken: agents that ask here.
    [[nodiscard]] std::size_t sidecars() const { return taken_; }
    // The rules of whoever comes from now on.
    void judge_by(std::string rules) { rules_ = std::move(rules); }
    // What is done when somebody says reload; without it they hear that it cannot be done.
    void on_reload(std::function<boost::asio::awaitable<Result<void>>()> reload) { reload_ = std::move(reload); }
    // Where orders of the command line go; without it they hear that none are taken. Borrows it.
    // `words` says to who gave one what came of it.
    using OrderWords = std::function<std::string(const Order& order, const Result<Carried>& carried)>;
    void take_orders(Attempts& attempts, OrderWords words) {
        orders_ = &attempts;
        order_words_ = std::move(words);
    }
    // Why an agent that asks here from now on would be refused whatever it asks; empty if it wouldn't be.
    void on_join(std::function<std::string(const Asker&)> halted) { halted_ = std::move(halted); }
    // Tells the sidecar that asked this, if one did, what became of it, in a line for the person who started it. The
    // last call for a request says that it `ended`; an empty line is not told.
    void narrate(const Ulid& request, const std::string& line, bool ended);
    // What is answered when somebody asks what waits to be sent.
    void on_list_outbox(std::function<json::Value()> list) { list_outbox_ = std::move(list); }
    // Answers `status`, `pending` and `grants`: an object, or null for a name it does not know.
    void on_list_hub(std::function<json::Value(const std::string& what)> list) { list_hub_ = std::move(list); }

private:
    class SidecarConnection;
    enum class Stage { unintroduced, command, sidecar };
    // Closes the oldest connection at this stage if there are as many as there may be.
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
