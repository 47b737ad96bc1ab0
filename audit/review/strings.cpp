// SPDX-License-Identifier: Apache-2.0
#include "audit/review/strings.hpp"

#include "core/limits.hpp"
#include "core/utf8.hpp"

#include <algorithm>
#include <functional>

namespace countersign::audit::review {
namespace {

std::size_t hash_of_text(std::string_view text) { return std::hash<std::string_view>{}(text); }
std::size_t hash_of_set(const Sets::Set& set) {
    return std::hash<std::uint64_t>{}((std::uint64_t{set.before} << 32U) | set.last);
}

}  // namespace

Strings::Id Strings::id_of(std::string_view text) {
    text = utf8::head(text, limits::review_text_bytes_max);
    const auto hash_of = [this](Id id) { return hash_of_text(at(id)); };
    for (; looked_up_ < size(); ++looked_up_) {
        const auto id = static_cast<Id>(looked_up_);
        ids_.add(hash_of(id), id, hash_of);
    }
    const auto hash = hash_of_text(text);
    if (const auto found = ids_.find(hash, [&](Id id) { return at(id) == text; })) return *found;
    const auto id = static_cast<Id>(size());
    bytes_ += text;
    ends_.push_back(bytes_.size());
    ids_.add(hash, id, hash_of);
    ++looked_up_;
    return id;
}

Sets::Id Sets::with(Id set, Strings::Id text, Strings::Id rest) {
    const auto known = parts(set);
    if (known.size() > limits::review_set_parts_max || std::ranges::find(known, text) != known.end()) return set;
    return id_of({.before = set, .last = known.size() == limits::review_set_parts_max ? rest : text});
}

Sets::Id Sets::id_of(const Set& set) {
    const auto hash_of = [this](Id id) { return hash_of_set(sets_[id]); };
    for (; looked_up_ < size(); ++looked_up_) {
        const auto id = static_cast<Id>(looked_up_);
        ids_.add(hash_of(id), id, hash_of);
    }
    const auto hash = hash_of_set(set);
    if (const auto found = ids_.find(hash, [&](Id id) { return sets_[id] == set; })) return *found;
    const auto id = static_cast<Id>(size());
    sets_.push_back(set);
    ids_.add(hash, id, hash_of);
    ++looked_up_;
    return id;
}

std::vector<Strings::Id> Sets::parts(Id set) const {
    std::vector<Strings::Id> found;
    for (; set != empty; set = sets_[set].before) found.push_back(sets_[set].last);
    std::ranges::reverse(found);
    return found;
}

}  // namespace countersign::audit::review
