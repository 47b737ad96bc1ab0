// SPDX-License-Identifier: Apache-2.0
#include "channels/outbox.hpp"

#include "core/limits.hpp"
#include "tests/fakes/fake_clock.hpp"
#include "tests/fakes/fake_ids.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <gtest/gtest.h>

namespace countersign::channels {
namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;
using Strings = std::vector<std::string>;

class OutboxTest : public ::testing::Test {
protected:
    // Tries are kept by name; each answers as scripted, else with success.
    asio::awaitable<Sending> attempt(std::string name) {
        tried.push_back(name);
        if (held) {
            asio::steady_timer timer{io, asio::steady_timer::time_point::max()};
            waiting.push_back(&timer);
            boost::system::error_code ignored;
            co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
            std::erase(waiting, &timer);
        }
        if (name == "throws") throw std::runtime_error{"a bug"};
        if (name == "aborts") throw boost::system::system_error{asio::error::operation_aborted};
        auto& answers = script[name];
        if (answers.empty()) co_return Sending{};
        auto answer = answers.front();
        answers.erase(answers.begin());
        co_return answer;
    }
    Result<LetterId> put(const std::string& name, const std::string& chat = "room", Urgency urgency = Urgency::other,
                         std::chrono::milliseconds time = 10min) {
        return outbox.put({.chat = chat,
                           .urgency = urgency,
                           .deadline = clock.boot() + time,
                           .send = [this, name] { return attempt(name); },
                           .done =
                               [this, name](const Result<void>& result) {
                                   ended.push_back(name + (result ? ": sent" : ": " + describe(result.error())));
                               }});
    }
    void settle() {
        io.restart();
        io.poll();
    }
    void advance(std::chrono::milliseconds by) {
        clock.advance(by);
        settle();
    }
    void release() {
        held = false;
        for (auto* timer : std::vector{waiting}) timer->cancel();
        settle();
    }
    void TearDown() override {
        release();
        tasks.cancel();
        settle();
        EXPECT_EQ(tasks.size(), 0U);
        EXPECT_TRUE(stray.empty());
    }

    asio::io_context io;
    countersign::fakes::FakeClock clock;
    countersign::fakes::FakeIds ids;
    std::vector<std::string> stray;
    TaskGroup tasks{io.get_executor(), [this](const std::string& what) { stray.push_back(what); }};
    Outbox outbox{io.get_executor(), tasks, clock, ids};
    Strings tried;
    Strings ended;
    std::map<std::string, std::vector<Sending>> script;
    std::vector<asio::steady_timer*> waiting;
    bool held = false;
};

const Sending down{Sending::State::retry, "network is down"};

TEST_F(OutboxTest, LettersOfAChatGoOutOneAtATimeInOrder) {
    held = true;
    for (const auto* name : {"a", "b", "c"}) ASSERT_TRUE(put(name));
    settle();
    EXPECT_EQ(tried, (Strings{"a"}));
    release();
    EXPECT_EQ(tried, (Strings{"a", "b", "c"}));
    EXPECT_EQ(ended, (Strings{"a: sent", "b: sent", "c: sent"}));
    EXPECT_EQ(outbox.size(), 0U);
}

TEST_F(OutboxTest, I11_ALetterThatThrowsFailsAndTheNextOneGoesOut) {
    for (const auto* name : {"throws", "aborts", "b"}) ASSERT_TRUE(put(name));
    settle();
    ASSERT_EQ(ended.size(), 3U);
    EXPECT_EQ(ended[0], "throws: undeliverable: sending it ended with an exception: a bug");
    EXPECT_TRUE(ended[1].starts_with("aborts: undeliverable: ")) << "nobody cancelled it";
    EXPECT_EQ(ended[2], "b: sent");
    EXPECT_EQ(outbox.size(), 0U);
}

TEST_F(OutboxTest, ApprovalsGoBeforeEverythingElse) {
    ASSERT_TRUE(put("edit"));
    ASSERT_TRUE(put("reply"));
    ASSERT_TRUE(put("card", "room", Urgency::approval));
    ASSERT_TRUE(put("card 2", "room", Urgency::approval));
    settle();
    EXPECT_EQ(tried, (Strings{"card", "card 2", "edit", "reply"}));
}

TEST_F(OutboxTest, I13_AnEditGetsItsTurnAfterSoManyCards) {
    ASSERT_TRUE(put("edit"));
    ASSERT_TRUE(put("edit 2"));
    for (std::size_t i = 0; i <= limits::outbox_approvals_in_a_row_max; ++i) {
        ASSERT_TRUE(put("card", "room", Urgency::approval));
    }
    settle();
    Strings expected(limits::outbox_approvals_in_a_row_max, "card");
    expected.insert(expected.end(), {"edit", "card", "edit 2"});
    EXPECT_EQ(tried, expected);
}

TEST_F(OutboxTest, ChatsThatKeepShowingCardsDoNotStarveAnEdit) {
    // Each card that is taken brings the next one, as a busy agent does; one a second.
    std::size_t cards = 0;
    std::function<void()> next_card = [&] {
        if (++cards > 100) return;
        ASSERT_TRUE(outbox.put({.chat = "room",
                                .urgency = Urgency::approval,
                                .deadline = clock.boot() + 10min,
                                .send = [this]() -> asio::awaitable<Sending> {
                                    co_await clock.sleep_until(clock.boot() + 1s);
                                    co_return Sending{};
                                },
                                .done = [&](const Result<void>&) { next_card(); }}));
    };
    next_card();
    ASSERT_TRUE(put("edit"));
    settle();
    for (std::size_t i = 0; i < limits::outbox_approvals_in_a_row_max; ++i) {
        EXPECT_TRUE(tried.empty());
        advance(1s);
    }
    EXPECT_EQ(tried, (Strings{"edit"}));
    cards = 100;
    advance(1s);
}

TEST_F(OutboxTest, I13_AnEditGetsAPlaceAmongThoseInFlightAfterSoManyCards) {
    held = true;
    for (std::size_t i = 0; i < limits::outbox_in_flight_max; ++i) ASSERT_TRUE(put("first", std::to_string(i)));
    settle();
    ASSERT_TRUE(put("edit", "x"));
    for (std::size_t i = 0; i <= limits::outbox_approvals_in_a_row_max; ++i) {
        ASSERT_TRUE(put("card", "y" + std::to_string(i), Urgency::approval));
    }
    settle();
    tried.clear();
    for (std::size_t i = 0; i < limits::outbox_approvals_in_a_row_max + 2; ++i) {
        waiting.front()->cancel();
        settle();
    }
    Strings expected(limits::outbox_approvals_in_a_row_max, "card");
    expected.insert(expected.end(), {"edit", "card"});
    EXPECT_EQ(tried, expected);
}

TEST_F(OutboxTest, AnApprovalOvertakesWhatMustBeTriedAgain) {
    script["edit"] = {down};
    ASSERT_TRUE(put("edit"));
    settle();
    ASSERT_TRUE(put("card", "room", Urgency::approval));
    settle();
    EXPECT_EQ(tried, (Strings{"edit"})) << "the chat waits";
    advance(1s);
    EXPECT_EQ(tried, (Strings{"edit", "card", "edit"}));
}

TEST_F(OutboxTest, OneChatDoesNotHoldBackAnother) {
    script["a"] = {{Sending::State::retry, "flood", 30s}};
    ASSERT_TRUE(put("a", "one"));
    ASSERT_TRUE(put("b", "two"));
    settle();
    EXPECT_EQ(ended, (Strings{"b: sent"}));
    advance(30s);
    EXPECT_EQ(ended, (Strings{"b: sent", "a: sent"}));
}

TEST_F(OutboxTest, ThePlatformsWishIsHonouredToTheMillisecond) {
    script["a"] = {{Sending::State::retry, "flood", 7s}};
    ASSERT_TRUE(put("a"));
    settle();
    advance(6'999ms);
    EXPECT_EQ(tried.size(), 1U);
    advance(1ms);
    EXPECT_EQ(tried.size(), 2U);
}

TEST_F(OutboxTest, ThePlatformsWishHoldsForTheNextLetterToo) {
    script["a"] = {{Sending::State::retry, "flood", 30s}};
    ASSERT_TRUE(put("a", "room", Urgency::approval, 10s));
    settle();
    EXPECT_EQ(ended.size(), 1U) << "known to be too late";
    ASSERT_TRUE(put("b"));
    settle();
    EXPECT_EQ(tried, (Strings{"a"}));
    advance(30s);
    EXPECT_EQ(tried, (Strings{"a", "b"}));
}

TEST_F(OutboxTest, I11_AtOnceIsGrantedOnceToALetterAndThenItWaitsLikeAnyOther) {
    script["a"] = std::vector<Sending>(50, {Sending::State::retry, "again", 0s});
    ASSERT_TRUE(put("a"));
    settle();
    EXPECT_EQ(tried.size(), 2U);
    advance(limits::outbox_backoff_first / 2 - 1ms);
    EXPECT_EQ(tried.size(), 2U);
    for (int i = 0; i < 60; ++i) advance(1s);
    EXPECT_LT(tried.size(), 10U) << "and longer each time";
}

TEST_F(OutboxTest, WaitsGrowAreJitteredAndBounded) {
    script["a"] = std::vector<Sending>(12, down);
    ASSERT_TRUE(put("a", "room", Urgency::other, 24h));
    settle();
    std::vector<std::chrono::milliseconds> waits;
    for (std::size_t tries = 1; tries < 12; ++tries) {
        std::chrono::milliseconds waited{0};
        while (tried.size() == tries) {
            advance(10ms);
            waited += 10ms;
        }
        waits.push_back(waited);
    }
    for (std::size_t i = 0; i < waits.size(); ++i) {
        const auto whole = std::min<std::chrono::milliseconds>(1s * (1 << i), 60s);
        EXPECT_GE(waits[i], whole / 2) << i;
        EXPECT_LE(waits[i], whole + 10ms) << i;
    }
}

TEST_F(OutboxTest, I11_PastItsDeadlineALetterComesBackWithItsReason) {
    script["a"] = std::vector<Sending>(100, down);
    ASSERT_TRUE(put("a", "room", Urgency::approval, 10s));
    settle();
    for (int i = 0; i < 11; ++i) advance(1s);
    ASSERT_EQ(ended.size(), 1U);
    EXPECT_EQ(ended[0], "a: timeout: it could not be sent in time: network is down");
}

TEST_F(OutboxTest, ALetterBehindAWaitingOneComesBackInTimeToo) {
    script["a"] = {{Sending::State::retry, "flood", 60s}};
    ASSERT_TRUE(put("a"));
    ASSERT_TRUE(put("b", "room", Urgency::other, 5s));
    settle();
    advance(5s);
    EXPECT_EQ(ended, (Strings{"b: timeout: it could not be sent in time"}));
}

TEST_F(OutboxTest, WhatFailsForGoodIsNotTriedAgain) {
    script["a"] = {{Sending::State::failed, "blocked"}};
    ASSERT_TRUE(put("a"));
    settle();
    advance(1h);
    EXPECT_EQ(tried, (Strings{"a"}));
    EXPECT_EQ(ended, (Strings{"a: undeliverable: blocked"}));
}

TEST_F(OutboxTest, WhatIsUnsentCanBeDroppedAndWhatIsInFlightCannot) {
    held = true;
    const auto first = *put("a");
    const auto second = *put("b");
    settle();
    EXPECT_EQ(outbox.drop(second), Outbox::Dropped::dropped);
    EXPECT_EQ(outbox.drop(first), Outbox::Dropped::in_flight);
    release();
    EXPECT_EQ(tried, (Strings{"a"}));
    EXPECT_EQ(ended, (Strings{"a: sent"}));
    EXPECT_EQ(outbox.drop(first), Outbox::Dropped::gone);
    EXPECT_EQ(outbox.drop(second), Outbox::Dropped::gone);
    EXPECT_EQ(outbox.drop(0), Outbox::Dropped::gone);
}

TEST_F(OutboxTest, I13_OneLetterTooManyIsRefusedAndApprovalsHaveTheirOwnRoom) {
    held = true;
    for (std::size_t i = 0; i < limits::outbox_letters_max; ++i) ASSERT_TRUE(put("edit"));
    const auto refused = put("edit");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::busy);
    EXPECT_TRUE(put("card", "room", Urgency::approval));
}

TEST_F(OutboxTest, I13_OnlySoManyAreSentAtOnceAndApprovalsGetTheNextPlace) {
    held = true;
    for (std::size_t i = 0; i < limits::outbox_in_flight_max; ++i) ASSERT_TRUE(put("first", std::to_string(i)));
    settle();
    ASSERT_TRUE(put("edit", "x"));
    settle();
    ASSERT_TRUE(put("card", "y", Urgency::approval));
    settle();
    EXPECT_EQ(tried.size(), limits::outbox_in_flight_max);
    waiting.front()->cancel();
    settle();
    ASSERT_EQ(tried.size(), limits::outbox_in_flight_max + 1);
    EXPECT_EQ(tried.back(), "card");
    release();
    EXPECT_EQ(tried.back(), "edit");
    EXPECT_EQ(outbox.size(), 0U);
}

TEST_F(OutboxTest, ALetterMayBePutWhenAnotherIsDone) {
    ASSERT_TRUE(outbox.put({.chat = "room",
                            .urgency = Urgency::approval,
                            .deadline = clock.boot() + 1s,
                            .send = [this] { return attempt("card"); },
                            .done = [this](const Result<void>&) { ASSERT_TRUE(put("edit")); }}));
    settle();
    EXPECT_EQ(tried, (Strings{"card", "edit"}));
}

TEST_F(OutboxTest, DrainingEndsWhenAllIsSentOrTheTimeIsOver) {
    held = true;
    ASSERT_TRUE(put("a"));
    settle();
    int drained = 0;
    asio::co_spawn(io, outbox.drain(clock.boot() + 3s), [&](const std::exception_ptr&) { ++drained; });
    settle();
    EXPECT_EQ(drained, 0);
    advance(3s);
    EXPECT_EQ(drained, 1);
    asio::co_spawn(io, outbox.drain(clock.boot() + 3s), [&](const std::exception_ptr&) { ++drained; });
    settle();
    release();
    EXPECT_EQ(drained, 2);
}

}  // namespace
}  // namespace countersign::channels
