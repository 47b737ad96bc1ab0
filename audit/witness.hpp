// SPDX-License-Identifier: Apache-2.0
// Witness: a second party (c2sp.org/tlog-witness). It keeps the latest checkpoint of each log that it looks after, and
// cosigns a newer one only with a proof that the log grew: a log whose history was changed finds no witness for it.
//
// It answers one request after the other: looking at what is stored, storing and signing are one step, so that two
// requests cannot both go on from the same size. What it signs is on disk before anybody sees it; a witness that forgot
// would sign a second history.
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
    // Borrows the file system; the directory is there and nobody else's. Errc::damaged if what is stored of a log is
    // not what this witness wrote, Errc::bad_config for no log, or too many. Keys of one origin are those of one log,
    // oldest first: when it has signed with one, those before it are refused. `in_place` says whether the directory
    // is still the one that was opened: what is kept anywhere else, the next witness here would not know.
    using InPlace = std::function<Result<void>()>;
    [[nodiscard]] static Result<Witness> open(FileSystem& files, std::string directory, NoteSigner signer,
                                              std::vector<NoteKey> logs, InPlace in_place = {});

    // As HTTP has it.
    struct Answer {
        unsigned status = 0;
        std::string content_type;
        std::string body;
    };
    // The body of POST /add-checkpoint: "old SIZE", the hashes of a consistency proof, an empty line, the checkpoint.
    // `seconds` is the Unix time that the cosignature names. It blocks until the disk has it.
    [[nodiscard]] Answer add_checkpoint(std::string_view body, std::uint64_t seconds);

    [[nodiscard]] const NoteKey& key() const { return signer_.key(); }

private:
    struct Log {
        LogKeys keys;
        Tree latest = {};           // of size 0 before the first
        std::size_t signed_by = 0;  // which of them; none before it counts any more
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
