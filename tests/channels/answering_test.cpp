// SPDX-License-Identifier: Apache-2.0
// Whoever asks is answered once, and in time.
#include "channels/answering.hpp"

#include "core/limits.hpp"
#include "tests/fakes/world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::channels {
namespace {

using countersign::fakes::question_request;
using countersign::fakes::shell_request;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;
using namespace std::chrono_literals;

struct Slow final : Attempts, OpenRequests, Drafts {
    void submit(Attempt attempt, std::function<void(const Result<Receipt>&)> done) override {
        attempts.push_back(std::move(attempt));
        waiting.push_back(std::move(done));
    }
    [[nodiscard]] std::optional<OpenRequest> open_request(const Ulid&) const override {
        return OpenRequest{.request = request};
    }
    [[nodiscard]] std::vector<OpenRequest> open_requests() const override { return {{.request = request}}; }
    [[nodiscard]] std::vector<OpenRequest> open_requests_for(const std::string&) const override { return {}; }
    [[nodiscard]] std::vector<Halt> halts_for(const std::string&) const override { return {}; }
    [[nodiscard]] std::vector<Grant> grants_for(const std::string&) const override { return {}; }
    [[nodiscard]] Result<void> check(const Attempt&) const override { return {}; }
    [[nodiscard]] std::optional<Winner> ended(const Ulid&) const override { return winner; }
    void order(Order order, std::function<void(const Result<Carried>&)> done) override {
        orders.push_back(std::move(order));
        carrying.push_back(std::move(done));
    }
    void refused(const RefusedAttempt& attempt, const Error& why) override {
        refusals.push_back(attempt.principal + " " + describe(why));
    }
    [[nodiscard]] std::optional<Draft> draft_of(const Ulid&, const std::string& principal) const override {
        const auto found = drafts.find(principal);
        return found == drafts.end() ? std::nullopt : std::optional{found->second};
    }
    void keep(const Ulid&, const std::string& principal, Draft draft) override {
        drafts.insert_or_assign(principal, std::move(draft));
    }
    std::map<std::string, Draft> drafts;
    std::optional<Winner> winner;
    std::vector<Order> orders;
    std::vector<std::function<void(const Result<Carried>&)>> carrying;
    std::vector<std::string> refusals;
    std::shared_ptr<const Request> request;
    std::vector<Attempt> attempts;
    std::vector<std::function<void(const Result<Receipt>&)>> waiting;
};

class AnsweringTest : public ::testing::Test {
protected:
    void TearDown() override {
        tasks.cancel();
        world.settle();
    }
    Caller caller(bool spins) {
        return {.principal = "talk:1",
                .delivery = "u7",
                .spins = spins,
                .say =
                    [this](const Phrase& words, Caller::Tone tone) {
                        lines.push_back((tone == Caller::Tone::alert ? "! " : "") + words.text());
                    },
                .follow_up = [this](const Phrase& words) { lines.push_back("later: " + words.text()); },
                .handled = [this] { ++handled; }};
    }
    Attempt attempt(const std::string& chat = "direct") const {
        Attempt made;
        made.request_id = hub.request->id;
        made.principal = "talk:1";
        made.where.chat = chat;
        return made;
    }
    void act(Intent intent, bool spins = true) {
        answering.act(caller(spins), std::move(intent));
        world.settle();
    }
    std::vector<std::string> said() { return std::exchange(lines, {}); }

    countersign::fakes::World world;
    TaskGroup tasks{world.io.get_executor(), [](const std::string&) {}};
    Slow hub;
    std::vector<std::string> lines;
    std::vector<std::string> marks;
    int handled = 0;
    Answering answering{{.answer_max = 8s,
                         .is_group = [](const std::string& chat) { return chat == "group"; },
                         .mark = [this](const Ulid&, const std::string& chat,
                                        const std::string& principal) { marks.push_back(chat + " of " + principal); }},
                        {.attempts = hub, .open = hub, .drafts = hub, .clock = world.clock, .tasks = tasks}};
};

TEST_F(AnsweringTest, AClickIsAnsweredWithWhatCameOfIt) {
    hub.request = std::make_shared<const Request>(shell_request(world.ids.next()));
    act(Decide{attempt()});
    EXPECT_THAT(said(), IsEmpty());
    EXPECT_EQ(handled, 0) << "the hub still works on it";
    EXPECT_EQ(hub.attempts.at(0).delivery, "u7");
    hub.waiting.at(0)(Receipt{.seq = 12});
    EXPECT_THAT(said(), ElementsAre("Recorded, as record 12."));
    world.advance(8s);
    EXPECT_THAT(said(), IsEmpty());
    EXPECT_EQ(handled, 1);
}

TEST_F(AnsweringTest, AVoteHearsHowManyAreStillNeeded) {
    hub.request = std::make_shared<const Request>(shell_request(world.ids.next()));
    act(Decide{attempt()});
    hub.waiting.at(0)(Receipt{.seq = 12, .votes = 1, .votes_needed = 2});
    EXPECT_THAT(said(), ElementsAre("Your vote is recorded: 1 of 2. Still needed: 1."));
}

TEST_F(AnsweringTest, I11_AClickIsAnsweredInTimeAndOnlyOnce) {
    hub.request = std::make_shared<const Request>(shell_request(world.ids.next()));
    act(Decide{attempt()});
    world.advance(8s - 1ms);
    EXPECT_THAT(said(), IsEmpty());
    world.advance(1ms);
    EXPECT_THAT(said(), ElementsAre("Working on it. The card will show the result."));
    hub.waiting.at(0)(Receipt{.seq = 12});
    EXPECT_THAT(said(), IsEmpty()) << "the card says it";
    EXPECT_EQ(handled, 1);
}

TEST_F(AnsweringTest, I11_WhyAPressDecidedNothingFollowsAlsoAfterTheAnswerWentOut) {
    hub.request = std::make_shared<const Request>(shell_request(world.ids.next()));
    act(Decide{attempt()});
    world.advance(8s);
    EXPECT_THAT(said(), ElementsAre("Working on it. The card will show the result."));
    hub.waiting.at(0)(Error{Errc::not_authorised, "not a decider"});
    EXPECT_THAT(said(), ElementsAre(StartsWith("later: You may not decide this.")));
    EXPECT_EQ(handled, 1);
}

TEST_F(AnsweringTest, ATextWaitsForItsAnswer) {
    hub.request = std::make_shared<const Request>(shell_request(world.ids.next()));
    act(Decide{attempt()}, false);
    world.advance(1min);
    EXPECT_THAT(said(), IsEmpty());
    hub.waiting.at(0)(Error{Errc::not_authorised, "not a decider"});
    EXPECT_THAT(said(),
                ElementsAre("! You may not decide this. Your id is talk:1; the operator of Countersign can add you."));
}

TEST_F(AnsweringTest, AnswersAreGatheredUntilTheyAreSubmitted) {
    hub.request = std::make_shared<const Request>(question_request(world.ids.next()));
    act(Pick{.attempt = attempt(), .question = 0, .choice = 1});
    EXPECT_THAT(said(), ElementsAre("Chosen: 1. B. Tap Submit when you are done."));
    EXPECT_THAT(marks, ElementsAre("direct of talk:1"));
    act(Finish{attempt()});
    EXPECT_THAT(said(), ElementsAre("! Not submitted: question 2 has no answer yet."));
    act(Write{attempt(), "2 hunter2"}, false);
    EXPECT_THAT(said(), ElementsAre("! Noted. Tap Submit on the card when you are done."));
    EXPECT_TRUE(hub.attempts.empty());
    EXPECT_EQ(handled, 3);
    act(Pick{.attempt = attempt(), .question = 0, .choice = 0});
    EXPECT_THAT(said(), ElementsAre("Chosen: 1. A; 2. written. Tap Submit when you are done."))
        << "not what was written";
    act(Finish{attempt()});
    ASSERT_EQ(hub.attempts.size(), 1U);
    EXPECT_EQ(std::get<Submit>(hub.attempts[0].what).answers.size(), 2U);
    hub.drafts.clear();
    act(Finish{attempt()});
    EXPECT_THAT(said(), ElementsAre("! Not submitted: question 1 has no answer yet.")) << "the draft is gone";
}

TEST_F(AnsweringTest, AListTellsAllThatIsTakenNow) {
    hub.request = std::make_shared<const Request>(question_request(world.ids.next()));
    for (int i = 0; i < 2; ++i) {
        act(Pick{.attempt = attempt(), .question = 0, .choices = std::set<std::size_t>{1}});
        EXPECT_THAT(said(), ElementsAre("Chosen: 1. B. Tap Submit when you are done.")) << "not given back";
    }
    act(Pick{.attempt = attempt(), .question = 0, .choices = std::set<std::size_t>{}});
    act(Finish{attempt()});
    EXPECT_EQ(said().back(), "! Not submitted: question 1 has no answer yet.");
}

TEST_F(AnsweringTest, AChoiceThatIsTheAnswerIsNoDraftSoItCanBeTappedAgain) {
    auto one = question_request(world.ids.next());
    std::get<Questionnaire>(one.body).questions.pop_back();
    hub.request = std::make_shared<const Request>(one);
    act(Pick{.attempt = attempt(), .question = 0, .choice = 1});
    hub.waiting.at(0)(Error{Errc::busy, "the log is full"});
    act(Pick{.attempt = attempt(), .question = 0, .choice = 1});
    ASSERT_EQ(hub.attempts.size(), 2U);
    EXPECT_EQ(hub.attempts[1].what, hub.attempts[0].what);
    EXPECT_TRUE(hub.drafts.empty());
    hub.waiting.at(1)(Receipt{.seq = 1});
}

TEST_F(AnsweringTest, InAGroupNothingOfADraftIsShownAndNoSecretIsTaken) {
    hub.request = std::make_shared<const Request>(question_request(world.ids.next()));
    act(Pick{.attempt = attempt("group"), .question = 0, .choice = 1});
    EXPECT_THAT(marks, IsEmpty());
    said();
    act(Write{attempt("group"), "2 hunter2"}, false);
    EXPECT_TRUE(said().at(0).starts_with("! Everyone here can read that"));
    act(Finish{attempt("group")});
    EXPECT_THAT(said(), ElementsAre("! Not submitted: question 2 has no answer yet."));
    EXPECT_TRUE(hub.attempts.empty());
}

TEST_F(AnsweringTest, WhoComesTooLateHearsWhoWasFirstInTheirLanguage) {
    hub.request = std::make_shared<const Request>(shell_request(world.ids.next()));
    hub.winner = Winner{Outcome::denied, "alice", "ops", world.clock.wall()};
    world.clock.advance(12s);
    const auto answer = [&](std::string_view language) {
        auto asks = caller(true);
        asks.language = *known_language(language);
        answering.act(asks, Decide{attempt()});
        world.settle();
        hub.waiting.back()(Error{Errc::already_decided, "already denied"});
        return said().at(0);
    };
    EXPECT_EQ(answer("en"), "! Too late. Denied by alice on ops, 12 s ago");
    EXPECT_EQ(answer("de"), "! Zu spät. Abgelehnt von alice über ops, vor 12 s");
    EXPECT_EQ(answer("zh"), "! 太迟了：已拒绝，决定人 alice，渠道 ops，12 秒前");
}

TEST_F(AnsweringTest, AnOrderIsAnsweredWithWhatCameOfItAndWhatDidNot) {
    Order order;
    order.target = "dev";
    order.principal = "talk:1";
    act(Instruct{order}, false);
    EXPECT_EQ(hub.orders.at(0).delivery, "u7") << "it has no effect twice (I5)";
    EXPECT_THAT(said(), IsEmpty());
    Carried carried{.person = "alice", .receipt = Receipt{.seq = 3}};
    carried.denied = 2;
    carried.revoked = 1;
    carried.not_interrupted = 1;
    hub.carrying.at(0)(carried);
    EXPECT_THAT(said(), ElementsAre("! Halted: dev. Its requests are denied until it is resumed. Open "
                                    "requests denied: 2. Grants revoked: 1. Its turn can't be ended from here: it "
                                    "continues until it asks again."));
    EXPECT_EQ(handled, 1);
    hub.carrying.at(0)(Error{Errc::not_authorised, "not a decider"});
    EXPECT_THAT(said(), ElementsAre("! You may not do this. Your id is talk:1; the operator of Countersign can add "
                                    "you."));
    carried = {.person = "alice", .receipt = std::nullopt};
    carried.known = false;
    hub.carrying.at(0)(carried);
    EXPECT_THAT(said(), ElementsAre(testing::EndsWith("No agent or session has that name now; it will be halted if "
                                                      "it appears. Check the spelling. This could not be recorded, "
                                                      "and a restart would undo it.")));
    carried.tried_again = true;
    hub.carrying.at(0)(carried);
    EXPECT_THAT(said(), ElementsAre(testing::EndsWith("This isn't recorded yet; Countersign keeps trying. A restart "
                                                      "before that would undo it.")));
    order.kind = Order::Kind::resume;
    act(Instruct{order}, false);
    hub.carrying.back()(Carried{.person = "alice", .receipt = Receipt{}});
    EXPECT_THAT(said(), ElementsAre("! dev may ask again."));
    order.kind = Order::Kind::revoke;
    act(Instruct{order}, false);
    hub.carrying.back()(Carried{.person = "alice", .receipt = std::nullopt});
    EXPECT_THAT(said(), ElementsAre("! The grant is revoked: the same call will ask again. This could not be recorded, "
                                    "so the log doesn't show it."))
        << "a restart forgets the grant itself";
}

TEST_F(AnsweringTest, I11_EachWrongCodeIsRecordedAndTheLockIsTold) {
    hub.request = std::make_shared<const Request>(shell_request(world.ids.next()));
    const WrongCode wrong{.attempt = {.request_id = {}, .principal = "talk:1", .channel = "talk"},
                          .words = Phrase{"No such code."}};
    for (std::size_t i = 1; i < limits::wrong_codes_max; ++i) {
        act(wrong, false);
        EXPECT_THAT(said(), ElementsAre("! No such code."));
        EXPECT_FALSE(answering.locked("talk:1"));
    }
    act(wrong, false);
    EXPECT_THAT(said(), ElementsAre("! Too many wrong codes: your codes are ignored for 15 min. Buttons still work."));
    EXPECT_TRUE(answering.locked("talk:1"));
    EXPECT_FALSE(answering.locked("talk:2"));
    EXPECT_EQ(hub.refusals.size(), limits::wrong_codes_max);
    EXPECT_EQ(hub.refusals.front(), "talk:1 unknown_request: a code that names nothing here");
    EXPECT_EQ(hub.refusals.back(), "talk:1 unknown_request: 5 wrong codes: locked for 15 min");
    world.advance(limits::wrong_codes_lock);
    EXPECT_FALSE(answering.locked("talk:1"));
    EXPECT_EQ(handled, static_cast<int>(limits::wrong_codes_max));
}

TEST_F(AnsweringTest, I11_ARefusalIsRecordedAlsoWhereNothingIsAnswered) {
    const RefusedAttempt attempt{.request_id = {}, .principal = "talk:9", .channel = "talk"};
    act(Refuse{attempt, {Errc::unsupported, "sent by a bot"}}, false);
    EXPECT_THAT(said(), IsEmpty());
    act(Refuse{attempt, {Errc::stale, "old"}, Phrase{"Too old."}}, false);
    EXPECT_THAT(said(), ElementsAre("! Too old."));
    EXPECT_THAT(hub.refusals, ElementsAre("talk:9 unsupported: sent by a bot", "talk:9 stale: old"));
    EXPECT_EQ(handled, 2);
}

// Everything that somebody can be answered, in every language: no place is left open, and none is English by accident.
TEST_F(AnsweringTest, EveryAnswerIsInEveryLanguage) {
    hub.request = std::make_shared<const Request>(question_request(world.ids.next()));
    const auto all_answers = [&](std::string_view tag) {
        const auto answer = [&](Intent intent) {
            auto asks = caller(true);
            asks.language = *known_language(tag);
            answering.act(asks, std::move(intent));
            world.settle();
        };
        answer(Pick{.attempt = attempt(), .question = 0, .choice = 1});
        answer(Finish{attempt()});
        for (const auto* words : {"x", "1", "2 x", "", "1 y"}) answer(Write{attempt(), words});
        answer(Write{attempt("group"), "2 x"});
        for (const auto code :
             {Errc::not_authorised, Errc::not_shown, Errc::late, Errc::already_decided, Errc::already_voted,
              Errc::unknown_request, Errc::unknown_option, Errc::unavailable, Errc::busy, Errc::internal}) {
            answer(Decide{attempt()});
            hub.waiting.back()(Error{code, ""});
        }
        answer(Decide{attempt()});
        hub.waiting.back()(Receipt{.seq = 1});
        answer(Decide{attempt()});
        world.advance(8s);
        for (const auto kind : {Order::Kind::halt, Order::Kind::resume, Order::Kind::revoke}) {
            Order order;
            order.kind = kind;
            answer(Instruct{order});
            for (const auto code : {Errc::not_authorised, Errc::late, Errc::unknown_request, Errc::unavailable,
                                    Errc::busy, Errc::malformed}) {
                hub.carrying.back()(Error{code, ""});
            }
            Carried carried;
            carried.denied = carried.interrupted = carried.not_interrupted = 1;
            carried.known = false;
            hub.carrying.back()(carried);
        }
        hub.drafts.clear();
        return said();
    };
    const auto english = all_answers("en");
    for (const auto* tag : {"de", "zh"}) {
        const auto others = all_answers(tag);
        ASSERT_EQ(others.size(), english.size());
        for (std::size_t i = 0; i < others.size(); ++i) {
            EXPECT_NE(others[i], english[i]) << tag;
            EXPECT_EQ(others[i].find('{'), std::string::npos) << others[i];
        }
    }
}

TEST_F(AnsweringTest, WhatIsNothingIsHandledAtOnce) {
    act(Nothing{});
    act(Say{Phrase{"This button isn't one of mine."}});
    EXPECT_THAT(said(), ElementsAre("! This button isn't one of mine."));
    EXPECT_EQ(handled, 2);
}

}  // namespace
}  // namespace countersign::channels
