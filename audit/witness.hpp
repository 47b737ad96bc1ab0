// SPDX-License-Identifier: Apache-2.0
// Witness: a second party (c2sp.org/tlog-witness). It keeps the latest checkpoint of each log in its configuration and
// cosigns a newer one only with a proof that the log grew. A log whose history was changed gets no cosignature.
//
// It answers one request at a time: reading the stored checkpoint, storing the new one and signing are one step, so two
// requests cannot both continue from the same size. The checkpoint is on disk before the answer is sent; a witness that
// forgot it could sign a second history.
#pragma once

#include "audit/file_system.hpp"
#include "audit/log_keys.hpp"
#include "audit/merkle.hpp"
#include "audit/note.hpp"
#include "core/result.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::audit {

class Witness {
public:
    // Borrows the file system. The directory must exist and be used by this witness alone. Errc::damaged if a stored
    // checkpoint was not written by this witness, Errc::bad_config for no logs or too many. Keys with the same origin
    // belong to one log, oldest first; once the witness has signed for one, earlier keys are refused. `in_place` checks
    // that the directory is still the one that was opened: the next witness would not find what is stored elsewhere.
    using InPlace = std::function<Result<void>()>;
    [[nodiscard]] static Result<Witness> open(FileSystem& files, std::string directory, NoteSigner signer,
                                              std::vector<NoteKey> logs, InPlace in_place = {});

    // An HTTP response.
    struct Answer {
        unsigned status = 0;
        std::string content_type;
        std::string body;
    };
    // Handles the body of POST /add-checkpoint: "old SIZE", the hashes of a consistency proof, an empty line, the
    // checkpoint. `seconds` is the Unix time for the cosignature. Blocks until the checkpoint is on disk.
    [[nodiscard]] Answer add_checkpoint(std::string_view body, std::uint64_t seconds);

    [[nodiscard]] const NoteKey& key() const { return signer_.key(); }

private:
    struct Log {
        LogKeys keys;
        Tree latest = {};           // size 0 before the first checkpoint
        std::size_t signed_by = 0;  // index of the latest key that signed; earlier keys are refused
    };
    Witness(FileSystem& files, std::string directory, NoteSigner signer, InPlace in_place)
        : files_{&files},
          directory_{std::move(directory)},
          signer_{std::move(signer)},
          in_place_{std::move(in_place)} {}
    [[nodiscard]] Result<void> recall(Log& log) const;
    [[nodiscard]] Result<void> keep(const Log& log, std::string_view note) const;
    [[nodiscard]] Log* log_named(std::string_view origin);

    FileSystem* files_;
    std::string directory_;
    NoteSigner signer_;
    InPlace in_place_;
    std::vector<Log> logs_;
};

}  // namespace countersign::audit
