// SPDX-License-Identifier: Apache-2.0
// EmbeddedLedger: the Ledger of one process. It takes a request in memory before its first suspension, then logs.
#pragma once

#include "audit/log.hpp"
#include "core/ports/ledger.hpp"

#include <deque>
#include <unordered_map>

namespace countersign::audit {

class EmbeddedLedger final : public Ledger {
public:
    // Borrows the log, which outlives every call.
    explicit EmbeddedLedger(Log& log) : log_{log} {}

    void expect() override { log_.expect(); }
    boost::asio::awaitable<Result<Receipt>> append(LogEntry entry, Haste haste) override;
    // A settle whose record could not be written leaves the request open: nobody has won it, and the next one tries
    // again. It must not be cancelled: the hub runs it in its own group.
    boost::asio::awaitable<Settled> settle(Ulid request, Winner winner, LogEntry terminal) override;
    [[nodiscard]] Result<void> health() const override { return log_.health(); }
    void note_unlogged(const Ulid& request) override { log_.note_unlogged(request); }
    void on_poisoned(std::function<void(const Error&)> handler) override { log_.on_poisoned(std::move(handler)); }

private:
    void forget_oldest();

    Log& log_;
    // Who won what, up to concluded_kept_max and those still being written. A request that was forgotten cannot be
    // decided again for it: the hub settles only what it holds open, it closes a request when its settle returns, and
    // ids do not come back. What is kept serves the attempts that were on their way meanwhile.
    std::unordered_map<Ulid, Winner> winners_;
    std::deque<Ulid> written_;  // oldest first
};

}  // namespace countersign::audit
