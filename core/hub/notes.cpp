// SPDX-License-Identifier: Apache-2.0
#include "core/hub/notes.hpp"

#include "core/hub/records.hpp"

#include <algorithm>
#include <utility>

namespace countersign {

namespace asio = boost::asio;

void Notes::write(LogEntry entry, std::function<void(const Error&)> lost) {
    tasks_.spawn(append(std::move(entry), std::move(lost)));
}

// A poisoned log has its own alarm; a full queue only loses records that no caller waits for.
asio::awaitable<void> Notes::append(LogEntry entry, std::function<void(const Error&)> lost) {
    const auto written = co_await ledger_.append(std::move(entry), Haste::soon);
    if (!written && lost && ledger_.health()) lost(written.error());
}

void Notes::write_rated(Kind kind, const std::function<LogEntry(std::uint64_t left_out)>& make) {
    write_rated(rates_.at(static_cast<std::size_t>(kind)), make);
}

void Notes::write_over_rate(const std::string& agent_id, const std::function<LogEntry(std::uint64_t left_out)>& make) {
    if (!over_rate_.contains(agent_id) && over_rate_.size() >= over_rate_agents_max) {
        return write_rated(Kind::turned_away, make);
    }
    write_rated(over_rate_.try_emplace(agent_id, RecordRate{"turned_away", 1}).first->second, make);
}

void Notes::write_rated(RecordRate& rate, const std::function<LogEntry(std::uint64_t left_out)>& make) {
    if (const auto left_out = rate.admit(clock_.boot())) {
        write(make(*left_out));
    } else if (!telling_ && !stopping_) {
        telling_ = tasks_.spawn(tell_left_out_later());
    }
}

asio::awaitable<void> Notes::tell_left_out_later() {
    co_await clock_.sleep_until(clock_.boot() + limits::left_out_told_max);
    telling_.reset();
    tell_left_out();
}

void Notes::tell_left_out() {
    for (auto& rate : rates_) tell_left_out(rate, {});
    for (auto& [agent_id, rate] : over_rate_) tell_left_out(rate, agent_id);
    // Forgets agents that have kept to their limits for a while.
    std::erase_if(over_rate_, [now = clock_.boot()](const auto& one) { return one.second.is_quiet(now); });
}

// If the log doesn't take the count, it is written with the next one of its kind; its agent may be forgotten by then.
void Notes::tell_left_out(RecordRate& rate, const std::string& agent_id) {
    const auto left_out = rate.take_left_out();
    if (left_out == 0) return;
    // Found by kind, because an agent's own rate may be gone by then. If several rates have the same kind, the first
    // takes it.
    const auto put_back = [this, kind = rate.kind(), left_out](const Error&) {
        const auto found = std::ranges::find(rates_, kind, &RecordRate::kind);
        if (found != rates_.end()) found->put_back(left_out);
    };
    write(records::left_out(rate.kind(), left_out, agent_id), put_back);
}

void Notes::stop() {
    stopping_ = true;
    if (telling_) telling_->cancel();
    telling_.reset();
}

}  // namespace countersign
