// SPDX-License-Identifier: Apache-2.0
// AnchorDue: when somebody outside is to see the log's checkpoint again. A plain value: no clock, no log.
#pragma once

#include "core/configuration.hpp"
#include "core/time.hpp"

#include <cstdint>
#include <optional>

namespace countersign::audit {

class AnchorDue {
public:
    // `last`: when it was shown before this start, if ever. Never, or long ago, is due as soon as something happened.
    AnchorDue(AnchorRhythm rhythm, std::optional<BootTime> last);

    // `happened` counts what was written since the start and is worth showing; what only the anchors themselves cause,
    // or a heartbeat, is not in it. So an idle log is shown once and then no more.
    [[nodiscard]] bool due(BootTime now, std::uint64_t happened) const;
    // When time alone makes it due, if something is left to be shown; nothing if it is due already or all was shown.
    [[nodiscard]] std::optional<BootTime> next(BootTime now, std::uint64_t happened) const;

    // It was tried at this moment, with so much in it: the next time is counted from here, whatever becomes of it.
    void tried(BootTime now, std::uint64_t happened);
    // That much was shown.
    void shown(std::uint64_t happened);

private:
    AnchorRhythm rhythm_;
    BootTime next_;
    std::uint64_t tried_ = 0;
    std::uint64_t shown_ = 0;
};

}  // namespace countersign::audit
