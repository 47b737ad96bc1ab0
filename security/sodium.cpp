// SPDX-License-Identifier: Apache-2.0
#include "security/sodium.hpp"

#include <cstdio>
#include <cstdlib>
#include <sodium.h>

namespace countersign::security {

namespace {

// libsodium aborts rather than return a number that isn't random, but it prints nothing.
void explain() { std::perror("libsodium cannot go on, most likely the kernel gives no random numbers"); }

}  // namespace

void sodium_ready() {
    static const bool ready = sodium_set_misuse_handler(explain) == 0 && sodium_init() >= 0;
    if (ready) return;
    explain();
    std::abort();
}

}  // namespace countersign::security
