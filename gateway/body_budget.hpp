// SPDX-License-Identifier: Apache-2.0
// BodyBudget: bounds the memory for bodies that no handler has verified. Anyone who can connect can send such bodies,
// so bounding each body and the number of connections is not enough.
//
// The first bytes of each body are free: real deliveries are small, and must get in even while an attacker uses up the
// budget.
#pragma once

#include <cstddef>

namespace countersign::gateway {

class BodyBudget {
public:
    BodyBudget(std::size_t bytes_max, std::size_t free_of_each) : left_{bytes_max}, free_of_each_{free_of_each} {}

    // The part of the budget that one body uses; returned on destruction. The budget must outlive it.
    class Share {
    public:
        explicit Share(BodyBudget& budget) : budget_{budget}, free_{budget.free_of_each_} {}
        Share(const Share&) = delete;
        Share& operator=(const Share&) = delete;
        ~Share() { budget_.left_ += taken_; }
        // Takes this many more bytes. False if they do not fit; then nothing is taken.
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
