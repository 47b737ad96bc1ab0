// SPDX-License-Identifier: Apache-2.0
#include "runtimes/json_rpc_peer.hpp"

#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "runtimes/at_end.hpp"
#include "runtimes/envelope.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <utility>

namespace countersign::runtimes {

namespace asio = boost::asio;

namespace {

constexpr auto head = R"({"jsonrpc":"2.0")";

std::string json_string(std::string_view text) { return json::canonical(json::Value{text}); }

std::string error_to(const std::string& id, int code, std::string_view message) {
    return head + (",\"id\":" + id) + ",\"error\":{\"code\":" + std::to_string(code) +
           ",\"message\":" + json_string(message) + "}}";
}

std::string with_params(std::string message, const std::string& params) {
    if (!params.empty()) message += ",\"params\":" + params;
    return message + "}";
}

// The bytes of a member's value, as received; empty if there is none.
std::string raw_member(const json::Object& object, std::string_view name, const std::string& text) {
    const auto* value = object.find(name);
    return value == nullptr ? std::string{} : std::string{bytes_of(text, *value)};
}

// Refuses duplicate names, because two readers may each use another one.
Result<void> check_envelope(const json::Object& object) {
    for (const auto* name : {"jsonrpc", "id", "method", "params", "result", "error"}) {
        const auto is_it = [&](const auto& member) { return member.first == name; };
        if (std::ranges::count_if(object.members(), is_it) > 1)
            return Error{Errc::malformed, std::string{name} + ": is there twice"};
    }
    const auto* version = object.find("jsonrpc");
    if (version != nullptr && *version != json::Value{"2.0"}) return Error{Errc::malformed, "jsonrpc: not 2.0"};
    if (const auto* id = object.find("id"); id != nullptr && !id->is_null()) {
        if (id->number() == nullptr && id->string() == nullptr)
            return Error{Errc::malformed, "id: no number or string"};
        if (id->span().end - id->span().begin > limits::rpc_id_bytes_max) return Error{Errc::too_large, "id"};
    }
    return {};
}

Result<void> check_request(const json::Object& object) {
    const auto* method = object.find("method");
    if (method == nullptr || method->string() == nullptr) return Error{Errc::malformed, "method: not a string"};
    if (method->string()->size() > limits::rpc_method_bytes_max) return Error{Errc::too_large, "method"};
    const auto* params = object.find("params");
    if (params != nullptr && params->object() == nullptr && params->array() == nullptr)
        return Error{Errc::malformed, "params: neither an object nor an array"};
    const auto* id = object.find("id");
    if (id != nullptr && id->is_null()) return Error{Errc::malformed, "id: is null"};
    return {};
}

Result<RpcAnswer> answer_in(const json::Object& object, const std::string& text) {
    const bool failed = object.find("error") != nullptr;
    if (failed && object.find("result") != nullptr) return Error{Errc::malformed, "a result and an error"};
    return RpcAnswer{failed, raw_member(object, failed ? "error" : "result", text)};
}

}  // namespace

namespace {

// The id of a message that could not be read; empty if it has none that we could repeat.
std::string id_outside(std::string_view message) {
    const auto bytes = outer_scalar(message, "id");
    if (!bytes || bytes->size() > limits::rpc_id_bytes_max) return {};
    const auto read = json::read(*bytes);
    const bool is_id = read && (read->value.number() != nullptr || read->value.string() != nullptr);
    return is_id ? std::string{*bytes} : std::string{};
}

}  // namespace

struct JsonRpcPeer::Call {
    asio::steady_timer answered;  // cancelled when the answer arrives
    std::optional<Result<RpcAnswer>> answer;
};

asio::awaitable<Error> JsonRpcPeer::run() {
    const AtEnd end{[this] {
        ended_ = true;
        open_.clear();
        for (auto& [id, call] : calls_) call->answered.cancel();
    }};
    for (;;) {
        auto message = co_await stream_.read();
        if (message) {
            co_await take(std::move(*message));
        } else if (message.error().code == Errc::too_large) {
            co_await refuse({}, rpc_invalid_request, message.error());
        } else {
            co_return message.error();
        }
    }
}

asio::awaitable<void> JsonRpcPeer::take(std::string message) {
    const auto document = json::read(message);
    if (!document) co_return co_await take_outside(message, document.error());
    const auto* object = document->value.object();
    if (object == nullptr) co_return co_await refuse({}, rpc_invalid_request, {Errc::malformed, "not an object"});
    const auto enveloped = check_envelope(*object);
    const bool is_answer = object->find("result") != nullptr || object->find("error") != nullptr;
    // Never answer an answer: two peers would do it forever.
    if (is_answer && object->find("method") == nullptr) {
        if (!enveloped) co_return handlers_.refused(enveloped.error());
        co_return take_answer(raw_member(*object, "id", message), answer_in(*object, message));
    }
    if (!enveloped) co_return co_await refuse({}, rpc_invalid_request, enveloped.error());
    const auto id = raw_member(*object, "id", message);
    if (is_answer) co_return co_await refuse(id, rpc_invalid_request, {Errc::malformed, "a request and an answer"});
    if (const auto request = check_request(*object); !request)
        co_return co_await refuse(id, rpc_invalid_request, request.error());
    if (open_.contains(id)) co_return co_await refuse(id, rpc_invalid_request, {Errc::conflict, "id: is open already"});
    if (!id.empty() && open_.size() >= limits::rpc_requests_open_max)
        co_return co_await refuse(id, rpc_server_busy, {Errc::busy, "too many requests are open"});
    if (!id.empty()) open_.insert(id);
    co_await handlers_.message({id, *object->find("method")->string(), raw_member(*object, "params", message)});
}

// Of a message that cannot be read, only the outermost members are used: who waits for an answer to it.
asio::awaitable<void> JsonRpcPeer::take_outside(std::string message, Error why) {
    const auto id = id_outside(message);
    const bool has_method = outer_scalar(message, "method").has_value();
    const bool too_large = why.code == Errc::too_large;
    if (too_large && has_method && id.empty()) co_return;  // a notification
    if (too_large && !has_method && !id.empty()) co_return take_answer(id, why);
    co_await refuse(has_method ? id : std::string{}, rpc_parse_error, why);
}

void JsonRpcPeer::take_answer(const std::string& id, Result<RpcAnswer> answer) {
    const auto found = calls_.find(id);
    if (found == calls_.end() || found->second->answer)
        return handlers_.refused({Errc::unknown_request, "an answer to nothing that waits"});
    found->second->answer = std::move(answer);
    found->second->answered.cancel();
}

asio::awaitable<Result<RpcAnswer>> JsonRpcPeer::call(std::string method, std::string params,
                                                     std::chrono::milliseconds within) {
    if (ended_) co_return Error{Errc::away, "the peer ended the stream"};
    if (calls_.size() >= limits::rpc_calls_open_max) co_return Error{Errc::busy, "too many calls wait for an answer"};
    const auto id = std::to_string(++last_id_);
    const auto call = std::make_shared<Call>(Call{asio::steady_timer{co_await asio::this_coro::executor, within}, {}});
    calls_.emplace(id, call);
    const AtEnd forgotten{[this, id] { calls_.erase(id); }};
    const auto written =
        co_await stream_.write(with_params(head + (",\"id\":" + id) + ",\"method\":" + json_string(method), params));
    if (!written) co_return written.error();
    boost::system::error_code failed;
    if (!call->answer && !ended_) co_await call->answered.async_wait(asio::redirect_error(asio::use_awaitable, failed));
    if (call->answer) co_return *call->answer;
    if (ended_) co_return Error{Errc::away, "the peer ended the stream"};
    co_return Error{Errc::timeout, "no answer to " + method};
}

asio::awaitable<Result<void>> JsonRpcPeer::notify(std::string method, std::string params) {
    co_return co_await stream_.write(with_params(head + (",\"method\":" + json_string(method)), params));
}

asio::awaitable<Result<void>> JsonRpcPeer::respond(std::string id, std::string result) {
    if (!forget(id)) co_return Error{Errc::unknown_request, "this request is not open"};
    co_return co_await stream_.write(head + (",\"id\":" + id) + ",\"result\":" + result + "}");
}

asio::awaitable<Result<void>> JsonRpcPeer::fail(std::string id, int code, std::string message) {
    if (!forget(id)) co_return Error{Errc::unknown_request, "this request is not open"};
    co_return co_await stream_.write(error_to(id, code, message));
}

// An empty id means unknown, which JSON-RPC writes as null. The error's detail is not sent. An open id gets no error:
// the peer would take it for the answer to its first request with this id.
asio::awaitable<void> JsonRpcPeer::refuse(std::string id, int code, Error why) {
    handlers_.refused(why);
    if (open_.contains(id)) co_return;
    const auto sent = co_await stream_.write(error_to(id.empty() ? "null" : id, code, name(why.code)));
    if (!sent) handlers_.refused(sent.error());
}

}  // namespace countersign::runtimes
