// SPDX-License-Identifier: Apache-2.0
// BodyBudget: how many bytes of bodies may be in memory that no handler has verified. Whoever connects can send those,
// so a bound on each body and on the connections is not enough.
//
// The first bytes of each body are free: what a platform really delivers is small, and must get in while strangers hold
// the rest.
#pragma once

#include <cstddef>

namespace countersign::gateway {

class BodyBudget {
public:
    BodyBudget(std::size_t bytes_max, std::size_t free_of_each) : left_{bytes_max}, free_of_each_{free_of_each} {}

    // What one body takes, given back when this ends. The budget outlives it.
    class Share {
    public:
        explicit Share(BodyBudget& budget) : budget_{budget}, free_{budget.free_of_each_} {}
        Share(const Share&) = delete;
        Share& operator=(const Share&) = delete;
        ~Share() { budget_.left_ += taken_; }
        // False: there is no room for so many bytes more, and none are taken.
        [[nodiscard]] bool take(std::size_t bytes);

    private:
        BodyBudget& budget_;
        std::size_t free_;
        std::size_t taken_ = 0;
    };

private:
    std::size_t left_;
    std::size_t free_of_each_;
};

}  // namespace countersign::gateway
