// SPDX-License-Identifier: Apache-2.0
// Exports a log as tiles and a checkpoint, for others to serve, mirror and check.
//
// The export is derived and rebuilt from the records each time. A file appears whole or not at all, and the checkpoint
// is written last: a reader during an export, or after one that was killed, finds the tree of the previous checkpoint.
// Full tiles never change, so an interrupted export continues where it stopped.
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
    const std::string& target;  // created if missing
    Watch progress = {};
};
struct Exported {
    Tree tree;
    std::uint64_t tiles = 0;  // tiles and bundles
    std::uint64_t texts = 0;  // long texts, which are not in their records
};
// Errc::damaged names the record whose long text is missing or changed. Errc::conflict if the target contains anything
// but an export of this log, or an export of a longer log.
[[nodiscard]] Result<Exported> export_tiles(const Exporting& exporting);

}  // namespace countersign::audit
