// SPDX-License-Identifier: Apache-2.0
// The situation in which platform readers are fuzzed: one open request on one card.
#pragma once

#include "channels/chat_sight.hpp"
#include "channels/intent.hpp"
#include "channels/keys.hpp"
#include "core/ports/open_requests.hpp"
#include "core/request.hpp"

#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace countersign::channels::fuzz {

inline void require(bool holds) {
    if (!holds) std::abort();
}

inline const Ulid shown{WallTime{std::chrono::milliseconds{1'763'258'400'000}}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 1}};

struct OneOpen final : OpenRequests {
    OneOpen() {
        Request made;
        made.id = shown;
        made.body = Approval{.display_text = "ls",
                             .options = {{.option_id = "allow", .label = "Allow", .effect = Effect::allow},
                                         {.option_id = "deny", .label = "Deny", .effect = Effect::deny}}};
        request = std::make_shared<const Request>(std::move(made));
    }
    std::optional<OpenRequest> open_request(const Ulid& id) const override {
        if (id != shown) return std::nullopt;
        return OpenRequest{.request = request, .offered = request->approval()->options};
    }
    std::vector<OpenRequest> open_requests() const override { return {*open_request(shown)}; }
    std::vector<OpenRequest> open_requests_for(const std::string&) const override { return open_requests(); }
    [[nodiscard]] std::vector<Halt> halts_for(const std::string&) const override { return {}; }
    [[nodiscard]] std::vector<Grant> grants_for(const std::string&) const override { return {}; }
    [[nodiscard]] Result<void> check(const Attempt&) const override { return {}; }
    [[nodiscard]] std::optional<Winner> ended(const Ulid&) const override { return std::nullopt; }
    std::shared_ptr<const Request> request;
};

// A channel named "chat" with one card for a pending request.
struct Room {
    Room(const std::string& chat, const std::string& message, std::string person) : person{std::move(person)} {
        Presentation presentation;
        presentation.id = 1;
        presentation.request = open.request;
        cards.landed(cards.add(std::move(presentation), chat), message);
    }
    Room(const Room&) = delete;
    Room& operator=(const Room&) = delete;
    [[nodiscard]] ChatSight sight() const {
        return {.channel = channel,
                .bot_name = bot_name,
                .keys = {tokens, codes},
                .open = open,
                .cards = cards,
                .chats = chats,
                .known = known};
    }
    std::string channel = "chat";
    std::string bot_name = "countersign_bot";
    security::ButtonTokens tokens{security::Secret{std::string_view{"a button key of the tests alone"}}};
    security::ShortCodes codes{security::Secret{std::string_view{"a code key of the tests alone"}}};
    OneOpen open;
    Cards cards;
    Chats chats;
    std::string person;  // the known person
    std::function<bool(const std::string&)> known = [this](const std::string& who) { return who == person; };
};

// A decision must be the sender's own, and about the request that is shown in this chat.
inline void require_own(const Intent& intent, const std::string& principal, bool is_shown_there) {
    const auto* decide = std::get_if<Decide>(&intent);
    if (decide == nullptr) return;
    require(decide->attempt.principal == principal);
    require(decide->attempt.request_id == shown && is_shown_there);
    require(decide->attempt.where.channel == "chat");
}

}  // namespace countersign::channels::fuzz
