// SPDX-License-Identifier: Apache-2.0
// ProgressBar: the progress of a command that reads a long log, on one terminal line that disappears when it ends.
//
// Drawn on standard error, and only on a terminal: a pipe gets the result and nothing else. It appears after a short
// delay, so a short log shows none. Ctrl-C clears the line too.
#pragma once

#include "audit/progress.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace countersign::app {

// The line, without escapes, one column narrower than the terminal:
// "checking [███   ] 43 %  4,096 records  98,123/s  7 s left". Drops the least important parts that do not fit.
// Precondition: `since` is not negative.
[[nodiscard]] std::string progress_line(const audit::Progress& progress, std::chrono::milliseconds since,
                                        std::size_t columns, bool utf8);

class ProgressBar {
public:
    // For a command that prints its result at the end.
    ProgressBar();
    // `meanwhile`: for a command that prints while it reads. No bar if both would be on the same terminal or in a
    // pager.
    enum class Output { at_the_end, meanwhile };
    explicit ProgressBar(Output output);
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;
    ~ProgressBar();

    // Empty if nothing would be drawn. The bar must outlive it.
    [[nodiscard]] audit::Watch watch();
    void clear();

private:
    using Time = std::chrono::steady_clock::time_point;
    void at(const audit::Progress& progress);

    bool shown_;
    bool utf8_;
    bool drawn_ = false;
    std::string doing_;        // the current phase; each phase measures its own speed
    std::uint64_t bytes_ = 0;  // bytes read at the last update
    Time began_ = std::chrono::steady_clock::now();
    Time step_began_ = began_;
    std::optional<Time> drawn_at_;
};

}  // namespace countersign::app
