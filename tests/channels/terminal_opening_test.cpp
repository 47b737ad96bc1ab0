// SPDX-License-Identifier: Apache-2.0
// How the channel begins and ends, and what it leaves behind.
#include "tests/channels/terminal_fixture.hpp"

#include <cstdlib>
#include <stdexcept>

namespace countersign::channels::terminal {
namespace {

using TerminalOpening = TerminalTest;

TEST_F(TerminalOpening, ThePrincipalIsTheUserOfTheProcessUnlessGiven) {
    open_pty();
    auto made = Terminal::open(context.get_executor(), options, {clock, hub, hub});
    ASSERT_TRUE(made);
    terminal = std::move(*made);
    tasks.spawn(terminal->run());
    show(presentation(approval(), 1));
    type("\r\r");
    ASSERT_TRUE(pump_until([&] { return !hub.attempts.empty(); }));
    EXPECT_EQ(hub.attempts.front().principal, "terminal:" + std::to_string(::getuid()));
}

TEST_F(TerminalOpening, TheModesAreRestoredWhenItIsCancelled) {
    open_pty();
    start();
    show(presentation(approval(), 7));
    EXPECT_FALSE(modes_are_back());
    EXPECT_TRUE(sees("\x1b[?2004h"));
    terminal->present(presentation(approval(2), 8));
    tasks.cancel();
    ASSERT_TRUE(pump_until([&] { return tasks.size() == 0; }));
    EXPECT_TRUE(modes_are_back());
    EXPECT_TRUE(sees("\x1b[?2004l"));
    EXPECT_TRUE(closed.empty());
    EXPECT_TRUE(hub.failed.empty()) << "the end of the program makes nothing undeliverable";
    EXPECT_EQ(interrupts, 0);
}

TEST_F(TerminalOpening, TheModesAreRestoredWhenItNeverRanOrAnExceptionPassed) {
    open_pty();
    try {
        auto made = Terminal::open(context.get_executor(), options, {clock, hub, hub});
        ASSERT_TRUE(made);
        EXPECT_FALSE(modes_are_back());
        throw std::runtime_error{"elsewhere"};
    } catch (const std::runtime_error&) {
        EXPECT_TRUE(modes_are_back());
    }
}

TEST_F(TerminalOpening, CtrlCRestoresTheTerminalAndDecidesNothing) {
    open_pty();
    start();
    show(presentation(approval(), 7));
    type("\x03\r\r");
    ASSERT_TRUE(pump_until([&] { return interrupts == 1; }));
    EXPECT_TRUE(modes_are_back());
    EXPECT_TRUE(hub.attempts.empty());
    EXPECT_TRUE(closed.empty());
    EXPECT_TRUE(sees("Nothing was decided here"));
    terminal->present(presentation(approval(2), 8));
    ASSERT_TRUE(pump_until([&] { return !hub.failed.empty(); }));
    EXPECT_EQ(hub.failed.front().first, 8U);
}

TEST_F(TerminalOpening, AHangUpClosesTheChannelAndReportsWhatWasNotShown) {
    open_pty();
    start();
    show(presentation(approval(1), 1));
    terminal->present(presentation(approval(2), 2));
    ::close(std::exchange(far, -1));
    opened = {near};
    ASSERT_TRUE(pump_until([&] { return !closed.empty(); }));
    EXPECT_TRUE(hub.attempts.empty());
    ASSERT_EQ(hub.failed.size(), 1U);
    EXPECT_EQ(hub.failed.front().first, 2U);
}

TEST_F(TerminalOpening, TheOwnerCanCloseIt) {
    open_pty();
    start();
    show(presentation(approval(), 7));
    terminal->present(presentation(approval(2), 8));
    terminal->close();
    ASSERT_TRUE(pump_until([&] { return tasks.size() == 0; }));
    EXPECT_TRUE(modes_are_back());
    EXPECT_TRUE(closed.empty());
    ASSERT_EQ(hub.failed.size(), 1U);
    EXPECT_EQ(hub.failed.front().first, 8U);
}

TEST_F(TerminalOpening, APipeIsRefusedUnlessPlain) {
    open_pipes();
    options.plain = false;
    const auto made = Terminal::open(context.get_executor(), options, {clock, hub, hub});
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, Errc::unsupported);
    EXPECT_NE(made.error().detail.find("--plain"), std::string::npos);
}

TEST_F(TerminalOpening, ATerminalThatTheAgentUsesIsRefused) {
    open_pty();
    options.child_shares_terminal = true;
    for (const bool plain : {false, true}) {
        options.plain = plain;
        const auto made = Terminal::open(context.get_executor(), options, {clock, hub, hub});
        ASSERT_FALSE(made);
        EXPECT_EQ(made.error().code, Errc::conflict);
        EXPECT_NE(made.error().detail.find("second terminal"), std::string::npos);
    }
    EXPECT_TRUE(modes_are_back());
}

TEST_F(TerminalOpening, I13_OneCardTooManyIsUndeliverable) {
    open_pty();
    start();
    for (DeliveryId id = 1; id <= limits::terminal_waiting_max; ++id) terminal->present(presentation(approval(), id));
    EXPECT_TRUE(hub.failed.empty());
    terminal->present(presentation(approval(), limits::terminal_waiting_max + 1));
    EXPECT_TRUE(hub.failed.empty()) << "never from inside present()";
    ASSERT_TRUE(pump_until([&] { return !hub.failed.empty(); }));
    EXPECT_EQ(hub.failed.front().first, limits::terminal_waiting_max + 1);
}

TEST_F(TerminalOpening, I13_ATerminalThatTakesNoOutputIsClosed) {
    open_pty();
    start();
    auto request = approval();
    std::get<Approval>(request.body).display_text = std::string(limits::terminal_outgoing_bytes_max, 'a');
    terminal->present(presentation(std::move(request), 7));
    ASSERT_TRUE(pump_until([&] { return !closed.empty(); }));
    EXPECT_EQ(closed.front(), "the terminal takes no output");
    ASSERT_EQ(hub.failed.size(), 1U);
    EXPECT_TRUE(modes_are_back());
}

TEST_F(TerminalOpening, NoColorIsRespected) {
    ::setenv("NO_COLOR", "1", 1);
    open_pty();
    start();
    ::unsetenv("NO_COLOR");
    show(presentation(approval(), 7));
    ASSERT_TRUE(sees("▶ Deny"));
    EXPECT_EQ(screen.find("\x1b[31m"), std::string::npos);
}

TEST_F(TerminalOpening, PipesAreLeftAsTheyWere) {
    open_pipes();
    start();
    show(presentation(approval(), 7));
    terminal->close();
    ASSERT_TRUE(pump_until([&] { return tasks.size() == 0; }));
    EXPECT_EQ(::fcntl(options.in, F_GETFL) & O_NONBLOCK, 0);
    EXPECT_EQ(::fcntl(options.out, F_GETFL) & O_NONBLOCK, 0);
}

}  // namespace
}  // namespace countersign::channels::terminal
