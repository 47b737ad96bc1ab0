// SPDX-License-Identifier: Apache-2.0
// Orphans: requests that a restart left open. Each waits for its agent: it continues under its id when the agent
// submits it again, or is lost after orphan_wait_max (I12).
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

    // Call after adding the channels. Orphans above orphans_max end as lost at once.
    void await(std::vector<Orphan> orphans);
    // The id under which the same request was open when the last hub ended, or nullopt: same agent, arguments and
    // native key, under any new id. Errc::conflict: its id belongs to an orphan with different content (I15).
    // Errc::already_decided: the orphan's end is being written.
    [[nodiscard]] Result<std::optional<Ulid>> earlier_id_of(const Request& request) const;
    // Null if it isn't an orphan.
    [[nodiscard]] const Orphan* find(const Ulid& id) const;
    [[nodiscard]] std::optional<Orphan> take(const Ulid& id);
    // The request could not be opened again, so it still needs a terminal record.
    void put_back(Orphan orphan);
    // Writes exactly one terminal record. If the process dies before that is on disk, the request stays an orphan for
    // the next hub.
    boost::asio::awaitable<void> end(Ulid id, Winner winner, std::string reason);
    // The orphans whose end isn't being written.
    [[nodiscard]] std::vector<Orphan> waiting() const;
    // No more orphans are lost; the next hub waits for them.
    void stop() { losing_.cancel(); }
    [[nodiscard]] std::size_t size() const { return by_id_.size(); }

private:
    struct Waiting {
        Orphan orphan;
        std::optional<Winner> ending = std::nullopt;  // set while its terminal record is being written
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
