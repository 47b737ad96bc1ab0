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

// A call that an agent made without asking. Every text is redacted and may be shown.
struct UnaskedCall {
    std::string agent_id;
    std::string tool_name;
    std::string summary;  // as in a request: the path, URL, pattern or command
    std::string session_key = {};
    std::string display_text = {};  // all its arguments, cut by unasked_text_of
    bool failed = false;            // it started and ended with an error
    friend bool operator==(const UnaskedCall&, const UnaskedCall&) = default;
};

// An answer that the agent's own client gave, e.g. because the person at its keyboard answered.
struct OwnAnswer {
    std::variant<Choose, Submit, Cancel> what;
    std::string reason = {};
    std::optional<std::string> edited_input = {};
};

// Asking: the interface through which runtime adapters submit requests. The hub implements it.
class Asking {
public:
    virtual ~Asking() = default;
    // Resolves when the request is recorded and on its way to people, or refused. The answer always comes through
    // Runtime::forward, even if the request was refused because the log is unavailable. Idempotent on (agentId,
    // approvalId, argsHash). The same id with different content fails with Errc::conflict and leaves the first request
    // unchanged; the id of a request that has ended fails with Errc::already_decided (I15). A request that an earlier
    // hub left open is recognised by its nativeKey (I12): it continues under its old id, which is returned, while its
    // runtime gets the answer under the id that it used now. Borrows `from`, which must live until `gone` is called for
    // it.
    virtual boost::asio::awaitable<Result<Ulid>> ask(Request request, Runtime& from) = 0;
    // The agent no longer waits. If a decision is being written at this moment, it is still recorded but not forwarded.
    // Only the runtime that asked can withdraw; a call from any other runtime has no effect.
    virtual void withdraw(const Ulid& id, const Runtime& from, std::string why) = 0;
    // The agent's own client answered. This is an attempt by the principal client:<agentId>, which must be a decider
    // like any other (I4). It takes effect only once it is logged: the answer comes through Runtime::forward. `done`
    // gets the receipt, or the reason why the answer has no effect; then the request stays open. Only the runtime that
    // asked may call this. A hub in another process doesn't support it yet.
    virtual void answered(const Ulid& /*id*/, const Runtime& /*from*/, OwnAnswer /*answer*/,
                          std::function<void(const Result<Receipt>&)> done) {
        done(Error{Errc::unsupported, "this hub takes no answers of the agent's own client"});
    }
    // The sessions of this runtime that `who` covers are gone. Their open requests end as lost, and the hub forwards
    // nothing more for them. Asker{} covers all of them: the runtime itself is gone.
    virtual void gone(Runtime& from, const Asker& who, std::string why) = 0;
    // Called after `gone`, once it is known how the sessions ended: people who saw these sessions are told. `failure`
    // is empty if they ended normally.
    virtual void session_ended(const Runtime& /*from*/, const Asker& /*who*/, std::string /*failure*/) {}
    // The agent sent a message that isn't a request. Recorded at a bounded rate. The adapter answers the agent.
    virtual void unreadable(const std::string& agent_id, const Error& why) = 0;
    // The agent made a call without asking. Recorded at a bounded rate.
    virtual void unasked(const UnaskedCall& call) = 0;
};

}  // namespace countersign
