// SPDX-License-Identifier: Apache-2.0
// An in-memory ledger. It can delay a write, so that something else happens meanwhile, and it can fail.
#pragma once

#include "core/ports/clock.hpp"
#include "core/ports/ledger.hpp"

#include <boost/asio/steady_timer.hpp>

#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace countersign::fakes {

class FakeLedger final : public Ledger {
public:
    explicit FakeLedger(const Clock& clock) : clock_{clock} {}

    boost::asio::awaitable<Result<Receipt>> append(LogEntry entry, Haste haste) override;
    boost::asio::awaitable<Settled> settle(Ulid request, Winner winner, LogEntry terminal) override;
    [[nodiscard]] Result<void> health() const override;
    void on_poisoned(std::function<void(const Error&)> handler) override { handler_ = std::move(handler); }

    // The next write fails and poisons the ledger.
    void fail_next() { fail_next_ = true; }
    void fail_kind(std::string kind) { fail_kind_ = std::move(kind); }  // the same, for the next of this kind
    void refuse_next(std::string kind, Errc code);  // the next of this kind is refused, and the ledger stays healthy
    void hold(bool held);                           // while held, writes wait
    void release_one();                             // the longest waiting write continues
    [[nodiscard]] std::size_t waiting() const { return waiting_.size(); }
    [[nodiscard]] std::vector<std::string> kinds() const;
    [[nodiscard]] std::size_t count(std::string_view kind) const;
    [[nodiscard]] const LogEntry* last(std::string_view kind) const;
    [[nodiscard]] std::string text(std::string_view kind, std::string_view field) const;  // of the last of that kind
    // The request ids of the records of these kinds, once for each record.
    [[nodiscard]] std::multiset<std::string> ids_of(const std::set<std::string_view>& kinds) const;

    std::vector<LogEntry> written;

private:
    boost::asio::awaitable<Result<Receipt>> write(LogEntry entry);
    void poison();

    const Clock& clock_;
    std::map<Ulid, Winner> taken_;
    std::function<void(const Error&)> handler_;
    std::list<boost::asio::steady_timer*> waiting_;
    bool fail_next_ = false;
    std::string fail_kind_;
    std::optional<std::pair<std::string, Errc>> refused_;
    bool poisoned_ = false;
    bool held_ = false;
};

}  // namespace countersign::fakes
