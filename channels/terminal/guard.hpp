// SPDX-License-Identifier: Apache-2.0
// The last look at text before it goes to a terminal, which obeys what it is sent.
#pragma once

#include <string>
#include <string_view>

namespace countersign::channels::terminal {

[[nodiscard]] std::string guarded_line(std::string_view sanitised);   // a newline is shown as ⏎
[[nodiscard]] std::string guarded_block(std::string_view sanitised);  // newlines stay

// Text that nobody sanitised: what a person typed, an error's detail.
[[nodiscard]] std::string shown_line(std::string_view raw);

}  // namespace countersign::channels::terminal
