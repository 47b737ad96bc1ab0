// SPDX-License-Identifier: Apache-2.0
// The last look at text before it leaves for a platform.
//
// The display fields of a request were sanitised when it was made, and sanitising twice would escape the escapes. So
// this leaves sanitised text as it is, byte for byte, and still escapes a control that slipped through.
#pragma once

#include "security/display/display.hpp"

#include <string>
#include <string_view>

namespace countersign::channels {

// `also` names what else a platform would not show as it is, all of it above U+00FF.
[[nodiscard]] std::string guarded(std::string_view sanitised, security::DisplayMode mode,
                                  bool (*also)(char32_t character) = nullptr);

// Text that nobody sanitised, on one line: what a person typed, an error's detail.
[[nodiscard]] std::string displayed_line(std::string_view raw);

}  // namespace countersign::channels
