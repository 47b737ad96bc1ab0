// SPDX-License-Identifier: Apache-2.0
// The messages between a sidecar and its hub: one JSON object per line, over the hub's local socket. Pure.
//
//   sidecar → hub   hello · ask · withdraw · gone · session_ended · unreadable · unasked · forwarded · interrupted
//   hub → sidecar   welcome · asked · verdict · interrupt · narrated
//
// Commands send one message instead of hello and get one answer: reload → reloaded, order → carried,
// list_outbox → outbox_listed, list_hub → hub_listed.
//
// Both sides are Countersign under the same user, so a request contains its display fields. The raw call stays with the
// sidecar, whose adapter redacted it and will answer it (I6).
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

// A sidecar's first message: the fingerprint of the rules by which it judges calls, and its agent and session. Older
// sidecars leave out the latter.
struct Hello {
    std::string rules;
    std::string agent_id = {};
    std::string session_key = {};
    bool asks_once = false;  // for one call of a session that another process owns
    friend bool operator==(const Hello&, const Hello&) = default;
};
// Whether the hub accepts the sidecar, e.g. because it has the same rules. If not, it reads no more from it.
struct Welcome {
    std::optional<Errc> failed;
    std::string detail;
    std::string halted = {};  // why its agent is halted, for the person who started it
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
// The sessions covered by `who` are gone, and with them everything they waited for. Older sidecars leave `who` out,
// which means all sessions.
struct Gone {
    std::string why;
    Asker who = {};
    friend bool operator==(const Gone&, const Gone&) = default;
};
// Sent after Gone: how these sessions ended. Empty for a normal end, else what failed.
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
// The result of an ask: recorded and on its way to people, or why not.
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

// News about the sidecar's own requests, one line for the person who started it: what it waits for, and what was
// decided.
struct Narrated {
    std::string line;
    friend bool operator==(const Narrated&, const Narrated&) = default;
};

// A verdict that is only valid until this time, on the clock that all processes of the machine share. A sidecar that
// was suspended must not give its agent an allow after the hub has logged that it did not arrive.
struct TimedVerdict {
    Verdict verdict;
    BootTime valid_until;
    friend bool operator==(const TimedVerdict&, const TimedVerdict&) = default;
};

// A command asks the hub to read its configuration again.
struct Reload {
    friend bool operator==(const Reload&, const Reload&) = default;
};
// The result; after a failure nothing has changed.
struct Reloaded {
    std::optional<Errc> failed;
    std::string detail;
    friend bool operator==(const Reloaded&, const Reloaded&) = default;
};

// Interrupt ends the turns of the sidecar's sessions that `who` covers; Interrupted is the result. The number
// identifies late answers.
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

// The operator halts or resumes an agent from the command line.
struct GiveOrder {
    bool resume = false;
    std::string target;
    friend bool operator==(const GiveOrder&, const GiveOrder&) = default;
};
// The result, in words.
struct OrderCarried {
    std::optional<Errc> failed;
    std::string detail;
    std::string said;
    friend bool operator==(const OrderCarried&, const OrderCarried&) = default;
};

// A command asks for the messages that wait to be sent.
struct ListOutbox {
    friend bool operator==(const ListOutbox&, const ListOutbox&) = default;
};
struct OutboxListed {
    json::Value listing;
    friend bool operator==(const OutboxListed&, const OutboxListed&) = default;
};

// A command asks for "status", "pending" or "grants".
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

// Without the line end.
[[nodiscard]] std::string print(const Message& message);
// Errc::malformed names the invalid member.
[[nodiscard]] Result<Message> parse(std::string_view line);

}  // namespace countersign::sidecar
