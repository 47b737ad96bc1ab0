// SPDX-License-Identifier: Apache-2.0
// The records in the life of a request, as values. Member names are part of the log's format: they are never changed or
// reused.
#pragma once

#include "core/configuration.hpp"
#include "core/grant.hpp"
#include "core/halts.hpp"
#include "core/hub/decision.hpp"
#include "core/order.hpp"
#include "core/ports/asking.hpp"
#include "core/ports/attempts.hpp"
#include "core/ports/channel.hpp"
#include "core/ports/earlier.hpp"
#include "core/ports/ledger.hpp"
#include "core/ports/text_guard.hpp"

#include <string>
#include <vector>

namespace countersign::records {

struct RouteInForce {
    std::string name;
    std::vector<std::string> deciders;
    std::uint32_t required = 1;
};
// `sidecar`: the agent runs in another process and keeps waiting when this one ends (I12).
[[nodiscard]] LogEntry request(const Request& request, const RouteInForce& route, const TextGuard& guard,
                               bool sidecar = false);
// It was open when an earlier hub ended, and its agent submitted it again: it continues with buttons of this
// generation.
[[nodiscard]] LogEntry resumed(const Request& request, const RouteInForce& route, std::uint32_t generation);
[[nodiscard]] LogEntry vote(const Request& request, const Attempt& attempt, const std::string& person,
                            const Tally& tally);
[[nodiscard]] LogEntry decision(const Request& request, const Decision& decision, WallTime at, const TextGuard& guard);
[[nodiscard]] LogEntry ended(const Request& request, Outcome outcome, const std::string& reason);
[[nodiscard]] LogEntry ended(const Orphan& orphan, const Winner& winner, const std::string& reason);
[[nodiscard]] LogEntry forwarded(const Request& request, std::uint64_t decision_seq);
[[nodiscard]] LogEntry forward_failed(const Request& request, std::uint64_t decision_seq, const std::string& why);
[[nodiscard]] LogEntry presented(const Ulid& request_id, const MessageRef& ref, bool whole);
[[nodiscard]] LogEntry dead_letter(const DeadLetter& letter, std::uint64_t suppressed);
// From now on another request's card also covers it, with buttons of this generation.
[[nodiscard]] LogEntry shared(const Ulid& request_id, const Ulid& with, std::uint32_t generation);
[[nodiscard]] LogEntry renewed(const Ulid& request_id, std::uint32_t generation);
[[nodiscard]] LogEntry concluded(const Ulid& request_id, const MessageRef& ref);
[[nodiscard]] LogEntry refused(const RefusedAttempt& attempt, const Error& why, std::uint64_t suppressed,
                               const TextGuard& guard);
// The same as one line for the operator's log.
[[nodiscard]] std::string line_of_refused(const LogEntry& refused);
[[nodiscard]] LogEntry turned_away(const Request& request, const Error& why, std::uint64_t suppressed);
[[nodiscard]] LogEntry unreadable(const std::string& agent_id, const Error& why, std::uint64_t suppressed,
                                  const TextGuard& guard);
[[nodiscard]] LogEntry unasked(const UnaskedCall& call, std::uint64_t suppressed);
// The number of records of this kind that weren't written individually.
[[nodiscard]] LogEntry left_out(const std::string& kind, std::uint64_t suppressed, const std::string& agent_id = {});
[[nodiscard]] LogEntry grant(const Grant& grant, const Ulid& request_id, Scope scope);
// For a halt or a resume, as `action` says. Each agent or session gets its own record.
[[nodiscard]] LogEntry halt(const Order& order, const std::string& person, const Asker& who);
[[nodiscard]] LogEntry revoke(const Order& order, const std::string& person, const Grant& grant);
[[nodiscard]] LogEntry refused(const Order& order, const Error& why, std::uint64_t suppressed, const TextGuard& guard);

}  // namespace countersign::records
