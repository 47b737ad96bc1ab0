// SPDX-License-Identifier: Apache-2.0
// The records of a segment as a reader may see them: batch by batch, each when its signature is there.
//
// It checks no signature and no link: `verify` does. Whoever only looks at a log needs it whole, not proved.
#pragma once

#include "audit/record.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace countersign::audit {

struct BatchRecord {
    std::string_view json;  // as it stands in the bytes
    Record record;
    std::uint64_t offset = 0;  // where its line begins
};

struct BatchesRead {
    std::uint64_t end = 0;              // behind the last line that is signed
    std::optional<std::string> damage;  // where the first line is that cannot be read; it is left out
};

// All complete batches from the offset on, which is where a line begins.
[[nodiscard]] BatchesRead read_batches(std::string_view bytes, std::uint64_t offset,
                                       const std::function<void(BatchRecord&&)>& take);

}  // namespace countersign::audit
