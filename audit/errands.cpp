// SPDX-License-Identifier: Apache-2.0
#include "audit/errands.hpp"

#include <chrono>
#include <exception>
#include <string>
#include <system_error>
#include <utility>

namespace countersign::audit {

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
            running_ = std::async(std::launch::async, guarded);
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
