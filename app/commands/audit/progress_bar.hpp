// SPDX-License-Identifier: Apache-2.0
// ProgressBar: how far a command is that reads a long log, on one line of the terminal that is gone when it ends.
//
// It stands on standard error, and only where that is a terminal: a pipe gets the result and nothing else. It appears
// after a blink, so that a short log shows none. Ctrl-C leaves the line empty too.
#pragma once

#include "audit/progress.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace countersign::app {

// The line, without escapes, one column narrower than the terminal: "checking [███   ] 43 %  4,096 records  98,123/s  7
// s left". What does not fit is left out, the least important first. Precondition: `since` is not negative.
[[nodiscard]] std::string progress_line(const audit::Progress& progress, std::chrono::milliseconds since,
                                        std::size_t columns, bool utf8);

class ProgressBar {
public:
    // For a command that prints its result at its end.
    ProgressBar();
    // For one that prints while it reads: none where both would stand on the same terminal, or in a pager.
    enum class Output { at_the_end, meanwhile };
    explicit ProgressBar(Output output);
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;
    ~ProgressBar();

    // Empty where nothing would be drawn. The bar must outlive it.
    [[nodiscard]] audit::Watch watch();
    void clear();

private:
    using Time = std::chrono::steady_clock::time_point;
    void at(const audit::Progress& progress);

    bool shown_;
    bool utf8_;
    bool drawn_ = false;
    std::string doing_;        // and since when: the second time over the log has a speed of its own
    std::uint64_t bytes_ = 0;  // that it was at
    Time began_ = std::chrono::steady_clock::now();
    Time step_began_ = began_;
    std::optional<Time> drawn_at_;
};

}  // namespace countersign::app
