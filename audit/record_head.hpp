// SPDX-License-Identifier: Apache-2.0
// The few members of a record that tie it to the others, for readers of whole logs.
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
    std::string text_file = {};  // empty if its text is in the record
    friend bool operator==(const RecordHead&, const RecordHead&) = default;
};

// Takes and refuses exactly what parse_record does.
[[nodiscard]] Result<RecordHead> read_head(std::string_view json);

// The quick half of it: reads records as the log writes them, and looks at every byte. Nothing for any other text, be
// it a record or not, so that it never has to be right about what is unusual.
[[nodiscard]] std::optional<RecordHead> scan_head(std::string_view json);

}  // namespace countersign::audit
