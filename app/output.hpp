// SPDX-License-Identifier: Apache-2.0
// Output: what the program says on its standard streams.
//
// Nothing here fails loudly: a closed pipe, a full disk or a terminal that went away must not end a hub on which agents
// wait. A command whose result is what it prints asks result_written() at its end.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string_view>

namespace countersign::app {

// Writes it out at once; what the stream does not take is lost.
void write_to(std::FILE* stream, std::string_view text) noexcept;

// To standard error: for whoever operates the program.
template <class... Values> void tell(fmt::format_string<Values...> format, Values&&... values) {
    write_to(stderr, fmt::format(format, std::forward<Values>(values)...));
}
// To standard output.
template <class... Values> void show(fmt::format_string<Values...> format, Values&&... values) {
    write_to(stdout, fmt::format(format, std::forward<Values>(values)...));
}

// False, when something that was written to standard output is not there.
[[nodiscard]] bool result_written() noexcept;

}  // namespace countersign::app
