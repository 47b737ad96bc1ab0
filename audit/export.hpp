// SPDX-License-Identifier: Apache-2.0
// Exports a log as tiles and a checkpoint, for others to serve, mirror and check.
//
// Derived, and made anew from the records each time. A file appears whole or not at all, and the checkpoint comes last:
// who reads while an export runs, or after one that was killed, finds the tree of the checkpoint before. Full tiles
// never change, so an export is continued where it is.
#pragma once

#include "audit/file_system.hpp"
#include "audit/merkle.hpp"
#include "audit/note.hpp"
#include "audit/progress.hpp"
#include "core/result.hpp"

#include <cstdint>
#include <string>

namespace countersign::audit {

struct Exporting {
    FileSystem& files;
    const std::string& directory;  // the log's
    const NoteKey& key;
    const std::string& target;  // made if it is not there
    Watch progress = {};
};
struct Exported {
    Tree tree;
    std::uint64_t tiles = 0;  // and bundles
    std::uint64_t texts = 0;  // that were too long for their records
};
// Errc::damaged names the record whose long text is missing or changed. Errc::conflict if the target holds anything but
// an export of this log, or one of a longer log.
[[nodiscard]] Result<Exported> export_tiles(const Exporting& exporting);

}  // namespace countersign::audit
