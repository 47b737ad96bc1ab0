// SPDX-License-Identifier: Apache-2.0
// What was typed for one card is never an answer to the next, however the first one went away.
#include "tests/channels/terminal_fixture.hpp"

namespace countersign::channels::terminal {
namespace {

class TerminalSwitchingCards : public TerminalTest {
protected:
    void open(bool plain) {
        open_pty();
        options.plain = plain;
        start();
        show(presentation(approval(1), 1));
        terminal->present(presentation(approval(2), 2));
        ASSERT_TRUE(sees("1 more waiting"));
    }
    // The first card ends behind the person's back, and the second has been there for a while.
    void switch_cards() {
        terminal->conclude(1, denied_by_alice());
        ASSERT_TRUE(pump_until([&] { return hub.shown.size() == 2; }));
        clock.advance(10s);
    }
    [[nodiscard]] int unread() const {
        int count = -1;
        EXPECT_EQ(::ioctl(near, FIONREAD, &count), 0);
        return count;
    }
    void wait_until_typed() const {
        pollfd typed{.fd = near, .events = POLLIN, .revents = 0};
        ASSERT_EQ(::poll(&typed, 1, 10'000), 1);
    }
};

TEST_F(TerminalSwitchingCards, HalfALineIsNotFinishedOnTheNextCard) {
    open(true);
    ASSERT_TRUE(types("1", "1"));
    switch_cards();
    EXPECT_TRUE(sees("What you were typing was dropped"));
    ASSERT_TRUE(types("\n", "Nothing was decided"));
    EXPECT_TRUE(hub.attempts.empty());
    type("1\n");
    ASSERT_TRUE(pump_until([&] { return hub.attempts.size() == 1; }));
    EXPECT_EQ(hub.attempts.front().request_id, id_of(2));
}

TEST_F(TerminalSwitchingCards, TheRestOfALineThatWasBegunBeforeIsNoAnswerEither) {
    open(true);
    ASSERT_TRUE(types("3 not before version ", "version "));
    switch_cards();
    ASSERT_TRUE(types("1\n", "You began that line before this request was shown. Nothing was decided."));
    EXPECT_TRUE(hub.attempts.empty());
}

TEST_F(TerminalSwitchingCards, AWholeLineThatNobodyReadYetIsDropped) {
    open(true);
    type("1\n");
    wait_until_typed();
    terminal->conclude(1, denied_by_alice());
    EXPECT_EQ(unread(), 0);
    ASSERT_TRUE(pump_until([&] { return hub.shown.size() == 2; }));
    clock.advance(10s);
    ASSERT_TRUE(types("?\n", id_of(2).str())) << "the next line is a new one";
    EXPECT_TRUE(hub.attempts.empty());
}

TEST_F(TerminalSwitchingCards, ALineTypedWhileNothingWaitsIsNotFinishedOnTheFirstCard) {
    open_pty();
    options.plain = true;
    start();
    ASSERT_TRUE(types("1", "1"));
    show(presentation(approval(1), 1));
    clock.advance(10s);
    ASSERT_TRUE(types("\n", "You began that line before"));
    EXPECT_TRUE(hub.attempts.empty());
}

TEST_F(TerminalSwitchingCards, ALineBegunWhileTheCardIsStillBeingWrittenDoesNotCount) {
    open_pty();
    options.plain = true;
    start();
    auto request = approval(1);
    std::get<Approval>(request.body).display_text = std::string(100'000, 'x');
    terminal->present(presentation(request, 1));
    context.poll();
    ASSERT_TRUE(hub.shown.empty());
    ASSERT_TRUE(types("1", "1"));
    ASSERT_TRUE(pump_until([&] { return !hub.shown.empty(); }));
    clock.advance(10s);
    ASSERT_TRUE(types("\n", "You began that line before"));
    EXPECT_TRUE(hub.attempts.empty());
}

TEST_F(TerminalSwitchingCards, KeysThatNobodyReadYetAreDroppedButCtrlC) {
    open(false);
    type(arrow_up + arrow_up + "\r");
    wait_until_typed();
    terminal->conclude(1, denied_by_alice());
    EXPECT_EQ(unread(), 0);
    switch_cards();
    ASSERT_TRUE(types(arrow_up, "▶ Allow this exact call for this session")) << "one up from where the focus begins";
    terminal->present(presentation(approval(3), 3));
    type("\x03");
    wait_until_typed();
    terminal->conclude(2, denied_by_alice());
    EXPECT_TRUE(pump_until([&] { return interrupts == 1; }));
    EXPECT_TRUE(hub.attempts.empty());
}

TEST_F(TerminalSwitchingCards, AnEscThatStillWaitedForItsRestIsDropped) {
    open(false);
    type("\x1b");
    ASSERT_TRUE(pump_until([&] { return clock.sleepers() == 1; }));
    screen.clear();
    switch_cards();
    ASSERT_TRUE(types(arrow_up, "▶ Allow this exact call for this session"));
    EXPECT_EQ(screen.find("Esc again"), std::string::npos);
}

TEST_F(TerminalSwitchingCards, ThePasteThatWasUnderWayDoesNotEndInTheNextCard) {
    open_pty();
    start();
    show(presentation(question({notes()}, 1), 1));
    terminal->present(presentation(question({notes()}, 2), 2));
    type("\x1b[200~for the ");
    context.poll();
    switch_cards();
    ASSERT_TRUE(types("first one\r\x1b[201~", "too long"));
    EXPECT_EQ(screen.find("first one"), std::string::npos);
    EXPECT_TRUE(hub.attempts.empty());
}

TEST_F(TerminalSwitchingCards, OverAPipeLinesMayBeWrittenAhead) {
    open_pipes();
    start();
    show(presentation(approval(1), 1));
    terminal->present(presentation(approval(2), 2));
    type("3 no");
    context.poll();
    switch_cards();
    type("t this one\n");
    ASSERT_TRUE(pump_until([&] { return !hub.attempts.empty(); }));
    EXPECT_EQ(hub.attempts.front().request_id, id_of(2));
    EXPECT_EQ(hub.attempts.front().reason, "not this one");
}

}  // namespace
}  // namespace countersign::channels::terminal
