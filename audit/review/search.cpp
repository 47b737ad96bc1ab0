// SPDX-License-Identifier: Apache-2.0
#include "audit/review/search.hpp"

#include "core/limits.hpp"
#include "security/crockford.hpp"

#include <algorithm>
#include <charconv>

namespace countersign::audit::review {
namespace {

Result<Named> numbered(std::string_view digits) {
    std::uint64_t seq = 0;
    const std::string text{digits};
    const auto* end = text.data() + text.size();
    const auto [stop, failure] = std::from_chars(text.data(), end, seq);
    if (digits.empty() || failure != std::errc{} || stop != end) {
        return Error{Errc::malformed, "write a record as # and its number, as in #123"};
    }
    return Named{NumberedRecord{seq}};
}

// Ids are written in upper case.
std::string upper(std::string_view text) {
    std::string result{text};
    for (auto& letter : result) {
        if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
    }
    return result;
}

// One of the 26 characters of an id, counted from its end, without formatting the others: there may be a million ids.
char character_from_end(const Ulid& id, std::size_t at) {
    const auto& bytes = id.bytes();
    const auto bit = at * 5;
    const auto byte = bytes.size() - 1 - bit / 8;
    const unsigned above = byte > 0 ? bytes[byte - 1] : 0U;
    const unsigned pair = (above << 8U) | bytes[byte];
    return security::crockford_digits[(pair >> (bit % 8)) & 31U];
}

// Whether the id contains the part, which begins this many characters before the id's end.
bool has_part(const Ulid& id, std::string_view part, std::size_t from_end) {
    for (const char character : part) {
        if (character_from_end(id, --from_end) != character) return false;
    }
    return true;
}

}  // namespace

Result<Named> look_up(const Catalogue& catalogue, std::string_view text) {
    if (text.starts_with('#')) return numbered(text.substr(1));
    const auto part = upper(text);
    const bool possible = part.size() >= limits::review_id_chars_min && part.size() <= limits::approval_id_chars &&
                          std::ranges::all_of(part, [](char c) { return security::crockford_value(c).has_value(); });
    if (!possible) {
        return Error{Errc::malformed, "write a request's id, at least " + std::to_string(limits::review_id_chars_min) +
                                          " characters of its beginning or end, or a record as #123"};
    }
    std::vector<Ulid> found;
    for (const auto& life : catalogue.lives()) {
        const bool begins = has_part(life.id, part, limits::approval_id_chars);
        if (begins || has_part(life.id, part, part.size())) found.push_back(life.id);
    }
    return Named{std::move(found)};
}

}  // namespace countersign::audit::review
