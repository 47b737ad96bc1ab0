// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/asker.hpp"
#include "core/ports/runtime.hpp"
#include "core/receipt.hpp"
#include "core/request.hpp"
#include "core/result.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <optional>
#include <string>
#include <variant>

namespace countersign {

// Asking: what a runtime adapter says to the hub, which implements it.
// A call that an agent made and did not ask about. All of it is redacted and fit to be shown.
struct UnaskedCall {
    std::string agent_id;
    std::string tool_name;
    std::string summary;  // as of a request: the path, URL, pattern or command
    std::string session_key = {};
    std::string display_text = {};  // all its arguments, cut by unasked_text_of
    bool failed = false;            // it began and came to an error
    friend bool operator==(const UnaskedCall&, const UnaskedCall&) = default;
};

// An answer that the agent's own client gave, such as the person at its keyboard.
struct OwnAnswer {
    std::variant<Choose, Submit, Cancel> what;
    std::string reason = {};
    std::optional<std::string> edited_input = {};
};

class Asking {
public:
    virtual ~Asking() = default;
    // Resolves when the request is recorded and on its way to people, or refused. The answer comes by Runtime::forward,
    // also when it was refused because the log is unavailable. Idempotent on (agentId, approvalId, argsHash); the same
    // id with anything else is Errc::conflict, which leaves the first one as it was, and one that has ended is
    // Errc::already_decided (I15). What an earlier hub left open is recognised by its nativeKey (I12): it continues
    // under the id it had, which is returned, and its runtime hears of it by the id that it gave now. Borrows `from`,
    // which must live until `gone` was called for it.
    virtual boost::asio::awaitable<Result<Ulid>> ask(Request request, Runtime& from) = 0;
    // The agent no longer waits. A decision that is being written at this moment is still recorded, and not forwarded.
    // Only who asked takes back: for anybody else nothing happens.
    virtual void withdraw(const Ulid& id, const Runtime& from, std::string why) = 0;
    // The agent's own client answered. This is an attempt of principal client:<agentId>, which must be a decider like
    // any other (I4), and it passes only once it is logged: the answer comes by Runtime::forward. `done` hears the
    // receipt, or why it has no effect; then the request stays open. Only the runtime that asked may say so. A hub in
    // another process doesn't take it yet.
    virtual void answered(const Ulid& /*id*/, const Runtime& /*from*/, OwnAnswer /*answer*/,
                          std::function<void(const Result<Receipt>&)> done) {
        done(Error{Errc::unsupported, "this hub takes no answers of the agent's own client"});
    }
    // The sessions of this runtime that `who` covers are gone: their open requests end as lost, and nothing is
    // forwarded for them any more. Asker{} covers them all: the runtime itself is gone.
    virtual void gone(Runtime& from, const Asker& who, std::string why) = 0;
    // After `gone`, when it is known how they ended: people who saw these sessions are told. `failure` is empty where
    // they ended as agents do.
    virtual void session_ended(const Runtime& /*from*/, const Asker& /*who*/, std::string /*failure*/) {}
    // The agent sent something that is no request: recorded, at a bounded rate. The adapter answers the agent.
    virtual void unreadable(const std::string& agent_id, const Error& why) = 0;
    // The agent made a call that it did not ask about: recorded, at a bounded rate.
    virtual void unasked(const UnaskedCall& call) = 0;
};

}  // namespace countersign
