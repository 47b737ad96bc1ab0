// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/cards.hpp"

#include "core/limits.hpp"

#include <algorithm>

namespace countersign::channels::telegram {

namespace {

bool is_one_of(std::span<const std::string> names, const std::string& chat) {
    return std::ranges::find(names, chat) != names.end();
}

}  // namespace

bool Chats::moved(const std::string& from, const std::string& to) {
    for (const auto* at = &to; at != nullptr; at = next(*at)) {
        if (*at == from) return false;
    }
    std::erase_if(moves_, [&](const auto& move) { return move.first == from; });
    moves_.emplace_back(from, to);
    if (moves_.size() > limits::telegram_moved_max) moves_.pop_front();
    return true;
}

const std::string* Chats::next(const std::string& chat) const {
    const auto move = std::ranges::find(moves_, chat, &std::pair<std::string, std::string>::first);
    return move == moves_.end() ? nullptr : &move->second;
}

std::string Chats::target(const std::string& chat) const {
    const auto* target = &chat;
    // It ends, because no move that closes a circle was noted.
    while (const auto* further = next(*target)) target = further;
    return *target;
}

std::vector<std::string> Chats::names(const std::string& chat) const {
    std::vector<std::string> names{chat};
    for (const auto& [from, to] : moves_) {
        if (from != chat && target(from) == target(chat)) names.push_back(from);
        if (from == chat) names.push_back(target(chat));
    }
    return names;
}

Card& Cards::add(Presentation presentation, std::string chat) {
    const auto id = presentation.id;
    by_request_.emplace(presentation.request->id, id);
    Card card;
    card.presentation = std::move(presentation);
    card.chat = std::move(chat);
    return cards_.insert_or_assign(id, std::move(card)).first->second;
}

Card* Cards::find(DeliveryId id) {
    const auto found = cards_.find(id);
    return found == cards_.end() ? nullptr : &found->second;
}

void Cards::forget(DeliveryId id) {
    const auto found = cards_.find(id);
    if (found == cards_.end()) return;
    const auto& request = found->second.presentation.request->id;
    ended_.push_back({request, found->second.chat, found->second.message});
    if (ended_.size() > limits::telegram_ended_kept_max) ended_.pop_front();
    const auto [first, last] = by_request_.equal_range(request);
    by_request_.erase(std::find_if(first, last, [id](const auto& entry) { return entry.second == id; }));
    cards_.erase(found);
}

std::vector<DeliveryId> Cards::all() const {
    std::vector<DeliveryId> ids;
    for (const auto& [id, card] : cards_) ids.push_back(id);
    return ids;
}

std::vector<DeliveryId> Cards::of_request(const Ulid& request) const {
    std::vector<DeliveryId> ids;
    const auto [first, last] = by_request_.equal_range(request);
    for (auto at = first; at != last; ++at) ids.push_back(at->second);
    return ids;
}

std::vector<Ulid> Cards::shown_in(Names chat) const {
    std::vector<Ulid> shown;
    const auto add = [&](const Ulid& request, const std::string& where) {
        if (is_one_of(chat, where) && std::ranges::find(shown, request) == shown.end()) shown.push_back(request);
    };
    for (const auto& ended : ended_) add(ended.request, ended.chat);
    for (const auto& [id, card] : cards_) add(card.presentation.request->id, card.chat);
    return shown;
}

std::optional<std::uint32_t> Cards::newest_generation(const Ulid& request, Names chat) const {
    std::optional<std::uint32_t> newest;
    for (const auto id : of_request(request)) {
        const auto& card = cards_.at(id);
        if (is_one_of(chat, card.chat)) newest = std::max(newest.value_or(0), card.presentation.generation);
    }
    return newest;
}

bool Cards::whole_in(const Ulid& request, Names chat) const {
    return std::ranges::any_of(of_request(request), [&](DeliveryId id) {
        const auto& card = cards_.at(id);
        return card.message && !card.document_refused && is_one_of(chat, card.chat);
    });
}

std::optional<std::string> Cards::chat_of(const Ulid& request, Names chat) const {
    for (const auto id : of_request(request)) {
        if (is_one_of(chat, cards_.at(id).chat)) return cards_.at(id).chat;
    }
    return std::nullopt;
}

std::optional<Ulid> Cards::request_of(Names chat, std::int64_t message) const {
    for (const auto& [id, card] : cards_) {
        const bool is_it = card.message == message || card.document == message ||
                           std::ranges::find(card.doubles, message) != card.doubles.end();
        if (is_it && is_one_of(chat, card.chat)) return card.presentation.request->id;
    }
    const auto ended = std::ranges::find_if(
        ended_, [&](const Ended& one) { return one.message == message && is_one_of(chat, one.chat); });
    if (ended != ended_.end()) return ended->request;
    return std::nullopt;
}

}  // namespace countersign::channels::telegram
