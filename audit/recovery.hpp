// SPDX-License-Identifier: Apache-2.0
// Recovery: prepares a log for the first record of a new process.
//
// It cuts off what a crash left unfinished, refuses everything that a crash does not explain, and finds the requests
// that the last process left open. Running it twice, or again after it was killed, ends at the same log.
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
    bool checkpoint_missing = false;  // records without a checkpoint file: nothing proves that none were cut off
};

// Borrows everything for the call. `now` stamps the recovery record.
struct Recovering {
    FileSystem& files;
    const std::string& directory;
    const NoteSigner& signer;
    Stamp now;
    // The key that vouches for the log's keys: the signer's own, except while the log is handed over to the signer.
    std::optional<NoteKey> trusted = {};
};

// The error for a log that must not be continued, with advice for the operator.
[[nodiscard]] Error refusal(const std::string& directory, const Error& found);

// Errc::damaged, with advice, if the log must not be continued; Errc::bad_config if it belongs to another key;
// Errc::unavailable if the disk fails.
[[nodiscard]] Result<Recovered> recover(const Recovering& recovering);

}  // namespace countersign::audit
