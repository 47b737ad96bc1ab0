// SPDX-License-Identifier: Apache-2.0
#include "audit/state_directory.hpp"

#include "security/directory_chain.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace countersign::audit {
namespace {

Error failed(const std::string& what, const std::string& path) {
    const int number = errno;
    return {.code = Errc::unavailable, .detail = what + " " + path + ": " + std::generic_category().message(number)};
}

std::string octal(unsigned mode) {
    char text[16];
    const auto end = std::to_chars(text, text + sizeof text, mode, 8).ptr;
    return {text, end};
}

Result<void> make(const std::string& path) {
    std::error_code failure;
    const auto parent = std::filesystem::path{path}.parent_path();
    if (!parent.empty()) std::filesystem::create_directories(parent, failure);
    if (failure) return Error{Errc::unavailable, "cannot create " + parent.string() + ": " + failure.message()};
    if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return failed("cannot create", path);
    return {};
}

}  // namespace

Result<void> check_private_directory(const std::string& path) {
    struct stat status{};
    if (::lstat(path.c_str(), &status) != 0) return failed("cannot stat", path);
    if (S_ISLNK(status.st_mode)) {
        return Error{Errc::bad_config, path + " is a symbolic link: name the directory itself, or put it there"};
    }
    if (!S_ISDIR(status.st_mode)) return Error{Errc::bad_config, path + " is not a directory"};
    if (status.st_uid != ::geteuid()) return Error{Errc::bad_config, path + " belongs to another user"};
    const auto mode = status.st_mode & 07777U;
    if ((mode & 077U) == 0) return security::check_directory_chain(path);
    return Error{Errc::bad_config, path + " is open to other users (mode " + octal(mode) + "): run chmod 700 " + path};
}

namespace {

// The process id in the lock file; "unknown" until the holder has written it.
std::string holder(const std::string& lock_path) {
    const int file = ::open(lock_path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) return "unknown";
    char text[32];
    const auto got = ::pread(file, text, sizeof text, 0);
    (void)::close(file);
    const std::string_view found{text, static_cast<std::size_t>(std::max<ssize_t>(got, 0))};
    const auto digits = found.substr(0, found.find_first_not_of("0123456789"));
    return digits.empty() ? "unknown" : std::string{digits};
}

Result<void> name_holder(const std::string& lock_path) {
    const int file = ::open(lock_path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (file < 0) return failed("cannot open", lock_path);
    const auto pid = std::to_string(::getpid()) + "\n";
    const bool written =
        ::ftruncate(file, 0) == 0 && ::pwrite(file, pid.data(), pid.size(), 0) == static_cast<ssize_t>(pid.size());
    auto failure = written ? Error{} : failed("cannot write", lock_path);
    (void)::close(file);
    if (!written) return failure;
    return {};
}

}  // namespace

Result<StateDirectory> StateDirectory::open(std::string path) {
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    if (const auto made = make(path); !made) return made.error();
    if (const auto checked = check_private_directory(path); !checked) return checked.error();
    // Locks the directory itself and not a file in it: deleting that file must not let a second hub in.
    const int lock = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (lock < 0) return failed("cannot open", path);
    StateDirectory directory{std::move(path), lock};  // closes the descriptor from here on
    const auto lock_path = directory.path_ + "/lock";
    if (::flock(lock, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK) return failed("cannot lock", directory.path_);
        return Error{Errc::busy, "another process, " + holder(lock_path) + ", uses " + directory.path_};
    }
    if (const auto named = name_holder(lock_path); !named) return named.error();
    return directory;
}

Result<void> StateDirectory::still_there() const {
    struct stat held{};
    struct stat named{};
    if (::fstat(lock_, &held) != 0) return failed("cannot stat", path_);
    const bool there = ::lstat(path_.c_str(), &named) == 0;
    if (there && held.st_dev == named.st_dev && held.st_ino == named.st_ino) return {};
    return Error{Errc::damaged, path_ + " was moved away or replaced"};
}

StateDirectory::~StateDirectory() {
    if (lock_ >= 0) (void)::close(lock_);
}

}  // namespace countersign::audit
