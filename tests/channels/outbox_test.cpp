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

#include <random>

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
    Letter letter(const std::string& name, const std::string& chat = "room", Urgency urgency = Urgency::other,
                  std::chrono::milliseconds time = 10min) {
        return {.chat = chat,
                .urgency = urgency,
                .deadline = clock.boot() + time,
                .send = [this, name] { return attempt(name); },
                .done =
                    [this, name](const Result<void>& result) {
                        ended.push_back(name + (result ? ": sent" : ": " + describe(result.error())));
                    }};
    }
    Result<LetterId> put(const std::string& name, const std::string& chat = "room", Urgency urgency = Urgency::other,
                         std::chrono::milliseconds time = 10min) {
        return outbox.put(letter(name, chat, urgency, time));
    }
    // One that says when it is late.
    Result<LetterId> put_patient(const std::string& name, std::chrono::milliseconds patience,
                                 std::chrono::milliseconds time = 24h) {
        auto made = letter(name, "room", Urgency::approval, time);
        made.patience = clock.boot() + patience;
        made.late = [this, name](const std::string& why) { late.push_back(name + ": " + why); };
        return outbox.put(std::move(made));
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
    Strings late;
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

TEST_F(OutboxTest, I11_TheFirstCardOfAnAgentDoesNotWaitBehindAThousandOfAnother) {
    held = true;
    for (int i = 0; i < 1'000; ++i) {
        auto card = letter("busy " + std::to_string(i), "room", Urgency::approval);
        card.sender = "busy";
        ASSERT_TRUE(outbox.put(std::move(card)));
    }
    settle();
    for (const auto* name : {"quiet 0", "quiet 1"}) {
        auto card = letter(name, "room", Urgency::approval);
        card.sender = "quiet";
        ASSERT_TRUE(outbox.put(std::move(card)));
    }
    release();
    ASSERT_EQ(tried.size(), 1'002U);
    tried.resize(5);
    EXPECT_EQ(tried, (Strings{"busy 0", "quiet 0", "busy 1", "quiet 1", "busy 2"}));
}

TEST_F(OutboxTest, AnAgentKeepsItsTurnWhileItsLetterIsTriedAgainAndWhenOneIsDropped) {
    const auto put_of = [&](const std::string& sender, const std::string& name) {
        auto card = letter(name, "room", Urgency::approval);
        card.sender = sender;
        return *outbox.put(std::move(card));
    };
    script["a0"] = {down};
    put_of("a", "a0");
    const auto dropped = put_of("a", "a1");
    put_of("a", "a2");
    put_of("b", "b0");
    settle();
    EXPECT_EQ(outbox.drop(dropped), Outbox::Dropped::dropped);
    advance(limits::outbox_backoff_max);
    EXPECT_EQ(tried, (Strings{"a0", "a0", "b0", "a2"}));
}

TEST_F(OutboxTest, TheReportSaysHowLongTheOldestLetterHasWaitedWhateverTheTurn) {
    held = true;
    for (const auto* name : {"a", "b"}) {
        auto edit = letter(name);
        edit.sender = name;
        ASSERT_TRUE(outbox.put(std::move(edit)));
        clock.advance(1s);
    }
    settle();
    waiting.front()->cancel();
    auto edit = letter("a1");
    edit.sender = "a";
    ASSERT_TRUE(outbox.put(std::move(edit)));
    clock.advance(1s);
    settle();
    const auto report = outbox.report(10);
    ASSERT_EQ(report.chats.size(), 1U);
    EXPECT_EQ(report.chats[0].letters[index_of(Urgency::other)], 2U);
    EXPECT_EQ(report.chats[0].waited, 2s) << "b, which is being sent";
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
    for (std::size_t i = 0; i < limits::outbox_in_flight_max; ++i) {
        ASSERT_TRUE(put("first", std::to_string(i), Urgency::approval));
    }
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

TEST_F(OutboxTest, I11_ThreeUrgenciesGoInOrderAndNoneStarves) {
    for (int i = 0; i < 12; ++i) {
        ASSERT_TRUE(put("o"));
        ASSERT_TRUE(put("c", "room", Urgency::conclusion));
        ASSERT_TRUE(put("a", "room", Urgency::approval));
    }
    settle();
    std::string order;
    for (const auto& name : tried) order += name;
    EXPECT_EQ(order.substr(0, 18), "aaaacaoaacaoaacaoa");
    EXPECT_EQ(order.size(), 36U);
}

TEST_F(OutboxTest, I11_ATakenButtonWaitsForNoAnnouncement) {
    ASSERT_TRUE(put("announcement"));
    ASSERT_TRUE(put("reply"));
    ASSERT_TRUE(put("conclusion", "room", Urgency::conclusion));
    settle();
    EXPECT_EQ(tried, (Strings{"conclusion", "announcement", "reply"}));
}

TEST_F(OutboxTest, AnApprovalDoesNotWaitForWhatMustBeTriedAgain) {
    script["edit"] = {down};
    ASSERT_TRUE(put("edit", "room", Urgency::conclusion));
    settle();
    ASSERT_TRUE(put("card", "room", Urgency::approval));
    ASSERT_TRUE(put("reply"));
    settle();
    EXPECT_EQ(tried, (Strings{"edit", "card"})) << "what is no more urgent waits";
    advance(1s);
    EXPECT_EQ(tried, (Strings{"edit", "card", "edit", "reply"}));
}

TEST_F(OutboxTest, AnEditThatFailsForADayDelaysNoCard) {
    script["edit"] = std::vector<Sending>(5'000, down);
    ASSERT_TRUE(put("edit", "room", Urgency::conclusion, 24h));
    for (int i = 0; i < 23 * 60; ++i) {
        advance(1min);
        ASSERT_TRUE(put("card", "room", Urgency::approval));
        settle();
        ASSERT_EQ(tried.back(), "card") << i;
        ASSERT_EQ(ended.size(), static_cast<std::size_t>(i + 1)) << "at once";
    }
    EXPECT_GT(tried.size(), 23U * 60 * 3 / 2) << "and the edit was tried all the time";
}

TEST_F(OutboxTest, AnEditThatHangsDelaysNoCardAndNothingElseOvertakesIt) {
    held = true;
    ASSERT_TRUE(put("edit", "room", Urgency::conclusion));
    settle();
    held = false;
    ASSERT_TRUE(put("reply"));
    ASSERT_TRUE(put("card", "room", Urgency::approval));
    ASSERT_TRUE(put("card 2", "room", Urgency::approval));
    settle();
    EXPECT_EQ(tried, (Strings{"edit", "card", "card 2"}));
    EXPECT_TRUE(outbox.report(1).chats.at(0).in_flight);
    release();
    EXPECT_EQ(tried, (Strings{"edit", "card", "card 2", "reply"}));
}

TEST_F(OutboxTest, AnEditThatIsToBeTriedAtOnceAgainAndAgainDelaysNoCard) {
    script["edit"] = std::vector<Sending>(2, {Sending::State::retry, "the chat moved", 0s});
    ASSERT_TRUE(put("edit", "room", Urgency::conclusion));
    settle();
    EXPECT_EQ(tried, (Strings{"edit", "edit"})) << "at once is granted once";
    ASSERT_TRUE(put("card", "room", Urgency::approval));
    settle();
    EXPECT_EQ(tried, (Strings{"edit", "edit", "card"}));
}

TEST_F(OutboxTest, WhatThePlatformWishesHoldsForCardsToo) {
    held = true;
    script["edit"] = {{Sending::State::retry, "flood", 30s}};
    script["card"] = {down};
    ASSERT_TRUE(put("edit", "room", Urgency::conclusion));
    settle();
    ASSERT_TRUE(put("card", "room", Urgency::approval));
    settle();
    release();
    EXPECT_EQ(tried, (Strings{"edit", "card"})) << "both were under way";
    advance(29s);
    EXPECT_EQ(tried.size(), 2U);
    advance(1s);
    EXPECT_EQ(tried, (Strings{"edit", "card", "card", "edit"}));
}

TEST_F(OutboxTest, ACardThatFailsHoldsBackTheRestOfItsChat) {
    script["card"] = {down};
    ASSERT_TRUE(put("card", "room", Urgency::approval));
    ASSERT_TRUE(put("edit", "room", Urgency::conclusion));
    settle();
    EXPECT_EQ(tried, (Strings{"card"}));
    advance(1s);
    EXPECT_EQ(tried, (Strings{"card", "card", "edit"}));
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

TEST_F(OutboxTest, HermesAgent94291_AFloodWaitOf265SecondsDoesNotLoseTheCard) {
    // Four prompts, and the platform wants 265 seconds; people were to see them within two minutes.
    script["1"] = {{Sending::State::retry, "Too Many Requests: retry after 265", 265s}};
    for (const auto* name : {"1", "2", "3", "4"}) ASSERT_TRUE(put_patient(name, 2min));
    settle();
    EXPECT_EQ(late, (Strings{"1: Too Many Requests: retry after 265"})) << "known at once, and said";
    advance(2min);
    EXPECT_EQ(late.size(), 4U) << "each once";
    advance(145s - 1ms);
    EXPECT_EQ(tried, (Strings{"1"}));
    advance(1ms);
    EXPECT_EQ(ended, (Strings{"1: sent", "2: sent", "3: sent", "4: sent"}));
    EXPECT_EQ(late.size(), 4U);
}

TEST_F(OutboxTest, HermesAgent56575_WhatIsAskedInsteadDoesNotRepeatTheDoomedSend) {
    script["card"] = {{Sending::State::retry, "flood", 200s}};
    ASSERT_TRUE(put_patient("card", 2min));
    settle();
    ASSERT_TRUE(put_patient("fallback", 2min)) << "to the same chat";
    settle();
    EXPECT_EQ(tried, (Strings{"card"}));
    EXPECT_EQ(late, (Strings{"card: flood", "fallback: flood"})) << "the chat is known to be late for this one too";
    advance(200s);
    EXPECT_EQ(ended, (Strings{"card: sent", "fallback: sent"}));
}

TEST_F(OutboxTest, I11_ALateLetterIsTriedUntilItsDeadlineAndThenComesBack) {
    script["a"] = std::vector<Sending>(10'000, down);
    ASSERT_TRUE(put_patient("a", 2min, 8h));
    settle();
    for (int i = 0; i < 8 * 60 - 1; ++i) advance(1min);
    EXPECT_EQ(late, (Strings{"a: network is down"})) << "once";
    EXPECT_TRUE(ended.empty());
    advance(1min);
    EXPECT_EQ(ended, (Strings{"a: timeout: it could not be sent in time: network is down"}));
}

TEST_F(OutboxTest, ALetterThatIsDroppedWhenItIsLateIsNotSent) {
    script["a"] = {{Sending::State::retry, "flood", 5min}};
    LetterId id = 0;
    auto made = letter("a", "room", Urgency::approval, 1h);
    made.patience = clock.boot() + 2min;
    made.late = [&](const std::string&) { EXPECT_EQ(outbox.drop(id), Outbox::Dropped::dropped); };
    id = *outbox.put(std::move(made));
    settle();
    EXPECT_EQ(outbox.size(), 0U);
    advance(1h);
    EXPECT_EQ(tried.size(), 1U);
    EXPECT_TRUE(ended.empty());
}

TEST_F(OutboxTest, WhatIsSentInTimeIsNeverLate) {
    ASSERT_TRUE(put_patient("a", 2min));
    settle();
    advance(1h);
    EXPECT_TRUE(late.empty());
}

TEST_F(OutboxTest, ALetterBehindAWaitingOneComesBackInTimeToo) {
    script["a"] = {{Sending::State::retry, "flood", 60s}};
    ASSERT_TRUE(put("a"));
    ASSERT_TRUE(put("b", "room", Urgency::other, 5s));
    settle();
    advance(5s);
    EXPECT_EQ(ended, (Strings{"b: timeout: it could not be sent in time: flood"}));
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

TEST_F(OutboxTest, I13_EditsThatHangLeavePlacesForCards) {
    held = true;
    for (std::size_t i = 0; i <= limits::outbox_in_flight_others_max; ++i) ASSERT_TRUE(put("edit", std::to_string(i)));
    settle();
    EXPECT_EQ(tried.size(), limits::outbox_in_flight_others_max) << "one more waits";
    advance(1s);
    EXPECT_EQ(tried.size(), limits::outbox_in_flight_others_max);
    ASSERT_TRUE(put("card", "0", Urgency::approval)) << "beside an edit in the same chat";
    ASSERT_TRUE(put("card", "x", Urgency::approval));
    settle();
    EXPECT_EQ(std::ranges::count(tried, "card"), 2);
    auto answer = letter("answer", "query 1");
    answer.rated = false;
    ASSERT_TRUE(outbox.put(std::move(answer)));
    settle();
    EXPECT_EQ(tried.back(), "answer") << "somebody tapped";
    waiting.front()->cancel();
    settle();
    EXPECT_EQ(std::ranges::count(tried, "edit"), limits::outbox_in_flight_others_max + 1);
    release();
    EXPECT_EQ(outbox.size(), 0U);
}

TEST_F(OutboxTest, I13_OnlySoManyAreSentAtOnceAndApprovalsGetTheNextPlace) {
    held = true;
    for (std::size_t i = 0; i < limits::outbox_in_flight_max; ++i) {
        ASSERT_TRUE(put("first", std::to_string(i), Urgency::approval));
    }
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

// Two at once in a chat and one a second; three at once over all and one in 400 ms.
class RatedOutboxTest : public OutboxTest {
protected:
    Letter rated(const std::string& name, const std::string& chat = "room", Urgency urgency = Urgency::other) {
        auto made = letter(name, chat, urgency);
        made.send = [this, name] { return attempt(name); };
        return made;
    }
    void put_rated(const std::string& name, const std::string& chat = "room", Urgency urgency = Urgency::other) {
        ASSERT_TRUE(slow.put(rated(name, chat, urgency)));
    }
    Outbox slow{io.get_executor(), tasks, clock, ids, {.channel = {3, 400ms}, .of_chat = [](const std::string&) {
                                                           return Rate{2, 1s};
                                                       }}};
};

TEST_F(RatedOutboxTest, AChatGetsItsBurstAndThenOneAnInterval) {
    for (const auto* name : {"a", "b", "c", "d"}) put_rated(name);
    settle();
    EXPECT_EQ(tried, (Strings{"a", "b"}));
    advance(999ms);
    EXPECT_EQ(tried.size(), 2U);
    advance(1ms);
    EXPECT_EQ(tried.size(), 3U);
    advance(1s);
    EXPECT_EQ(tried.size(), 4U);
}

class ReservingOutboxTest : public RatedOutboxTest {
protected:
    void put_one(const std::string& name, Urgency urgency) {
        ASSERT_TRUE(reserving.put(rated(name, "room", urgency)));
        settle();
    }
    Outbox reserving{io.get_executor(), tasks, clock, ids, {.channel = {}, .of_chat = [](const std::string&) {
                                                                return Rate{4, 1s, 2};
                                                            }}};
};

TEST_F(ReservingOutboxTest, EditsAndNoticesLeaveTheReserveToCards) {
    put_one("edit 1", Urgency::conclusion);
    put_one("notice 1", Urgency::other);
    put_one("edit 2", Urgency::conclusion);
    EXPECT_EQ(tried, (Strings{"edit 1", "notice 1"})) << "two of four are kept";
    put_one("card 1", Urgency::approval);
    put_one("card 2", Urgency::approval);
    EXPECT_EQ(tried.size(), 4U) << "cards need not wait";
    advance(2s);
    EXPECT_EQ(tried.size(), 4U) << "the reserve comes back first";
    advance(1s);
    EXPECT_EQ(tried.back(), "edit 2");
}

TEST_F(ReservingOutboxTest, AtTheEndEditsNeedNotLeaveTheReserve) {
    put_one("edit 1", Urgency::conclusion);
    put_one("edit 2", Urgency::conclusion);
    put_one("edit 3", Urgency::conclusion);
    EXPECT_EQ(tried.size(), 2U);
    bool drained = false;
    boost::asio::co_spawn(io, reserving.drain(clock.boot() + 3s), [&](const std::exception_ptr&) { drained = true; });
    settle();
    EXPECT_EQ(tried, (Strings{"edit 1", "edit 2", "edit 3"})) << "a card must not keep its buttons";
    put_one("edit 4", Urgency::conclusion);
    EXPECT_EQ(tried.size(), 4U);
    EXPECT_TRUE(drained);
}

TEST_F(ReservingOutboxTest, AnAnswerThatAPersonWaitsForNeedNotLeaveTheReserve) {
    put_one("edit 1", Urgency::conclusion);
    put_one("edit 2", Urgency::conclusion);
    put_one("edit 3", Urgency::conclusion);
    auto answer = rated("answer");
    answer.answers = true;
    ASSERT_TRUE(reserving.put(std::move(answer)));
    settle();
    EXPECT_EQ(tried.back(), "answer");
}

TEST_F(ReservingOutboxTest, WhileCardsWaitEditsStillHaveTheirTurn) {
    for (int i = 0; i < 10; ++i) put_one("card", Urgency::approval);
    put_one("edit", Urgency::conclusion);
    for (std::size_t i = 0; i <= limits::outbox_approvals_in_a_row_max; ++i) advance(1s);
    EXPECT_EQ(std::ranges::count(tried, "edit"), 1) << "nothing starves";
}

TEST_F(RatedOutboxTest, AChatThatIsEmptyMeanwhileIsStillRemembered) {
    put_rated("a");
    put_rated("b");
    settle();
    EXPECT_EQ(slow.size(), 0U);
    put_rated("c");
    settle();
    EXPECT_EQ(tried.size(), 2U);
    advance(1s);
    EXPECT_EQ(tried.size(), 3U);
}

TEST_F(RatedOutboxTest, AllChatsTogetherGetTheChannelsRateAndApprovalsGoFirst) {
    for (int i = 0; i < 3; ++i) put_rated("first", std::to_string(i));
    settle();
    put_rated("reply", "x");
    put_rated("conclusion", "y", Urgency::conclusion);
    put_rated("card", "z", Urgency::approval);
    settle();
    EXPECT_EQ(tried.size(), 3U);
    for (int i = 0; i < 3; ++i) advance(400ms);
    EXPECT_EQ(tried, (Strings{"first", "first", "first", "card", "conclusion", "reply"}));
}

TEST_F(RatedOutboxTest, AnAnswerToAClickWaitsForNoRate) {
    for (int i = 0; i < 4; ++i) put_rated("first", std::to_string(i));
    settle();
    EXPECT_EQ(tried.size(), 3U);
    auto answer = rated("answer", "query 1");
    answer.rated = false;
    ASSERT_TRUE(slow.put(std::move(answer)));
    settle();
    EXPECT_EQ(tried.back(), "answer");
    advance(400ms);
    EXPECT_EQ(tried.size(), 5U);
}

TEST_F(RatedOutboxTest, EveryCallOfALetterCountsAndNoneIfThereWasNothingToDo) {
    script["with a document"] = {{.calls = 2}};
    script["nothing to do"] = {{.calls = 0}};
    put_rated("nothing to do");
    put_rated("with a document");
    put_rated("next");
    settle();
    EXPECT_EQ(tried, (Strings{"nothing to do", "with a document"}));
    advance(1s);
    EXPECT_EQ(tried.back(), "next");
}

TEST_F(RatedOutboxTest, ATryThatFailedCountsToo) {
    script["a"] = {down, down};
    put_rated("a");
    settle();
    for (int i = 0; i < 100; ++i) advance(100ms);
    EXPECT_EQ(tried.size(), 3U);
    EXPECT_EQ(slow.report(1).retried[index_of(Urgency::other)], 2U);
    EXPECT_EQ(slow.report(1).sent[index_of(Urgency::other)], 1U);
}

TEST_F(OutboxTest, AWishForTheBotHoldsBackEveryChatButNoAnswerToAClick) {
    script["a"] = {{Sending::State::retry, "slow down", 20s, Sending::Scope::bot}};
    ASSERT_TRUE(put("a"));
    settle();
    ASSERT_TRUE(put("card", "hall", Urgency::approval));
    auto answer = letter("answer", "query 1");
    answer.rated = false;
    ASSERT_TRUE(outbox.put(std::move(answer)));
    settle();
    EXPECT_EQ(tried, (Strings{"a", "answer"}));
    advance(19999ms);
    EXPECT_EQ(tried.size(), 2U);
    advance(1ms);
    EXPECT_EQ(tried, (Strings{"a", "answer", "card", "a"}));
}

TEST_F(OutboxTest, AWishForABucketHoldsBackNothingOfAnotherUrgency) {
    script["edit"] = {{Sending::State::retry, "slow down", 20s, Sending::Scope::bucket}};
    ASSERT_TRUE(put("edit", "room", Urgency::conclusion));
    settle();
    ASSERT_TRUE(put("notice", "room", Urgency::other));
    ASSERT_TRUE(put("card", "room", Urgency::approval));
    settle();
    EXPECT_EQ(tried, (Strings{"edit", "card", "notice"}));
    advance(20s);
    EXPECT_EQ(tried.back(), "edit");
}

TEST_F(ReservingOutboxTest, WhatDoesNotCountTakesNothingOfTheRateAndWaitsForNone) {
    const auto put_edits = [this] {
        for (int i = 0; i < 5; ++i) {
            auto edit = rated("edit", "room", Urgency::conclusion);
            edit.counts = false;
            ASSERT_TRUE(reserving.put(std::move(edit)));
            settle();
        }
    };
    put_edits();
    EXPECT_EQ(tried.size(), 5U);
    for (int i = 0; i < 5; ++i) put_one("card", Urgency::approval);
    EXPECT_EQ(tried.size(), 9U) << "four at once";
    put_edits();
    EXPECT_EQ(tried.size(), 14U) << "a card that waits for the rate holds back no edit";
}

TEST_F(OutboxTest, AReportSaysWhatWaitsWhereSinceWhenAndWhy) {
    script["a"] = {{Sending::State::retry, "flood", 60s}};
    ASSERT_TRUE(put("a", "one"));
    settle();
    advance(10s);
    ASSERT_TRUE(put("card", "one", Urgency::approval));
    held = true;
    ASSERT_TRUE(put("b", "two"));
    settle();
    advance(5s);
    const auto report = outbox.report(10);
    EXPECT_EQ(report.waiting, (ByUrgency<std::size_t>{1, 0, 2}));
    ASSERT_EQ(report.chats.size(), 2U);
    EXPECT_EQ(report.chats[0].chat, "one");
    EXPECT_EQ(report.chats[0].letters, (ByUrgency<std::size_t>{1, 0, 1}));
    EXPECT_EQ(report.chats[0].waited, 15s);
    EXPECT_EQ(report.chats[0].why, "flood");
    EXPECT_EQ(report.chats[0].next_in, 45s);
    EXPECT_FALSE(report.chats[0].in_flight);
    EXPECT_TRUE(report.chats[1].in_flight);
    EXPECT_EQ(report.chats[1].tries, 1U);
    const auto bounded = outbox.report(1);
    EXPECT_EQ(bounded.chats.size(), 1U);
    EXPECT_EQ(bounded.more_chats, 1U);
}

// The same chats fall asleep in one order and later in the other, so an order by name or by address fails.
TEST_F(OutboxTest, ChatsThatWakeAtOneMomentGoInTheOrderTheyBeganToWait) {
    constexpr int chats = 8;
    const auto flood = [](int seconds) {
        return Sending{Sending::State::retry, "flood", std::chrono::seconds{seconds}};
    };
    Strings forward;
    for (int i = 0; i < chats; ++i) {
        forward.push_back(std::to_string(i));
        // All wake after 10 s; then one by one, the last first; then all again 20 s after that.
        script[forward.back()] = {flood(10), flood(chats - i), flood(20 - (chats - i))};
        ASSERT_TRUE(put(forward.back(), forward.back()));
    }
    settle();
    EXPECT_EQ(std::exchange(tried, {}), forward);
    advance(10s);
    EXPECT_EQ(std::exchange(tried, {}), forward);
    const Strings backward{forward.rbegin(), forward.rend()};
    for (int i = 0; i < chats; ++i) advance(1s);
    EXPECT_EQ(std::exchange(tried, {}), backward);
    ASSERT_TRUE(put("one more", backward.front()));  // a chat keeps its place when it has more to say
    advance(20s - std::chrono::seconds{chats});
    tried.resize(chats);
    EXPECT_EQ(tried, backward);
}

// Whatever comes, in whatever order: each letter ends once, a chat has one in flight and a card beside it, and none
// overtakes its own kind.
TEST_F(OutboxTest, I11_InEveryOrderOfEventsEachLetterEndsOnce) {
    std::mt19937 random{7};
    std::map<std::string, int> open;
    std::map<std::string, std::vector<LetterId>> order;
    std::size_t put_count = 0;
    std::size_t ends = 0;
    std::size_t dropped = 0;
    std::vector<LetterId> ids_put;
    for (int step = 0; step < 5'000; ++step) {
        const auto chat = std::to_string(random() % 5);
        const auto urgency = static_cast<Urgency>(random() % urgencies);
        const auto kind = chat + "/" + std::to_string(index_of(urgency));
        switch (random() % 4) {
        case 0:
        case 1: {
            const auto id = ++put_count;
            const auto lane = chat + (urgency == Urgency::approval ? " card" : " other");
            const auto send = [&, chat, lane, kind, id]() -> asio::awaitable<Sending> {
                EXPECT_EQ(open[lane]++, 0) << "two of one chat at once";
                EXPECT_EQ(lane.ends_with("other") ? open[chat + " card"] : 0, 0) << "only a card goes beside another";
                co_await clock.sleep_until(clock.boot() + std::chrono::milliseconds{random() % 500});
                --open[lane];
                const auto luck = random() % 10;
                if (luck < 2) co_return Sending{Sending::State::retry, "down"};
                if (luck < 3) co_return Sending{Sending::State::retry, "flood", 3s};
                if (luck < 4) co_return Sending{Sending::State::failed, "no"};
                auto& sent = order[kind];
                EXPECT_TRUE(sent.empty() || sent.back() < id) << "overtook its own kind";
                sent.push_back(id);
                co_return Sending{};
            };
            const auto made = outbox.put({.chat = chat,
                                          .urgency = urgency,
                                          .deadline = clock.boot() + std::chrono::seconds{random() % 60},
                                          .send = send,
                                          .done = [&](const Result<void>&) { ++ends; }});
            ASSERT_TRUE(made);
            ids_put.push_back(*made);
            break;
        }
        case 2:
            if (ids_put.empty()) break;
            if (outbox.drop(ids_put[random() % ids_put.size()]) == Outbox::Dropped::dropped) ++dropped;
            break;
        default:
            advance(std::chrono::milliseconds{random() % 1'000});
        }
    }
    for (int i = 0; i < 1'000 && outbox.size() > 0; ++i) advance(1s);
    EXPECT_EQ(outbox.size(), 0U);
    EXPECT_EQ(ends + dropped, put_count);
    EXPECT_GT(dropped, 50U) << "the same in each run: nothing here goes by an address";
    EXPECT_EQ(outbox.report(1).waiting, (ByUrgency<std::size_t>{}));
}

}  // namespace
}  // namespace countersign::channels
