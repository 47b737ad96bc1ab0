// SPDX-License-Identifier: Apache-2.0
// CardSharing: which request gets its own card. Identical requests share one, and the requests of a session or an agent
// that was refused repeatedly wait behind one (docs/adr/0014). It decides nothing; a request that is left over gets a
// card of its own.
#pragma once

#include "core/asker.hpp"
#include "core/halts.hpp"
#include "core/hub/context.hpp"
#include "core/hub/decision.hpp"
#include "core/hub/fatigue.hpp"
#include "core/hub/flow.hpp"
#include "core/hub/gate.hpp"
#include "core/hub/grants.hpp"
#include "core/hub/presenter.hpp"

#include <boost/asio/awaitable.hpp>

#include <deque>
#include <map>
#include <optional>
#include <vector>

namespace countersign {

class CardSharing {
public:
    // Borrowed: they outlive every task of the group.
    struct Borrowed {
        HubContext& context;
        const Gate& gate;
        Flow& flow;
        Grants& grants;
        Presenter& presenter;
        const Halts& halts;
    };
    explicit CardSharing(Borrowed borrowed) : borrowed_{borrowed}, context_{borrowed.context} {}

    // Shows the request, lets it share a card, or makes it wait behind one.
    void give_to_people(Pending& open);
    // The current state of its card.
    [[nodiscard]] CardState state_of(const Pending& open) const;
    // Gives the same answer to every request that the card covered. If the person meant it, also refuses the requests
    // that wait behind it.
    void answer_others(const Decision& decision, bool by_a_person);
    // Call when a request has ended. Requests that shared its card but weren't answered get a card. If the session has
    // no card left, its first waiting request is shown.
    void show_next(const Pending& ended);

private:
    // The requests that have a card, and those that wait behind the last of them, oldest first.
    struct Line {
        std::vector<Ulid> shown;
        std::deque<Ulid> waiting;
    };
    [[nodiscard]] Pending* same_call_as(const Pending& open);
    [[nodiscard]] Pending* same_call_in(const Asker& line, const Pending& open);
    void share_card(Pending& shown, Pending& open);
    boost::asio::awaitable<void> show_shared(Ulid shared, Ulid with, std::uint32_t generation);
    void wait_behind(Pending& shown, Pending& open);
    boost::asio::awaitable<void> decide_along(Attempt attempt, std::optional<Permit> permit);

    Borrowed borrowed_;
    HubContext& context_;
    std::map<Asker, Line> lines_;  // for each named session, and for each agent that was refused too often
    Fatigue fatigue_;
};

}  // namespace countersign
