// SPDX-License-Identifier: Apache-2.0
// AnchorDue: when to show the log's checkpoint to chats and witnesses again. A plain value: no clock, no log.
#pragma once

#include "core/configuration.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>

namespace countersign::audit {

class AnchorDue {
public:
    // `last`: when it was last shown before this start, if ever. If that is never or long ago, an anchor is due as soon
    // as something happens.
    AnchorDue(AnchorRhythm rhythm, std::optional<BootTime> last);

    // `happened` counts the records since the start that are worth showing; heartbeats and anchor records don't count.
    // So an idle log is shown once and not again.
    [[nodiscard]] bool due(BootTime now, std::uint64_t happened) const;
    // When time alone makes an anchor due. Empty if one is due already, or if everything has been shown.
    [[nodiscard]] std::optional<BootTime> next(BootTime now, std::uint64_t happened) const;

    // Notes an attempt at this time with this count. The next interval starts here, whether or not it succeeds.
    void tried(BootTime now, std::uint64_t happened);
    // Notes success: everything up to this count was shown.
    void shown(std::uint64_t happened);

private:
    AnchorRhythm rhythm_;
    BootTime next_;
    std::uint64_t tried_ = 0;
    std::uint64_t shown_ = 0;
};

}  // namespace countersign::audit
