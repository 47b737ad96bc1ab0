// SPDX-License-Identifier: Apache-2.0
// Output: what the program says on its standard streams.
//
// Nothing here fails loudly: a closed pipe, a full disk or a terminal that went away must not end a hub on which agents
// wait. A command whose result is what it prints asks result_written() at its end.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <string>
#include <string_view>

namespace countersign::app {

// Writes it out at once, unless it is diverted; what the stream does not take is lost.
void write_to(std::FILE* stream, std::string_view text) noexcept;
// The same past any diversion.
void write_through(std::FILE* stream, std::string_view text) noexcept;

// OutputDiversion: while it lives, what would be written to these streams goes to `take` instead, which is called on
// the thread that writes. For a terminal that shows cards: a line in the middle of one could pass for a part of it.
class OutputDiversion {
public:
    using Take = std::function<void(std::FILE* stream, std::string text)>;
    struct Streams {
        bool out = false;
        bool error = false;
    };
    // One at a time.
    OutputDiversion(Streams streams, Take take);
    OutputDiversion(const OutputDiversion&) = delete;
    OutputDiversion& operator=(const OutputDiversion&) = delete;
    ~OutputDiversion();
};

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
// Whether standard output is a pipe that nobody reads any more.
[[nodiscard]] bool reader_left() noexcept;

}  // namespace countersign::app
