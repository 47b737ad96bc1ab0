// SPDX-License-Identifier: Apache-2.0
// SpareSegment: the next segment, filled with zeros in advance, so that later syncs only write data. It grows in small
// pieces while the current segment is written: filling it at once would keep the disk busy for as long as a hundred
// syncs.
#pragma once

#include "audit/file_system.hpp"
#include "core/result.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace countersign::audit {

// Fills this range and syncs it.
[[nodiscard]] Result<void> fill_with_zeros(File& file, std::uint64_t from, std::uint64_t to);

class SpareSegment {
public:
    SpareSegment(FileSystem& files, const std::string& directory, std::uint64_t bytes);

    // True if the file exists, at least in part.
    [[nodiscard]] bool begun() const { return file_ != nullptr; }
    [[nodiscard]] bool filled() const { return filled_ == bytes_; }
    // Grows by a small piece, or by `at_least` bytes if that is more. From time to time asks the disk to start writing.
    [[nodiscard]] Result<void> grow(std::uint64_t at_least);
    // For the caller that syncs it once it is filled.
    [[nodiscard]] std::shared_ptr<File> file() const { return file_; }
    // Fills the rest and renames the file to `path`. Precondition: begun().
    [[nodiscard]] Result<void> become(const std::string& path);
    [[nodiscard]] Result<void> remove();

private:
    FileSystem& files_;
    std::string path_;
    std::uint64_t bytes_;
    std::uint64_t filled_ = 0;
    std::uint64_t begun_ = 0;  // up to where the disk was asked to write
    std::shared_ptr<File> file_;
};

}  // namespace countersign::audit
