// SPDX-License-Identifier: Apache-2.0
// AsyncFile: a small file that is replaced as a whole, on its own thread, so that code which answers people never waits
// for a disk. A text put while another is being written replaces any text that waits. So the file always contains some
// text that was put, and soon the last one.
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
    // `failed` is called on the file's thread for each text that could not be written.
    AsyncFile(Place place, std::function<void(const Error&)> failed);
    AsyncFile(const AsyncFile&) = delete;
    AsyncFile& operator=(const AsyncFile&) = delete;
    // Writes a waiting text. May block forever if the disk hangs; call `_exit` instead of destroying this.
    ~AsyncFile();

    // Returns at once.
    void put(std::string text);
    // Blocks until every text put before is on disk or has failed. Errc::timeout past log_sync_max: the disk hangs.
    [[nodiscard]] Result<void> flush();

private:
    void run();

    Place place_;
    std::function<void(const Error&)> failed_;
    std::mutex mutex_;  // guards the three members below
    std::optional<std::string> waiting_;
    bool writing_ = false;
    bool end_ = false;
    std::condition_variable changed_;
    std::thread thread_;  // last: it uses all other members
};

}  // namespace countersign::app
