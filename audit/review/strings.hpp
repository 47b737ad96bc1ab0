// SPDX-License-Identifier: Apache-2.0
// Strings: each text once, and a number for it. A log has a few agents, people and tools in a million records.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace countersign::audit::review {

class Strings {
public:
    using Id = std::uint32_t;
    static constexpr Id empty = 0;  // the number of the empty text, which is always there

    Strings() : texts_(1) {}
    // Texts are found by views into themselves.
    Strings(const Strings&) = delete;
    Strings& operator=(const Strings&) = delete;
    Strings(Strings&&) = default;  // NOLINT(performance-noexcept-move-constructor): a deque's is not
    Strings& operator=(Strings&&) = default;
    ~Strings() = default;

    [[nodiscard]] Id id_of(std::string_view text);
    // Precondition: id < size().
    [[nodiscard]] std::string_view at(Id id) const { return texts_[id]; }
    [[nodiscard]] std::size_t size() const { return texts_.size(); }
    // Gives the next number to a text.
    void add(std::string text) { texts_.push_back(std::move(text)); }

private:
    std::deque<std::string> texts_;
    std::unordered_map<std::string_view, Id> ids_;  // made when a text is looked for: mere readers need none
    std::size_t looked_up_ = 0;                     // how many texts it has
};

}  // namespace countersign::audit::review
