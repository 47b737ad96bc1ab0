// SPDX-License-Identifier: Apache-2.0
// HaltRecords: brings the records of halts to disk, which are in force before that. What the log has no room for is
// tried again until it is on disk or no longer in force: a restart must not let go on whom a person stopped. A poisoned
// log takes nothing more.
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
    // Borrowed: they outlive every task of the group, in which the tries run.
    struct Borrowed {
        TaskGroup& tasks;
        Ledger& ledger;
        Clock& clock;
        const Halts& in_force;
        const std::set<Asker>& resuming;  // whose resume is being written
    };
    explicit HaltRecords(Borrowed borrowed) : borrowed_{borrowed} {}
    HaltRecords(const HaltRecords&) = delete;
    HaltRecords& operator=(const HaltRecords&) = delete;

    struct Record {
        Halt halt;
        LogEntry entry;
    };
    // Nothing: it is not on disk. If it waits then, it is tried again after the next `retry_later`.
    boost::asio::awaitable<std::optional<Receipt>> write(Record record);
    [[nodiscard]] bool waits(const Asker& who) const { return waiting_.contains(who); }
    void retry_later();

    // Nothing is tried later any more.
    void stop();
    // One try now for each that waits.
    boost::asio::awaitable<void> write_waiting();

private:
    boost::asio::awaitable<void> write_waiting_after(std::chrono::milliseconds wait);
    void retry_after(std::chrono::milliseconds wait);
    [[nodiscard]] bool is_in_force(const Halt& halt) const;

    Borrowed borrowed_;
    std::map<Asker, Record> waiting_;  // in force, and the log did not take them yet
    std::optional<TaskGroup::Handle> retrying_;
    bool stopping_ = false;
};

}  // namespace countersign
