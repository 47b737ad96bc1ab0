// SPDX-License-Identifier: Apache-2.0
// A catalogue in a file, and how much of which log it covers.
//
// Derived, and thrown away at the least doubt: it is of this build's layout and this machine's byte order, and whatever
// is not exactly so is refused. A file from anybody is safe to read: each number in it is checked to lead somewhere.
#pragma once

#include "audit/file_system.hpp"
#include "audit/review/catalogue.hpp"
#include "core/result.hpp"
#include "security/digest.hpp"

#include <cstdint>
#include <vector>

namespace countersign::audit::review {

// By what the log of a catalogue is known again. How far it goes, its last record says.
struct Covered {
    std::vector<std::uint64_t> segment_bytes;  // of each segment before that of the last record
    security::Digest last_line{};
};

struct Index {
    Catalogue catalogue;
    Covered covered;
};

// How large its file is.
[[nodiscard]] std::uint64_t index_bytes(const Catalogue& catalogue, const Covered& covered);
// Into an empty file, piece by piece: nothing is in memory twice. The digest comes last, so that half a file is none.
[[nodiscard]] Result<void> write_index(File& file, const Catalogue& catalogue, const Covered& covered);
// Errc::malformed for what write_index did not write, Errc::too_large past `bytes_max`.
[[nodiscard]] Result<Index> read_index(File& file, std::uint64_t bytes_max);

}  // namespace countersign::audit::review
