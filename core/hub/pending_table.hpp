// SPDX-License-Identifier: Apache-2.0
// PendingTable: every open request, sorted by id and therefore by age. Entirely passive.
#pragma once

#include "core/hub/pending.hpp"
#include "core/result.hpp"
#include "core/ulid.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <unordered_map>

namespace countersign {

class PendingTable {
public:
    // Null once the request has ended. Look it up again after each suspension.
    [[nodiscard]] Pending* find(const Ulid& id);
    [[nodiscard]] const Pending* find(const Ulid& id) const;
    // The same, by the id under which its runtime asked.
    [[nodiscard]] Pending* find_asked(const Ulid& id);
    [[nodiscard]] const Pending* find_asked(const Ulid& id) const;
    // Precondition: no other request has its id.
    void add(Pending open);
    // Precondition: it is in the table.
    Pending take(const Ulid& id);
    // Its terminal record is on disk: nothing reverts that, even if a later step fails.
    void settled_on_disk(const Ulid& id);
    // Errc::busy above pending_requests_max, or above pending_per_agent_max for this agent.
    [[nodiscard]] Result<void> check_room_for(const std::string& agent_id) const;

    [[nodiscard]] std::size_t size() const { return by_id_.size(); }
    [[nodiscard]] auto begin() { return by_id_.begin(); }
    [[nodiscard]] auto end() { return by_id_.end(); }
    [[nodiscard]] auto begin() const { return by_id_.begin(); }
    [[nodiscard]] auto end() const { return by_id_.end(); }

private:
    std::map<Ulid, Pending> by_id_;
    std::map<Ulid, Ulid> by_asked_;  // requests whose runtime uses another id
    std::unordered_map<std::string, std::size_t> of_agent_;
};

// Resolves when this request has ended, and its agent has the answer or can't get it.
[[nodiscard]] boost::asio::awaitable<void> wait_until_concluded(PendingTable& pending,
                                                                boost::asio::any_io_executor executor, Ulid id);

}  // namespace countersign
