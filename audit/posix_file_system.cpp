// SPDX-License-Identifier: Apache-2.0
#include "audit/file_system.hpp"

#include <algorithm>
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <system_error>
#include <unistd.h>

namespace countersign::audit {
namespace {

Error failed(const std::string& what, const std::string& path) {
    const int number = errno;
    return {.code = Errc::unavailable, .detail = what + " " + path + ": " + std::generic_category().message(number)};
}

// Repeats a call that a signal interrupted before it did anything.
template <class Call> auto uninterrupted(Call call) {
    auto result = call();
    while (result == -1 && errno == EINTR) result = call();
    return result;
}

bool is_one_of(int number, std::initializer_list<int> numbers) {
    return std::ranges::find(numbers, number) != numbers.end();
}

struct Status {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint64_t size = 0;
};

// The status of a path relative to a directory or an open file. Without times: once a kernel has reported the time, the
// next write changes it, and on a file system without a journal the sync then also waits for the inode.
std::optional<Status> status_of(int from, const char* path, int flags) {
    struct statx status{};
    if (::statx(from, path, flags, STATX_INO | STATX_SIZE, &status) == 0) {
        return Status{.device = ::makedev(status.stx_dev_major, status.stx_dev_minor),
                      .inode = status.stx_ino,
                      .size = status.stx_size};
    }
    if (!is_one_of(errno, {ENOSYS, EPERM})) return std::nullopt;  // a sandbox that only allows the older call
    struct stat older{};
    if (::fstatat(from, path, &older, flags) != 0) return std::nullopt;
    return Status{.device = older.st_dev, .inode = older.st_ino, .size = static_cast<std::uint64_t>(older.st_size)};
}

class PosixFile final : public File {
public:
    PosixFile(int descriptor, std::string path) : descriptor_{descriptor}, path_{std::move(path)} {}
    PosixFile(const PosixFile&) = delete;
    PosixFile& operator=(const PosixFile&) = delete;
    // Everything important was synced before, so errors of close() don't matter.
    ~PosixFile() override { (void)::close(descriptor_); }

    Result<std::uint64_t> size() override {
        const auto status = status_of(descriptor_, "", AT_EMPTY_PATH);
        if (!status) return failed("cannot stat", path_);
        return status->size;
    }

    Result<std::size_t> read_some(std::uint64_t offset, std::span<char> into) override {
        const auto got =
            uninterrupted([&] { return ::pread(descriptor_, into.data(), into.size(), static_cast<off_t>(offset)); });
        if (got < 0) return failed("cannot read", path_);
        return static_cast<std::size_t>(got);
    }

    Result<std::size_t> write_some(std::uint64_t offset, std::string_view bytes) override {
        const auto written = uninterrupted(
            [&] { return ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset)); });
        if (written < 0) return failed("cannot write", path_);
        return static_cast<std::size_t>(written);
    }

    Result<void> truncate(std::uint64_t size) override {
        if (uninterrupted([&] { return ::ftruncate(descriptor_, static_cast<off_t>(size)); }) != 0) {
            return failed("cannot cut", path_);
        }
        return {};
    }

    Result<void> still_named() override {
        const auto open = status_of(descriptor_, "", AT_EMPTY_PATH);
        if (!open) return failed("cannot stat", path_);
        const auto named = status_of(AT_FDCWD, path_.c_str(), AT_SYMLINK_NOFOLLOW);
        if (named && open->device == named->device && open->inode == named->inode) return {};
        return Error{Errc::damaged, path_ + " was removed or replaced while it was written"};
    }

    // Does not wait: waiting would consume I/O errors. The kernel reports each error only once, so the following sync
    // would then succeed. If the call is not available, that sync does all the work.
    Result<void> begin_sync() override {
        if (::sync_file_range(descriptor_, 0, 0, SYNC_FILE_RANGE_WRITE) == 0) return {};
        if (is_one_of(errno, {ENOSYS, EPERM, EINVAL, ESPIPE})) return {};
        return failed("cannot sync", path_);
    }

    // Not retried on EINTR: a sync that did not succeed has failed.
    Result<void> sync() override {
        if (::fdatasync(descriptor_) != 0) return failed("cannot sync", path_);
        return {};
    }

private:
    int descriptor_;
    std::string path_;
};

int flags_of(FileSystem::Mode mode) {
    switch (mode) {
    case FileSystem::Mode::read:
        return O_RDONLY;
    case FileSystem::Mode::write:
        return O_RDWR;
    case FileSystem::Mode::create:
        return O_RDWR | O_CREAT | O_EXCL;
    }
    return O_RDONLY;
}

// Never follow a link, and never block on a pipe with this name.
constexpr int always = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;

class PosixFileSystem final : public FileSystem {
public:
    Result<std::unique_ptr<File>> open(const std::string& path, Mode mode) override {
        const auto try_once = [&] {
            return uninterrupted([&] { return ::open(path.c_str(), flags_of(mode) | always, 0600); });
        };
        int descriptor = try_once();
        if (descriptor < 0 && errno == EEXIST) {
            if (auto removed = remove_stale(path); !removed) return removed.error();
            descriptor = try_once();
        }
        if (descriptor < 0) return failed("cannot open", path);
        auto file = std::make_unique<PosixFile>(descriptor, path);
        struct stat status{};
        if (::fstat(descriptor, &status) != 0) return failed("cannot stat", path);
        if (!S_ISREG(status.st_mode)) return Error{Errc::damaged, path + " is not a file"};
        return std::unique_ptr<File>{std::move(file)};
    }

    Result<bool> exists(const std::string& path) override {
        struct stat status{};
        if (::lstat(path.c_str(), &status) == 0) return true;
        if (errno == ENOENT) return false;
        return failed("cannot stat", path);
    }

    Result<std::vector<std::string>> list(const std::string& directory) override {
        DIR* const stream = ::opendir(directory.c_str());
        if (stream == nullptr) return failed("cannot list", directory);
        std::vector<std::string> names;
        errno = 0;
        // readdir is safe here: no other thread uses this stream.
        while (const auto* entry = ::readdir(stream)) {  // NOLINT(concurrency-mt-unsafe)
            const std::string_view name{entry->d_name};
            if (name != "." && name != "..") names.emplace_back(name);
        }
        const bool complete = errno == 0;
        auto failure = complete ? Error{} : failed("cannot list", directory);
        (void)::closedir(stream);
        if (!complete) return failure;
        std::ranges::sort(names);
        return names;
    }

    Result<void> make_directory(const std::string& path) override {
        if (::mkdir(path.c_str(), 0700) == 0) return {};
        if (errno != EEXIST) return failed("cannot create", path);
        struct stat status{};
        if (::lstat(path.c_str(), &status) != 0) return failed("cannot stat", path);
        if (!S_ISDIR(status.st_mode)) return Error{Errc::damaged, path + " is not a directory"};
        return {};
    }

    Result<void> rename(const std::string& from, const std::string& to) override {
        if (::rename(from.c_str(), to.c_str()) != 0) return failed("cannot rename", from);
        return {};
    }

    Result<void> remove(const std::string& path) override {
        if (::unlink(path.c_str()) != 0) return failed("cannot remove", path);
        return {};
    }

    Result<void> sync_directory(const std::string& path) override {
        const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (descriptor < 0) return failed("cannot open", path);
        const bool synced = ::fsync(descriptor) == 0;
        auto failure = synced ? Error{} : failed("cannot sync", path);
        (void)::close(descriptor);
        if (!synced) return failure;
        return {};
    }

private:
    // Removes a file that an earlier process left under this name. Only the name is removed: a file with another hard
    // link keeps its bytes.
    static Result<void> remove_stale(const std::string& path) {
        struct stat status{};
        if (::lstat(path.c_str(), &status) != 0) return failed("cannot stat", path);
        if (!S_ISREG(status.st_mode)) return Error{Errc::damaged, path + " is not a file"};
        if (::unlink(path.c_str()) != 0) return failed("cannot remove", path);
        return {};
    }
};

}  // namespace

FileSystem& posix_file_system() {
    static PosixFileSystem files;
    return files;
}

}  // namespace countersign::audit
