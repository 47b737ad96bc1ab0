// SPDX-License-Identifier: Apache-2.0
// A platform that nobody has: calls are lines of text. It keeps what it was sent and answers as it was told.
#pragma once

#include "channels/messenger.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace countersign::channels::fakes {

inline std::string marks_of(const Presentation& shown) {
    const auto& chosen = shown.state.chosen;
    return chosen.empty() ? "" : ", " + std::to_string(chosen.front().size()) + " marks";
}

class FakeMessenger final : public Messenger, public Renderer {
public:
    [[nodiscard]] const Renderer& renderer() const override { return *this; }
    [[nodiscard]] Capabilities capabilities() const override { return can; }
    [[nodiscard]] Parcel card(const Presentation& shown, const MessageTarget& spot, WallTime /*now*/) const override {
        auto where = spot.target;
        if (!spot.thread.empty()) where += " topic " + spot.thread;
        if (spot.reply_to) where += " below " + *spot.reply_to;
        const auto votes = std::to_string(shown.state.votes.size()) + " votes" + marks_of(shown);
        Parcel parcel{.document = std::nullopt, .card = post("card to " + where + ", " + votes), .without_allow = {}};
        parcel.whole = whole;
        if (!long_text) return parcel;
        parcel.document = post("document to " + where);
        parcel.without_allow = post("card without allow to " + where);
        return parcel;
    }
    [[nodiscard]] Outgoing update(const Presentation& shown, const MessageTarget&, const std::string& message, WallTime,
                                  bool may_allow) const override {
        const auto votes = std::to_string(shown.state.votes.size()) + " votes" + marks_of(shown);
        return edit(message, votes + (may_allow ? "" : ", without allow"));
    }
    [[nodiscard]] Outgoing marks(const Presentation& shown, const MessageTarget&,
                                 const std::string& message) const override {
        return edit(message, std::to_string(shown.state.chosen.at(0).size()) + " marks");
    }
    [[nodiscard]] Outgoing retired(const MessageTarget&, const std::string& message) const override {
        return edit(message, "no buttons");
    }
    [[nodiscard]] Outgoing conclusion(const Presentation&, const MessageTarget& spot, const std::string& message,
                                      const Conclusion& conclusion) const override {
        return edit(message, std::string{name(conclusion.outcome)} + " in " + spot.target);
    }
    [[nodiscard]] Outgoing conclusion_reply(const Presentation& shown, const MessageTarget&,
                                            const std::string& document, const Conclusion& conclusion) const override {
        return post("below " + document + " in " + shown.audience.language + ": " +
                    std::string{name(conclusion.outcome)});
    }
    [[nodiscard]] Outgoing earlier(const MessageTarget&, const std::string& message,
                                   const Conclusion& conclusion) const override {
        return edit(message, "earlier, " + std::string{name(conclusion.outcome)});
    }
    [[nodiscard]] Outgoing earlier(const MessageTarget&, const std::string& message,
                                   const EarlierNews& news) const override {
        return edit(message, news.state == EarlierNews::State::waits ? "earlier, waits" : "earlier, goes on");
    }
    [[nodiscard]] Outgoing reminder(const Presentation&, const MessageTarget& spot, const std::string& message,
                                    const Reminder& reminder) const override {
        const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(reminder.waited).count();
        return post("below " + message + " in " + spot.target + ": waits for " + std::to_string(minutes) + " min");
    }
    [[nodiscard]] Outgoing session_end(const MessageTarget& spot, const SessionEnd& end) const override {
        auto where = spot.target;
        if (!spot.thread.empty()) where += " topic " + spot.thread;
        return post("below " + spot.reply_to.value_or("") + " in " + where + ": " + end.session_key + " ended" +
                    (end.failure.empty() ? "" : ", " + end.failure));
    }
    [[nodiscard]] Outgoing announcement(const MessageTarget& spot, const Announcement& announcement) const override {
        return post(announcement.heading + " to " + spot.target);
    }

    [[nodiscard]] Result<std::string> chat_of(const Recipient& to) const override { return to.chat; }
    [[nodiscard]] bool is_group(const std::string& /*chat*/) const override { return true; }
    [[nodiscard]] bool is_message(const std::string& name) const override { return name.starts_with('m'); }
    [[nodiscard]] Outgoing reply(const MessageTarget& spot, const Phrase& words) const override {
        const auto whom = spot.only_for.empty() ? "" : " for " + spot.only_for;
        return post("reply below " + spot.reply_to.value_or("") + " in " + spot.target + whom + ": " + words.text());
    }
    [[nodiscard]] Outgoing answer(const std::string& query, const Phrase& words, bool alert) const override {
        return {"answer", query + (alert ? "! " : ": ") + words.text()};
    }
    [[nodiscard]] Outgoing document(const Request&, const std::vector<Option>&, const MessageTarget& spot,
                                    Language) const override {
        return post("document below " + spot.reply_to.value_or("") + " in " + spot.target);
    }
    [[nodiscard]] Outgoing reason_wanted(const MessageTarget& spot, const ReasonWanted& wanted,
                                         Language) const override {
        return post("reason wanted of " + wanted.person + " below " + wanted.card + " in " + spot.target);
    }
    [[nodiscard]] Outgoing reason_modal(const std::string& query, const MessageTarget& spot, const ReasonWanted& wanted,
                                        Language) const override {
        return {"modal", query + " in " + spot.target + ": " + wanted.person + " on " + wanted.card};
    }
    [[nodiscard]] std::optional<Reply> reason_modal_in_slot(const MessageTarget&, const ReasonWanted& wanted,
                                                            Language) const override {
        if (!modal_in_slot) return std::nullopt;
        return Reply{.content_type = "text/plain", .body = "modal for " + wanted.button};
    }
    [[nodiscard]] Outgoing reason_offer(const Presentation&, const MessageTarget& spot, Language) const override {
        return post("offer below " + spot.reply_to.value_or("") + " in " + spot.target);
    }

    boost::asio::awaitable<Tried> send(Outgoing call) override {
        const auto executor = co_await boost::asio::this_coro::executor;
        sent.push_back(std::get<std::string>(call.body));
        co_await boost::asio::post(executor, boost::asio::use_awaitable);  // a real call suspends, so this one does too
        if (down) co_return Tried{.kind = Tried::Kind::retry, .why = "not reached"};
        if (!answers.empty()) {
            auto answer = std::move(answers.front());
            answers.pop_front();
            co_return answer;
        }
        if (!call.posts) co_return Tried{};
        co_return Tried{.message = "m" + std::to_string(++last_message_)};
    }

    bool long_text = false;  // a document goes ahead of each card
    bool whole = true;       // a card shows everything
    bool down = false;       // nothing gets through
    bool modal_in_slot = false;
    Capabilities can;
    std::string edit_bucket;  // of every edit
    std::deque<Tried> answers;
    std::vector<std::string> sent;

private:
    static Outgoing post(std::string text) { return {"post", std::move(text), true}; }
    [[nodiscard]] Outgoing edit(const std::string& message, const std::string& text) const {
        Outgoing call{"edit", message + ": " + text};
        call.bucket = edit_bucket;
        return call;
    }

    int last_message_ = 0;
};

}  // namespace countersign::channels::fakes
