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

// The answer to one request. The adapter owns the native decision of each option and hashes the call again before it
// answers (I9).
struct Verdict {
    Ulid request_id;
    Outcome outcome = Outcome::indeterminate;
    std::string option_id;  // the option to send; empty where nobody decided and the request offers no refusal
    std::vector<Answer> answers;
    std::string reason;     // for the agent, where it can take one
    std::string args_hash;  // what the decision is bound to
    // In place of the agent's own input, as the person typed it. The adapter judges it like a call of the agent's: what
    // a rule denies is not sent. An adapter that can't send it refuses the call.
    std::optional<std::string> edited_input = std::nullopt;
    friend bool operator==(const Verdict&, const Verdict&) = default;
};

// Which runtime it is, for as long as the process lives. Never 0, and never given twice: an address may be.
using RuntimeId = std::uint64_t;
[[nodiscard]] inline RuntimeId next_runtime_id() {
    static RuntimeId last = 0;  // runtimes are made on the owner thread
    return ++last;
}

class Runtime {
public:
    Runtime() = default;
    Runtime(const Runtime&) = delete;
    Runtime& operator=(const Runtime&) = delete;
    virtual ~Runtime() = default;
    [[nodiscard]] RuntimeId id() const { return id_; }
    // Resolves when the answer was handed to the agent, or never can be. The hub does not wait for one call to begin
    // the next: an adapter gives the agent what these two say in the order in which they were called.
    virtual boost::asio::awaitable<Result<void>> forward(Verdict verdict) = 0;
    // Ends the running turn of this session, or of every session that it covers, where the protocol has a way.
    // Errc::unsupported where it has none, or where another session's turn is running: then the agent continues until
    // it asks again. The agent may withdraw its open requests; a caller that wants them answered answers them first.
    virtual boost::asio::awaitable<Result<void>> interrupt(Asker /*who*/, std::string /*why*/) {
        co_return Error{Errc::unsupported, "this agent's turn cannot be ended from outside"};
    }
    // The agent goes on waiting when this hub ends, and shows its requests again to the next one (I12). A child on our
    // own streams dies with us.
    [[nodiscard]] virtual bool outlives_hub() const { return false; }

private:
    const RuntimeId id_ = next_runtime_id();
};

}  // namespace countersign
