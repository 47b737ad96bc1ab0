// SPDX-License-Identifier: Apache-2.0
// Intake: how a request is accepted once, recorded, and answered by a rule or given to people; and how its agent
// leaves. Runtimes call it.
#pragma once

#include "core/hub/ask_rate.hpp"
#include "core/hub/askers.hpp"
#include "core/hub/card_sharing.hpp"
#include "core/hub/context.hpp"
#include "core/hub/ended_requests.hpp"
#include "core/hub/flow.hpp"
#include "core/hub/grants.hpp"
#include "core/hub/listeners.hpp"
#include "core/hub/offers.hpp"
#include "core/hub/orders.hpp"
#include "core/hub/orphans.hpp"
#include "core/hub/presenter.hpp"
#include "core/hub/records.hpp"
#include "core/ports/asking.hpp"
#include "core/ports/attempts.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace countersign {

class Intake final : public Asking {
public:
    // Borrowed: they outlive every task of the group.
    struct Borrowed {
        HubContext& context;
        Flow& flow;
        Attempts& attempts;
        const Listeners& listeners;
        const EndedRequests& ended;
        Askers& askers;
        Grants& grants;
        Presenter& presenter;
        Orphans& orphans;
        const Orders& orders;
        CardSharing& sharing;
    };
    explicit Intake(Borrowed borrowed) : borrowed_{borrowed}, context_{borrowed.context} {}

    boost::asio::awaitable<Result<Ulid>> ask(Request request, Runtime& from) override;
    void withdraw(const Ulid& id, const Runtime& from, std::string why) override;
    void answered(const Ulid& id, const Runtime& from, OwnAnswer answer,
                  std::function<void(const Result<Receipt>&)> done) override;
    void gone(Runtime& from, const Asker& who, std::string why) override;
    void session_ended(const Runtime& from, const Asker& who, std::string failure) override;
    void unreadable(const std::string& agent_id, const Error& why) override;
    void unasked(const UnaskedCall& call) override;

    [[nodiscard]] std::uint64_t turned_away_count() const { return turned_away_; }

private:
    // Why a request isn't opened, and what its agent is told.
    struct Obstacle {
        Outcome outcome;
        Error why;
        std::string by = {};        // who refused it
        bool is_over_rate = false;  // its agent asks too much; recorded once per minute
    };
    [[nodiscard]] Result<bool> asked_before(const Request& request) const;
    [[nodiscard]] std::optional<Obstacle> obstacle_to(const Request& request);
    [[nodiscard]] Result<const Route*> route_to_people(const Request& request) const;
    [[nodiscard]] Pending begin(Request request, Runtime& from, const records::RouteInForce& route);
    void set_going(Pending& open);
    boost::asio::awaitable<Result<Ulid>> turn_away(Request request, Ulid asked_as, Runtime& from, Obstacle obstacle);
    boost::asio::awaitable<Result<Ulid>> refuse_halted(Ulid id, Halt halt);
    boost::asio::awaitable<void> decide_automatically(Attempt attempt, Permit permit);

    Borrowed borrowed_;
    HubContext& context_;
    AskRate ask_rate_;
    Offers offers_;
    std::uint64_t turned_away_ = 0;  // requests that were never open
};

}  // namespace countersign
