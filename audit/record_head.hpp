// SPDX-License-Identifier: Apache-2.0
// The few members of a record that link it to the others, for code that reads whole logs.
#pragma once

#include "audit/merkle.hpp"
#include "core/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace countersign::audit {

struct RecordHead {
    std::uint64_t seq = 0;
    std::uint64_t synced = 0;
    Hash prev_root{};
    std::string kind;
    std::string text_file = {};  // empty if the whole text is in the record
    friend bool operator==(const RecordHead&, const RecordHead&) = default;
};

// Accepts and refuses exactly what parse_record does.
[[nodiscard]] Result<RecordHead> read_head(std::string_view json);

// The fast path of read_head: reads records as the log writes them, and looks at every byte. Returns nothing for any
// other text, valid or not, so it never has to judge unusual input.
[[nodiscard]] std::optional<RecordHead> scan_head(std::string_view json);

}  // namespace countersign::audit
