// SPDX-License-Identifier: Apache-2.0
// CardSharing: which request gets a card of its own. Identical requests share one, and those of a session or an agent
// that was refused again and again wait behind one (docs/adr/0014). Nothing here decides; what is left over gets a
// card.
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

    // Shows it, lets it share a card, or has it wait behind one.
    void give_to_people(Pending& open);
    // What a card of it says today.
    [[nodiscard]] CardState state_of(const Pending& open) const;
    // The same answer for every request that the card stood for; and a refusal for those that waited behind it, where
    // that was meant.
    void answer_others(const Decision& decision, bool by_a_person);
    // It ended: requests that shared its card without being answered get one, and when nothing of the session is shown
    // any more, the first that waits is.
    void show_next(const Pending& ended);

private:
    // What has a card, and what waits behind the last of those, oldest first.
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
    std::map<Asker, Line> lines_;  // of each session that has a name, and of each agent that was refused too often
    Fatigue fatigue_;
};

}  // namespace countersign
