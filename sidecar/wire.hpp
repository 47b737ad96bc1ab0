// SPDX-License-Identifier: Apache-2.0
// What a sidecar and its hub say to each other: one JSON object a line, over the hub's local socket. Pure.
//
//   sidecar → hub   hello · ask · withdraw · gone · session_ended · unreadable · unasked · forwarded · interrupted
//   hub → sidecar   welcome · asked · verdict · interrupt · narrated
//
// Some commands say one thing instead of hello, and hear one: reload → reloaded, order → carried, list_outbox →
// outbox_listed, list_hub → hub_listed.
//
// Both sides are Countersign under the same user, so a request comes with its display fields: the raw call stays with
// the sidecar, whose adapter redacted it and will answer it (I6).
#pragma once

#include "core/json/value.hpp"
#include "core/ports/asking.hpp"
#include "core/ports/runtime.hpp"
#include "core/request.hpp"
#include "core/result.hpp"
#include "core/time.hpp"
#include "core/ulid.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace countersign::sidecar {

// The first that a sidecar says: the fingerprint of the rules by which it judges calls, and for whom it will ask. An
// older sidecar doesn't say for whom.
struct Hello {
    std::string rules;
    std::string agent_id = {};
    std::string session_key = {};
    friend bool operator==(const Hello&, const Hello&) = default;
};
// Whether the hub judges by the same rules; if not, it takes nothing more from this sidecar.
struct Welcome {
    std::optional<Errc> failed;
    std::string detail;
    std::string halted = {};  // its agent is halted: in words for the person who started it
    friend bool operator==(const Welcome&, const Welcome&) = default;
};
struct Ask {
    Request request;
    friend bool operator==(const Ask&, const Ask&) = default;
};
struct Withdraw {
    Ulid id;
    std::string why;
    friend bool operator==(const Withdraw&, const Withdraw&) = default;
};
// The sessions that `who` covers are gone; so is everything they waited for. An older sidecar names none, which is all.
struct Gone {
    std::string why;
    Asker who = {};
    friend bool operator==(const Gone&, const Gone&) = default;
};
// After that, how they ended: empty as agents do, else what failed.
struct SessionEnded {
    std::string failure;
    Asker who = {};
    friend bool operator==(const SessionEnded&, const SessionEnded&) = default;
};
struct Unreadable {
    std::string agent_id;
    Errc code = Errc::malformed;
    std::string detail;
    friend bool operator==(const Unreadable&, const Unreadable&) = default;
};
struct Unasked {
    UnaskedCall call;
    friend bool operator==(const Unasked&, const Unasked&) = default;
};
// What became of an ask: recorded and on its way to people, or why not.
struct Asked {
    Ulid id;
    std::optional<Errc> failed;
    std::string detail;
    friend bool operator==(const Asked&, const Asked&) = default;
};
struct Forwarded {
    Ulid id;
    std::optional<Errc> failed;
    std::string detail;
    friend bool operator==(const Forwarded&, const Forwarded&) = default;
};

// What became of the sidecar's own requests, in one line for the person who started it: what it waits for, and what was
// decided.
struct Narrated {
    std::string line;
    friend bool operator==(const Narrated&, const Narrated&) = default;
};

// An answer counts only until then, on the clock that all processes of the machine share: a sidecar that was stopped
// meanwhile must not give its agent an allow of which the log says that it never got there.
struct TimedVerdict {
    Verdict verdict;
    BootTime valid_until;
    friend bool operator==(const TimedVerdict&, const TimedVerdict&) = default;
};

// Somebody asks the hub to read its configuration again.
struct Reload {
    friend bool operator==(const Reload&, const Reload&) = default;
};
// What came of it; with a failure nothing has changed.
struct Reloaded {
    std::optional<Errc> failed;
    std::string detail;
    friend bool operator==(const Reloaded&, const Reloaded&) = default;
};

// The sessions of a sidecar that `who` covers are to end their turns, and how that went. The number tells a late answer
// from the one that is waited for.
struct Interrupt {
    std::int64_t number = 0;
    std::string why;
    Asker who = {};
    friend bool operator==(const Interrupt&, const Interrupt&) = default;
};
struct Interrupted {
    std::int64_t number = 0;
    std::optional<Errc> failed;
    std::string detail;
    friend bool operator==(const Interrupted&, const Interrupted&) = default;
};

// Whoever runs the hub stops an agent from the command line, or lets it go on.
struct GiveOrder {
    bool resume = false;
    std::string target;
    friend bool operator==(const GiveOrder&, const GiveOrder&) = default;
};
// What came of it, in words.
struct OrderCarried {
    std::optional<Errc> failed;
    std::string detail;
    std::string said;
    friend bool operator==(const OrderCarried&, const OrderCarried&) = default;
};

// Somebody asks what waits to be sent.
struct ListOutbox {
    friend bool operator==(const ListOutbox&, const ListOutbox&) = default;
};
struct OutboxListed {
    json::Value listing;
    friend bool operator==(const OutboxListed&, const OutboxListed&) = default;
};

// Asks what the hub does: "status", "pending" or "grants".
struct ListHub {
    std::string what;
    friend bool operator==(const ListHub&, const ListHub&) = default;
};
struct HubListed {
    json::Value listing;
    friend bool operator==(const HubListed&, const HubListed&) = default;
};

using Message = std::variant<Hello, Welcome, Ask, Withdraw, Gone, Unreadable, Unasked, Asked, Forwarded, TimedVerdict,
                             Reload, Reloaded, Interrupt, Interrupted, GiveOrder, OrderCarried, ListOutbox,
                             OutboxListed, SessionEnded, ListHub, HubListed, Narrated>;

// Without the line's end.
[[nodiscard]] std::string print(const Message& message);
// Errc::malformed names the member that does not hold.
[[nodiscard]] Result<Message> parse(std::string_view line);

}  // namespace countersign::sidecar
