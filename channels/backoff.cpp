// SPDX-License-Identifier: Apache-2.0
#include "channels/backoff.hpp"

#include "core/limits.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace countersign::channels {

std::chrono::milliseconds backoff(unsigned failures, Ids& ids) {
    const auto longest = limits::outbox_backoff_first * (1LL << std::min(failures, 16U));
    const auto whole = std::min<std::chrono::milliseconds>(longest, limits::outbox_backoff_max);
    std::array<std::uint8_t, 2> random{};
    ids.random(random);
    const auto share = random[0] * 256 + random[1];
    return whole / 2 + whole / 2 * share / 65536;
}

}  // namespace countersign::channels
