// SPDX-License-Identifier: Apache-2.0
// Gate: who may decide or order what, from where and when, under the current configuration (I4). It is stateless. The
// Authoriser implements the one rule about people.
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

// True for an allow or an answer, i.e. if the agent would act on it.
[[nodiscard]] bool lets_the_agent_act(const Attempt& attempt, const Pending& open);

class Gate {
public:
    explicit Gate(const HubContext& context) : context_{context} {}

    // `halt` is the one that applies to this request's agent, or null.
    [[nodiscard]] Result<Permit> permit(const Attempt& attempt, const Pending& open, const Halt* halt) const;
    // Checks the order like an attempt on a request of that agent, on each route that the request could take: a halt or
    // a revocation like a deny, a resume like an allow. The local operator may always halt.
    [[nodiscard]] Result<Permit> permit(const Order& order, const Asker& about) const;
    [[nodiscard]] bool may_order_about(const std::string& principal, const Asker& about) const;
    // True if it was made too long before it arrived, or if that can't be known (I16).
    [[nodiscard]] bool is_late(const std::optional<WallTime>& made, bool after_gap) const;

    // Checks whether an edited input may replace the agent's own.
    [[nodiscard]] Result<void> check_edit(const Attempt& attempt, const Pending& open) const;
    [[nodiscard]] Result<Tally> count(const Attempt& attempt, const Permit& permit, const Pending& open) const;
    // The votes that the gate would accept now: a vote must still be valid when the quorum is complete.
    [[nodiscard]] std::vector<Vote> standing_votes(const Pending& open) const;
    [[nodiscard]] std::uint32_t required_of(const Pending& open) const;
    // Text for people: how many votes there were when the time was up.
    [[nodiscard]] std::string why_expired(const Pending& open) const;

private:
    const HubContext& context_;
};

}  // namespace countersign
