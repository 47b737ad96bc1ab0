// SPDX-License-Identifier: Apache-2.0
// Refusals: counts every attempt and order without effect, records it up to a rate, and gives the operator a line
// (I11).
#pragma once

#include "core/hub/context.hpp"
#include "core/order.hpp"
#include "core/ports/attempts.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace countersign {

class Refusals {
public:
    explicit Refusals(HubContext& context) : context_{context} {}

    void note(const RefusedAttempt& attempt, const Error& why);
    void note(const Order& order, const Error& why);
    // The handler gets a line for each refusal that gets a record.
    void on_line(std::function<void(const std::string& line)> handler) { on_line_ = std::move(handler); }
    [[nodiscard]] std::uint64_t count() const { return count_; }

private:
    void note(const std::string& principal, const std::function<LogEntry(std::uint64_t left_out)>& make);

    HubContext& context_;
    std::function<void(const std::string& line)> on_line_;
    std::uint64_t count_ = 0;
};

}  // namespace countersign
