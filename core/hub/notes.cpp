// SPDX-License-Identifier: Apache-2.0
#include "core/hub/notes.hpp"

#include "core/hub/records.hpp"

#include <utility>

namespace countersign {

namespace asio = boost::asio;

void Notes::write(Entry entry, std::function<void(const Error&)> lost) {
    tasks_.spawn(append(std::move(entry), std::move(lost)));
}

// A poisoned log has its own alarm; a full queue loses only what nobody waits for.
asio::awaitable<void> Notes::append(Entry entry, std::function<void(const Error&)> lost) {
    const auto written = co_await ledger_.append(std::move(entry), Haste::soon);
    if (!written && lost && ledger_.health()) lost(written.error());
}

void Notes::write_rated(Kind kind, const std::function<Entry(std::uint64_t left_out)>& make) {
    if (const auto left_out = rates_.at(static_cast<std::size_t>(kind)).admit(clock_.boot())) {
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
    for (auto& rate : rates_) {
        const auto left_out = rate.take_left_out();
        if (left_out == 0) continue;
        write(records::left_out(rate.kind(), left_out), [&rate, left_out](const Error&) { rate.put_back(left_out); });
    }
}

void Notes::stop() {
    stopping_ = true;
    if (telling_) telling_->cancel();
    telling_.reset();
}

}  // namespace countersign
