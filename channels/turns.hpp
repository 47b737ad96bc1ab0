// SPDX-License-Identifier: Apache-2.0
// Turns: whose turn it is among letters of several urgencies, as a value. The most urgent goes first, but none is
// passed more than outbox_approvals_in_a_row_max times, and once more for each urgency that has waited as long: nothing
// starves.
#pragma once

#include "core/limits.hpp"

#include <array>
#include <cstddef>

namespace countersign::channels {

// The order is the order of urgency.
enum class Urgency {
    approval,    // a card: an agent waits
    conclusion,  // takes buttons away that no longer work
    other,       // all else: replies, announcements, reminders, changes of a card
};
inline constexpr std::size_t urgencies = 3;
template <class T> using ByUrgency = std::array<T, urgencies>;
[[nodiscard]] constexpr std::size_t index_of(Urgency urgency) { return static_cast<std::size_t>(urgency); }

class Turns {
public:
    using Waits = ByUrgency<bool>;

    // Precondition: something waits.
    [[nodiscard]] Urgency next(const Waits& waits) const {
        std::size_t first = urgencies;
        for (std::size_t one = 0; one < urgencies; ++one) {
            if (!waits[one]) continue;
            if (passed_[one] >= limits::outbox_approvals_in_a_row_max) return static_cast<Urgency>(one);
            if (first == urgencies) first = one;
        }
        return static_cast<Urgency>(first);
    }
    // `waits`: as next() was told.
    void took(Urgency urgency, const Waits& waits) {
        for (std::size_t one = 0; one < urgencies; ++one) {
            passed_[one] = waits[one] && one != index_of(urgency) ? passed_[one] + 1 : 0;
        }
    }

private:
    ByUrgency<std::size_t> passed_{};  // so many others went since it waits
};

}  // namespace countersign::channels
