// SPDX-License-Identifier: Apache-2.0
#include "audit/anchor_due.hpp"

#include <algorithm>

namespace countersign::audit {

AnchorDue::AnchorDue(AnchorRhythm rhythm, std::optional<BootTime> last)
    : rhythm_{rhythm}, next_{last ? *last + rhythm.every : BootTime{}} {}

bool AnchorDue::due(BootTime now, std::uint64_t happened) const {
    if (happened <= shown_) return false;
    return now >= next_ || happened - tried_ >= rhythm_.records;
}

std::optional<BootTime> AnchorDue::next(BootTime now, std::uint64_t happened) const {
    if (happened <= shown_ || due(now, happened)) return std::nullopt;
    return next_;
}

void AnchorDue::tried(BootTime now, std::uint64_t happened) {
    next_ = now + rhythm_.every;
    tried_ = happened;
}

void AnchorDue::shown(std::uint64_t happened) { shown_ = std::max(shown_, happened); }

}  // namespace countersign::audit
