// SPDX-License-Identifier: Apache-2.0
// Orphans: requests that a restart left open. Each waits for its agent, continues under its id when the agent shows it
// again, or is lost after orphan_wait_max (I12).
#pragma once

#include "core/hub/context.hpp"
#include "core/hub/ended_requests.hpp"
#include "core/hub/presenter.hpp"
#include "core/ports/earlier.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace countersign {

class Orphans {
public:
    // Borrowed: they outlive every task of the group.
    struct Borrowed {
        HubContext& context;
        EndedRequests& ended;
        Presenter& presenter;
    };
    explicit Orphans(Borrowed borrowed) : borrowed_{borrowed}, context_{borrowed.context} {}

    // After the channels are added. What is past orphans_max ends as lost at once.
    void await(std::vector<Orphan> orphans);
    // The id under which this very request was open when the last hub ended, if it was: the same agent, arguments and
    // native key, whatever id it has now. Errc::conflict: its id is one of these, with anything else (I15).
    // Errc::already_decided: its end is being written.
    [[nodiscard]] Result<std::optional<Ulid>> earlier_id_of(const Request& request) const;
    // Null if it is not one.
    [[nodiscard]] const Orphan* find(const Ulid& id) const;
    [[nodiscard]] std::optional<Orphan> take(const Ulid& id);
    // Nobody was shown it again: it still needs its end.
    void put_back(Orphan orphan);
    // Exactly one terminal record. A process that dies before that is on disk leaves it an orphan for the next.
    boost::asio::awaitable<void> end(Ulid id, Winner winner, std::string reason);
    // Those whose end is not being written.
    [[nodiscard]] std::vector<Orphan> waiting() const;
    // Nothing is lost any more: the next hub waits for them.
    void stop() { losing_.cancel(); }
    [[nodiscard]] std::size_t size() const { return by_id_.size(); }

private:
    struct Waiting {
        Orphan orphan;
        std::optional<Winner> ending = std::nullopt;  // its terminal record is being written
    };
    boost::asio::awaitable<void> lose_all();
    void expire_overdue();
    [[nodiscard]] std::optional<BootTime> deadline_of(const Orphan& orphan) const;
    [[nodiscard]] bool is_overdue(const Orphan& orphan) const;

    Borrowed borrowed_;
    HubContext& context_;
    std::map<Ulid, Waiting> by_id_;
    TaskGroup::Handle losing_;
};

}  // namespace countersign
