// SPDX-License-Identifier: Apache-2.0
#include "audit/errands.hpp"

#include <chrono>
#include <exception>
#include <string>
#include <sys/resource.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace countersign::audit {

namespace {

constexpr int priority_of_errands = 19;  // the lowest

// Behind everybody who decides something: it has the time of half a segment. On Linux a thread has a priority of its
// own; where it may not be changed, nothing is lost but speed.
void step_back() { (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), priority_of_errands); }

}  // namespace

void Errands::run(std::function<Result<void>()> work) {
    const auto guarded = [work = std::move(work)]() -> Result<void> {
        try {
            return work();
        } catch (const std::exception& error) {
            return Error{Errc::internal, std::string{"an errand ended with an exception: "} + error.what()};
        }
    };
    if (on_ == On::own_thread) {
        try {
            running_ = std::async(std::launch::async, [guarded] {
                step_back();
                return guarded();
            });
            return;
        } catch (const std::system_error&) {
            // Where no thread can be had, the log goes on and is slower.
        }
    }
    running_ = std::async(std::launch::deferred, guarded);
    running_.wait();
}

Result<void> Errands::hear() {
    if (!busy() || running_.wait_for(std::chrono::seconds{0}) != std::future_status::ready) return {};
    return running_.get();
}

Result<void> Errands::wait() { return busy() ? running_.get() : Result<void>{}; }

}  // namespace countersign::audit
