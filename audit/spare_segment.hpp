// SPDX-License-Identifier: Apache-2.0
// SpareSegment: the next segment, of zeros, so that later syncs have only bytes to write. It is made little by little
// while the segment before is written: the disk would be busy with all of it at once for as long as a hundred syncs
// take.
#pragma once

#include "audit/file_system.hpp"
#include "core/result.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace countersign::audit {

// From there to the end, and on disk.
[[nodiscard]] Result<void> fill_with_zeros(File& file, std::uint64_t from, std::uint64_t to);

class SpareSegment {
public:
    SpareSegment(FileSystem& files, const std::string& directory, std::uint64_t bytes);

    // A part of it lies on the disk, or all.
    [[nodiscard]] bool begun() const { return file_ != nullptr; }
    [[nodiscard]] bool filled() const { return filled_ == bytes_; }
    // By a small piece, or by so many bytes if they are more. Once there are some, the disk begins to write them.
    [[nodiscard]] Result<void> grow(std::uint64_t at_least);
    // For who syncs it once it is filled.
    [[nodiscard]] std::shared_ptr<File> file() const { return file_; }
    // Makes what is missing, and gives it this name. Precondition: it was begun.
    [[nodiscard]] Result<void> become(const std::string& path);
    [[nodiscard]] Result<void> remove();

private:
    FileSystem& files_;
    std::string path_;
    std::uint64_t bytes_;
    std::uint64_t filled_ = 0;
    std::uint64_t begun_ = 0;  // as far as the disk was told to write
    std::shared_ptr<File> file_;
};

}  // namespace countersign::audit
