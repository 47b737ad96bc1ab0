// SPDX-License-Identifier: Apache-2.0
// WrongCodes: who typed codes that name nothing, and whose codes count no more for a while. A code is short enough to
// be guessed with enough tries; buttons are not, and are not asked about here. Passive: the caller brings the time.
//
// Only for people of the configuration: strangers decide nothing, whatever code they have, and so cannot fill it.
#pragma once

#include "core/time.hpp"

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>

namespace countersign::channels {

class WrongCodes {
public:
    // True: that was one too many within wrong_codes_window. From now on none of theirs counts for wrong_codes_lock.
    // Where wrong_codes_people_max are remembered, the one of those who are not locked is forgotten whose last try is
    // the oldest; a lock is never forgotten before its time.
    [[nodiscard]] bool note(const std::string& principal, BootTime now);
    // Also true for whoever could not be remembered, because all who are remembered are locked.
    [[nodiscard]] bool locked(const std::string& principal, BootTime now) const;
    [[nodiscard]] std::size_t size() const { return people_.size(); }

private:
    struct Tries {
        std::deque<BootTime> at;  // within the window, oldest first
        std::optional<BootTime> locked_until;
    };
    [[nodiscard]] static bool is_locked(const Tries& tries, BootTime now);
    void forget_what_is_over(BootTime now);
    [[nodiscard]] bool make_room(BootTime now);

    std::map<std::string, Tries> people_;
};

}  // namespace countersign::channels
