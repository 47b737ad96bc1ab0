// SPDX-License-Identifier: Apache-2.0
// The adapter of Claude Code: reads the CLI's stream, asks the hub, and answers on the CLI's standard input.
//
// Every can_use_tool gets exactly one answer, also one that cannot be read: the CLI waits without a deadline of its
// own. Prompts go one a turn; the CLI would join those that wait for it.
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
        std::string session_key;  // until the CLI has named its own
        std::string requester;
        std::string cwd;                                  // where the CLI was started
        bool asks_everything = false;                     // as the CLI was started
        LookAtFiles look;                                 // none: its files and their place are not visible from here
        std::function<Rules()> rules;                     // today's
        std::function<AlwaysMode()> always;               // today's for this runtime; the hub must go by the same
        std::function<void(const std::string&)> message;  // the agent's own words, redacted and sanitised
        std::function<void(const TurnEnd&)> turn_ended;   // the subtype is the CLI's word
        std::function<void(const UnaskedCall&)> unasked;  // a call ran and no approver was asked
        std::function<void(const Error&)> refused;        // a line of the agent's that was not accepted
    };
    // Borrows all but the options; they outlive run() and every forward().
    Adapter(Options options, net::Child& child, Asking& hub, Ids& ids, const security::CurrentRedactor& redactor);

    // Reads until the CLI ends; then its open requests are lost.
    boost::asio::awaitable<void> run() override;

    boost::asio::awaitable<Result<void>> forward(Verdict verdict) override;

    // The next prompt. It waits for its turn, and for run(). Errc::too_large past prompt_bytes_max, Errc::busy past
    // prompts_waiting_max.
    boost::asio::awaitable<Result<void>> say(std::string prompt);
    // After the turns that are still to come, the CLI's input is closed, which ends it.
    void no_more_prompts();
    // Ends the running turn, if it is of the CLI's present session; prompts that wait are forgotten. The CLI withdraws
    // what it asked, and takes no reason.
    boost::asio::awaitable<Result<void>> interrupt(Asker who, std::string why) override;
    [[nodiscard]] std::string interrupted_because() const override { return interrupted_because_; }

    // What its open requests are lost by, if it ends from now on: it may be we who ended it.
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
    Started session_;  // as the CLI named it last
    Calls calls_;
    AskTasks asks_;
    ToolUses tool_uses_;
    PromptQueue prompts_;
    std::uint64_t interrupts_ = 0;
    std::string interrupted_because_;
};

}  // namespace countersign::runtimes::claude
