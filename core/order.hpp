// SPDX-License-Identifier: Apache-2.0
// Order: a person's command that isn't about a single request: halt an agent, resume it, or revoke a grant. Like an
// Attempt it comes from a verified principal and must pass the same gate.
#pragma once

#include "core/attempt.hpp"
#include "core/halts.hpp"
#include "core/receipt.hpp"
#include "core/time.hpp"
#include "core/ulid.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace countersign {

struct Order {
    enum class Kind { halt, resume, revoke };
    Kind kind = Kind::halt;
    std::string target;     // the name of an agent or a session, as typed
    Ulid grant;             // for revoke
    std::string principal;  // an immutable platform id, verified
    Place where;
    Assurance assurance = Assurance::sms_code;
    BootTime arrived;
    std::optional<WallTime> made;  // when the person acted, if the platform says so
    bool after_gap = false;
    std::string delivery = {};  // the platform's own id for the incoming message (I5)
    // The user who gave the order over the hub's local socket, according to the kernel. It is the hub's own user or
    // root. That user could also kill the hub, so they may always halt, even if they aren't a decider; to resume they
    // must be a decider.
    std::optional<std::uint32_t> local_uid = std::nullopt;
};

// An order by which the hub revokes grants itself; the principal says why.
[[nodiscard]] inline Order revocation_by(std::string principal) {
    Order order;
    order.kind = Order::Kind::revoke;
    order.principal = std::move(principal);
    return order;
}
inline constexpr const char* session_end = "session:ended";

// The name in the log for a local user who isn't a person in the configuration.
[[nodiscard]] inline std::string local_operator(std::uint32_t uid) { return "uid " + std::to_string(uid) + " (local)"; }

// The result of an order.
struct Carried {
    std::string person;               // who gave the order
    std::optional<Receipt> receipt;   // none: the order is in effect, but the log didn't take its record
    bool tried_again = false;         // then the record is retried until the log takes it
    bool nothing_new = false;         // it was halted already, or there was nothing to lift
    bool known = true;                // something of that name is open, asks here or was halted
    std::vector<Asker> whom = {};     // the agents and sessions that were halted or resumed
    std::size_t denied = 0;           // requests that were open
    std::size_t revoked = 0;          // grants that are no longer valid
    std::size_t interrupted = 0;      // agents whose turn was ended
    std::size_t not_interrupted = 0;  // agents that continue their turn: we can't end it
    std::size_t interrupting = 0;     // agents that were told to end their turn and haven't answered yet
};

}  // namespace countersign
