// SPDX-License-Identifier: Apache-2.0
// Recovery: what happens to a log before the first record of a new process may be written to it.
//
// It cuts back what a crash left unfinished, refuses everything that a crash does not explain, and names what the last
// process left open. Run twice, or killed half way and run again, it ends at the same log.
#pragma once

#include "audit/batch_writer.hpp"
#include "audit/file_system.hpp"
#include "audit/log_scan.hpp"
#include "audit/note.hpp"
#include "audit/record.hpp"
#include "audit/replay/replay.hpp"
#include "core/result.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace countersign::audit {

struct Recovered {
    BatchWriter::End end;
    Replay replay;
    std::optional<Tail> removed;
    bool checkpoint_missing = false;  // there are records and no checkpoint file: nothing says that none were cut off
};

// Borrows all of it for the call. `now` stamps the recovery record.
struct Recovering {
    FileSystem& files;
    const std::string& directory;
    const NoteSigner& signer;
    Stamp now;
    // Whose word the log's keys are taken on; the signer's own, but while the log is handed over to it.
    std::optional<NoteKey> trusted = {};
};

// What a person is told of a log that must not be continued, and what to do.
[[nodiscard]] Error refusal(const std::string& directory, const Error& found);

// Errc::damaged, with what to do, when the log must not be continued; Errc::bad_config when it is another key's;
// Errc::unavailable when the disk fails.
[[nodiscard]] Result<Recovered> recover(const Recovering& recovering);

}  // namespace countersign::audit
