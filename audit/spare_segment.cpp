// SPDX-License-Identifier: Apache-2.0
#include "audit/spare_segment.hpp"

#include "audit/layout.hpp"

#include <algorithm>

namespace countersign::audit {
namespace {

constexpr std::uint64_t zeros_bytes = 256 * 1024;
constexpr std::uint64_t pieces = 256;  // at most
// How often grow() starts the disk writing; the call may block while the disk is busy.
constexpr std::uint64_t begins = 32;
constexpr std::uint64_t page_bytes = 4096;

constexpr std::uint64_t whole_pages(std::uint64_t bytes) { return (bytes + page_bytes - 1) / page_bytes * page_bytes; }

Result<void> write_zeros(File& file, std::uint64_t at, std::uint64_t bytes) {
    static const std::string zeros(zeros_bytes, '\0');
    for (const auto end = at + bytes; at < end;) {
        const auto piece = std::string_view{zeros}.substr(0, static_cast<std::size_t>(end - at));
        if (auto written = write_all(file, at, piece); !written) return written;
        at += piece.size();
    }
    return {};
}

}  // namespace

Result<void> fill_with_zeros(File& file, std::uint64_t from, std::uint64_t to) {
    if (auto written = write_zeros(file, from, to - from); !written) return written;
    return file.sync();
}

SpareSegment::SpareSegment(FileSystem& files, const std::string& directory, std::uint64_t bytes)
    : files_{files}, path_{directory + "/" + spare_name}, bytes_{bytes} {}

Result<void> SpareSegment::grow(std::uint64_t at_least) {
    if (!begun()) {
        auto file = files_.open(path_, FileSystem::Mode::create);
        if (!file) return file.error();
        file_ = std::move(*file);
    }
    const auto piece = std::min(whole_pages(std::max({bytes_ / pieces, page_bytes, at_least})), bytes_ - filled_);
    if (auto written = write_zeros(*file_, filled_, piece); !written) return written;
    filled_ += piece;
    if (filled_ - begun_ < bytes_ / begins) return {};
    begun_ = filled_;
    return file_->begin_sync();
}

Result<void> SpareSegment::become(const std::string& path) {
    if (!filled()) {
        if (auto rest = fill_with_zeros(*file_, filled_, bytes_); !rest) return rest;
    }
    file_.reset();
    filled_ = 0;
    begun_ = 0;
    return files_.rename(path_, path);
}

Result<void> SpareSegment::remove() {
    if (!begun()) return {};
    file_.reset();
    filled_ = 0;
    begun_ = 0;
    return files_.remove(path_);
}

}  // namespace countersign::audit
