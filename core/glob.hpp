// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace countersign {

// `*` is any run of characters (also none, also '/'), `?` any one byte, everything else itself. Linear in practice and
// never exponential.
[[nodiscard]] bool glob_fits(std::string_view pattern, std::string_view text);
// The same where upper and lower case of ASCII are one: for the names of hosts.
[[nodiscard]] bool glob_fits_folded(std::string_view pattern, std::string_view text);

}  // namespace countersign
