// SPDX-License-Identifier: Apache-2.0
// StateDirectory: the directory where a hub keeps everything, and the lock that allows only one hub in it.
#pragma once

#include "audit/layout.hpp"
#include "core/result.hpp"

#include <string>
#include <utility>

namespace countersign::audit {

// Errc::bad_config unless the directory is our own and closed to others, or if another user could replace it with their
// own. Symbolic links are neither followed nor accepted.
[[nodiscard]] Result<void> check_private_directory(const std::string& path);

class StateDirectory {
public:
    // Creates it with mode 0700 if missing. Errc::bad_config as in check_private_directory; Errc::busy, with the
    // process id of the lock's holder, if another hub uses it.
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
    // Releases the lock. The file that names the holder stays.
    ~StateDirectory();

    [[nodiscard]] const std::string& path() const { return path_; }
    // Errc::damaged if the path now names another directory or none: data written there would be lost.
    [[nodiscard]] Result<void> still_there() const;
    [[nodiscard]] std::string audit() const { return path_ + "/" + log_directory; }

private:
    StateDirectory(std::string path, int lock) : path_{std::move(path)}, lock_{lock} {}
    std::string path_;
    int lock_ = -1;  // a descriptor that holds the lock while it is open; children don't inherit it
};

}  // namespace countersign::audit
