// SPDX-License-Identifier: Apache-2.0
// StateDirectory: where a hub keeps everything, and the lock that makes it the only one there.
#pragma once

#include "audit/layout.hpp"
#include "core/result.hpp"

#include <string>
#include <utility>

namespace countersign::audit {

// Errc::bad_config if it isn't our own directory, closed to others, or if another user could put a directory
// of theirs in its place. A link is neither followed nor accepted.
[[nodiscard]] Result<void> check_private_directory(const std::string& path);

class StateDirectory {
public:
    // Makes it, with 0700, if it is not there. Errc::bad_config as check_private_directory says; Errc::busy, with the
    // process id of the holder, if another hub lives there.
    [[nodiscard]] static Result<StateDirectory> open(std::string path);

    StateDirectory(StateDirectory&& other) noexcept
        : path_{std::move(other.path_)}, lock_{std::exchange(other.lock_, -1)} {}
    StateDirectory& operator=(StateDirectory&& other) noexcept {
        std::swap(path_, other.path_);
        std::swap(lock_, other.lock_);
        return *this;
    }
    StateDirectory(const StateDirectory&) = delete;
    StateDirectory& operator=(const StateDirectory&) = delete;
    // Gives the lock up. The file that names the holder stays.
    ~StateDirectory();

    [[nodiscard]] const std::string& path() const { return path_; }
    // Errc::damaged if the path has another directory now, or none: what is written there is not kept here.
    [[nodiscard]] Result<void> still_there() const;
    [[nodiscard]] std::string audit() const { return path_ + "/" + log_directory; }

private:
    StateDirectory(std::string path, int lock) : path_{std::move(path)}, lock_{lock} {}
    std::string path_;
    int lock_ = -1;  // a descriptor that holds the lock as long as it is open; children do not get it
};

}  // namespace countersign::audit
