// SPDX-License-Identifier: Apache-2.0
// What outsiders have seen of a log, kept beside it: for each witness the latest checkpoint with both signatures, for
// each chat the latest that was posted.
//
// Derived, and not looked at by recovery. The cosigned ones prove something where they lie, because the log's own key
// cannot make them; the posted ones only remember when the next is due.
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

// What somebody saw last, and when, in Unix seconds.
struct LastSeen {
    std::uint64_t size = 0;
    std::uint64_t seconds = 0;
};

// Atomic; makes the directory. Blocks until the disk has it.
[[nodiscard]] Result<void> keep_cosigned(FileSystem& files, const std::string& directory, const NoteKey& witness,
                                         std::string_view note);
// Nothing where there is none, or none of this witness that can be read: then the witness is asked from the beginning.
[[nodiscard]] std::optional<LastSeen> last_cosigned(FileSystem& files, const std::string& directory,
                                                    const NoteKey& witness);

// The same of a place where checkpoints are posted.
[[nodiscard]] Result<void> keep_posted(FileSystem& files, const std::string& directory, const std::string& place,
                                       std::uint64_t seconds, std::string_view note);
[[nodiscard]] std::optional<LastSeen> last_posted(FileSystem& files, const std::string& directory,
                                                  const std::string& place);

// The notes that lie beside the log and that one of the witnesses cosigned, as anchors that it must agree with.
// Errc::bad_signature for one whose log's or witness's signature does not verify.
[[nodiscard]] Result<std::vector<Anchor>> cosigned_anchors(FileSystem& files, const std::string& directory,
                                                           const LogKeys& keys, const std::vector<NoteKey>& witnesses);

// The same without asking whose witnesses they are: what lies there under a signature of the log's own is part of its
// history. They are no proof, because whoever can write there can take them away. Anything else there is not read, and
// of more than log_witnesses_max files the rest.
[[nodiscard]] Result<std::vector<Anchor>> anchors_beside(FileSystem& files, const std::string& directory,
                                                         const LogKeys& keys);

}  // namespace countersign::audit
