// SPDX-License-Identifier: Apache-2.0
// AnswerSlot: the one answer that Discord takes to what a person did, and waits for only so long. What is known by then
// fills it: words for that person alone, a window, or the card as it is now. Else it says that the result follows.
#pragma once

#include "channels/discord/message.hpp"
#include "channels/handling.hpp"
#include "core/ports/inbound.hpp"

#include <optional>
#include <string>
#include <utility>

namespace countersign::channels::discord {

class AnswerSlot final : public ReplySlot {
public:
    // `deferral` is the answer where nothing else is known in time. `filled` is called once.
    AnswerSlot(Json deferral, Handled filled) : deferral_{std::move(deferral)}, filled_{std::move(filled)} {}

    // The card of this name says what comes of it, so nothing is said that only notes it.
    void quiet_on(std::string card) { card_ = std::move(card); }
    [[nodiscard]] const std::optional<std::string>& card() const { return card_; }

    bool fill(Reply reply) override {
        if (card_ && is_note(reply)) return noted_ = true;
        if (reply_) return false;
        reply_ = std::move(reply);
        filled_();
        return true;
    }
    // The edit that the card gets: one without buttons is the answer. One with buttons may be overtaken by the next.
    void show(const std::string& edit) {
        if (edit.find("\"custom_id\"") != std::string::npos) return defer();
        auto data = Json::parse(edit, nullptr, false);
        if (!data.is_object()) return defer();
        if (!reply_) fill(json_reply({{"type", update_type}, {"data", std::move(data)}}));
    }
    // Nothing more will be said. What was only noted waits for its card until the time is over.
    void finish() {
        if (!noted_) defer();
    }
    void defer() {
        if (reply_) return;
        deferred_ = true;
        fill(json_reply(deferral_));
    }

    [[nodiscard]] bool is_open() const { return !reply_; }
    [[nodiscard]] bool is_deferred() const { return deferred_; }
    // Precondition: it is filled.
    [[nodiscard]] const Reply& reply() const { return *reply_; }

private:
    static constexpr int update_type = 7;
    Json deferral_;
    Handled filled_;
    std::optional<std::string> card_;
    bool noted_ = false;
    bool deferred_ = false;
    std::optional<Reply> reply_;
};

// Nothing is said: of answers that are taken one after the other only the last is told.
class SilentSlot final : public ReplySlot {
public:
    bool fill(Reply /*reply*/) override { return true; }
};

}  // namespace countersign::channels::discord
