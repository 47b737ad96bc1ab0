// SPDX-License-Identifier: Apache-2.0
// Whoever asks is answered once, and in time.
#include "channels/answering.hpp"

#include "tests/fakes/world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::channels {
namespace {

using countersign::fakes::question_request;
using countersign::fakes::shell_request;
using testing::ElementsAre;
using testing::IsEmpty;
using namespace std::chrono_literals;

struct Slow final : Attempts, OpenRequests {
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
    [[nodiscard]] std::optional<Winner> ended(const Ulid&) const override { return std::nullopt; }
    void order(Order /*order*/, std::function<void(const Result<Carried>&)> /*done*/) override {}
    void refused(const Attempt& /*attempt*/, const Error& /*why*/) override {}
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
                .handled = [this] { ++handled; }};
    }
    Attempt attempt(const std::string& chat = "direct") const {
        Attempt made;
        made.request_id = hub.request->id;
        made.principal = "talk:1";
        made.where.chat = chat;
        return made;
    }
    void act(Meaning meaning, bool spins = true) {
        answering.act(caller(spins), std::move(meaning));
        world.settle();
    }
    std::vector<std::string> said() { return std::exchange(lines, {}); }

    countersign::fakes::World world;
    TaskGroup tasks{world.io.get_executor(), [](const std::string&) {}};
    Slow hub;
    std::vector<std::string> lines;
    std::vector<std::string> marks;
    int handled = 0;
    Answering answering{
        {.answer_max = 8s,
         .is_group = [](const std::string& chat) { return chat == "group"; },
         .mark = [this](const Ulid&, const std::string& chat,
                        const Chosen& chosen) { marks.push_back(chat + std::to_string(chosen.size())); }},
        {.attempts = hub, .open = hub, .clock = world.clock, .tasks = tasks}};
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

TEST_F(AnsweringTest, I11_AClickIsAnsweredInTimeAndOnlyOnce) {
    hub.request = std::make_shared<const Request>(shell_request(world.ids.next()));
    act(Decide{attempt()});
    world.advance(8s - 1ms);
    EXPECT_THAT(said(), IsEmpty());
    world.advance(1ms);
    EXPECT_THAT(said(), ElementsAre("It is being worked on; the card will say what came of it."));
    hub.waiting.at(0)(Error{Errc::busy, ""});
    EXPECT_THAT(said(), IsEmpty());
    EXPECT_EQ(handled, 1);
}

TEST_F(AnsweringTest, ATextWaitsForItsAnswer) {
    hub.request = std::make_shared<const Request>(shell_request(world.ids.next()));
    act(Decide{attempt()}, false);
    world.advance(1min);
    EXPECT_THAT(said(), IsEmpty());
    hub.waiting.at(0)(Error{Errc::not_authorised, "not a decider"});
    EXPECT_THAT(said(),
                ElementsAre("! You may not decide this. You are talk:1 to me; whoever runs Countersign can add you."));
}

TEST_F(AnsweringTest, AnswersAreGatheredUntilTheyAreSubmitted) {
    hub.request = std::make_shared<const Request>(question_request(world.ids.next()));
    act(Pick{.attempt = attempt(), .question = 0, .choice = 1});
    EXPECT_THAT(said(), ElementsAre("Chosen: 1. B. Tap Submit when you are done."));
    EXPECT_THAT(marks, ElementsAre("direct2"));
    act(Finish{attempt()});
    EXPECT_THAT(said(), ElementsAre("! Not yet: question 2 has no answer yet."));
    act(Write{attempt(), "2 hunter2"}, false);
    EXPECT_THAT(said(), ElementsAre("! Noted. Tap Submit on the card when you are done."));
    EXPECT_TRUE(hub.attempts.empty());
    EXPECT_EQ(handled, 3);
    act(Finish{attempt()});
    ASSERT_EQ(hub.attempts.size(), 1U);
    EXPECT_EQ(std::get<Submit>(hub.attempts[0].what).answers.size(), 2U);
    answering.forget(hub.request->id);
    act(Finish{attempt()});
    EXPECT_THAT(said(), ElementsAre("! Not yet: question 1 has no answer yet.")) << "the draft is gone";
}

TEST_F(AnsweringTest, InAGroupNothingOfADraftIsShownAndNoSecretIsTaken) {
    hub.request = std::make_shared<const Request>(question_request(world.ids.next()));
    act(Pick{.attempt = attempt("group"), .question = 0, .choice = 1});
    EXPECT_THAT(marks, IsEmpty());
    said();
    act(Write{attempt("group"), "2 hunter2"}, false);
    EXPECT_TRUE(said().at(0).starts_with("! Everybody here can read that"));
    act(Finish{attempt("group")});
    EXPECT_THAT(said(), ElementsAre("! Not yet: question 2 has no answer yet."));
    EXPECT_TRUE(hub.attempts.empty());
}

TEST_F(AnsweringTest, WhatIsNothingIsHandledAtOnce) {
    act(Nothing{});
    act(Say{Phrase{"This is not a button of mine."}});
    EXPECT_THAT(said(), ElementsAre("! This is not a button of mine."));
    EXPECT_EQ(handled, 2);
}

}  // namespace
}  // namespace countersign::channels
