// SPDX-License-Identifier: Apache-2.0
#include "security/directory_chain.hpp"

#include <cerrno>
#include <deque>
#include <string>
#include <sys/stat.h>
#include <system_error>

namespace countersign::security {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t links_max = 40;  // the same as in Linux

Error refused(const fs::path& path, const std::string& why) { return {Errc::bad_config, path.string() + ' ' + why}; }

Result<void> check_owner(const fs::path& path, const struct stat& status, uid_t owner) {
    if (status.st_uid == owner || status.st_uid == 0) return {};
    return refused(path, "belongs to uid " + std::to_string(status.st_uid) +
                             ", who can replace what is in it: run chown " + std::to_string(owner) + ' ' +
                             path.string() + ", or use another directory");
}

Result<void> check_directory(const fs::path& path, const struct stat& status, uid_t owner) {
    if (const auto ours = check_owner(path, status, owner); !ours) return ours;
    if ((status.st_mode & S_IWOTH) == 0 || (status.st_mode & S_ISVTX) != 0) return {};
    return refused(path, "can be written by every user, who can replace what is in it: run chmod o-w " + path.string() +
                             ", or use another directory");
}

// The names still to follow, the next one first.
class Names {
public:
    explicit Names(const fs::path& path) { add(path); }
    [[nodiscard]] bool done() const { return names_.empty(); }
    [[nodiscard]] fs::path next() {
        auto name = names_.front();
        names_.pop_front();
        return name;
    }
    void add(const fs::path& path) {
        std::deque<fs::path> more;
        for (const auto& name : path.relative_path()) {
            if (!name.empty() && name != ".") more.push_back(name);
        }
        names_.insert(names_.begin(), more.begin(), more.end());
    }

private:
    std::deque<fs::path> names_;
};

Result<void> check_group(const fs::path& path) {
    struct stat status{};
    if (::lstat(path.c_str(), &status) != 0) return {};
    const bool by_group = (status.st_mode & S_IWGRP) != 0 && (status.st_mode & S_ISVTX) == 0;
    if (!by_group) return {};
    return refused(path, "can be written by its group, who can replace what is in it: run chmod g-w " + path.string());
}

// Checks each directory on the way, hop by hop. Calls `last` for every directory that contains the path's last name:
// that of the path itself and, if it is a link, that of its target.
template <class Last> Result<void> follow(const fs::path& path, uid_t owner, const Last& last) {
    std::error_code failed;
    const auto whole = fs::absolute(path, failed);
    if (failed) return refused(path, "cannot be found: " + failed.message());
    Names names{whole};
    fs::path at = "/";
    std::size_t links = 0;
    struct stat status{};
    if (::lstat(at.c_str(), &status) == 0) {
        if (const auto fit = check_directory(at, status, owner); !fit) return fit;
    }
    while (!names.done()) {
        const auto name = names.next();
        if (name == "..") {
            at = at.parent_path();
            continue;
        }
        if (names.done()) {
            if (const auto fit = last(at); !fit) return fit;
        }
        const auto next = at / name;
        if (::lstat(next.c_str(), &status) != 0) {
            if (errno == ENOENT || errno == ENOTDIR) return {};
            return refused(next, "cannot be looked at: " + std::generic_category().message(errno));
        }
        if (S_ISLNK(status.st_mode)) {
            if (const auto ours = check_owner(next, status, owner); !ours) return ours;
            const auto target = fs::read_symlink(next, failed);
            if (failed || ++links > links_max) return refused(next, "is a link that leads nowhere");
            if (target.is_absolute()) at = "/";
            names.add(target);
            continue;
        }
        if (!S_ISDIR(status.st_mode)) return {};
        if (const auto fit = check_directory(next, status, owner); !fit) return fit;
        at = next;
    }
    return {};
}

}  // namespace

Result<void> check_directory_chain(const fs::path& directory, uid_t owner) {
    return follow(directory, owner, [](const fs::path&) { return Result<void>{}; });
}

Result<void> check_directory_of(const fs::path& file, uid_t owner) { return follow(file, owner, check_group); }

}  // namespace countersign::security
