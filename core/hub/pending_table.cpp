// SPDX-License-Identifier: Apache-2.0
#include "core/hub/pending_table.hpp"

#include "core/limits.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <utility>

namespace countersign {

namespace asio = boost::asio;

Pending* PendingTable::find(const Ulid& id) {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : &found->second;
}

const Pending* PendingTable::find(const Ulid& id) const {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? nullptr : &found->second;
}

Pending* PendingTable::find_asked(const Ulid& id) {
    const auto other = by_asked_.find(id);
    return find(other == by_asked_.end() ? id : other->second);
}

const Pending* PendingTable::find_asked(const Ulid& id) const {
    const auto other = by_asked_.find(id);
    return find(other == by_asked_.end() ? id : other->second);
}

void PendingTable::add(Pending open) {
    ++of_agent_[open.request->agent_id];
    const auto id = open.request->id;
    if (open.asked_as) by_asked_.emplace(*open.asked_as, id);
    by_id_.emplace(id, std::move(open));
}

Pending PendingTable::take(const Ulid& id) {
    auto taken = std::move(by_id_.extract(id).mapped());
    if (taken.asked_as) by_asked_.erase(*taken.asked_as);
    const auto count = of_agent_.find(taken.request->agent_id);
    if (--count->second == 0) of_agent_.erase(count);
    return taken;
}

void PendingTable::settled_on_disk(const Ulid& id) {
    auto* open = find(id);
    if (open != nullptr && open->phase == Pending::Phase::open) open->phase = Pending::Phase::settled;
}

Result<void> PendingTable::check_room_for(const std::string& agent_id) const {
    if (by_id_.size() >= limits::pending_requests_max) return Error{Errc::busy, "too many requests are pending"};
    const auto count = of_agent_.find(agent_id);
    if (count != of_agent_.end() && count->second >= limits::pending_per_agent_max) {
        return Error{Errc::busy, "too many requests of this agent are pending"};
    }
    return {};
}

asio::awaitable<void> wait_until_concluded(PendingTable& pending, asio::any_io_executor executor, Ulid id) {
    for (auto* open = pending.find(id); open != nullptr; open = pending.find(id)) {
        if (!open->concluded) {
            open->concluded = std::make_shared<asio::steady_timer>(executor, asio::steady_timer::time_point::max());
        }
        const auto over = open->concluded;  // shared: the entry may be gone when we resume
        boost::system::error_code ignored;
        co_await over->async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
}

}  // namespace countersign
