// SPDX-License-Identifier: Apache-2.0
#include "audit/leaves.hpp"

#include "audit/record.hpp"
#include "audit/segment.hpp"

namespace countersign::audit {

Result<void> each_leaf(FileSystem& files, const std::string& directory, std::uint64_t count,
                       const std::function<Result<void>(std::string_view json)>& take, const Watching& watching) {
    const auto segments = count_segments(files, directory);
    if (!segments) return segments.error();
    std::uint64_t taken = 0;
    Reading reading{watching.watch, files, directory, watching.doing};
    for (std::uint64_t number = 0; number < *segments && taken < count; ++number) {
        const auto bytes = read_segment(files, directory, number);
        if (!bytes) return bytes.error();
        SegmentLines lines{*bytes};
        for (auto text = lines.next(); text && taken < count; text = lines.next(), ++taken) {
            const auto line = split_line(*text);
            if (!line) return line.error();
            if (auto done = take(line->json); !done) return done;
            reading.record(lines.offset());
        }
        reading.segment(bytes->size());
    }
    if (taken == count) return {};
    return Error{Errc::damaged, "the log became shorter while it was read"};
}

}  // namespace countersign::audit
