// SPDX-License-Identifier: Apache-2.0
#include "channels/discord/interactions.hpp"

#include "channels/discord/bounds.hpp"

#include <functional>
#include <utility>
#include <variant>

namespace countersign::channels::discord {

namespace {

// "interactions/<id>/words".
std::string_view id_in(std::string_view path) {
    constexpr std::string_view first = "interactions/";
    constexpr std::string_view last = "/words";
    if (path.size() <= first.size() + last.size() || !path.starts_with(first) || !path.ends_with(last)) return {};
    return path.substr(first.size(), path.size() - first.size() - last.size());
}

std::size_t digest_of(const Outgoing& call) {
    std::string all;
    if (const auto* text = std::get_if<std::string>(&call.body)) {
        all = *text;
    } else {
        for (const auto& part : std::get<Form>(call.body)) all += part.name + "\n" + part.data + "\n";
    }
    const auto digest = std::hash<std::string>{}(all);
    return digest == 0 ? 1 : digest;
}

}  // namespace

void Interactions::keep(const Interaction& interaction, BootTime now) {
    forget(now);
    const Kept kept{.interaction = interaction, .until = now + limits::discord_interaction_life};
    if (kept_.emplace(interaction.id, kept).second) by_age_.push_back(interaction.id);
}

// All live equally long, so the order that they came in is the order that they end in.
void Interactions::forget(BootTime now) {
    while (!by_age_.empty()) {
        const auto oldest = kept_.find(by_age_.front());
        if (by_age_.size() < limits::discord_interactions_max && oldest->second.until > now) return;
        kept_.erase(oldest);
        by_age_.pop_front();
    }
}

void Interactions::thinking(const std::string& id) {
    if (const auto found = kept_.find(id); found != kept_.end()) found->second.thinking = !found->second.said;
}

bool Interactions::resolve(Outgoing& call, BootTime now) {
    const auto found = kept_.find(id_in(call.path));
    if (found == kept_.end() || found->second.until <= now) return false;
    auto& kept = found->second;
    const auto digest = digest_of(call);
    if (kept.thinking) kept.original = digest;
    kept.thinking = false;
    kept.said = true;
    call.path = "webhooks/" + kept.interaction.application + "/" + kept.interaction.token;
    if (kept.original == digest) {
        call.path += "/messages/@original";
        call.verb = HttpMethod::patch;
    }
    return true;
}

}  // namespace countersign::channels::discord
