// SPDX-License-Identifier: Apache-2.0
// Formats counts for people. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace countersign {

// "1,234,567"
[[nodiscard]] std::string grouped(std::uint64_t number);

// "1 record", "2 records", "1,234 people". Without `many`, the plural is `one` with an s.
[[nodiscard]] std::string counted(std::uint64_t count, std::string_view one, std::string_view many = {});

}  // namespace countersign
