// SPDX-License-Identifier: Apache-2.0
// The adapter for an agent that speaks the Agent Client Protocol, version 1: starts a session, asks the hub about what
// the agent asks, and answers over JSON-RPC.
//
// Every request gets exactly one answer, even an unreadable one: agents wait without a deadline. We neither touch files
// nor run commands for an agent. Prompts are sent one per turn; what a turn asked and left open ends with it.
#pragma once

#include "core/ports/asking.hpp"
#include "core/ports/ids.hpp"
#include "net/message_stream.hpp"
#include "runtimes/acp/tool_calls.hpp"
#include "runtimes/acp/translate.hpp"
#include "runtimes/agent_adapter.hpp"
#include "runtimes/ask_tasks.hpp"
#include "runtimes/file_looks.hpp"
#include "runtimes/json_rpc_peer.hpp"
#include "runtimes/pending_calls.hpp"
#include "runtimes/prompt_queue.hpp"
#include "security/redact/current_redactor.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace countersign::runtimes::acp {

// To an answer from the agent to a request of ours; a new session may start servers first.
inline constexpr std::chrono::milliseconds agent_answer_max = std::chrono::minutes{2};
// A prompt is answered when its turn ends, which may wait for people.
inline constexpr std::chrono::milliseconds turn_max = std::chrono::hours{24 * 30};
// Some agents do not end with their input.
inline constexpr std::chrono::milliseconds end_of_input_max = std::chrono::seconds{10};
// Of the agent's text between two of its calls.
inline constexpr std::size_t said_bytes_max = std::size_t{256} * 1024;

struct TurnEnd {
    bool failed = false;
    std::string why;  // "end_turn", "cancelled", "refusal", "max_tokens" …
};

class Adapter final : public AgentAdapter {
public:
    struct Options {
        std::string agent_id;  // from the start command (I15)
        std::string runtime = "acp";
        std::string session_key;  // until the agent names its session
        std::string requester;
        std::string version;                              // ours, for the agent's logs
        std::string cwd;                                  // of the session
        std::string auth_method;                          // empty: the agent is logged in already
        LookAtFiles look;                                 // empty: its files and workplace are not visible from here
        std::function<Rules()> rules;                     // the current rules
        std::function<AlwaysMode()> always;               // the current mode for this runtime; must match the hub's
        std::function<void()> end;                        // ends the agent's input, which ends most agents
        std::function<void()> stop;                       // stops an agent that does not end with its input
        std::function<void(const std::string&)> message;  // the agent's text, redacted and sanitised
        std::function<void(const TurnEnd&)> turn_ended;   // redacted and sanitised
        std::function<void(const UnaskedCall&)> unasked;  // a call ran and no approver was asked
        std::function<void(const Error&)> refused;        // a message from the agent was rejected
    };
    // Borrows everything but the options and the stream; it must outlive run() and every forward().
    Adapter(Options options, std::unique_ptr<net::MessageStream> stream, const boost::asio::any_io_executor& executor,
            Asking& hub, Ids& ids, const security::CurrentRedactor& redactor);

    // Reads until the agent ends; its open requests are then lost.
    boost::asio::awaitable<void> run() override;

    boost::asio::awaitable<Result<void>> forward(Verdict verdict) override;

    // Queues a prompt until its turn, and until the session has started. Errc::too_large past prompt_bytes_max,
    // Errc::busy past prompts_waiting_max.
    boost::asio::awaitable<Result<void>> say(std::string prompt);
    // After the remaining turns, ends the agent's input.
    void no_more_prompts();
    // Ends the running turn if `who` covers its session, and drops the waiting prompts. Open requests are withdrawn and
    // answered before, because agents wait for that. The protocol carries no reason.
    boost::asio::awaitable<Result<void>> interrupt(Asker who, std::string why) override;
    [[nodiscard]] std::string interrupted_because() const override { return interrupted_because_; }

    // The reason to give for lost requests if the agent ends from now on; we may be the ones who end it.
    void ends_because(std::string why) override { end_reason_ = std::move(why); }

private:
    using Calls = PendingCalls<RawCall>;
    boost::asio::awaitable<void> begin_session();
    boost::asio::awaitable<Result<void>> start_session();
    Result<void> take_hello(const std::string& json);
    Result<void> take_session(const std::string& json);
    boost::asio::awaitable<Result<std::string>> request(std::string method, std::string params);
    boost::asio::awaitable<void> run_turn(std::string prompt);
    boost::asio::awaitable<void> next_prompt();
    boost::asio::awaitable<void> take(RpcMessage message);
    boost::asio::awaitable<void> take_ask(Ask ask);
    boost::asio::awaitable<void> ask(Ask ask, Calls::Handle pending, Ulid id);
    boost::asio::awaitable<Result<Translated>> translated(const Ask& ask, Ulid id);
    boost::asio::awaitable<void> refuse(AskKind kind, std::string native_id, Error why);
    boost::asio::awaitable<void> refuse_other(OtherRequest request);
    boost::asio::awaitable<void> respond(std::string native_id, std::string result);
    boost::asio::awaitable<void> cancel(std::vector<Calls::Handle> calls, std::string why);
    boost::asio::awaitable<void> stop_if_it_stays();
    bool close_call(const Calls::Handle& call);
    void see(const CallUpdate& update);
    void see_mode(const ModeChanged& changed);
    void hear(const Said& said);
    void speak();
    void report(const Error& why) const;
    void close_when_done();
    void end_input();
    [[nodiscard]] std::string session_of(const std::string& session_id) const;
    [[nodiscard]] bool usable(const std::string& text, std::size_t bytes_max) const;

    Options options_;
    std::unique_ptr<net::MessageStream> stream_;
    Asking& hub_;
    Ids& ids_;
    const security::CurrentRedactor& redactor_;
    JsonRpcPeer peer_;
    std::string end_reason_ = "the agent ended";
    std::string session_id_;         // the agent's own; empty until it has started
    std::string auth_methods_;       // that the agent offers, for an error
    bool cancel_ends_turn_ = false;  // see Context
    bool turn_running_ = false;
    bool turn_cancelled_ = false;  // by interrupt(); the agent may not know yet
    bool input_ended_ = false;
    std::string said_;  // since its last call
    bool said_too_much_ = false;
    Calls calls_;
    AskTasks asks_;
    ToolCalls tool_calls_;
    PromptQueue prompts_;
    boost::asio::steady_timer gone_;  // cancelled when the agent has ended; expires if it should have
    bool is_gone_ = false;
    std::string interrupted_because_;
};

}  // namespace countersign::runtimes::acp
