// SPDX-License-Identifier: Apache-2.0
// The checkpoints that outsiders last saw, kept next to the log: for each witness the latest one with both signatures,
// for each chat the latest one posted there.
//
// Derived data that recovery ignores. The cosigned notes prove something even here, because the log's own key cannot
// forge them; the posted ones only record when the next post is due.
#pragma once

#include "audit/anchor.hpp"
#include "audit/file_system.hpp"
#include "audit/log_keys.hpp"
#include "audit/note.hpp"
#include "core/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::audit {

// What an outsider saw last, and when, in Unix seconds.
struct LastSeen {
    std::uint64_t size = 0;
    std::uint64_t seconds = 0;
};

// Atomic; creates the directory. Blocks until the note is on disk.
[[nodiscard]] Result<void> keep_cosigned(FileSystem& files, const std::string& directory, const NoteKey& witness,
                                         std::string_view note);
// Empty if there is no readable note of this witness; the witness is then asked from the beginning.
[[nodiscard]] std::optional<LastSeen> last_cosigned(FileSystem& files, const std::string& directory,
                                                    const NoteKey& witness);

// The same for a chat where checkpoints are posted.
[[nodiscard]] Result<void> keep_posted(FileSystem& files, const std::string& directory, const std::string& place,
                                       std::uint64_t seconds, std::string_view note);
[[nodiscard]] std::optional<LastSeen> last_posted(FileSystem& files, const std::string& directory,
                                                  const std::string& place);

// The notes next to the log that one of the witnesses cosigned, as anchors that the log must agree with.
// Errc::bad_signature if the signature of the log or of the witness is invalid.
[[nodiscard]] Result<std::vector<Anchor>> cosigned_anchors(FileSystem& files, const std::string& directory,
                                                           const LogKeys& keys, const std::vector<NoteKey>& witnesses);

// The same for any witness: a note there that the log's own key signed is part of its history. These are not a proof,
// because an attacker who can write there can also delete them. Other files are ignored, as are files past
// log_witnesses_max.
[[nodiscard]] Result<std::vector<Anchor>> anchors_beside(FileSystem& files, const std::string& directory,
                                                         const LogKeys& keys);

}  // namespace countersign::audit
