// SPDX-License-Identifier: Apache-2.0
#include "core/hub/draft_book.hpp"

#include "core/limits.hpp"

#include <utility>

namespace countersign {

std::optional<Draft> DraftBook::draft_of(const Ulid& request, const std::string& principal) const {
    const auto found = drafts_.find(key_of(request, principal));
    return found == drafts_.end() ? std::nullopt : std::optional{found->second};
}

void DraftBook::keep(const Ulid& request, const std::string& principal, Draft draft) {
    if (context_.pending.find(request) == nullptr) return;
    const auto [place, is_new] = drafts_.insert_or_assign(key_of(request, principal), std::move(draft));
    if (!is_new) return;
    by_age_.push_back(place->first);
    if (by_age_.size() <= limits::chat_drafts_max) return;
    drafts_.erase(by_age_.front());
    by_age_.pop_front();
}

void DraftBook::forget(const Ulid& request) {
    const auto is_of = [&](const Key& key) { return std::get<Ulid>(key) == request; };
    if (std::erase_if(drafts_, [&](const auto& entry) { return is_of(entry.first); }) > 0) {
        std::erase_if(by_age_, is_of);
    }
}

DraftBook::Key DraftBook::key_of(const Ulid& request, const std::string& principal) const {
    const auto* person = context_.configuration->person_of(principal);
    return person == nullptr ? Key{request, false, principal} : Key{request, true, person->name};
}

}  // namespace countersign
