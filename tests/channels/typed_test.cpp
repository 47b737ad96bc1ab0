// SPDX-License-Identifier: Apache-2.0
// What typed words mean, on a platform that nobody has.
#include "channels/typed.hpp"

#include "core/limits.hpp"
#include "tests/fakes/world.hpp"

#include <gtest/gtest.h>

namespace countersign::channels {
namespace {

using countersign::fakes::question_request;
using countersign::fakes::shell_request;
using namespace std::chrono_literals;

struct Table final : OpenRequests {
    [[nodiscard]] std::optional<OpenRequest> open_request(const Ulid& id) const override {
        for (const auto& one : requests) {
            if (one.request->id == id) return one;
        }
        return std::nullopt;
    }
    [[nodiscard]] std::vector<OpenRequest> open_requests() const override { return requests; }
    [[nodiscard]] std::vector<OpenRequest> open_requests_for(const std::string&) const override { return {}; }
    [[nodiscard]] std::vector<Halt> halts_for(const std::string&) const override { return {}; }
    [[nodiscard]] std::vector<Grant> grants_for(const std::string&) const override { return {}; }
    [[nodiscard]] std::optional<Winner> ended(const Ulid&) const override { return std::nullopt; }
    std::vector<OpenRequest> requests;
};

class TypedTest : public ::testing::Test {
protected:
    // Shown in the room, whole.
    Ulid shown(Request request, const std::string& chat = "room") {
        Presentation made;
        made.id = ++last;
        made.request = std::make_shared<const Request>(std::move(request));
        if (const auto* approval = made.request->approval()) made.offered = approval->options;
        table.requests.push_back({.request = made.request, .offered = made.offered});
        const auto id = made.request->id;
        cards.landed(cards.add(std::move(made), chat), "m" + std::to_string(last));
        return id;
    }
    Ulid shown(const std::string& command = "ls") { return shown(shell_request(ids.next(), command)); }
    Typed text(std::string words) const {
        Typed typed{.chat = "room", .message = "t1", .principal = "talk:1", .text = std::move(words)};
        typed.made = WallTime{7s};
        return typed;
    }
    Meaning read(const Typed& typed) const {
        return read_typed(typed,
                          {.channel = "ops",
                           .bot_name = bot,
                           .codes = codes,
                           .open = table,
                           .cards = cards,
                           .chats = chats,
                           .known = known},
                          {.at = BootTime{5s}, .after_gap = true});
    }
    Meaning read(std::string words) const { return read(text(std::move(words))); }
    static std::string said(const Meaning& meaning) {
        const auto* words = std::get_if<Say>(&meaning);
        return words == nullptr ? "(nothing)" : words->words.text();
    }
    [[nodiscard]] std::string code(const Ulid& id) const { return codes.code(id, "room"); }

    countersign::fakes::FakeIds ids;
    security::ShortCodes codes{security::Secret{std::string_view{"a code key of the tests alone"}}};
    std::string bot = "signer";
    Table table;
    Cards cards;
    Chats chats;
    std::function<bool(const std::string&)> known = [](const std::string& who) { return who == "talk:1"; };
    DeliveryId last = 0;
};

TEST_F(TypedTest, ACommandIsAnAttemptWithAllThatIsKnownOfIt) {
    const auto id = shown();
    const auto meaning = read("/deny " + code(id) + " not today");
    const auto* decide = std::get_if<Decide>(&meaning);
    ASSERT_NE(decide, nullptr);
    const auto& attempt = decide->attempt;
    EXPECT_EQ(attempt.request_id, id);
    EXPECT_EQ(attempt.principal, "talk:1");
    EXPECT_EQ(std::get<Choose>(attempt.what).option_id, "deny");
    EXPECT_EQ(attempt.reason, "not today");
    EXPECT_EQ(attempt.where, (Place{"ops", "room", "", "t1"}));
    EXPECT_EQ(attempt.made, WallTime{7s});
    EXPECT_EQ(attempt.arrived, BootTime{5s});
    EXPECT_TRUE(attempt.after_gap);
}

TEST_F(TypedTest, I4_WhoCannotBeNamedDecidesNothing) {
    const auto id = shown();
    auto typed = text("/approve " + code(id));
    typed.anonymous = true;
    EXPECT_NE(said(read(typed)).find("cannot tell who you are"), std::string::npos);
    typed.anonymous = false;
    typed.second_hand = true;
    EXPECT_NE(said(read(typed)).find("forwarded"), std::string::npos);
    typed.second_hand = false;
    typed.by_bot = true;
    EXPECT_TRUE(std::holds_alternative<Nothing>(read(typed)));
    typed.by_bot = false;
    EXPECT_TRUE(std::holds_alternative<Decide>(read(typed)));
}

TEST_F(TypedTest, BareWordsCountWhereNobodyElseReads) {
    const auto id = shown();
    auto typed = text("approve " + code(id));
    EXPECT_TRUE(std::holds_alternative<Nothing>(read(typed)));
    typed.direct = true;
    EXPECT_TRUE(std::holds_alternative<Decide>(read(typed)));
    typed.text = "good morning";
    EXPECT_NE(said(read(typed)).find("This chat is room, and you are talk:1."), std::string::npos);
}

TEST_F(TypedTest, I10_ACodeOfAnotherChatNamesNothing) {
    const auto id = shown(shell_request(ids.next(), "secret-command"), "hall");
    EXPECT_EQ(said(read("/approve " + codes.code(id, "hall"))),
              "No request of this chat has that code. Open here:\nnothing");
    EXPECT_EQ(said(read("/approve " + id.str())), "No request of this chat has that code. Open here:\nnothing");
}

TEST_F(TypedTest, AChatThatMovedIsTheSameChat) {
    const auto id = shown();
    ASSERT_TRUE(chats.moved("room", "big-room"));
    auto typed = text("/approve " + code(id));
    typed.chat = "big-room";
    const auto meaning = read(typed);
    ASSERT_TRUE(std::holds_alternative<Decide>(meaning));
    EXPECT_EQ(std::get<Decide>(meaning).attempt.where.chat, "room") << "the name under which it was shown";
}

TEST_F(TypedTest, I7_AnAllowNeedsTheWholeTextInThisChatAndADenyDoesNot) {
    const auto id = shown();
    cards.find(1)->document_refused = true;
    EXPECT_NE(said(read("/approve " + code(id))).find("whole text was not delivered here"), std::string::npos);
    EXPECT_TRUE(std::holds_alternative<Decide>(read("/deny " + code(id))));
}

TEST_F(TypedTest, AReplyIsAnAnswerToAQuestionAndNoDecision) {
    shown();
    auto typed = text("ok always");
    typed.reply_to = "m1";
    EXPECT_TRUE(said(read(typed)).starts_with("That decides nothing."));
    const auto question = shown(question_request(ids.next()));
    typed.reply_to = "m2";
    const auto meaning = read(typed);
    ASSERT_TRUE(std::holds_alternative<Write>(meaning));
    EXPECT_EQ(std::get<Write>(meaning).attempt.request_id, question);
    EXPECT_EQ(std::get<Write>(meaning).text, "ok always");
    typed.reply_to = "m3";
    EXPECT_TRUE(std::holds_alternative<Nothing>(read(typed)));
}

TEST_F(TypedTest, AStrangerIsToldNothingOfWhatIsOpen) {
    shown("secret-command");
    auto typed = text("/pending");
    typed.principal = "talk:2";
    EXPECT_EQ(said(read(typed)), "I do not know you. To me you are talk:2; whoever runs Countersign can add you.");
    EXPECT_NE(said(read("/pending")).find("secret-command"), std::string::npos);
}

TEST_F(TypedTest, I13_AListIsCutAndSoIsEachLine) {
    shown("one\ntwo " + std::string(100, 'x'));
    auto list = said(read("/pending"));
    EXPECT_NE(list.find("dev, Bash: one⏎two xxx"), std::string::npos) << list;
    EXPECT_NE(list.find("x…\n"), std::string::npos);
    while (last < limits::telegram_listed_max) shown();
    EXPECT_EQ(said(read("/pending")).find("more"), std::string::npos);
    shown();
    EXPECT_TRUE(said(read("/pending")).ends_with("and 1 more"));
}

TEST_F(TypedTest, WhatHasEndedIsLeftToTheHubToTell) {
    const auto id = shown();
    table.requests.clear();
    const auto meaning = read("/approve " + code(id));
    ASSERT_TRUE(std::holds_alternative<Decide>(meaning));
    EXPECT_EQ(std::get<Choose>(std::get<Decide>(meaning).attempt.what).option_id, "");
    EXPECT_EQ(said(read("/more " + code(id))), "This request is no longer open.");
}

}  // namespace
}  // namespace countersign::channels
