// SPDX-License-Identifier: Apache-2.0
// Notes: writes records that no caller waits for. Records that outsiders can cause, e.g. with a flood of bad clicks,
// are limited by a rate; above it they are only counted. The count is written with the next record or within
// left_out_told_max.
#pragma once

#include "core/hub/record_rate.hpp"
#include "core/hub/task_group.hpp"
#include "core/ports/clock.hpp"
#include "core/ports/ledger.hpp"

#include <boost/asio/awaitable.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace countersign {

inline constexpr std::size_t over_rate_agents_max = 1'000;

class Notes {
public:
    // Borrows all three. The tasks run in that group and are awaited with it.
    Notes(TaskGroup& tasks, Ledger& ledger, Clock& clock) : tasks_{tasks}, ledger_{ledger}, clock_{clock} {}

    void write(LogEntry entry) { write(std::move(entry), {}); }
    // `lost` is called with the error if a healthy ledger didn't take the record.
    void write(LogEntry entry, std::function<void(const Error&)> lost);

    // Each kind has its own rate: a flood of bad clicks must not hide an agent's records, or the other way round.
    enum class Kind : std::uint8_t {
        refused,             // a person in the configuration
        refused_stranger,    // any other sender that the platform identifies
        refused_unverified,  // a sender that proved nothing, e.g. at a webhook
        turned_away,
        unreadable,
        unasked,
        dead_letter,
    };
    // `make` gets the number of records left out before this one. It isn't called if this one is left out too.
    void write_rated(Kind kind, const std::function<LogEntry(std::uint64_t left_out)>& make);
    // For a request that was turned away because its agent asks too much: one record per minute and agent, and one with
    // the number of the others. Above over_rate_agents_max it uses the rate of all turned-away requests.
    void write_over_rate(const std::string& agent_id, const std::function<LogEntry(std::uint64_t left_out)>& make);

    // Stops the later writing of counts.
    void stop();
    // Writes the counts that haven't been written yet.
    void tell_left_out();

private:
    void write_rated(RecordRate& rate, const std::function<LogEntry(std::uint64_t left_out)>& make);
    void tell_left_out(RecordRate& rate, const std::string& agent_id);
    boost::asio::awaitable<void> append(LogEntry entry, std::function<void(const Error&)> lost);
    boost::asio::awaitable<void> tell_left_out_later();

    TaskGroup& tasks_;
    Ledger& ledger_;
    Clock& clock_;
    std::array<RecordRate, 7> rates_{RecordRate{"refused"},
                                     RecordRate{"refused"},
                                     RecordRate{"refused", limits::unverified_records_per_minute_max},
                                     RecordRate{"turned_away"},
                                     RecordRate{"unreadable"},
                                     RecordRate{"unasked"},
                                     RecordRate{"dead_letter"}};
    std::map<std::string, RecordRate> over_rate_;  // by agent
    std::optional<TaskGroup::Handle> telling_;     // while there are unwritten counts
    bool stopping_ = false;
};

}  // namespace countersign
