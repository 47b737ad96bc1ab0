// SPDX-License-Identifier: Apache-2.0
#include "app/system_ids.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <sys/random.h>

namespace countersign::app {

Ulid SystemIds::next() {
    std::array<std::uint8_t, 10> bytes{};
    random(bytes);
    return {clock_.wall(), bytes};
}

void SystemIds::random(std::span<std::uint8_t> bytes) {
    for (std::size_t done = 0; done < bytes.size();) {
        const auto got = ::getrandom(bytes.data() + done, bytes.size() - done, 0);
        if (got < 0 && errno != EINTR) {
            // Without random numbers no id, key or token would be safe.
            std::perror("the kernel gives no random numbers: getrandom");
            std::abort();
        }
        if (got > 0) done += static_cast<std::size_t>(got);
    }
}

}  // namespace countersign::app
