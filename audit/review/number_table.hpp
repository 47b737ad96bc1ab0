// SPDX-License-Identifier: Apache-2.0
// NumberTable: a hash table from a key's hash to the index of an object stored elsewhere. Four bytes a slot, because
// there may be a million objects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace countersign::audit::review {

class NumberTable {
public:
    // `is(number)` tells whether this is the object.
    template <class Is> [[nodiscard]] std::optional<std::uint32_t> find(std::size_t hash, const Is& is) const {
        if (slots_.empty()) return std::nullopt;
        for (auto at = place(hash);; at = next(at)) {
            if (slots_[at] == free) return std::nullopt;
            if (is(slots_[at])) return slots_[at];
        }
    }

    // Precondition: the object is not in the table. `hash_of(number)` returns the hash of any object in it.
    template <class HashOf> void add(std::size_t hash, std::uint32_t number, const HashOf& hash_of) {
        if ((used_ + 1) * 4 > slots_.size() * 3) grow(hash_of);
        put(hash, number);
        ++used_;
    }

private:
    static constexpr std::uint32_t free = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::size_t slots_min = 16;

    // Mixes in the high bits, because the hashes of similar objects differ there.
    [[nodiscard]] std::size_t place(std::size_t hash) const {
        constexpr std::uint64_t odd = 0x9E3779B97F4A7C15U;
        return static_cast<std::size_t>((hash * odd) >> 32U) & (slots_.size() - 1);
    }
    [[nodiscard]] std::size_t next(std::size_t at) const { return (at + 1) & (slots_.size() - 1); }
    void put(std::size_t hash, std::uint32_t number) {
        auto at = place(hash);
        while (slots_[at] != free) at = next(at);
        slots_[at] = number;
    }
    template <class HashOf> void grow(const HashOf& hash_of) {
        std::vector<std::uint32_t> before(slots_.empty() ? slots_min : slots_.size() * 2, free);
        before.swap(slots_);
        for (const auto number : before) {
            if (number != free) put(hash_of(number), number);
        }
    }

    std::vector<std::uint32_t> slots_;  // the size is a power of two
    std::size_t used_ = 0;
};

}  // namespace countersign::audit::review
