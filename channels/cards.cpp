// SPDX-License-Identifier: Apache-2.0
#include "channels/cards.hpp"

#include "core/limits.hpp"

#include <algorithm>
#include <iterator>

namespace countersign::channels {

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
    if (moves_.size() > limits::chat_moved_max) moves_.pop_front();
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
    by_chat_[chat].insert(id);
    Card card;
    card.reader = presentation.to.principal;
    card.presentation = std::move(presentation);
    card.chat = std::move(chat);
    return cards_.insert_or_assign(id, std::move(card)).first->second;
}

Card* Cards::find(DeliveryId id) {
    const auto found = cards_.find(id);
    return found == cards_.end() ? nullptr : &found->second;
}

void Cards::note(const Card& card, const std::string& message, ReasonPrompt prompt) {
    const auto& shown = card.presentation;
    by_message_.insert_or_assign({card.chat, message},
                                 Shown{shown.request->id, shown.audience.language, std::move(prompt)});
}

void Cards::document_landed(Card& card, std::string message) {
    note(card, message);
    card.document = std::move(message);
}

void Cards::reminder_landed(Card& card, std::string message) {
    note(card, message);
    card.reminders.push_back(std::move(message));
}

std::optional<std::string> Cards::prompt_landed(Card& card, const std::string& message, ReasonPrompt prompt) {
    const std::span chat{&card.chat, 1};
    auto old = std::ranges::find_if(card.prompts, [&](const std::string& one) {
        const auto there = prompt_at(chat, one);
        return there.kind == prompt.kind && there.principal == prompt.principal;
    });
    if (old == card.prompts.end() && card.prompts.size() >= limits::reason_prompts_max) old = card.prompts.begin();
    std::optional<std::string> forgotten;
    if (old != card.prompts.end()) {
        const auto there = prompt_at(chat, *old);
        if (there.kind == ReasonPrompt::Kind::offers) forgotten = *old;
        if (there.kind == ReasonPrompt::Kind::asks) card.asked.erase(there.principal);
        by_message_.erase({card.chat, *old});
        card.prompts.erase(old);
    }
    if (prompt.kind == ReasonPrompt::Kind::asks) card.asked.insert(prompt.principal);
    card.prompts.push_back(message);
    note(card, message, std::move(prompt));
    return forgotten;
}

Cards::Landed Cards::landed(Card& card, const std::string& message) {
    if (card.message == message) return Landed::known;
    if (!card.message) {
        note(card, message);
        card.message = message;
        return Landed::first;
    }
    if (card.doubles.size() >= limits::chat_doubles_max || card.has(message)) return Landed::known;
    note(card, message);
    card.doubles.push_back(message);
    return Landed::again;
}

void Cards::conclude(Card& card, const Conclusion& conclusion) {
    if (!card.conclusion) ++concluded_;
    card.conclusion = conclusion;
}

void Cards::forget(DeliveryId id) {
    const auto found = cards_.find(id);
    if (found == cards_.end()) return;
    auto& card = found->second;
    const auto request = card.presentation.request->id;
    auto messages = std::move(card.doubles);
    std::ranges::move(card.reminders, std::back_inserter(messages));
    std::ranges::move(card.prompts, std::back_inserter(messages));
    if (card.message) messages.push_back(std::move(*card.message));
    if (card.document) messages.push_back(std::move(*card.document));
    if (card.conclusion) --concluded_;
    by_request_.erase({request, id});
    const auto in_chat = by_chat_.find(card.chat);
    in_chat->second.erase(id);
    if (in_chat->second.empty()) by_chat_.erase(in_chat);
    ended_in_[card.chat].push_back(request);
    ended_.push_back({request, std::move(card.chat), std::move(messages)});
    cards_.erase(found);
    if (ended_.size() > limits::chat_ended_kept_max) forget_oldest_ended();
}

void Cards::forget_oldest_ended() {
    const auto& oldest = ended_.front();
    for (const auto& message : oldest.messages) {
        // A platform may use a name again; then it is another card's by now.
        const auto found = by_message_.find({oldest.chat, message});
        if (found != by_message_.end() && found->second.request == oldest.request) by_message_.erase(found);
    }
    const auto in_chat = ended_in_.find(oldest.chat);
    in_chat->second.pop_front();
    if (in_chat->second.empty()) ended_in_.erase(in_chat);
    ended_.pop_front();
}

void Cards::remember_earlier(const Ulid& request, const std::string& chat, const std::string& message) {
    if (const auto known = by_message_.find({chat, message}); known != by_message_.end()) return;
    by_message_.emplace(MessageTarget{chat, message}, Shown{request, {}});
    ended_in_[chat].push_back(request);
    ended_.push_back({request, chat, {message}});
    if (ended_.size() > limits::chat_ended_kept_max) forget_oldest_ended();
}

// Of two topics of a chat, it is in the one that the platform names.
std::optional<DeliveryId> Cards::unanswered(const Copy& copy) const {
    const auto found = of_request(copy.request);
    const auto fits = std::ranges::find_if(found, [&](DeliveryId id) {
        const auto& card = cards_.at(id);
        const auto& thread = card.presentation.to.thread;
        return card.chat == copy.chat && generation_digit(card.presentation.generation) == copy.generation &&
               (thread.empty() || copy.thread.empty() || thread == copy.thread) && !card.conclusion &&
               card.told_by_press < card.unanswered;
    });
    return fits == found.end() ? std::nullopt : std::optional{*fits};
}

bool Cards::is_kept(const Ulid& request, const std::string& chat, const std::string& message) const {
    return std::ranges::any_of(of_request(request), [&](DeliveryId id) {
        const auto& card = cards_.at(id);
        return card.chat == chat && card.has(message);
    });
}

std::vector<DeliveryId> Cards::of_request(const Ulid& request) const {
    std::vector<DeliveryId> found;
    for (auto at = by_request_.lower_bound({request, 0}); at != by_request_.end() && at->first == request; ++at) {
        found.push_back(at->second);
    }
    return found;
}

std::vector<Ulid> Cards::shown_in(Names chat) const {
    std::vector<Ulid> shown;
    std::set<Ulid> known;
    const auto add = [&](const Ulid& request) {
        if (known.insert(request).second) shown.push_back(request);
    };
    for (const auto& name : chat) {
        if (const auto ended = ended_in_.find(name); ended != ended_in_.end())
            std::ranges::for_each(ended->second, add);
    }
    for (const auto& name : chat) {
        const auto open = by_chat_.find(name);
        if (open == by_chat_.end()) continue;
        for (const auto id : open->second) add(cards_.at(id).presentation.request->id);
    }
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

bool Cards::is_current(const Ulid& request, Names chat, const std::string& message) const {
    return std::ranges::any_of(of_request(request), [&](DeliveryId id) {
        const auto& card = cards_.at(id);
        return !card.retired && is_one_of(chat, card.chat) && card.has(message);
    });
}

bool Cards::whole_in(const Ulid& request, Names chat) const {
    return std::ranges::any_of(of_request(request), [&](DeliveryId id) {
        const auto& card = cards_.at(id);
        return card.message && !card.document_refused && is_one_of(chat, card.chat);
    });
}

std::string Cards::language_in(const Ulid& request, Names chat) const {
    for (const auto id : of_request(request)) {
        const auto& card = cards_.at(id);
        if (is_one_of(chat, card.chat)) return card.presentation.audience.language;
    }
    return {};
}

std::string Cards::newest_language_in(Names chat) const {
    DeliveryId newest = 0;
    for (const auto& name : chat) {
        const auto open = by_chat_.find(name);
        if (open != by_chat_.end()) newest = std::max(newest, *open->second.rbegin());
    }
    return newest == 0 ? std::string{} : cards_.at(newest).presentation.audience.language;
}

std::optional<std::string> Cards::chat_of(const Ulid& request, Names chat) const {
    for (const auto id : of_request(request)) {
        if (is_one_of(chat, cards_.at(id).chat)) return cards_.at(id).chat;
    }
    return std::nullopt;
}

const Cards::Shown* Cards::shown_at(Names chat, const std::string& message) const {
    for (const auto& name : chat) {
        if (const auto found = by_message_.find({name, message}); found != by_message_.end()) return &found->second;
    }
    return nullptr;
}

std::optional<Ulid> Cards::request_of(Names chat, const std::string& message) const {
    const auto* shown = shown_at(chat, message);
    return shown == nullptr ? std::nullopt : std::optional{shown->request};
}

ReasonPrompt Cards::prompt_at(Names chat, const std::string& message) const {
    const auto* shown = shown_at(chat, message);
    return shown == nullptr ? ReasonPrompt{} : shown->prompt;
}

std::string Cards::language_of(Names chat, const std::string& message) const {
    const auto* shown = shown_at(chat, message);
    return shown == nullptr ? std::string{} : shown->language;
}

}  // namespace countersign::channels
