// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/fake_ledger.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <ranges>
#include <utility>

namespace countersign::fakes {

namespace asio = boost::asio;

namespace {
const Error unavailable{Errc::unavailable, "audit log unavailable"};
}

asio::awaitable<Result<Receipt>> FakeLedger::append(LogEntry entry, Haste /*haste*/) {
    co_return co_await write(std::move(entry));
}

asio::awaitable<Settled> FakeLedger::settle(Ulid request, Winner winner, LogEntry terminal) {
    if (poisoned_) co_return unavailable;
    if (const auto taken = taken_.find(request); taken != taken_.end()) co_return taken->second;
    taken_.emplace(request, winner);
    auto written_now = co_await write(std::move(terminal));
    if (!written_now) {
        taken_.erase(request);
        co_return written_now.error();
    }
    co_return *written_now;
}

Result<void> FakeLedger::health() const {
    if (poisoned_) return unavailable;
    return {};
}

asio::awaitable<Result<Receipt>> FakeLedger::write(LogEntry entry) {
    if (poisoned_) co_return unavailable;
    const auto executor = co_await asio::this_coro::executor;
    co_await asio::post(executor, asio::use_awaitable);  // a real write suspends, so this one does too
    if (held_) {
        asio::steady_timer timer{executor, asio::steady_timer::time_point::max()};
        const auto self = waiting_.insert(waiting_.end(), &timer);
        boost::system::error_code ignored;
        co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        waiting_.erase(self);
    }
    if (fail_next_ || entry.kind == fail_kind_) poison();
    if (poisoned_) co_return unavailable;
    if (refused_ && refused_->first == entry.kind) {
        co_return Error{std::exchange(refused_, std::nullopt)->second, "the ledger does not take this one"};
    }
    written.push_back(std::move(entry));
    co_return Receipt{.seq = written.size() - 1, .root = "cm9vdA==", .at = clock_.wall()};
}

void FakeLedger::refuse_next(std::string kind, Errc code) { refused_ = std::pair{std::move(kind), code}; }

void FakeLedger::hold(bool held) {
    held_ = held;
    if (!held) {
        for (auto* timer : waiting_) timer->cancel();
    }
}

void FakeLedger::release_one() {
    if (!waiting_.empty()) waiting_.front()->cancel();
}

void FakeLedger::poison() {
    fail_next_ = false;
    if (std::exchange(poisoned_, true)) return;
    if (handler_) handler_(unavailable);
}

std::vector<std::string> FakeLedger::kinds() const {
    std::vector<std::string> kinds;
    for (const auto& entry : written) kinds.push_back(entry.kind);
    return kinds;
}

std::size_t FakeLedger::count(std::string_view kind) const {
    return static_cast<std::size_t>(std::ranges::count(written, kind, &LogEntry::kind));
}

const LogEntry* FakeLedger::last(std::string_view kind) const {
    const auto reversed = written | std::views::reverse;
    const auto found = std::ranges::find(reversed, kind, &LogEntry::kind);
    return found == reversed.end() ? nullptr : &*found;
}

std::string FakeLedger::text(std::string_view kind, std::string_view field) const {
    const auto* entry = last(kind);
    const auto* value = entry == nullptr ? nullptr : entry->fields.find(field);
    const auto* string = value == nullptr ? nullptr : value->string();
    return string == nullptr ? std::string{} : *string;
}

std::multiset<std::string> FakeLedger::ids_of(const std::set<std::string_view>& kinds) const {
    std::multiset<std::string> ids;
    for (const auto& entry : written) {
        const auto* id = kinds.contains(entry.kind) ? entry.fields.find("requestId") : nullptr;
        if (id != nullptr) ids.insert(*id->string());
    }
    return ids;
}

}  // namespace countersign::fakes
