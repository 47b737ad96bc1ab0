// SPDX-License-Identifier: Apache-2.0
#include "audit/errands.hpp"

#include <chrono>
#include <utility>

namespace countersign::audit {

void Errands::run(std::function<Result<void>()> work) {
    const bool own_thread = on_ == On::own_thread;
    running_ = std::async(own_thread ? std::launch::async : std::launch::deferred, std::move(work));
    if (!own_thread) running_.wait();
}

Result<void> Errands::hear() {
    if (!busy() || running_.wait_for(std::chrono::seconds{0}) != std::future_status::ready) return {};
    return running_.get();
}

Result<void> Errands::wait() { return busy() ? running_.get() : Result<void>{}; }

}  // namespace countersign::audit
