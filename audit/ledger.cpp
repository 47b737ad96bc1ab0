// SPDX-License-Identifier: Apache-2.0
#include "audit/ledger.hpp"

#include "core/limits.hpp"

namespace countersign::audit {

namespace asio = boost::asio;

asio::awaitable<Result<Receipt>> EmbeddedLedger::append(LogEntry entry, Haste haste) {
    co_return co_await log_.append(std::move(entry), Log::Room::ordinary, haste);
}

asio::awaitable<Settled> EmbeddedLedger::settle(Ulid request, Winner winner, LogEntry terminal) {
    const auto [taken, is_first] = winners_.try_emplace(request, std::move(winner));
    if (!is_first) co_return taken->second;

    const auto receipt = co_await log_.append(std::move(terminal), Log::Room::terminal);
    if (!receipt) {
        winners_.erase(request);
        co_return receipt.error();
    }
    written_.push_back(request);
    forget_oldest();
    co_return *receipt;
}

// Only written records are in the queue, so an attempt still in flight is never forgotten.
void EmbeddedLedger::forget_oldest() {
    if (written_.size() <= limits::concluded_kept_max) return;
    winners_.erase(written_.front());
    written_.pop_front();
}

}  // namespace countersign::audit
