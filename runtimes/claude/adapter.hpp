// SPDX-License-Identifier: Apache-2.0
// The adapter for Claude Code: reads the CLI's stream, asks the hub, and answers on the CLI's standard input.
//
// Every can_use_tool gets exactly one answer, even an unreadable one: the CLI waits without a deadline. Prompts are
// sent one per turn, because the CLI would merge those that wait.
#pragma once

#include "core/ports/asking.hpp"
#include "core/ports/ids.hpp"
#include "net/child.hpp"
#include "runtimes/agent_adapter.hpp"
#include "runtimes/agent_lines.hpp"
#include "runtimes/ask_tasks.hpp"
#include "runtimes/claude/tool_uses.hpp"
#include "runtimes/claude/translate.hpp"
#include "runtimes/file_looks.hpp"
#include "runtimes/pending_calls.hpp"
#include "runtimes/prompt_queue.hpp"
#include "security/redact/current_redactor.hpp"

#include <functional>
#include <string>

namespace countersign::runtimes::claude {

class Adapter final : public AgentAdapter {
public:
    struct Options {
        std::string agent_id;     // from the start command (I15)
        std::string session_key;  // until the CLI reports its own
        std::string requester;
        std::string cwd;                                  // where the CLI was started
        bool asks_everything = false;                     // as the CLI was started
        LookAtFiles look;                                 // empty: its files and workplace are not visible from here
        std::function<Rules()> rules;                     // the current rules
        std::function<AlwaysMode()> always;               // the current mode for this runtime; must match the hub's
        std::function<void(const std::string&)> message;  // the agent's text, redacted and sanitised
        std::function<void(const TurnEnd&)> turn_ended;   // the subtype is the CLI's own term
        std::function<void(const UnaskedCall&)> unasked;  // a call ran and no approver was asked
        std::function<void(const Error&)> refused;        // a line from the agent was rejected
    };
    // Borrows everything but the options; it must outlive run() and every forward().
    Adapter(Options options, net::Child& child, Asking& hub, Ids& ids, const security::CurrentRedactor& redactor);

    // Reads until the CLI ends; its open requests are then lost.
    boost::asio::awaitable<void> run() override;

    boost::asio::awaitable<Result<void>> forward(Verdict verdict) override;

    // Queues a prompt until its turn, and until run() runs. Errc::too_large past prompt_bytes_max, Errc::busy past
    // prompts_waiting_max.
    boost::asio::awaitable<Result<void>> say(std::string prompt);
    // After the remaining turns, closes the CLI's input, which ends it.
    void no_more_prompts();
    // Ends the running turn if it belongs to the CLI's current session, and drops the waiting prompts. The CLI
    // withdraws its open requests and accepts no reason.
    boost::asio::awaitable<Result<void>> interrupt(Asker who, std::string why) override;
    [[nodiscard]] std::string interrupted_because() const override { return interrupted_because_; }

    // The reason to give for lost requests if the agent ends from now on; we may be the ones who end it.
    void ends_because(std::string why) override { end_reason_ = std::move(why); }

private:
    using Calls = PendingCalls<RawCall>;
    boost::asio::awaitable<void> take(Message message);
    boost::asio::awaitable<void> take_call(CanUseTool call);
    boost::asio::awaitable<void> ask(CanUseTool call, Calls::Handle pending, Ulid id, Started session);
    boost::asio::awaitable<Result<Translated>> translated(const CanUseTool& call, Ulid id, const Started& session);
    boost::asio::awaitable<void> answer_other(OtherRequest request);
    boost::asio::awaitable<void> refuse(std::string answer, Error why);
    boost::asio::awaitable<void> send(std::string line);
    boost::asio::awaitable<void> next_prompt();
    void withdraw(const Withdrawn& withdrawn);
    void take_back(const Calls::Handle& call);
    bool close_call(const Calls::Handle& call);
    void begin_session(const Started& started);
    void hear(const Said& said);
    void see_results(const ToolResults& results);
    void report(const Error& why) const;
    void close_when_done();

    Options options_;
    net::Child& child_;
    Asking& hub_;
    Ids& ids_;
    const security::CurrentRedactor& redactor_;
    AgentLines lines_;
    std::string end_reason_ = "the agent ended";
    Started session_;  // as the CLI last reported it
    Calls calls_;
    AskTasks asks_;
    ToolUses tool_uses_;
    PromptQueue prompts_;
    std::uint64_t interrupts_ = 0;
    std::string interrupted_because_;
};

}  // namespace countersign::runtimes::claude
