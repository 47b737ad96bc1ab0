// SPDX-License-Identifier: Apache-2.0
// Grants: mints, uses and revokes the standing permissions, each with its record. The book itself is in core/grant.
#pragma once

#include "core/grant.hpp"
#include "core/halts.hpp"
#include "core/hub/askers.hpp"
#include "core/hub/context.hpp"
#include "core/hub/decision.hpp"
#include "core/order.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace countersign {

class Grants {
public:
    explicit Grants(HubContext& context) : context_{context} {}

    // Returns the scope of the grant that this decision minted, or `once` if it minted none. A grant is active only
    // when its record is on disk; otherwise it would be a permission without a trace.
    boost::asio::awaitable<Scope> mint(std::shared_ptr<const Request> request, Decision decision, const Halts& halts);
    // The answer of a rule or a grant without a person: policy deny, grant, policy allow, in this order. It is an
    // attempt with its permit, so that it is logged and forwarded like a person's.
    [[nodiscard]] std::optional<std::pair<Attempt, Permit>> automatic_answer(const Request& request);

    // Takes effect at once; the caller must write the records.
    bool revoke(const Ulid& id) { return book_.revoke(id); }
    [[nodiscard]] std::vector<Grant> revoke_all_of(const std::vector<Asker>& whom);
    boost::asio::awaitable<void> record_revoked(std::vector<Grant> grants, Order order, std::string person);
    // Revokes the session grants of sessions that have ended, because a later session may have the same name.
    void end_sessions_of(const Runtime& from, const Asker& who, const Askers& askers);

    [[nodiscard]] const GrantBook& book() const { return book_; }

private:
    HubContext& context_;
    GrantBook book_;
    std::size_t minting_ = 0;  // grants whose records are being written
};

}  // namespace countersign
