// SPDX-License-Identifier: Apache-2.0
#include "app/channels/async_file.hpp"

#include "audit/file_system.hpp"
#include "core/limits.hpp"

#include <utility>

namespace countersign::app {

AsyncFile::AsyncFile(Place place, std::function<void(const Error&)> failed)
    : place_{std::move(place)}, failed_{std::move(failed)}, thread_{[this] { run(); }} {}

AsyncFile::~AsyncFile() {
    {
        const std::lock_guard lock{mutex_};
        end_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void AsyncFile::put(std::string text) {
    {
        const std::lock_guard lock{mutex_};
        waiting_ = std::move(text);
    }
    changed_.notify_all();
}

Result<void> AsyncFile::flush() {
    std::unique_lock lock{mutex_};
    if (changed_.wait_for(lock, limits::log_sync_max, [&] { return !waiting_ && !writing_; })) return {};
    return Error{Errc::timeout, place_.name + " could not be written: the disk does not answer"};
}

void AsyncFile::run() {
    std::unique_lock lock{mutex_};
    for (;;) {
        changed_.wait(lock, [&] { return waiting_ || end_; });
        if (!waiting_) return;
        const auto text = *std::exchange(waiting_, std::nullopt);
        writing_ = true;
        lock.unlock();
        const auto kept = audit::replace(audit::posix_file_system(), place_.directory, place_.name, text);
        if (!kept) failed_(kept.error());
        lock.lock();
        writing_ = false;
        changed_.notify_all();
    }
}

}  // namespace countersign::app
