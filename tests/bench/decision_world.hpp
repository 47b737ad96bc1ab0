// SPDX-License-Identifier: Apache-2.0
// The surroundings of the real program in the decision benchmark: a Bot API on loopback that accepts everything, the
// local socket of the agent, and people who tap by signed webhook. One thread, one event loop.
#pragma once

#include "channels/telegram/bounds.hpp"
#include "tests/bench/decision_agent.hpp"
#include "tests/net/http_server.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace countersign::bench {

// Each person has their own chat with their own bot, so that a round stays below the platform's rate limits for a chat
// and a bot. That is also the number of webhooks that one client may send at once.
inline constexpr std::size_t decisions_a_round = decision_people * limits::telegram_chat_burst;

struct Tap {
    std::string approval_id;
    std::string channel;
    std::int64_t chat = 0;
    std::int64_t message = 0;
    std::string data;  // of the Allow button
};

// The program under test, with its own configuration in its own directory. Stopped and reaped by the destructor.
class Program {
public:
    Program(const std::string& binary, const std::vector<std::string>& arguments, std::string output);
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    ~Program();
    // The ports that it says it listens on, in order, as soon as there are `count`; empty if it ended before.
    [[nodiscard]] std::vector<std::uint16_t> ports(std::size_t count) const;
    [[nodiscard]] std::size_t resident_kib() const;
    [[nodiscard]] std::string said() const;

private:
    int pid_ = -1;
    std::string output_;  // a file, because a pipe would have to be emptied
};

class DecisionWorld {
public:
    explicit DecisionWorld(const std::string& directory);

    [[nodiscard]] std::string config_file() const { return directory_ + "/countersign.toml"; }
    [[nodiscard]] std::string agent_socket() const { return directory_ + "/agent"; }
    // Call after the program has started.
    void accept_agent();
    // Lets the agent ask for a round of decisions, and returns when each request is shown as a card.
    void ask();
    // The times from the first byte of the webhook to the answer in the agent's hands, for all open requests: `clients`
    // people, each with one tap at a time on their own connection. With `between`, each person waits until their card
    // shows the outcome, calls `between`, and taps the next one.
    [[nodiscard]] std::vector<std::chrono::nanoseconds> tap_all(std::uint16_t port, std::size_t clients,
                                                                const std::function<void()>& between = {});

    [[nodiscard]] boost::asio::io_context& io() { return io_; }

private:
    using Socket = boost::asio::local::stream_protocol::socket;
    testing_tools::Reply answer(const testing_tools::Seen& seen);
    boost::asio::awaitable<void> listen_to_agent();
    boost::asio::awaitable<void> tap_one_after_another(std::uint16_t port, std::vector<std::chrono::nanoseconds>& took,
                                                       const std::function<void()>& between);
    // Waits until the key has arrived.
    boost::asio::awaitable<std::chrono::nanoseconds> arrival_of(std::string key);
    void arrived(const std::string& key, std::chrono::nanoseconds at);
    [[nodiscard]] std::string webhook(const Tap& tap);
    void run_until(const std::function<bool()>& holds);

    std::string directory_;
    boost::asio::io_context io_{1};
    testing_tools::HttpServer api_{io_};
    boost::asio::local::stream_protocol::acceptor acceptor_;
    Socket agent_{io_};
    std::deque<Tap> shown_;
    std::map<std::string, std::chrono::nanoseconds> arrived_;  // answers by approval id, edits by card_key
    std::map<std::string, boost::asio::steady_timer*> waiting_;
    std::int64_t last_message_ = 0;
    std::int64_t last_update_ = 0;
    std::size_t running_ = 0;
};

[[noreturn]] void give_up(const std::string& why);

}  // namespace countersign::bench
