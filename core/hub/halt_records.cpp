// SPDX-License-Identifier: Apache-2.0
#include "core/hub/halt_records.hpp"

#include "core/limits.hpp"

#include <algorithm>
#include <utility>

namespace countersign {

namespace asio = boost::asio;

asio::awaitable<std::optional<Receipt>> HaltRecords::write(Record record) {
    const auto written = co_await borrowed_.ledger.append(record.entry, Haste::now);
    if (written) co_return *written;
    if (!is_in_force(record.halt) || !borrowed_.ledger.health()) co_return std::nullopt;
    const auto who = record.halt.who;
    waiting_.insert_or_assign(who, std::move(record));
    co_return std::nullopt;
}

asio::awaitable<void> HaltRecords::write_waiting() {
    const auto waiting = waiting_;
    for (const auto& [who, record] : waiting) {
        const auto found = waiting_.find(who);
        if (found == waiting_.end() || found->second.halt != record.halt) continue;  // there is a newer halt
        if (borrowed_.resuming.contains(who)) continue;  // the halt's record must not follow its resume in the log
        waiting_.erase(found);
        if (is_in_force(record.halt)) co_await write(record);
    }
}

asio::awaitable<void> HaltRecords::write_waiting_after(std::chrono::milliseconds wait) {
    co_await borrowed_.clock.sleep_until(borrowed_.clock.boot() + wait);
    retrying_.reset();
    co_await write_waiting();
    retry_after(std::min(2 * wait, limits::log_retry_max));
}

void HaltRecords::retry_later() { retry_after(limits::log_retry); }

void HaltRecords::retry_after(std::chrono::milliseconds wait) {
    if (waiting_.empty() || retrying_ || stopping_) return;
    retrying_ = borrowed_.tasks.spawn(write_waiting_after(wait));
}

void HaltRecords::stop() {
    stopping_ = true;
    if (retrying_) retrying_->cancel();
    retrying_.reset();
}

bool HaltRecords::is_in_force(const Halt& halt) const {
    const auto* newest = borrowed_.in_force.exactly(halt.who);
    return newest != nullptr && *newest == halt;
}

}  // namespace countersign
