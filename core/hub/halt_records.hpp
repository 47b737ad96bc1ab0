// SPDX-License-Identifier: Apache-2.0
// HaltRecords: writes the records of halts, which are already in effect. If the log has no room, it retries until the
// record is on disk or the halt is lifted: after a restart, an agent that a person halted must not continue. A poisoned
// log takes no more records.
#pragma once

#include "core/asker.hpp"
#include "core/halts.hpp"
#include "core/hub/task_group.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/ledger.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <map>
#include <optional>
#include <set>

namespace countersign {

class HaltRecords {
public:
    // Borrowed: they outlive every task of the group, in which the retries run.
    struct Borrowed {
        TaskGroup& tasks;
        Ledger& ledger;
        Clock& clock;
        const Halts& in_force;
        const std::set<Asker>& resuming;  // whose resume record is being written
    };
    explicit HaltRecords(Borrowed borrowed) : borrowed_{borrowed} {}
    HaltRecords(const HaltRecords&) = delete;
    HaltRecords& operator=(const HaltRecords&) = delete;

    struct Record {
        Halt halt;
        LogEntry entry;
    };
    // Returns nullopt if the record isn't on disk. If it `waits` then, it is retried after the next `retry_later`.
    boost::asio::awaitable<std::optional<Receipt>> write(Record record);
    [[nodiscard]] bool waits(const Asker& who) const { return waiting_.contains(who); }
    void retry_later();

    // Stops all later retries.
    void stop();
    // Tries each waiting record once, now.
    boost::asio::awaitable<void> write_waiting();

private:
    boost::asio::awaitable<void> write_waiting_after(std::chrono::milliseconds wait);
    void retry_after(std::chrono::milliseconds wait);
    [[nodiscard]] bool is_in_force(const Halt& halt) const;

    Borrowed borrowed_;
    std::map<Asker, Record> waiting_;  // in effect, but not in the log yet
    std::optional<TaskGroup::Handle> retrying_;
    bool stopping_ = false;
};

}  // namespace countersign
