// SPDX-License-Identifier: Apache-2.0
// The verifier: reads a log, trusts nothing in it, and says exactly what it proved.
//
// Without an anchor it cannot see a log that was rolled back as a whole, or one rewritten by somebody who has the key.
// Streams; memory does not grow with the log.
#pragma once

#include "audit/anchor.hpp"
#include "audit/file_system.hpp"
#include "audit/note.hpp"
#include "audit/progress.hpp"
#include "core/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::audit {

// That a witness, with its own key, saw the log at this size.
struct Cosigned {
    std::string witness;
    std::uint64_t size = 0;
    std::uint64_t seconds = 0;  // Unix time
};

// That the last word of a witness about this log was no: it had seen another history.
struct Alarm {
    std::string witness;
    std::uint64_t seq = 0;  // of the record that says so
    std::string why;
};

struct Verification {
    enum class Verdict {
        intact,      // every byte is accounted for
        unfinished,  // as a crash, or a hub that is writing, leaves it: intact but for `tail_bytes` that nothing covers
        broken,      // something was changed, removed, or put in
    };
    enum class Proof {
        nothing,
        self_consistent,  // with the key that lies beside the log: whoever wrote the one could have written the other
        signed_by_given_key,  // with a key that the caller brought
    };
    Verdict verdict = Verdict::broken;
    Proof proof = Proof::nothing;
    std::string origin;
    std::uint64_t key_changes = 0;            // `key` records, each signed by the key before it
    bool older_key = false;                   // the key that was given is not the one that signs now
    std::uint64_t records = 0;                // that hold
    std::uint64_t signatures = 0;             // that were checked
    std::uint64_t unchecked = 0;              // signatures that were not; what they cover, later ones cover too
    std::uint64_t missing = 0;                // signatures that were taken out; later ones cover the same records
    std::uint64_t texts = 0;                  // long texts beside the log, checked against their hash
    std::string root;                         // base64, of the records that hold
    std::optional<std::uint64_t> checkpoint;  // the size that the checkpoint file names
    std::uint64_t anchors = 0;                // that the log agrees with
    std::uint64_t anchored = 0;               // the size of the latest of them: what comes after it, none covers
    std::vector<Cosigned> cosigned;           // of each witness that was asked for, the latest
    std::vector<Alarm> alarms;                // that stand in the log; one of a witness that was asked for breaks it
    std::optional<std::uint64_t> first_bad_seq;
    std::string why;
    std::uint64_t tail_bytes = 0;

    [[nodiscard]] bool ok() const { return verdict == Verdict::intact; }
};
[[nodiscard]] std::string_view name(Verification::Verdict verdict);
[[nodiscard]] std::string_view name(Verification::Proof proof);

struct Verifying {
    std::optional<NoteKey> key;  // without one the log's own is used, and the proof is worth less
    // The last signature of a segment covers everything before it, and is enough to prove every record. The others, and
    // the roots that records name, are checked too in a log of up to verify_every_segments_max segments, and in one
    // whose own keys are not the one that was given. With this they are in any log, which proves nothing more about the
    // records and takes much longer.
    bool every_signature = false;
    std::vector<Anchor> anchors = {};  // sorted by size; each must agree
    // Each must have cosigned the checkpoint file, an anchor, or what lies beside the log.
    std::vector<NoteKey> witnesses = {};
    Watch progress = {};
};

// An error only when something cannot be read; a log that is wrong is a Verification.
[[nodiscard]] Result<Verification> verify(FileSystem& files, const std::string& directory, const Verifying& verifying);

}  // namespace countersign::audit
