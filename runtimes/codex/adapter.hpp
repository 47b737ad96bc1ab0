// SPDX-License-Identifier: Apache-2.0
// The adapter for `codex app-server`: starts a thread, asks the hub about what Codex asks, and answers over JSON-RPC.
//
// Every request gets exactly one answer, even an unreadable one: Codex waits without a deadline. Prompts are sent one
// per turn, because Codex would add a second one to the running turn.
#pragma once

#include "core/ports/asking.hpp"
#include "core/ports/ids.hpp"
#include "net/message_stream.hpp"
#include "runtimes/agent_adapter.hpp"
#include "runtimes/ask_tasks.hpp"
#include "runtimes/codex/items.hpp"
#include "runtimes/codex/outgoing.hpp"
#include "runtimes/codex/translate.hpp"
#include "runtimes/file_looks.hpp"
#include "runtimes/json_rpc_peer.hpp"
#include "runtimes/pending_calls.hpp"
#include "runtimes/prompt_queue.hpp"
#include "security/redact/current_redactor.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace countersign::runtimes::codex {

// To an answer from Codex to a request of ours.
inline constexpr std::chrono::milliseconds codex_answer_max = std::chrono::seconds{60};

class Adapter final : public AgentAdapter {
public:
    struct Options {
        std::string agent_id;     // from the start command (I15)
        std::string session_key;  // until Codex names its thread
        std::string requester;
        std::string version;  // ours, for Codex's logs
        ThreadSettings thread;
        LookAtFiles look;                                  // empty: its files and workplace are not visible from here
        std::function<Rules()> rules;                      // the current rules
        std::function<AlwaysMode()> always;                // the current mode for this runtime; must match the hub's
        std::function<void()> end;                         // ends Codex's input, which ends it
        std::function<void(const std::string&)> message;   // the agent's text, redacted and sanitised
        std::function<void(const TurnEnded&)> turn_ended;  // redacted and sanitised
        std::function<void(const UnaskedCall&)> unasked;   // a call ran and no approver was asked
        std::function<void(const Error&)> refused;         // a message from the agent was rejected
    };
    // Borrows everything but the options and the stream; it must outlive run() and every forward().
    Adapter(Options options, std::unique_ptr<net::MessageStream> stream, const boost::asio::any_io_executor& executor,
            Asking& hub, Ids& ids, const security::CurrentRedactor& redactor);

    // Reads until Codex ends; its open requests are then lost.
    boost::asio::awaitable<void> run() override;

    boost::asio::awaitable<Result<void>> forward(Verdict verdict) override;

    // Queues a prompt until its turn, and until the thread has started. Errc::too_large past prompt_bytes_max,
    // Errc::busy past prompts_waiting_max.
    boost::asio::awaitable<Result<void>> say(std::string prompt);
    // After the remaining turns, ends Codex's input.
    void no_more_prompts();
    // Ends the running turns, also of sub-agents, and drops the waiting prompts. Codex withdraws its open requests and
    // accepts no reason.
    boost::asio::awaitable<Result<void>> interrupt(Asker who, std::string why) override;
    [[nodiscard]] std::string interrupted_because() const override { return interrupted_because_; }

    // The reason to give for lost requests if the agent ends from now on; we may be the ones who end it.
    void ends_because(std::string why) override { end_reason_ = std::move(why); }

private:
    using Calls = PendingCalls<RawCall>;
    boost::asio::awaitable<void> begin_thread();
    boost::asio::awaitable<Result<void>> start_thread();
    Result<void> take_thread(const std::string& json);
    boost::asio::awaitable<void> start_turn(std::string prompt);
    boost::asio::awaitable<void> next_prompt();
    boost::asio::awaitable<void> take(RpcMessage message);
    boost::asio::awaitable<void> take_ask(Ask ask);
    boost::asio::awaitable<void> take_end(TurnEnded end);
    boost::asio::awaitable<void> ask(Ask ask, Calls::Handle pending, Ulid id);
    boost::asio::awaitable<Result<Translated>> translated(const Ask& ask, Ulid id);
    boost::asio::awaitable<void> refuse(const std::string& native_id, std::string result, Error why);
    boost::asio::awaitable<void> refuse_other(OtherRequest request);
    boost::asio::awaitable<void> respond(std::string native_id, std::string result);
    void withdraw(const std::vector<Calls::Handle>& calls, const std::string& why);
    void take_back(const Calls::Handle& call, const std::string& why);
    bool close_call(const Calls::Handle& call);
    void close_thread(const std::string& thread_id);
    void add_what_is_known(Ask& ask);
    void see_completed(const Item& item);
    void see_typed(const Typed& typed);
    void report(const Error& why) const;
    void close_when_done();
    [[nodiscard]] std::string session_key() const;
    [[nodiscard]] bool usable(const std::string& text, std::size_t bytes_max) const;

    Options options_;
    std::unique_ptr<net::MessageStream> stream_;
    Asking& hub_;
    Ids& ids_;
    const security::CurrentRedactor& redactor_;
    JsonRpcPeer peer_;
    std::string end_reason_ = "the agent ended";
    std::string thread_id_;  // empty until it has started
    Calls calls_;
    AskTasks asks_;
    Items items_;
    PromptQueue prompts_;
    std::map<std::string, std::string> turns_;  // the running turn of each thread
    bool starting_turn_ = false;                // it has no id yet
    bool interrupt_next_ = false;               // a halt came while a turn was starting
    std::string interrupted_because_;
};

}  // namespace countersign::runtimes::codex
