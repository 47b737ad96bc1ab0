// SPDX-License-Identifier: Apache-2.0
// The adapter for agents that speak the approval event: one JSON line per message on their standard streams.
//
//   agent → us   approval_request · question_request · {"type":"approval_withdrawn","approvalId":…} ·
//                {"type":"message","text":…}
//   us → agent   {"resolvedApprovals":[…]} · {"resolvedQuestions":[…]} · {"refusedEvents":[{"approvalId":…,"error":…}]}
//
// Every *_request line gets exactly one answer line, even an unreadable one: an agent must never wait forever.
#pragma once

#include "core/ports/asking.hpp"
#include "net/child.hpp"
#include "runtimes/agent_adapter.hpp"
#include "runtimes/agent_lines.hpp"
#include "runtimes/ask_tasks.hpp"
#include "runtimes/event/translate.hpp"
#include "runtimes/file_looks.hpp"
#include "runtimes/pending_calls.hpp"
#include "security/redact/current_redactor.hpp"

#include <functional>
#include <memory>
#include <string>

namespace countersign::runtimes::event {

class Adapter final : public AgentAdapter {
public:
    struct Options {
        std::string agent_id;  // from the start command (I15)
        std::string session_key;
        std::string requester;
        std::string cwd;                                  // where the agent was started
        LookAtFiles look;                                 // empty: its files and workplace are not visible from here
        std::function<Rules()> rules;                     // the current rules
        std::function<void(const std::string&)> message;  // the agent's text, redacted and sanitised
        std::function<void(const Error&)> refused;        // a line from the agent was rejected
    };
    // Borrows the child, the hub and the redactor, which must outlive run() and every forward().
    Adapter(Options options, net::Child& child, Asking& hub, const security::CurrentRedactor& redactor);

    // Reads until the agent ends; its open requests are then lost.
    boost::asio::awaitable<void> run() override;

    boost::asio::awaitable<Result<void>> forward(Verdict verdict) override;

    // The reason to give for lost requests if the agent ends from now on; we may be the ones who end it.
    void ends_because(std::string why) override { end_reason_ = std::move(why); }

private:
    using Calls = PendingCalls<RawCall>;
    boost::asio::awaitable<void> take(std::string line);
    boost::asio::awaitable<void> ask(std::string line, Calls::Handle call);
    boost::asio::awaitable<Result<Translated>> translated(std::string_view line);
    boost::asio::awaitable<void> refuse(std::string approval_id, Error why);
    void take_back(const Calls::Handle& call);
    void report(const Error& why) const;

    Options options_;
    net::Child& child_;
    Asking& hub_;
    const security::CurrentRedactor& redactor_;
    AgentLines lines_;
    std::string end_reason_ = "the agent ended";
    Calls calls_;
    AskTasks asks_;
};

}  // namespace countersign::runtimes::event
