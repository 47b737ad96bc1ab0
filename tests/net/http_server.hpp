// SPDX-License-Identifier: Apache-2.0
// A real HTTP/1.1 server on 127.0.0.1 in the test's own event loop. It answers as the test says, even wrongly, and
// counts connections and requests.
#pragma once

#include "tests/net/certificates.hpp"

#include <boost/asio/io_context.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace countersign::testing_tools {

struct Seen {
    std::string line;  // "GET /path HTTP/1.1"
    std::string head;  // including its first line, unchanged
    std::string body;
};

struct Reply {
    enum class Then { keep, close, hold };  // hold: nothing more is sent, and the connection stays open
    std::string bytes;
    Then then = Then::keep;
};

// A complete answer with its length.
[[nodiscard]] std::string http(int status, const std::string& body, const std::string& headers = {});

class HttpServer {
public:
    explicit HttpServer(boost::asio::io_context& io, const std::optional<Identity>& tls = std::nullopt);
    ~HttpServer();
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;

    [[nodiscard]] std::uint16_t port() const;
    // Sends these bytes on every connection, unasked.
    void say(const std::string& bytes);
    // Closes every connection, as a server does after its idle timeout.
    void close_all();

    struct State {
        std::function<Reply(const Seen&)> answer = [](const Seen&) { return Reply{http(200, "ok")}; };
        std::size_t accepted = 0;
        std::size_t open = 0;
        std::size_t open_max = 0;
        std::vector<Seen> seen;
        std::vector<int> sockets;  // of open connections
    };
    State& operator*() const { return *state_; }
    State* operator->() const { return state_.get(); }

private:
    struct Listener;
    std::shared_ptr<State> state_;  // shared with connections, which may outlive the server
    std::shared_ptr<Listener> listener_;
};

}  // namespace countersign::testing_tools
