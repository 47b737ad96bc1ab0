// SPDX-License-Identifier: Apache-2.0
// FileSystem: the one seam between the log and the disk, so that a test can fail, shorten or hang any call of it.
//
// As thin as the system calls: no buffers, no retries except for EINTR. Calls block. The log makes them on its writer
// thread and its errands thread, and on the owner's thread before and after these run.
#pragma once

#include "core/result.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::audit {

class File {
public:
    virtual ~File() = default;
    [[nodiscard]] virtual Result<std::uint64_t> size() = 0;
    // Both may transfer less than asked; reading 0 bytes means the end of the file.
    [[nodiscard]] virtual Result<std::size_t> read_some(std::uint64_t offset, std::span<char> into) = 0;
    [[nodiscard]] virtual Result<std::size_t> write_some(std::uint64_t offset, std::string_view bytes) = 0;
    [[nodiscard]] virtual Result<void> truncate(std::uint64_t size) = 0;
    // Errc::damaged if the path by which it was opened now names another file or none: readers would never see what is
    // written here.
    [[nodiscard]] virtual Result<void> still_named() = 0;
    // Asks the disk to start writing its dirty pages without waiting; the sync that follows reports errors. Syncing a
    // lot at once would hold up syncs of other files.
    [[nodiscard]] virtual Result<void> begin_sync() = 0;
    // fdatasync: when it returns, the bytes, and the size if it changed, are on disk.
    [[nodiscard]] virtual Result<void> sync() = 0;
};

class FileSystem {
public:
    enum class Mode {
        read,    // must exist
        write,   // must exist
        create,  // a new empty file, mode 0600; replaces a file of that name, Errc::damaged for anything else
    };
    virtual ~FileSystem() = default;
    [[nodiscard]] virtual Result<std::unique_ptr<File>> open(const std::string& path, Mode mode) = 0;
    [[nodiscard]] virtual Result<bool> exists(const std::string& path) = 0;
    // Sorted names, without "." and "..".
    [[nodiscard]] virtual Result<std::vector<std::string>> list(const std::string& directory) = 0;
    // Mode 0700; succeeds if the directory exists.
    [[nodiscard]] virtual Result<void> make_directory(const std::string& path) = 0;
    [[nodiscard]] virtual Result<void> rename(const std::string& from, const std::string& to) = 0;
    [[nodiscard]] virtual Result<void> remove(const std::string& path) = 0;
    [[nodiscard]] virtual Result<void> sync_directory(const std::string& path) = 0;
};

// The real file system. Stateless; lives as long as the process.
[[nodiscard]] FileSystem& posix_file_system();

// Helpers on top of the calls above. Errc::too_large past `bytes_max`.
[[nodiscard]] Result<std::string> read_whole(FileSystem& files, const std::string& path, std::size_t bytes_max);
[[nodiscard]] Result<void> write_all(File& file, std::uint64_t offset, std::string_view bytes);
// Atomic: after a power failure the file has either its old content or all of the new bytes. Writes a temporary file,
// syncs, renames it, and syncs the directory. `path` is directory/name.
[[nodiscard]] Result<void> replace(FileSystem& files, const std::string& directory, const std::string& name,
                                   std::string_view bytes);

}  // namespace countersign::audit
