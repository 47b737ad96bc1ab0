// SPDX-License-Identifier: Apache-2.0
// Strings: each text once, and a number for it. A log has a few agents, people and tools in a million records, and many
// sessions.
//
// Sets: the same for sets of texts. A set is its last part and the set before that was added, so that one that grows
// costs what was added and not all of it again.
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
    static constexpr Id empty = 0;  // the number of the empty text, which is always there

    // The number of the text, or of as much of it as review_text_bytes_max lets in.
    [[nodiscard]] Id id_of(std::string_view text);
    // Valid until the next text is added. Precondition: id < size().
    [[nodiscard]] std::string_view at(Id id) const {
        return std::string_view{bytes_}.substr(ends_[id] - length(id), length(id));
    }
    [[nodiscard]] std::size_t size() const { return ends_.size(); }

    // As they go to a file: all texts one behind the other, and where each ends.
    [[nodiscard]] const std::string& bytes() const { return bytes_; }
    [[nodiscard]] const std::vector<std::uint64_t>& ends() const { return ends_; }
    Strings() = default;
    // Precondition: the ends ascend, the first is 0 and the last the number of bytes.
    Strings(std::string bytes, std::vector<std::uint64_t> ends) : bytes_{std::move(bytes)}, ends_{std::move(ends)} {}

private:
    [[nodiscard]] std::size_t length(Id id) const { return id == 0 ? 0 : ends_[id] - ends_[id - 1]; }

    std::string bytes_;
    std::vector<std::uint64_t> ends_{0};
    NumberTable ids_;            // made when a text is looked for: mere readers need none
    std::size_t looked_up_ = 0;  // how many texts it has
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

    // The set with one text more, if it does not have it. One that is full gets `rest` in its place, once.
    [[nodiscard]] Id with(Id set, Strings::Id text, Strings::Id rest);
    // In the order in which they were added. Precondition: set < size().
    [[nodiscard]] std::vector<Strings::Id> parts(Id set) const;
    [[nodiscard]] std::size_t size() const { return sets_.size(); }

    [[nodiscard]] const std::vector<Set>& all() const { return sets_; }
    Sets() = default;
    // Precondition: there is a first, which is empty, and each comes after the one before it.
    explicit Sets(std::vector<Set> sets) : sets_{std::move(sets)} {}

private:
    [[nodiscard]] Id id_of(const Set& set);

    std::vector<Set> sets_ = std::vector<Set>(1);
    NumberTable ids_;
    std::size_t looked_up_ = 1;  // the empty one is never looked for
};

}  // namespace countersign::audit::review
