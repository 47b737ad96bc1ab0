// SPDX-License-Identifier: Apache-2.0
// FileSystem: the one seam between the log and the disk, so that a test can fail, shorten or hang any call of it.
//
// As thin as the system calls: no buffer, no retry but for EINTR. Calls block; the log makes them on its writer thread
// and that of its errands, and before and after its life on the owner's.
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
    // Both may do less than asked; reading 0 bytes means the end.
    [[nodiscard]] virtual Result<std::size_t> read_some(std::uint64_t offset, std::span<char> into) = 0;
    [[nodiscard]] virtual Result<std::size_t> write_some(std::uint64_t offset, std::string_view bytes) = 0;
    [[nodiscard]] virtual Result<void> truncate(std::uint64_t size) = 0;
    // Errc::damaged if the path by which it was opened has another file now, or none: what is written here, nobody
    // reads.
    [[nodiscard]] virtual Result<void> still_named() = 0;
    // The disk begins to write what it does not have yet; nobody waits for it, and errors are those of the sync that
    // follows. A sync of much at once would hold up those of other files.
    [[nodiscard]] virtual Result<void> begin_sync() = 0;
    // fdatasync: the bytes, and the size if it changed, are on disk when it returns.
    [[nodiscard]] virtual Result<void> sync() = 0;
};

class FileSystem {
public:
    enum class Mode {
        read,    // must exist
        write,   // must exist
        create,  // is made, empty, with 0600; a file of that name goes first, and whatever else has it is Errc::damaged
    };
    virtual ~FileSystem() = default;
    [[nodiscard]] virtual Result<std::unique_ptr<File>> open(const std::string& path, Mode mode) = 0;
    [[nodiscard]] virtual Result<bool> exists(const std::string& path) = 0;
    // Names, sorted; without "." and "..".
    [[nodiscard]] virtual Result<std::vector<std::string>> list(const std::string& directory) = 0;
    // With 0700; fine if it is there already.
    [[nodiscard]] virtual Result<void> make_directory(const std::string& path) = 0;
    [[nodiscard]] virtual Result<void> rename(const std::string& from, const std::string& to) = 0;
    [[nodiscard]] virtual Result<void> remove(const std::string& path) = 0;
    [[nodiscard]] virtual Result<void> sync_directory(const std::string& path) = 0;
};

// The real one. Stateless; lives as long as the process.
[[nodiscard]] FileSystem& posix_file_system();

// What the log makes of the calls above. Errc::too_large past `bytes_max`.
[[nodiscard]] Result<std::string> read_whole(FileSystem& files, const std::string& path, std::size_t bytes_max);
[[nodiscard]] Result<void> write_all(File& file, std::uint64_t offset, std::string_view bytes);
// The file holds either what it held before or all of the new bytes, whenever the power fails: written beside, synced,
// renamed, directory synced. `path` is directory/name.
[[nodiscard]] Result<void> replace(FileSystem& files, const std::string& directory, const std::string& name,
                                   std::string_view bytes);

}  // namespace countersign::audit
