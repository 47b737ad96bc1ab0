// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace countersign {

// `*` matches any run of characters (including none and '/'), `?` any single byte, every other character itself.
// Usually takes linear time, never exponential.
[[nodiscard]] bool glob_fits(std::string_view pattern, std::string_view text);
// The same, ignoring ASCII case. For host names.
[[nodiscard]] bool glob_fits_folded(std::string_view pattern, std::string_view text);

}  // namespace countersign
