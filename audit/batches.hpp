// SPDX-License-Identifier: Apache-2.0
// Reads the records of a segment batch by batch, each batch once its signature is there.
//
// It verifies neither signatures nor the chain; the verifier does. It serves readers that need complete records, not
// proofs.
#pragma once

#include "audit/record.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace countersign::audit {

struct BatchRecord {
    std::string_view json;  // as in the bytes
    Record record;
    std::uint64_t offset = 0;  // where its line begins
};

struct BatchesRead {
    std::uint64_t end = 0;              // after the last signed line
    std::optional<std::string> damage;  // position of the first unreadable line, which is left out
};

// Returns all complete batches from the offset on. The offset must be the beginning of a line.
[[nodiscard]] BatchesRead read_batches(std::string_view bytes, std::uint64_t offset,
                                       const std::function<void(BatchRecord&&)>& take);

}  // namespace countersign::audit
