// SPDX-License-Identifier: Apache-2.0
// AsyncFile: a small file that is replaced as a whole, on a thread of its own, so that nobody who answers people waits
// for a disk. What is put while one text is being written replaces what else waited: the file is always some text that
// was put, and soon the last one.
#pragma once

#include "core/result.hpp"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace countersign::app {

class AsyncFile {
public:
    struct Place {
        std::string directory;
        std::string name;
    };
    // `failed` is called on the file's own thread, for each text that could not be kept.
    AsyncFile(Place place, std::function<void(const Error&)> failed);
    AsyncFile(const AsyncFile&) = delete;
    AsyncFile& operator=(const AsyncFile&) = delete;
    // Writes what still waits. A disk that hangs is waited for without end: whoever knows of it does not get here, but
    // ends the process.
    ~AsyncFile();

    // Returns at once.
    void put(std::string text);
    // Blocks until everything put before is on disk, or could not be kept. Errc::timeout past log_sync_max: the disk
    // hangs.
    [[nodiscard]] Result<void> flush();

private:
    void run();

    Place place_;
    std::function<void(const Error&)> failed_;
    std::mutex mutex_;  // guards the three below
    std::optional<std::string> waiting_;
    bool writing_ = false;
    bool end_ = false;
    std::condition_variable changed_;
    std::thread thread_;  // the last member: it uses all others
};

}  // namespace countersign::app
