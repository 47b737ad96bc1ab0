// SPDX-License-Identifier: Apache-2.0
// The verifier: reads a log, trusts nothing in it, and says exactly what it proved.
//
// Without an anchor it cannot detect that a log was rolled back as a whole, or rewritten by an attacker who has the
// key. It streams; memory does not grow with the log.
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

// A witness, with its own key, saw the log at this size.
struct Cosigned {
    std::string witness;
    std::uint64_t size = 0;
    std::uint64_t seconds = 0;  // Unix time
};

// The latest answer of a witness about this log was a refusal: it had seen another history.
struct Alarm {
    std::string witness;
    std::uint64_t seq = 0;  // of the record that says so
    std::string why;
};

struct Verification {
    enum class Verdict {
        intact,      // every byte is accounted for
        unfinished,  // as a crash or a running hub leaves it: intact except for uncovered `tail_bytes`
        broken,      // something was changed, removed or inserted
    };
    enum class Proof {
        nothing,
        self_consistent,      // with the key next to the log: an attacker who can write the log can write the key too
        signed_by_given_key,  // with a key that the caller passed
    };
    Verdict verdict = Verdict::broken;
    Proof proof = Proof::nothing;
    std::string origin;
    std::uint64_t key_changes = 0;            // `key` records, each signed by the key before it
    bool older_key = false;                   // the caller's key is not the current one
    std::uint64_t records = 0;                // valid ones
    std::uint64_t signatures = 0;             // checked ones
    std::uint64_t unchecked = 0;              // unchecked signatures; later ones cover the same records
    std::uint64_t missing = 0;                // removed signatures; later ones cover the same records
    std::uint64_t texts = 0;                  // long texts whose hash was checked
    std::string root;                         // base64, of the valid records
    std::optional<std::uint64_t> checkpoint;  // the size in the checkpoint file
    std::uint64_t anchors = 0;                // how many anchors the log agrees with
    std::uint64_t anchored = 0;               // size of the latest of them; no anchor covers the records after it
    std::vector<Cosigned> cosigned;           // for each requested witness, the latest
    std::vector<Alarm> alarms;  // refusals recorded in the log; one from a requested witness makes the log broken
    std::optional<std::uint64_t> first_bad_seq;
    std::string why;
    std::uint64_t tail_bytes = 0;

    [[nodiscard]] bool ok() const { return verdict == Verdict::intact; }
};
[[nodiscard]] std::string_view name(Verification::Verdict verdict);
[[nodiscard]] std::string_view name(Verification::Proof proof);

struct Verifying {
    std::optional<NoteKey> key;  // without one the log's own key is used, and the proof is weaker
    // The last signature of a segment covers everything before it and is enough to prove every record. The other
    // signatures, and the roots that records name, are also checked in a log of up to verify_every_segments_max
    // segments, and in one whose own keys don't include the given one. This option checks them in any log, which proves
    // nothing more about the records and takes much longer.
    bool every_signature = false;
    std::vector<Anchor> anchors = {};  // sorted by size; the log must agree with each
    // Each of them must have cosigned the checkpoint file, an anchor, or a note next to the log.
    std::vector<NoteKey> witnesses = {};
    Watch progress = {};
};

// Fails only if something cannot be read; an invalid log is a Verification.
[[nodiscard]] Result<Verification> verify(FileSystem& files, const std::string& directory, const Verifying& verifying);

}  // namespace countersign::audit
