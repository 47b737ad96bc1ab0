// SPDX-License-Identifier: Apache-2.0
// DeadLetters: the latest messages that were given up, for operators who ask what didn't arrive. Older ones are only
// counted; the log has them.
#pragma once

#include "core/limits.hpp"
#include "core/ports/channel.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>

namespace countersign {

class DeadLetters {
public:
    void keep(DeadLetter letter) {
        ++count_of_[letter.channel];
        kept_.push_back(std::move(letter));
        if (kept_.size() > limits::dead_letters_kept_max) kept_.pop_front();
    }
    [[nodiscard]] const std::deque<DeadLetter>& kept() const { return kept_; }  // oldest first
    // Totals since the start, by channel. There are at most as many names as the configuration has had.
    [[nodiscard]] const std::map<std::string, std::uint64_t>& counts() const { return count_of_; }

private:
    std::deque<DeadLetter> kept_;
    std::map<std::string, std::uint64_t> count_of_;
};

}  // namespace countersign
