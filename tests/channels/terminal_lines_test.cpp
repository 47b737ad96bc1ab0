// SPDX-License-Identifier: Apache-2.0
// Whole lines: over pipes, and on a real terminal.
#include "tests/channels/terminal_fixture.hpp"

namespace countersign::channels::terminal {
namespace {

using TerminalByLines = TerminalTest;

TEST_F(TerminalByLines, PlainAnswersComeByLinesOverPipes) {
    open_pipes();
    start();
    type("1\n");
    ASSERT_TRUE(sees("Nothing is waiting."));
    show(presentation(approval(), 7));
    EXPECT_EQ(hub.refs.front().place, (Place{.channel = "desk", .chat = "plain", .thread = "", .message = "7"}));
    ASSERT_TRUE(sees("Type a number"));
    EXPECT_EQ(times_on_screen("Allow once"), 1);
    EXPECT_EQ(screen.find('\x1b'), std::string::npos);
    ASSERT_TRUE(types("yes\n", "Nothing was decided"));
    ASSERT_TRUE(sees("1) Allow once  2) Allow this exact call for this session  3) Deny\n"))
        << "the card is no longer right above";
    ASSERT_TRUE(types("?\n", "rm -rf build"));
    ASSERT_TRUE(pump_until([&] { return hub.shown.size() == 1; }));
    EXPECT_TRUE(hub.attempts.empty());
    type("3 too risky\n");
    ASSERT_TRUE(pump_until([&] { return !hub.attempts.empty(); }));
    EXPECT_EQ(std::get<Choose>(hub.attempts.front().what).option_id, "deny");
    EXPECT_EQ(hub.attempts.front().reason, "too risky");
    EXPECT_EQ(hub.attempts.front().where, hub.refs.front().place);
    terminal->conclude(7, denied_by_alice());
    EXPECT_TRUE(sees("Denied by alice on ops"));
}

TEST_F(TerminalByLines, PlainWalksWithNextAndPrevious) {
    open_pipes();
    start();
    show(presentation(approval(1), 1));
    terminal->present(presentation(approval(2), 2));
    ASSERT_TRUE(sees("1 more waiting (/next, /previous)"));
    type("/next\n");
    ASSERT_TRUE(pump_until([&] { return hub.shown.size() == 2; }));
    ASSERT_TRUE(types("/previous\n", id_of(1).str()));
    type("3\n");
    ASSERT_TRUE(pump_until([&] { return !hub.attempts.empty(); }));
    EXPECT_EQ(hub.attempts.front().request_id, id_of(1));
}

TEST_F(TerminalByLines, TheEndOfPlainInputInventsNoDecision) {
    open_pipes();
    start();
    show(presentation(approval(), 7));
    type("1");
    ::close(std::exchange(far_in, -1));
    std::erase(opened, opened[1]);
    ASSERT_TRUE(pump_until([&] { return !closed.empty(); }));
    EXPECT_EQ(closed.front(), "the input ended");
    EXPECT_TRUE(hub.attempts.empty()) << "a line without its newline is none";
    EXPECT_TRUE(sees("Nothing was decided here"));
}

TEST_F(TerminalByLines, I13_APlainLineOnePastItsBoundDecidesNothing) {
    open_pipes();
    start();
    show(presentation(question({notes()}), 7));
    const std::string past(limits::terminal_line_bytes_max + 1, 'a');
    ASSERT_TRUE(types(past + "\n", "That line is too long"));
    EXPECT_TRUE(hub.attempts.empty());
}

TEST_F(TerminalByLines, ASecretIsNotEchoedOnAPlainTerminal) {
    open_pty();
    options.plain = true;
    start();
    auto secret = notes();
    secret.secret = true;
    show(presentation(question({secret}), 7));
    termios now{};
    ::tcgetattr(near, &now);
    EXPECT_EQ(now.c_lflag & ECHO, 0U);
    type("hunter2\n");
    ASSERT_TRUE(pump_until([&] { return !hub.attempts.empty(); }));
    terminal->conclude(7, denied_by_alice());
    terminal->say("marker");
    ASSERT_TRUE(sees("marker"));
    EXPECT_EQ(screen.find("hunter2"), std::string::npos);
    EXPECT_TRUE(modes_are_back());
}

TEST_F(TerminalByLines, OnAPlainTerminalALineTypedTooSoonDecidesNothing) {
    open_pty();
    options.plain = true;
    start();
    terminal->present(presentation(approval(), 7));
    ASSERT_TRUE(pump_until([&] { return !hub.shown.empty(); }));
    ASSERT_TRUE(types("1\n", "before you could read the request"));
    EXPECT_TRUE(hub.attempts.empty());
    clock.advance(300ms);
    type("1\n");
    EXPECT_TRUE(pump_until([&] { return hub.attempts.size() == 1; }));
}

}  // namespace
}  // namespace countersign::channels::terminal
