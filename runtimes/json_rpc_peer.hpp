// SPDX-License-Identifier: Apache-2.0
// JsonRpcPeer: one end of a JSON-RPC 2.0 connection, as Codex and ACP agents use it. It handles requests, answers and
// notifications without knowing what they mean.
//
// The peer is not trusted. Ids are kept byte for byte, because an agent may number from 0, use strings, or use integers
// that a double cannot represent. Each request from the peer is answered at most once. An unreadable message is
// reported and changes nothing; if it may be a request, it gets JSON-RPC's own error. A notification past
// json_bytes_max is dropped. "jsonrpc" may be missing, because Codex omits it. Batches are rejected.
#pragma once

#include "core/limits.hpp"
#include "core/result.hpp"
#include "net/message_stream.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace countersign::runtimes {

inline constexpr int rpc_parse_error = -32700;
inline constexpr int rpc_invalid_request = -32600;
inline constexpr int rpc_method_not_found = -32601;
inline constexpr int rpc_server_busy = -32000;

// A request or a notification.
struct RpcMessage {
    std::string id;  // raw JSON: a number or a string; empty for a notification
    std::string method;
    std::string params;  // raw JSON: an object or an array; empty if there are none
    friend bool operator==(const RpcMessage&, const RpcMessage&) = default;
};
struct RpcAnswer {
    bool is_error = false;
    std::string json;  // raw: the result, or the error
    friend bool operator==(const RpcAnswer&, const RpcAnswer&) = default;
};

class JsonRpcPeer {
public:
    struct Handlers {
        // The next message is read when this resolves, so it must not wait for an answer from the peer.
        std::function<boost::asio::awaitable<void>(RpcMessage)> message;
        std::function<void(const Error&)> refused;  // a message was rejected
    };
    // Borrows the stream.
    JsonRpcPeer(net::MessageStream& stream, Handlers handlers) : stream_{stream}, handlers_{std::move(handlers)} {}

    // Reads until the stream ends and returns the reason: Errc::away if the peer closed it. Open calls then fail with
    // Errc::away, and no more answers are sent.
    boost::asio::awaitable<Error> run();

    // `params` is raw JSON, an object or an array; empty for none. Errc::busy past rpc_calls_open_max, Errc::timeout
    // after `within`, Errc::malformed if the answer has both a result and an error.
    boost::asio::awaitable<Result<RpcAnswer>> call(std::string method, std::string params,
                                                   std::chrono::milliseconds within);
    boost::asio::awaitable<Result<void>> notify(std::string method, std::string params);
    // Answers a request from the peer. Errc::unknown_request unless it is open: it may be unknown, answered or
    // forgotten.
    boost::asio::awaitable<Result<void>> respond(std::string id, std::string result);
    boost::asio::awaitable<Result<void>> fail(std::string id, int code, std::string message);
    // The peer withdrew this request and waits no longer: it gets no answer.
    bool forget(const std::string& id) { return open_.erase(id) > 0; }

private:
    struct Call;
    boost::asio::awaitable<void> take(std::string message);
    boost::asio::awaitable<void> take_outside(std::string message, Error why);
    void take_answer(const std::string& id, Result<RpcAnswer> answer);
    boost::asio::awaitable<void> refuse(std::string id, int code, Error why);

    net::MessageStream& stream_;
    Handlers handlers_;
    std::set<std::string> open_;                          // unanswered requests from the peer
    std::map<std::string, std::shared_ptr<Call>> calls_;  // ours
    std::uint64_t last_id_ = 0;
    bool ended_ = false;
};

}  // namespace countersign::runtimes
