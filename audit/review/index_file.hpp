// SPDX-License-Identifier: Apache-2.0
// A catalogue in a file, and how much of which log it covers.
//
// Derived, and thrown away at the least doubt: it is of this build's layout and this machine's byte order, and whatever is
// not exactly so is refused. A file from anybody is safe to read: each number in it is checked to lead somewhere.
#pragma once

#include "audit/review/catalogue.hpp"
#include "audit/review/log_reader.hpp"
#include "core/result.hpp"
#include "security/digest.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::audit::review {

// How far a catalogue goes, and by what its log is known again.
struct Covered {
    LogReader::Position end;                   // behind the last line that was taken
    std::vector<std::uint64_t> segment_bytes;  // of each segment before that one
    security::Digest last_line{};
};

struct Index {
    Catalogue catalogue;
    Covered covered;
};

[[nodiscard]] std::string encode_index(const Catalogue& catalogue, const Covered& covered);
// Errc::malformed for what encode_index did not write.
[[nodiscard]] Result<Index> decode_index(std::string_view bytes);

}  // namespace countersign::audit::review
