// SPDX-License-Identifier: Apache-2.0
// Runtime: the way back to the agent that asked.
#pragma once

#include "core/asker.hpp"
#include "core/attempt.hpp"
#include "core/outcome.hpp"
#include "core/result.hpp"
#include "core/ulid.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace countersign {

// The answer to one request. The adapter knows the agent's native decision for each option, and it hashes the call
// again before it answers (I9).
struct Verdict {
    Ulid request_id;
    Outcome outcome = Outcome::indeterminate;
    std::string option_id;  // the option to send; empty if there was no decision and the request offers no refusal
    std::vector<Answer> answers;
    std::string reason;     // for the agent, if it can take one
    std::string args_hash;  // the call that the decision is bound to
    // Replaces the agent's input, as the person typed it. The adapter judges it like a call from the agent: input that
    // a rule denies isn't sent. An adapter that can't send edited input refuses the call.
    std::optional<std::string> edited_input = std::nullopt;
    friend bool operator==(const Verdict&, const Verdict&) = default;
};

// Identifies a runtime for as long as the process lives. Never 0 and never reused; an address could be.
using RuntimeId = std::uint64_t;
[[nodiscard]] inline RuntimeId next_runtime_id() {
    static RuntimeId last = 0;  // runtimes are created on the owner thread
    return ++last;
}

class Runtime {
public:
    Runtime() = default;
    Runtime(const Runtime&) = delete;
    Runtime& operator=(const Runtime&) = delete;
    virtual ~Runtime() = default;
    [[nodiscard]] RuntimeId id() const { return id_; }
    // Resolves when the answer has been handed to the agent, or never can be. The hub doesn't wait for one call before
    // it starts the next, so an adapter must give the agent the results of `forward` and `interrupt` in the order of
    // the calls.
    virtual boost::asio::awaitable<Result<void>> forward(Verdict verdict) = 0;
    // Ends the running turn of this session, or of every session that `who` covers, if the protocol can do that. Fails
    // with Errc::unsupported if it can't, or if another session's turn is running; then the agent continues until it
    // asks again. The agent may withdraw its open requests; a caller that wants them answered must answer them first.
    virtual boost::asio::awaitable<Result<void>> interrupt(Asker /*who*/, std::string /*why*/) {
        co_return Error{Errc::unsupported, "this agent's turn cannot be ended from outside"};
    }
    // True if the agent keeps waiting when this hub exits, and submits its requests again to the next hub (I12). A
    // child process on our own pipes dies with us.
    [[nodiscard]] virtual bool outlives_hub() const { return false; }
    // False: it asks about one call of a session that another process owns, so its end says nothing about the session.
    [[nodiscard]] virtual bool owns_its_sessions() const { return true; }

private:
    const RuntimeId id_ = next_runtime_id();
};

}  // namespace countersign
