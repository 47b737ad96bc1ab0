// SPDX-License-Identifier: Apache-2.0
#include "core/hub/refusals.hpp"

#include "core/hub/records.hpp"

namespace countersign {

void Refusals::note(const RefusedAttempt& attempt, const Error& why) {
    note(attempt.principal,
         [&](std::uint64_t left_out) { return records::refused(attempt, why, left_out, context_.ports.guard); });
}

void Refusals::note(const Order& order, const Error& why) {
    note(order.principal,
         [&](std::uint64_t left_out) { return records::refused(order, why, left_out, context_.ports.guard); });
}

// Strangers have their own rate, and so do unverified senders, so that neither can crowd out records about people in
// the configuration.
void Refusals::note(const std::string& principal, const std::function<LogEntry(std::uint64_t left_out)>& make) {
    ++count_;
    const auto kind = principal.empty()                                         ? Notes::Kind::refused_unverified
                      : context_.configuration->person_of(principal) == nullptr ? Notes::Kind::refused_stranger
                                                                                : Notes::Kind::refused;
    context_.notes.write_rated(kind, [&](std::uint64_t left_out) {
        auto entry = make(left_out);
        if (on_line_) on_line_(records::line_of_refused(entry));
        return entry;
    });
}

}  // namespace countersign
