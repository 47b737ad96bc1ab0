// SPDX-License-Identifier: Apache-2.0
// Output: text for the standard streams.
//
// Nothing here throws or aborts: a closed pipe, a full disk or a lost terminal must not end a hub that agents wait for.
// A command whose output is its result calls result_written() at its end.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <string>
#include <string_view>

namespace countersign::app {

// Writes and flushes, unless the stream is diverted. Text that the stream does not accept is lost.
void write_to(std::FILE* stream, std::string_view text) noexcept;
// The same, bypassing any diversion.
void write_through(std::FILE* stream, std::string_view text) noexcept;

// OutputDiversion: while it lives, text for these streams goes to `take`, which is called on the writing thread. It
// serves a terminal that shows cards: a line in the middle of a card could pass for part of it.
class OutputDiversion {
public:
    using Take = std::function<void(std::FILE* stream, std::string text)>;
    struct Streams {
        bool out = false;
        bool error = false;
    };
    // Only one may exist at a time.
    OutputDiversion(Streams streams, Take take);
    OutputDiversion(const OutputDiversion&) = delete;
    OutputDiversion& operator=(const OutputDiversion&) = delete;
    ~OutputDiversion();
};

// Writes to standard error, for the operator.
template <class... Values> void tell(fmt::format_string<Values...> format, Values&&... values) {
    write_to(stderr, fmt::format(format, std::forward<Values>(values)...));
}
// Writes to standard output.
template <class... Values> void show(fmt::format_string<Values...> format, Values&&... values) {
    write_to(stdout, fmt::format(format, std::forward<Values>(values)...));
}

// False if something written to standard output was lost.
[[nodiscard]] bool result_written() noexcept;
// Whether standard output is a pipe that its reader has closed.
[[nodiscard]] bool reader_left() noexcept;

}  // namespace countersign::app
