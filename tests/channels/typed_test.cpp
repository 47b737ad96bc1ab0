// SPDX-License-Identifier: Apache-2.0
// What typed words mean, on a platform that nobody has.
#include "channels/typed.hpp"

#include "core/limits.hpp"
#include "tests/fakes/world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::channels {
namespace {

using countersign::fakes::question_request;
using countersign::fakes::shell_request;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using namespace std::chrono_literals;

struct Table final : OpenRequests {
    [[nodiscard]] std::optional<OpenRequest> open_request(const Ulid& id) const override {
        for (const auto& one : requests) {
            if (one.request->id == id) return one;
        }
        return std::nullopt;
    }
    [[nodiscard]] std::vector<OpenRequest> open_requests() const override { return requests; }
    [[nodiscard]] std::vector<OpenRequest> open_requests_for(const std::string& principal) const override {
        return principal == decider ? requests : std::vector<OpenRequest>{};
    }
    [[nodiscard]] std::vector<Halt> halts_for(const std::string& principal) const override {
        return principal == decider ? halts : std::vector<Halt>{};
    }
    [[nodiscard]] std::vector<Grant> grants_for(const std::string& principal) const override {
        return principal == decider ? grants : std::vector<Grant>{};
    }
    [[nodiscard]] Result<void> check(const Attempt& attempt) const override {
        if (attempt.principal == decider) return {};
        return Error{Errc::not_authorised, "not a decider"};
    }
    [[nodiscard]] std::optional<Winner> ended(const Ulid&) const override { return std::nullopt; }
    std::string decider = "talk:1";
    std::vector<OpenRequest> requests;
    std::vector<Halt> halts;
    std::vector<Grant> grants;
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
    Intent read(const Typed& typed) const {
        return read_typed(typed,
                          {.channel = "ops",
                           .bot_name = bot,
                           .keys = {tokens, codes},
                           .open = table,
                           .cards = cards,
                           .chats = chats,
                           .known = known,
                           .typing = typing,
                           .language = language,
                           .locked = locked},
                          {.at = BootTime{5s}, .after_gap = true});
    }
    Intent read(std::string words) const { return read(text(std::move(words))); }
    static std::string said(const Intent& intent) {
        if (const auto* wrong = std::get_if<WrongCode>(&intent)) return "(wrong) " + wrong->words.text();
        const auto* refuse = std::get_if<Refuse>(&intent);
        if (refuse != nullptr) return refuse->words.pieces().empty() ? "(nothing)" : refuse->words.text();
        const auto* words = std::get_if<Say>(&intent);
        return words == nullptr ? "(nothing)" : words->words.text();
    }
    [[nodiscard]] std::string code(const Ulid& id) const { return codes.code(id, "room"); }

    countersign::fakes::FakeIds ids;
    security::ButtonTokens tokens{security::Secret{std::string_view{"a button key of the tests alone"}}};
    security::ShortCodes codes{security::Secret{std::string_view{"a code key of the tests alone"}}};
    std::string bot = "signer";
    Table table;
    Cards cards;
    Chats chats;
    // talk:1 may decide, talk:2 is known and may not, talk:3 is a stranger.
    std::function<bool(const std::string&)> known = [](const std::string& who) { return who != "talk:3"; };
    TypingRules typing;
    Language language;
    bool locked = false;
    DeliveryId last = 0;
};

TEST_F(TypedTest, I11_EveryNoToAnAttemptIsARefusalThatNamesWhoAndWhat) {
    const auto id = shown();
    const auto refusal = [&](const Typed& typed) {
        const auto intent = read(typed);
        const auto* refuse = std::get_if<Refuse>(&intent);
        return refuse == nullptr
                   ? std::string{"none"}
                   : refuse->attempt.principal + " on " + refuse->attempt.channel + ": " + refuse->why.detail;
    };
    auto typed = text("/approve " + id.str());
    typed.anonymous = true;
    EXPECT_EQ(refusal(typed), "talk:1 on ops: sent in the name of a chat");
    typed.anonymous = false;
    typed.by_bot = true;
    EXPECT_EQ(refusal(typed), "talk:1 on ops: sent by a bot");
    typed.by_bot = false;
    typed.second_hand = true;
    EXPECT_EQ(refusal(typed), "talk:1 on ops: forwarded, or sent through a bot");
    typed.second_hand = false;
    typed.edited = true;
    EXPECT_EQ(refusal(typed), "talk:1 on ops: an edited message");
    typed.edited = false;
    typed.automatic = true;
    EXPECT_EQ(refusal(typed), "talk:1 on ops: a scheduled or automatic message");
    typed.automatic = false;
    typed.answers_elsewhere = true;
    EXPECT_EQ(refusal(typed), "talk:1 on ops: a reply to a message of another chat");
    for (const auto* words : {"/help", "/pending", "good morning"}) {
        typed.text = words;
        EXPECT_EQ(refusal(typed), "none") << "it tries nothing";
    }
    typed = text("/answer " + code(id) + " 5");
    EXPECT_EQ(refusal(typed), "talk:1 on ops: this command does not fit the request");
    typed = text("/approve it");
    EXPECT_EQ(refusal(typed), "talk:1 on ops: a code that names nothing here");
    typed = text("/approve 00000000");
    typed.principal = "talk:3";
    EXPECT_EQ(refusal(typed), "talk:3 on ops: a code that names nothing here");
    locked = true;
    EXPECT_EQ(refusal(text("/approve " + code(id))), "talk:1 on ops: locked after too many wrong codes");
}

TEST_F(TypedTest, I11_AReplyThatIsNotAPersonsOwnFirstWordsIsRefusedAndNamesTheRequest) {
    const auto id = shown();
    shown(question_request(ids.next()));
    cards.prompt_landed(*cards.find(1), "p1", {.kind = ReasonPrompt::Kind::asks});
    for (const auto flag : {&Typed::anonymous, &Typed::by_bot, &Typed::second_hand, &Typed::edited, &Typed::automatic,
                            &Typed::answers_elsewhere}) {
        auto typed = text("not today");
        typed.*flag = true;
        EXPECT_FALSE(std::holds_alternative<Refuse>(read(typed))) << "about nothing";
        for (const auto* message : {"m1", "m2", "p1"}) {
            typed.reply_to = message;
            const auto intent = read(typed);
            ASSERT_TRUE(std::holds_alternative<Refuse>(intent)) << message;
            const auto& refuse = std::get<Refuse>(intent);
            EXPECT_EQ(refuse.attempt.request_id == id, typed.reply_to != "m2");
            EXPECT_EQ(refuse.attempt.principal, "talk:1");
            EXPECT_EQ(refuse.why.code, Errc::unsupported);
        }
    }
}

TEST_F(TypedTest, ACommandIsAnAttemptWithAllThatIsKnownOfIt) {
    const auto id = shown();
    const auto intent = read("/deny " + code(id) + " not today");
    const auto* decide = std::get_if<Decide>(&intent);
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
    EXPECT_NE(said(read(typed)).find("can't tell who you are"), std::string::npos);
    typed.anonymous = false;
    typed.second_hand = true;
    EXPECT_NE(said(read(typed)).find("forwarded"), std::string::npos);
    typed.second_hand = false;
    typed.by_bot = true;
    EXPECT_EQ(said(read(typed)), "(nothing)");
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
    EXPECT_THAT(said(read(typed)), AllOf(StartsWith("approve CODE: "), HasSubstr("\nhalt NAME, resume NAME: ")));
    EXPECT_THAT(said(read("/help")), AllOf(StartsWith("/approve CODE: "), HasSubstr("\n/halt NAME, /resume NAME: ")));
    EXPECT_NE(said(read(typed)).find("This chat is room, and you are talk:1."), std::string::npos);
}

TEST_F(TypedTest, I10_ACodeOfAnotherChatNamesNothing) {
    const auto id = shown(shell_request(ids.next(), "secret-command"), "hall");
    const auto unknown = "(wrong) No open request in this chat has that code.\nOpen in this chat:\nnothing";
    EXPECT_EQ(said(read("/approve " + codes.code(id, "hall"))), unknown);
    EXPECT_EQ(said(read("/approve " + id.str())), unknown);
    EXPECT_EQ(said(read("/approve it")), "No open request in this chat has that code.\nOpen in this chat:\nnothing")
        << "a word that is no code is no guess";
}

TEST_F(TypedTest, WhereAnAllowNeedsTheOwnCodeAnIdOnlyRefuses) {
    const auto id = shown();
    typing = {.assurance = Assurance::sms_code, .allow_needs_code = true};
    EXPECT_THAT(said(read("/approve " + id.str())), StartsWith("To allow, write the code that was sent to you."));
    const auto allowed = read("/approve " + code(id));
    ASSERT_TRUE(std::holds_alternative<Decide>(allowed));
    EXPECT_EQ(std::get<Decide>(allowed).attempt.assurance, Assurance::sms_code);
    EXPECT_TRUE(std::holds_alternative<Decide>(read("/deny " + id.str())));
    typing.allow_needs_code = false;
    EXPECT_TRUE(std::holds_alternative<Decide>(read("/approve " + id.str())));
}

TEST_F(TypedTest, AChatThatMovedIsTheSameChat) {
    const auto id = shown();
    ASSERT_TRUE(chats.moved("room", "big-room"));
    auto typed = text("/approve " + code(id));
    typed.chat = "big-room";
    const auto intent = read(typed);
    ASSERT_TRUE(std::holds_alternative<Decide>(intent));
    EXPECT_EQ(std::get<Decide>(intent).attempt.where.chat, "room") << "the name under which it was shown";
}

TEST_F(TypedTest, I7_AnAllowNeedsTheWholeTextInThisChatAndADenyDoesNot) {
    const auto id = shown();
    cards.find(1)->document_refused = true;
    EXPECT_NE(said(read("/approve " + code(id))).find("whole text was not delivered here"), std::string::npos);
    EXPECT_TRUE(std::holds_alternative<Decide>(read("/deny " + code(id))));
}

TEST_F(TypedTest, AReplyIsAnAnswerToAQuestionAndOffersToDenyAnApproval) {
    shown();
    auto typed = text("ok always");
    typed.reply_to = "m1";
    const auto offered = read(typed);
    ASSERT_TRUE(std::holds_alternative<OfferReason>(offered));
    EXPECT_EQ(std::get<OfferReason>(offered).reason, "ok always");
    const auto question = shown(question_request(ids.next()));
    typed.reply_to = "m2";
    const auto intent = read(typed);
    ASSERT_TRUE(std::holds_alternative<Write>(intent));
    EXPECT_EQ(std::get<Write>(intent).attempt.request_id, question);
    EXPECT_EQ(std::get<Write>(intent).text, "ok always");
    typed.reply_to = "m3";
    EXPECT_TRUE(std::holds_alternative<Nothing>(read(typed)));
}

TEST_F(TypedTest, AReplyToTheReasonPromptDeniesAlsoIfItLooksLikeACommand) {
    const auto id = shown();
    cards.prompt_landed(*cards.find(1), "p1", {.kind = ReasonPrompt::Kind::asks, .principal = "talk:1"});
    cards.prompt_landed(*cards.find(1), "p2", {.kind = ReasonPrompt::Kind::offers, .words = "no"});
    for (const auto* words : {"/etc/passwd must not be read", "!important: ask me first", "/aprove", "/x@signer no"}) {
        for (const bool direct : {true, false}) {
            auto typed = text(words);
            typed.direct = direct;
            typed.reply_to = "p1";
            const auto intent = read(typed);
            ASSERT_TRUE(std::holds_alternative<Decide>(intent)) << words;
            const auto& attempt = std::get<Decide>(intent).attempt;
            EXPECT_EQ(std::get<Choose>(attempt.what).option_id, "deny") << words;
            EXPECT_EQ(attempt.reason, words);
        }
    }
    auto typed = text("/approve " + code(id));
    typed.reply_to = "p1";
    const auto intent = read(typed);
    ASSERT_TRUE(std::holds_alternative<Decide>(intent));
    EXPECT_EQ(std::get<Choose>(std::get<Decide>(intent).attempt.what).option_id, "allow") << "a known command";
    typed.text = "/etc/passwd must not be read";
    typed.direct = true;
    typed.reply_to = "p2";
    EXPECT_FALSE(std::holds_alternative<Decide>(read(typed))) << "only a button denies there";
}

TEST_F(TypedTest, AGroupIsToldWhatItWasShownAndAPersonWhatTheyMayDecide) {
    shown("shown-here");
    shown(shell_request(ids.next(), "shown-elsewhere"), "hall");
    const auto list = [&](const std::string& who, bool direct) {
        auto typed = text("/pending");
        typed.principal = who;
        typed.direct = direct;
        return said(read(typed));
    };
    EXPECT_THAT(list("talk:1", false), AllOf(HasSubstr("shown-here"), Not(HasSubstr("shown-elsewhere"))));
    EXPECT_THAT(list("talk:2", false), HasSubstr("shown-here")) << "they have seen the card";
    EXPECT_THAT(list("talk:1", true), AllOf(HasSubstr("shown-here"), HasSubstr("shown-elsewhere")));
    EXPECT_EQ(list("talk:2", true), "Open for you to decide:\nnothing");
    for (const bool direct : {false, true}) {
        EXPECT_EQ(list("talk:3", direct),
                  "I don't know you. Your id is talk:3; the operator of Countersign can add you.");
    }
}

TEST_F(TypedTest, AnUnknownIdListsWhatIsOpenToWhoIsKnownOnly) {
    shown("secret-command");
    auto typed = text("/deny K7K7K7K7");
    EXPECT_THAT(said(read(typed)), AllOf(StartsWith("(wrong) "), HasSubstr("secret-command")));
    typed.principal = "talk:3";
    EXPECT_EQ(said(read(typed)), "I don't know you. Your id is talk:3; the operator of Countersign can add you.");
    typed.text = "/grants";
    EXPECT_THAT(said(read(typed)), StartsWith("I don't know you."));
}

TEST_F(TypedTest, I7_InPrivateWhatWasShownElsewhereCanBeRefusedAndNotAllowed) {
    const auto id = shown(shell_request(ids.next(), "ls"), "hall");
    auto typed = text("/deny " + code(id));
    EXPECT_THAT(said(read(typed)), StartsWith("(wrong)")) << "a group is not told of it";
    typed.direct = true;
    ASSERT_TRUE(std::holds_alternative<Decide>(read(typed)));
    typed.text = "/approve " + code(id);
    EXPECT_THAT(said(read(typed)), HasSubstr("whole text was not delivered here"));
    typed.principal = "talk:2";
    EXPECT_THAT(said(read(typed)), StartsWith("(wrong)")) << "not theirs to decide";
}

TEST_F(TypedTest, WhatIsHaltedStandsInTheListOfWhoMayResumeIt) {
    table.halts = {{.who = {"", "s1"}, .by = "carol", .at = {}},
                   {.who = {"dev", ""}, .by = "alice", .at = {}},
                   {.who = {"prod", "s7"}, .by = "bob", .at = {}}};
    EXPECT_EQ(said(read("/pending")), "Open in this chat:\nnothing") << "others read there too";
    auto typed = text("/pending");
    typed.direct = true;
    EXPECT_THAT(said(read(typed)),
                testing::EndsWith("\nHalted:\nsession s1 of any agent, by carol\ndev, by alice\nprod, "
                                  "session s7, by bob"));
    typed.principal = "talk:2";
    EXPECT_EQ(said(read(typed)).find("Halted"), std::string::npos);
}

TEST_F(TypedTest, AHaltIsAnOrderWithAllThatIsKnownOfItAlsoOfAStranger) {
    auto typed = text("/halt night build");
    typed.principal = "talk:3";
    const auto intent = read(typed);
    ASSERT_TRUE(std::holds_alternative<Instruct>(intent)) << "the gate refuses it, and records it";
    const auto& order = std::get<Instruct>(intent).order;
    EXPECT_EQ(order.kind, Order::Kind::halt);
    EXPECT_EQ(order.target, "night build");
    EXPECT_EQ(order.principal, "talk:3");
    EXPECT_EQ(order.where, (Place{"ops", "room", "", "t1"}));
    EXPECT_EQ(order.made, WallTime{7s});
    EXPECT_TRUE(order.after_gap);
    EXPECT_EQ(std::get<Instruct>(read("!resume dev")).order.kind, Order::Kind::resume);
    EXPECT_THAT(said(read("/halt")), StartsWith("Write /halt and the name"));
    EXPECT_TRUE(std::holds_alternative<Nothing>(read("halt dev"))) << "bare words only where nobody else reads";
    typed.principal = "talk:1";
    typed.text = "halt dev";
    typed.direct = true;
    EXPECT_TRUE(std::holds_alternative<Instruct>(read(typed)));
    typed.anonymous = true;
    EXPECT_THAT(said(read(typed)), StartsWith("I can't tell who you are"));
}

TEST_F(TypedTest, GrantsAreListedAndTakenBackByTheirCodes) {
    const auto id = ids.next();
    table.grants = {{.id = id, .agent_id = "dev", .tool_name = "Bash", .cwd = "/w", .granted_by = "bob"}};
    table.grants[0].summary = "make all";
    table.grants[0].expires = BootTime{5s} + 48h;
    table.grants[0].uses_left = 7;
    EXPECT_EQ(said(read("/grants")), "Ask me that in a private chat.") << "others read there too";
    auto asked = text("/grants");
    asked.direct = true;
    EXPECT_EQ(said(read(asked)), "Grants in force:\n" + code(id) +
                                     " dev, Bash: make all, /w, by bob, always, until the hub ends, at most 2 d more, "
                                     "uses left: 7");
    table.grants[0].session_key = "s1";
    EXPECT_THAT(said(read(asked)), HasSubstr("by bob, for this session, at most 2 d more, uses left: 7"));
    const auto intent = read("/revoke " + code(id));
    ASSERT_TRUE(std::holds_alternative<Instruct>(intent));
    EXPECT_EQ(std::get<Instruct>(intent).order.grant, id);
    EXPECT_THAT(said(read("/revoke K7K7K7K7")), StartsWith("(wrong) No grant"));
    EXPECT_EQ(said(read("/revoke")), "The code is missing. Write /revoke CODE");
    auto typed = text("/revoke " + id.str());
    typed.principal = "talk:2";
    EXPECT_TRUE(std::holds_alternative<Instruct>(read(typed))) << "by its id the gate says no, and the log has it";
    typed.text = "/grants";
    typed.direct = true;
    EXPECT_EQ(said(read(typed)), "Grants in force:\nnothing");
}

TEST_F(TypedTest, I10_WhoIsLockedAllowsNothingByAnyCodeAndCanStillRefuse) {
    const auto id = shown();
    table.grants = {{.id = ids.next(), .agent_id = "dev"}};
    locked = true;
    for (const auto* verb : {"/approve ", "/always ", "/more ", "/answer ", "/revoke "}) {
        EXPECT_EQ(said(read(verb + code(id))), "(nothing)") << verb;
        EXPECT_EQ(said(read(verb + std::string{"K7K7K7K7"})), "(nothing)") << verb;
    }
    EXPECT_TRUE(std::holds_alternative<Decide>(read("/deny " + code(id)))) << "no is never harder than yes";
    EXPECT_EQ(said(read("/deny K7K7K7K7")), "(nothing)");
    EXPECT_TRUE(std::holds_alternative<Instruct>(read("/revoke " + code(table.grants[0].id))));
    EXPECT_TRUE(std::holds_alternative<Instruct>(read("/halt dev"))) << "a stop needs no code";
    EXPECT_THAT(said(read("/pending")), StartsWith("Open in this chat"));
}

// andrewyng/openworker#519: a reply in words was taken for a standing permission.
TEST_F(TypedTest, Openworker519_FreeTextMintsNoGrant) {
    const auto id = shown();
    for (const auto* words : {"always", "yes, always allow this", "always allow", "approve always", "session"}) {
        auto typed = text(words);
        typed.reply_to = "m1";
        EXPECT_FALSE(std::holds_alternative<Decide>(read(typed))) << words;
        typed.direct = true;
        EXPECT_FALSE(std::holds_alternative<Decide>(read(typed))) << words;
    }
    EXPECT_TRUE(std::holds_alternative<Decide>(read("/session " + code(id))));
}

// EKKOLearnAI/hermes-studio#1992 and vercel/eve#2471: the id was dropped, and another request was decided.
TEST_F(TypedTest, HermesStudio1992_ACommandIsAboutTheRequestThatItNames) {
    const auto first = shown("one");
    const auto second = shown("two");
    const auto intent = read("/approve " + code(second));
    ASSERT_TRUE(std::holds_alternative<Decide>(intent));
    EXPECT_EQ(std::get<Decide>(intent).attempt.request_id, second);
    EXPECT_NE(first, second);
    EXPECT_THAT(said(read("/approve")), StartsWith("The code is missing. Write /approve CODE\nOpen in this chat:"))
        << "none is taken because it is the oldest or the only one";
}

// novu#11882: "ok" must not count as yes.
TEST_F(TypedTest, Novu11882_OkAndYesAreNoDecisions) {
    const auto id = shown();
    for (const auto* words : {"ok", "yes", "y", "👍", "/ok", "!yes", "/yes", "allow", "go ahead"}) {
        auto typed = text(words + (" " + code(id)));
        typed.direct = true;
        EXPECT_FALSE(std::holds_alternative<Decide>(read(typed))) << words;
    }
}

TEST_F(TypedTest, WhatThisReleaseDoesNotHaveIsSaid) {
    for (const auto* word : {"auto", "interactive", "console"}) {
        EXPECT_EQ(said(read(std::string{"/"} + word + " s1")), "This release has no " + std::string{word} + ".");
    }
}

TEST_F(TypedTest, EveryAnswerIsInTheLanguageOfWhoWrote) {
    const auto id = shown();
    language = *known_language("de");
    EXPECT_THAT(said(read("/pending")), StartsWith("In diesem Chat offen:"));
    EXPECT_THAT(said(read("/help")), AllOf(StartsWith("/approve CODE: einmal erlauben"),
                                           HasSubstr("Dieser Chat ist room, und Sie sind talk:1.")));
    EXPECT_THAT(said(read("/answer " + code(id) + " x")), StartsWith("Das ist keine Frage"));
    EXPECT_THAT(said(read("/always " + code(id))),
                HasSubstr("Session (genau diesen Aufruf in dieser Sitzung erlauben)"));
    language = *known_language("zh");
    EXPECT_THAT(said(read("/halt")), StartsWith("请发送 /halt"));
    EXPECT_THAT(said(read("/help")), HasSubstr("/halt NAME、/resume NAME：停止智能体或会话，以及恢复"));
    auto typed = text("/pending");
    typed.principal = "talk:3";
    EXPECT_THAT(said(read(typed)), StartsWith("我不认识您。"));
}

TEST_F(TypedTest, I13_AListIsCutAndSoIsEachLine) {
    shown("one\ntwo " + std::string(100, 'x'));
    auto list = said(read("/pending"));
    EXPECT_NE(list.find("dev, Bash: one⏎two xxx"), std::string::npos) << list;
    EXPECT_TRUE(list.ends_with("x…")) << list;
    while (last < limits::chat_listed_max) shown();
    EXPECT_EQ(said(read("/pending")).find("more"), std::string::npos);
    shown();
    EXPECT_TRUE(said(read("/pending")).ends_with("and 1 more"));
    for (std::size_t i = 0; i <= limits::chat_listed_max; ++i) {
        table.halts.push_back({.who = {"agent-" + std::to_string(i), ""}, .by = "alice", .at = {}});
    }
    auto typed = text("/pending");
    typed.direct = true;
    list = said(read(typed));
    EXPECT_TRUE(list.ends_with("and 1 more"));
    EXPECT_NE(list.find("agent-9, by"), std::string::npos);
    EXPECT_EQ(list.find("agent-10"), std::string::npos);
}

TEST_F(TypedTest, WhatHasEndedIsLeftToTheHubToTell) {
    const auto id = shown();
    table.requests.clear();
    const auto intent = read("/approve " + code(id));
    ASSERT_TRUE(std::holds_alternative<Decide>(intent));
    EXPECT_EQ(std::get<Choose>(std::get<Decide>(intent).attempt.what).option_id, "");
    EXPECT_EQ(said(read("/more " + code(id))), "This request is no longer open.");
}

}  // namespace
}  // namespace countersign::channels
