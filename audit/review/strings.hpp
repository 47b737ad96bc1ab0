// SPDX-License-Identifier: Apache-2.0
// Strings: stores each text once, under an id. A million records name few agents, people and tools, and many sessions.
//
// Sets: the same for sets of texts. A set is its last element and the id of the set before it was added, so growing a
// set costs one element and not a copy.
#pragma once

#include "audit/review/number_table.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace countersign::audit::review {

class Strings {
public:
    using Id = std::uint32_t;
    static constexpr Id empty = 0;  // the id of the empty text, which always exists

    // The id of the text, cut to review_text_bytes_max.
    [[nodiscard]] Id id_of(std::string_view text);
    // Valid until the next text is added. Precondition: id < size().
    [[nodiscard]] std::string_view at(Id id) const {
        return std::string_view{bytes_}.substr(ends_[id] - length(id), length(id));
    }
    [[nodiscard]] std::size_t size() const { return ends_.size(); }

    // For a file: all texts concatenated, and where each ends.
    [[nodiscard]] const std::string& bytes() const { return bytes_; }
    [[nodiscard]] const std::vector<std::uint64_t>& ends() const { return ends_; }
    Strings() = default;
    // Precondition: the ends ascend, the first is 0 and the last is the number of bytes.
    Strings(std::string bytes, std::vector<std::uint64_t> ends) : bytes_{std::move(bytes)}, ends_{std::move(ends)} {}

private:
    [[nodiscard]] std::size_t length(Id id) const { return id == 0 ? 0 : ends_[id] - ends_[id - 1]; }

    std::string bytes_;
    std::vector<std::uint64_t> ends_{0};
    NumberTable ids_;            // built when a text is first looked up: readers don't need it
    std::size_t looked_up_ = 0;  // how many texts it covers
};

class Sets {
public:
    using Id = std::uint32_t;
    static constexpr Id empty = 0;
    struct Set {
        Id before = empty;
        Strings::Id last = Strings::empty;
        friend bool operator==(const Set&, const Set&) = default;
    };
    static_assert(std::has_unique_object_representations_v<Set>);

    // The set with this text added, if it is not in it. A full set gets `rest` instead, once.
    [[nodiscard]] Id with(Id set, Strings::Id text, Strings::Id rest);
    // In the order in which they were added. Precondition: set < size().
    [[nodiscard]] std::vector<Strings::Id> parts(Id set) const;
    [[nodiscard]] std::size_t size() const { return sets_.size(); }

    [[nodiscard]] const std::vector<Set>& all() const { return sets_; }
    Sets() = default;
    // Precondition: the first set exists and is empty, and each set comes after the one it extends.
    explicit Sets(std::vector<Set> sets) : sets_{std::move(sets)} {}

private:
    [[nodiscard]] Id id_of(const Set& set);

    std::vector<Set> sets_ = std::vector<Set>(1);
    NumberTable ids_;
    std::size_t looked_up_ = 1;  // the empty set is never looked up
};

}  // namespace countersign::audit::review
