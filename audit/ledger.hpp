// SPDX-License-Identifier: Apache-2.0
// EmbeddedLedger: the Ledger of one process. It claims a request in memory before its first suspension, then logs.
#pragma once

#include "audit/log.hpp"
#include "core/ports/ledger.hpp"

#include <deque>
#include <unordered_map>

namespace countersign::audit {

class EmbeddedLedger final : public Ledger {
public:
    // Borrows the log, which must outlive every call.
    explicit EmbeddedLedger(Log& log) : log_{log} {}

    void expect() override { log_.expect(); }
    boost::asio::awaitable<Result<Receipt>> append(LogEntry entry, Haste haste) override;
    // If the record could not be written, the request stays open: it has no winner and the next attempt may succeed.
    // Must not be cancelled: the hub runs it in its own task group.
    boost::asio::awaitable<Settled> settle(Ulid request, Winner winner, LogEntry terminal) override;
    [[nodiscard]] Result<void> health() const override { return log_.health(); }
    void note_unlogged(const Ulid& request) override { log_.note_unlogged(request); }
    void on_poisoned(std::function<void(const Error&)> handler) override { log_.on_poisoned(std::move(handler)); }

private:
    void forget_oldest();

    Log& log_;
    // The winners of up to concluded_kept_max requests, and of those still being written. Forgetting one cannot let a
    // request be decided again: the hub settles only requests that it has open, it closes a request when its settle
    // returns, and ids are never reused. The kept ones answer attempts that were already under way.
    std::unordered_map<Ulid, Winner> winners_;
    std::deque<Ulid> written_;  // oldest first
};

}  // namespace countersign::audit
