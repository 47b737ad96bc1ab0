// SPDX-License-Identifier: Apache-2.0
#include "audit/file_system.hpp"

namespace countersign::audit {

Result<std::string> read_whole(FileSystem& files, const std::string& path, std::size_t bytes_max) {
    auto file = files.open(path, FileSystem::Mode::read);
    if (!file) return file.error();
    const auto size = (*file)->size();
    if (!size) return size.error();
    if (*size > bytes_max) return Error{Errc::too_large, path + " is larger than any file of ours"};
    // The size is only a hint: a running log grows, and its zero tail may be trimmed, while we read.
    std::string bytes(static_cast<std::size_t>(*size), '\0');
    std::size_t filled = 0;
    while (filled < bytes.size()) {
        const auto got = (*file)->read_some(filled, std::span{bytes}.subspan(filled));
        if (!got) return got.error();
        if (*got == 0) break;
        filled += *got;
    }
    bytes.resize(filled);
    return bytes;
}

Result<void> write_all(File& file, std::uint64_t offset, std::string_view bytes) {
    while (!bytes.empty()) {
        const auto written = file.write_some(offset, bytes);
        if (!written) return written.error();
        if (*written == 0) return Error{Errc::unavailable, "a write made no progress"};
        offset += *written;
        bytes.remove_prefix(*written);
    }
    return {};
}

Result<void> replace(FileSystem& files, const std::string& directory, const std::string& name, std::string_view bytes) {
    const auto path = directory + "/" + name;
    const auto beside = path + ".new";
    {
        auto file = files.open(beside, FileSystem::Mode::create);
        if (!file) return file.error();
        if (auto written = write_all(**file, 0, bytes); !written) return written;
        if (auto synced = (*file)->sync(); !synced) return synced;
    }
    if (auto renamed = files.rename(beside, path); !renamed) return renamed;
    return files.sync_directory(directory);
}

}  // namespace countersign::audit
