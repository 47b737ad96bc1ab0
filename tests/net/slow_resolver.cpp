// SPDX-License-Identifier: Apache-2.0
#include "tests/net/slow_resolver.hpp"

#include <condition_variable>
#include <mutex>
#include <netdb.h>
#include <string_view>

namespace countersign::testing_tools {
namespace {

// Never destroyed: a lookup that no caller waits for may outlive main.
struct Gate {
    std::mutex mutex;
    std::condition_variable changed;
    int hanging = 0;
    bool open = false;
};
Gate& gate() {
    static auto* const only = new Gate;
    return *only;
}

}  // namespace

int hanging_lookups() {
    const std::lock_guard lock{gate().mutex};
    return gate().hanging;
}

void release_lookups() {
    std::unique_lock lock{gate().mutex};
    gate().open = true;
    gate().changed.notify_all();
    gate().changed.wait(lock, [] { return gate().hanging == 0; });
}

namespace {

void hang() {
    std::unique_lock lock{gate().mutex};
    ++gate().hanging;
    gate().changed.notify_all();
    gate().changed.wait_for(lock, std::chrono::seconds{30}, [] { return gate().open; });
    --gate().hanging;
    gate().changed.notify_all();
}

}  // namespace
}  // namespace countersign::testing_tools

// libcurl calls this function instead of the C library's, because the program comes first in the symbol lookup.
extern "C" int getaddrinfo(const char* name, const char*, const addrinfo*, addrinfo** result) {
    *result = nullptr;
    if (name != nullptr && std::string_view{name} == "hangs.test") countersign::testing_tools::hang();
    return EAI_NONAME;
}
