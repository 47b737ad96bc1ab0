// SPDX-License-Identifier: Apache-2.0
// Reads JSON (RFC 8259) strictly and reports what its canonical form would lose.
//
// Takes linear time, bounds depth and size, and doesn't throw. Loss isn't an error here: an agent may send such JSON
// and must get an answer. The caller then hashes the raw bytes and doesn't offer "always".
#pragma once

#include "core/json/value.hpp"
#include "core/limits.hpp"
#include "core/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace countersign::json {

enum class Loss {
    duplicate_name,    // readers disagree on which member is used
    lone_surrogate,    // invalid Unicode; read as U+FFFD
    inexact_integer,   // an integer that a double can't represent: 9007199254740993
    inexact_fraction,  // more digits than a double keeps: 333333333.33333329
    number_range,      // not finite, or non-zero but read as zero: 1e400, 1e-400
};
[[nodiscard]] std::string_view name(Loss loss);

struct LossNote {
    Loss loss;
    std::string where;  // the member name or the lexeme, shortened; agent text, so sanitise it before showing it
};

struct Document {
    Value value;
    std::vector<LossNote> losses;  // at most one of each kind
    [[nodiscard]] bool exact() const { return losses.empty(); }
};

// Fails with Errc::malformed and the byte offset, also for invalid UTF-8; with Errc::too_large past json_depth_max or
// `bytes_max`. Only white space may follow the value.
[[nodiscard]] Result<Document> read(std::string_view text, std::size_t bytes_max = limits::json_bytes_max);

}  // namespace countersign::json
