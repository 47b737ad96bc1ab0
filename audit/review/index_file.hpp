// SPDX-License-Identifier: Apache-2.0
// A catalogue in a file, with how much of which log it covers.
//
// Derived data, discarded at the slightest doubt: the file has this build's layout and this machine's byte order, and
// anything else is refused. A file from an attacker is safe to read: every index in it is checked.
#pragma once

#include "audit/file_system.hpp"
#include "audit/review/catalogue.hpp"
#include "core/result.hpp"
#include "security/digest.hpp"

#include <cstdint>
#include <vector>

namespace countersign::audit::review {

// Identifies the log of a catalogue. The catalogue's last record tells how far it goes.
struct Covered {
    std::vector<std::uint64_t> segment_bytes;  // of each segment before the one with the last record
    security::Digest last_line{};
};

struct Index {
    Catalogue catalogue;
    Covered covered;
};

// The size of its file.
[[nodiscard]] std::uint64_t index_bytes(const Catalogue& catalogue, const Covered& covered);
// Writes to an empty file, piece by piece, so nothing is in memory twice. The digest is written last, so half a file is
// invalid.
[[nodiscard]] Result<void> write_index(File& file, const Catalogue& catalogue, const Covered& covered);
// Errc::malformed for a file that write_index did not write, Errc::too_large past `bytes_max`.
[[nodiscard]] Result<Index> read_index(File& file, std::uint64_t bytes_max);

}  // namespace countersign::audit::review
