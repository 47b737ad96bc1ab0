// SPDX-License-Identifier: Apache-2.0
// Gate: who may decide or order what, from where and when, with today's configuration (I4). It keeps nothing; the one
// rule about persons is the Authoriser's.
#pragma once

#include "core/asker.hpp"
#include "core/attempt.hpp"
#include "core/halts.hpp"
#include "core/hub/context.hpp"
#include "core/order.hpp"
#include "core/quorum.hpp"

#include <optional>
#include <string>
#include <vector>

namespace countersign {

// An allow, or an answer: something the agent acts on.
[[nodiscard]] bool lets_the_agent_act(const Attempt& attempt, const Pending& open);

class Gate {
public:
    explicit Gate(const HubContext& context) : context_{context} {}

    // `halt` is the one in force for this request's agent, if any.
    [[nodiscard]] Result<Permit> permit(const Attempt& attempt, const Pending& open, const Halt* halt) const;
    // Asked as for a request of theirs, on each route that one could take: a stop is its refusal, and to resume an
    // agent is its allow. The local operator may always stop.
    [[nodiscard]] Result<Permit> permit(const Order& order, const Asker& about) const;
    [[nodiscard]] bool may_order_about(const std::string& principal, const Asker& about) const;
    // Made too long before it arrived, or nobody can tell (I16).
    [[nodiscard]] bool is_late(const std::optional<WallTime>& made, bool after_gap) const;

    // Whether an input in place of the agent's own may go along with it.
    [[nodiscard]] Result<void> check_edit(const Attempt& attempt, const Pending& open) const;
    [[nodiscard]] Result<Tally> count(const Attempt& attempt, const Permit& permit, const Pending& open) const;
    // The votes that the gate would let in today: a vote counts when the quorum is complete, not when it was cast.
    [[nodiscard]] std::vector<Vote> standing_votes(const Pending& open) const;
    [[nodiscard]] std::uint32_t required_of(const Pending& open) const;
    // In words: how far it got until its time was over.
    [[nodiscard]] std::string why_expired(const Pending& open) const;

private:
    const HubContext& context_;
};

}  // namespace countersign
