// SPDX-License-Identifier: Apache-2.0
// Order: what somebody wants done that is about no single request: an agent stopped, let go on, or a grant taken back.
// Like an Attempt it comes from a verified principal, and may fail at the same gate.
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
    std::string target;     // the name of an agent or a session, as it was typed
    Ulid grant;             // for revoke
    std::string principal;  // an immutable platform id, verified
    Place where;
    Assurance assurance = Assurance::sms_code;
    BootTime arrived;
    std::optional<WallTime> made;  // when the person acted, where the platform says so
    bool after_gap = false;
    std::string delivery = {};  // the platform's own name for what came in (I5)
    // Given over the hub's local socket by this user, which is the hub's own or root, as the kernel says. That user
    // could also end the hub, so may always halt, whoever the deciders are; a resume needs a decider.
    std::optional<std::uint32_t> local_uid = std::nullopt;
};

// What the hub takes back by itself, and why: the principal says it.
[[nodiscard]] inline Order revocation_by(std::string principal) {
    Order order;
    order.kind = Order::Kind::revoke;
    order.principal = std::move(principal);
    return order;
}
inline constexpr const char* session_end = "session:ended";

// Who gave an order that no person of the configuration may give.
[[nodiscard]] inline std::string local_operator(std::uint32_t uid) { return "uid " + std::to_string(uid) + " (local)"; }

// What came of it.
struct Carried {
    std::string person;               // who gave it
    std::optional<Receipt> receipt;   // none: it is in force, and the log did not take it
    bool tried_again = false;         // then: that record, until the log takes it
    bool nothing_new = false;         // it stood already, or there was nothing to lift
    bool known = true;                // something of that name is open, asks here, or was halted
    std::vector<Asker> whom = {};     // it stopped, or let go on
    std::size_t denied = 0;           // requests that were open
    std::size_t revoked = 0;          // grants that no longer count
    std::size_t interrupted = 0;      // agents whose turn was ended
    std::size_t not_interrupted = 0;  // agents that go on with their turn: nobody can end it from here
    std::size_t interrupting = 0;     // agents that were told to end their turn and did not answer yet
};

}  // namespace countersign
