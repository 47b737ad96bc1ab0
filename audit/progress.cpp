// SPDX-License-Identifier: Apache-2.0
#include "audit/progress.hpp"

#include "audit/segment.hpp"

namespace countersign::audit {
namespace {

constexpr std::uint64_t records_between = 1024;

std::uint64_t bytes_of(FileSystem& files, const std::string& path) {
    const auto file = files.open(path, FileSystem::Mode::read);
    const auto size = file ? (*file)->size() : Result<std::uint64_t>{0};
    return size ? *size : 0;
}

}  // namespace

Reading::Reading(const Watch& watch, FileSystem& files, const std::string& directory, std::string_view doing,
                 std::uint64_t first)
    : watch_{watch} {
    if (!watch_) return;
    progress_.doing = doing;
    const auto count = count_segments(files, directory);
    for (auto number = first; count && number < *count; ++number) {
        progress_.of += bytes_of(files, directory + "/" + segment_name(number));
    }
}

void Reading::record(std::uint64_t offset) {
    if (!watch_) return;
    progress_.bytes = before_ + offset;
    if (++progress_.records % records_between == 0) tell();
}

void Reading::segment(std::uint64_t bytes) {
    if (!watch_) return;
    before_ += bytes;
    progress_.bytes = before_;
    tell();
}

void Reading::tell() const { watch_(progress_); }

}  // namespace countersign::audit
