// SPDX-License-Identifier: Apache-2.0
// Reads JSON (RFC 8259) strictly and notices what a canonical form would lose.
//
// Linear time, bounded depth and size, no exception. Loss is no error here: an agent may send such a thing and must get
// an answer; it is up to the caller to hash the raw bytes and offer no "always".
#pragma once

#include "core/json/value.hpp"
#include "core/limits.hpp"
#include "core/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace countersign::json {

enum class Loss {
    duplicate_name,    // readers disagree on which member counts
    lone_surrogate,    // the text is no Unicode; read as U+FFFD
    inexact_integer,   // an integer that a double cannot hold: 9007199254740993
    inexact_fraction,  // more digits than a double keeps: 333333333.33333329
    number_range,      // not finite, or not zero but read as zero: 1e400, 1e-400
};
[[nodiscard]] std::string_view name(Loss loss);

struct LossNote {
    Loss loss;
    std::string where;  // the member name or the lexeme, shortened; it is agent text: sanitise before showing
};

struct Document {
    Value value;
    std::vector<LossNote> losses;  // at most one of each kind
    [[nodiscard]] bool exact() const { return losses.empty(); }
};

// Errc::malformed with the byte offset; Errc::too_large past json_depth_max or `bytes_max`. Invalid UTF-8 is malformed.
// Nothing may follow the value but white space.
[[nodiscard]] Result<Document> read(std::string_view text, std::size_t bytes_max = limits::json_bytes_max);

}  // namespace countersign::json
