// SPDX-License-Identifier: Apache-2.0
// Notes: records that nobody waits for. What others can bring about, as a flood of bad clicks does, is written up to a
// rate; past it the records are counted, and the count is told with the next one or within left_out_told_max.
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
    // Borrows all three. The tasks run in that group, and are awaited with it.
    Notes(TaskGroup& tasks, Ledger& ledger, Clock& clock) : tasks_{tasks}, ledger_{ledger}, clock_{clock} {}

    void write(LogEntry entry) { write(std::move(entry), {}); }
    // `lost` hears why, if a ledger that is healthy did not take it.
    void write(LogEntry entry, std::function<void(const Error&)> lost);

    // One rate each: a flood of bad clicks must not hide what an agent does, nor the other way round.
    enum class Kind : std::uint8_t {
        refused,             // a person of the configuration
        refused_stranger,    // anybody else whom the platform knows
        refused_unverified,  // a sender that proved nothing, as at a webhook
        turned_away,
        unreadable,
        unasked,
        dead_letter,
    };
    // `make` is given how many were left out before this one, and is not called if this one is too.
    void write_rated(Kind kind, const std::function<LogEntry(std::uint64_t left_out)>& make);
    // A request that was turned away because its agent asks too much: one record a minute for each agent, and one with
    // the number of the others. Past over_rate_agents_max it is rated like any other that was turned away.
    void write_over_rate(const std::string& agent_id, const std::function<LogEntry(std::uint64_t left_out)>& make);

    // Nothing is told later any more.
    void stop();
    // What was left out and is told by nothing yet.
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
    std::optional<TaskGroup::Handle> telling_;     // while counts wait to be told
    bool stopping_ = false;
};

}  // namespace countersign
