// SPDX-License-Identifier: Apache-2.0
// A runtime that exists only for the tests: a server with many sessions that speaks JSON-RPC over any MessageStream. It
// shows how much code a runtime needs that is built from the kit.
//
//   agent → us   request ask {session, command} · withdrawn {id} · closed {session}
//   us → agent   result {"decision":"allow"} or {"decision":"deny"} · interrupt {session}
#pragma once

#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "core/ports/asking.hpp"
#include "core/ports/ids.hpp"
#include "runtimes/agent_adapter.hpp"
#include "runtimes/ask_tasks.hpp"
#include "runtimes/call_facts.hpp"
#include "runtimes/json_rpc_peer.hpp"
#include "runtimes/pending_calls.hpp"
#include "security/args_hash.hpp"
#include "tests/fakes/world.hpp"

#include <string>
#include <utility>
#include <vector>

namespace countersign::runtimes {

class ToyRuntime final : public AgentAdapter {
public:
    ToyRuntime(net::MessageStream& stream, boost::asio::any_io_executor executor, Asking& hub, Ids& ids)
        : hub_{hub},
          ids_{ids},
          peer_{stream,
                {.message = [this](RpcMessage message) { return take(std::move(message)); },
                 .refused = [this](const Error& why) { hub_.unreadable(agent_id, why); }}},
          asks_{std::move(executor), [](const std::string& what) { ADD_FAILURE() << what; }} {}

    boost::asio::awaitable<void> run() override {
        const auto why = co_await peer_.run();
        co_await asks_.join();
        hub_.gone(*this, {}, end_reason_.empty() ? why.detail : end_reason_);
    }
    void ends_because(std::string why) override { end_reason_ = std::move(why); }
    [[nodiscard]] bool outlives_hub() const override { return true; }

    boost::asio::awaitable<Result<void>> forward(Verdict verdict) override {
        const auto call = calls_.find(verdict.request_id);
        if (!call) co_return Error{Errc::unknown_request, "this call is not open"};
        calls_.close(call);
        const bool allowed = verdict.outcome == Outcome::allowed && verdict.args_hash == call->raw;
        co_return co_await peer_.respond(call->native_id,
                                         allowed ? R"({"decision":"allow"})" : R"({"decision":"deny"})");
    }
    boost::asio::awaitable<Result<void>> interrupt(Asker who, std::string /*why*/) override {
        co_return co_await peer_.notify("interrupt", json::canonical(json::Object{{"session", who.session_key}}));
    }

    const std::string agent_id = "dev";

private:
    using Calls = PendingCalls<std::string>;  // the hash of the arguments

    boost::asio::awaitable<void> take(RpcMessage message) {
        const auto document = json::read(message.params.empty() ? "{}" : message.params);
        const auto& params = *document->value.object();
        const auto session = text_of(params, "session");
        if (message.method == "ask") {
            auto call = calls_.begin(message.id);
            co_await asks_.start(ask(std::move(message), std::move(call), session, text_of(params, "command")));
        } else if (message.method == "withdrawn") {
            withdraw(json::canonical(*params.find("id")));
        } else if (message.method == "closed") {
            hub_.gone(*this, {agent_id, session}, "the session was closed");
        } else if (!message.id.empty()) {
            (void)co_await peer_.fail(message.id, rpc_method_not_found, message.method);
        }
    }

    boost::asio::awaitable<void> ask(RpcMessage message, Calls::Handle call, std::string session, std::string command) {
        auto request = fakes::shell_request(ids_.next(), command);
        request.agent_id = agent_id;
        request.session_key = session;
        request.args_hash = *security::args_hash("toy", message.params);
        request.native_key = security::native_key("toy", session, message.id);
        calls_.open(call, request.id, request.args_hash.hex);
        if (call->withdrawn) {
            ask_people(request.judgement, "withdrawn by the agent");
            asks_.next_turn([this, call] { take_back(call); });
        }
        const auto asked = co_await hub_.ask(std::move(request), *this);
        // Most refusals of the hub come with an answer; a refusal without one must not leave the agent waiting.
        if (!asked && calls_.close(call)) (void)co_await peer_.respond(call->native_id, R"({"decision":"deny"})");
    }
    void withdraw(const std::string& native_id) {
        peer_.forget(native_id);
        for (const auto& call : calls_.withdraw(native_id)) {
            if (call->id) take_back(call);
        }
    }
    void take_back(const Calls::Handle& call) {
        hub_.withdraw(*call->id, *this, "withdrawn by the agent");
        calls_.close(call);
    }

    Asking& hub_;
    Ids& ids_;
    JsonRpcPeer peer_;
    Calls calls_;
    AskTasks asks_;
    std::string end_reason_;
};

}  // namespace countersign::runtimes
