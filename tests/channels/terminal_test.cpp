// SPDX-License-Identifier: Apache-2.0
// The channel over a real terminal and over real pipes, with fake ports. Nothing here waits for a time: the clock is moved
// by hand, and the tests go on when the bytes are there.
#include "channels/terminal/terminal.hpp"

#include "core/hub/task_group.hpp"
#include "core/limits.hpp"
#include "tests/channels/terminal_samples.hpp"
#include "tests/fakes/fake_clock.hpp"

#include <boost/asio/io_context.hpp>

#include <gtest/gtest.h>

#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>

namespace countersign::channels::terminal {
namespace {

using namespace samples;
using namespace std::chrono_literals;
namespace asio = boost::asio;

struct RecordingHub final : Deliveries, Attempts {
    void delivered(DeliveryId id, MessageRef ref, bool whole) override {
        shown.push_back(id);
        refs.push_back(std::move(ref));
        all_whole = all_whole && whole;
    }
    void undeliverable(DeliveryId id, std::string why) override { failed.emplace_back(id, std::move(why)); }
    void concluded(DeliveryId id) override { ended.push_back(id); }
    void submit(Attempt attempt, std::function<void(const Result<Receipt>&)> /*done*/) override {
        attempts.push_back(std::move(attempt));
        if (on_submit) on_submit(attempts.back());
    }
    std::vector<DeliveryId> shown;
    std::vector<MessageRef> refs;
    bool all_whole = true;
    std::vector<std::pair<DeliveryId, std::string>> failed;
    std::vector<DeliveryId> ended;
    std::vector<Attempt> attempts;
    std::function<void(const Attempt&)> on_submit;
};

class TerminalTest : public ::testing::Test {
protected:
    void SetUp() override { std::signal(SIGPIPE, SIG_IGN); }
    void TearDown() override {
        tasks.cancel();
        pump_until([&] { return tasks.size() == 0; });
        terminal.reset();
        for (const int descriptor : opened) ::close(descriptor);
    }

    void open_pty(unsigned short columns = 80, unsigned short rows = 24) {
        far = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
        ASSERT_GE(far, 0);
        ASSERT_EQ(::grantpt(far), 0);
        ASSERT_EQ(::unlockpt(far), 0);
        std::array<char, 128> name{};
        ASSERT_EQ(::ptsname_r(far, name.data(), name.size()), 0);
        tty = name.data();
        near = ::open(name.data(), O_RDWR | O_NOCTTY | O_CLOEXEC);
        ASSERT_GE(near, 0);
        opened = {far, near};
        resize(columns, rows);
        ASSERT_EQ(::tcgetattr(near, &modes_before), 0);
        ::fcntl(far, F_SETFL, O_NONBLOCK);
        options.in = options.out = near;
    }
    void resize(unsigned short columns, unsigned short rows) const {
        const winsize size{.ws_row = rows, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
        ASSERT_EQ(::ioctl(far, TIOCSWINSZ, &size), 0);
    }
    void open_pipes() {
        std::array<int, 2> to{};
        std::array<int, 2> from{};
        ASSERT_EQ(::pipe2(to.data(), O_CLOEXEC), 0);
        ASSERT_EQ(::pipe2(from.data(), O_CLOEXEC), 0);
        opened = {to[0], to[1], from[0], from[1]};
        far_in = to[1];
        far = from[0];
        ::fcntl(far, F_SETFL, O_NONBLOCK);
        options.in = to[0];
        options.out = from[1];
        options.plain = true;
    }

    void start() {
        options.name = "desk";
        if (options.principal.empty()) options.principal = "terminal:1000";
        options.on_interrupt = [&] { ++interrupts; };
        options.on_closed = [&](const std::string& why) { closed.push_back(why); };
        auto made = Terminal::open(context.get_executor(), options, {clock, hub, hub});
        ASSERT_TRUE(made) << describe(made.error());
        terminal = std::move(*made);
        tasks.spawn(terminal->run());
    }

    // Runs the terminal and collects what it writes until the condition holds. The deadline only ends a failing test.
    template <class Condition>::testing::AssertionResult pump_until(Condition condition) {
        const auto deadline = std::chrono::steady_clock::now() + 10s;
        while (std::chrono::steady_clock::now() < deadline) {
            context.restart();
            context.run_for(2ms);
            collect();
            if (condition()) return ::testing::AssertionSuccess();
        }
        return ::testing::AssertionFailure() << "the screen has:\n" << screen;
    }
    void collect() {
        if (far < 0) return;
        std::array<char, 65536> bytes{};
        for (ssize_t count = 0; (count = ::read(far, bytes.data(), bytes.size())) > 0;) {
            screen.append(bytes.data(), static_cast<std::size_t>(count));
        }
    }
    ::testing::AssertionResult sees(const std::string& text) {
        return pump_until([&] { return screen.find(text) != std::string::npos; });
    }
    // Types, and waits until the screen answers with `text`.
    ::testing::AssertionResult types(std::string_view bytes, const std::string& text) {
        screen.clear();
        type(bytes);
        return sees(text);
    }
    void type(std::string_view bytes) const {
        const int to = far_in >= 0 ? far_in : far;
        ASSERT_EQ(::write(to, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    }
    void show(Presentation presentation) {
        const auto id = presentation.id;
        terminal->present(std::move(presentation));
        ASSERT_TRUE(pump_until([&] { return std::ranges::find(hub.shown, id) != hub.shown.end(); }));
        clock.advance(1s);
    }
    [[nodiscard]] bool modes_are_back() const {
        termios now{};
        ::tcgetattr(near, &now);
        return now.c_lflag == modes_before.c_lflag && now.c_iflag == modes_before.c_iflag &&
               std::memcmp(now.c_cc, modes_before.c_cc, sizeof now.c_cc) == 0;
    }
    static Conclusion denied_by_alice() {
        Conclusion made;
        made.request_id = id_of(1);
        made.outcome = Outcome::denied;
        made.decided_by = "alice";
        made.channel = "ops";
        made.forwarded = true;
        made.seq = 42;
        made.root = "q83vASNFZ4k=";
        return made;
    }

    asio::io_context context;
    fakes::FakeClock clock;
    RecordingHub hub;
    TaskGroup tasks{context.get_executor(), [](const std::string& what) { ADD_FAILURE() << what; }};
    TerminalOptions options;
    std::unique_ptr<Terminal> terminal;
    int far = -1;     // the person's side
    int far_in = -1;  // where it types, if that is another descriptor
    int near = -1;
    std::string tty;
    termios modes_before{};
    std::vector<int> opened;
    std::string screen;
    int interrupts = 0;
    std::vector<std::string> closed;
};

const std::string arrow_up = "\x1b[A";

TEST_F(TerminalTest, TheCardIsShownAndReportedWhole) {
    open_pty();
    start();
    auto shown = presentation(approval(), 7);
    shown.generation = 3;
    show(shown);
    EXPECT_TRUE(sees("▶ Deny"));
    EXPECT_NE(screen.find("rm -rf build"), std::string::npos);
    EXPECT_TRUE(hub.all_whole);
    EXPECT_EQ(hub.refs.front(),
              (MessageRef{.place = {.channel = "desk", .chat = tty, .thread = "", .message = "7"}, .generation = 3}));
    EXPECT_TRUE(hub.attempts.empty());
}

TEST_F(TerminalTest, ArrowsAndEnterHandInTheAttempt) {
    open_pty();
    start();
    show(presentation(approval(), 7));
    ASSERT_TRUE(types(arrow_up + arrow_up, "▶ Allow once"));
    type("\r");
    ASSERT_TRUE(pump_until([&] { return !hub.attempts.empty(); }));
    const auto& attempt = hub.attempts.front();
    EXPECT_EQ(std::get<Choose>(attempt.what).option_id, "allow");
    EXPECT_EQ(attempt.principal, "terminal:1000");
    EXPECT_EQ(attempt.where, hub.refs.front().place);
    EXPECT_EQ(attempt.assurance, Assurance::chat);
    EXPECT_EQ(attempt.arrived, clock.boot());
    EXPECT_EQ(attempt.made, clock.wall());
    EXPECT_TRUE(sees("waiting for the record"));
}

TEST_F(TerminalTest, ThePrincipalIsTheUserOfTheProcessUnlessGiven) {
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

TEST_F(TerminalTest, EnterRightAfterTheCardAppearedIsIgnored) {
    open_pty();
    start();
    terminal->present(presentation(approval(), 7));
    ASSERT_TRUE(pump_until([&] { return !hub.shown.empty(); }));
    clock.advance(299ms);
    ASSERT_TRUE(types(arrow_up + "\r" + arrow_up, "▶ Allow once"));
    EXPECT_TRUE(hub.attempts.empty());
    clock.advance(1ms);
    type("\r");
    EXPECT_TRUE(pump_until([&] { return hub.attempts.size() == 1; }));
}

TEST_F(TerminalTest, ALoneEscCountsWhenNothingFollowsInTime) {
    open_pty();
    start();
    show(presentation(approval(), 7));
    type("\x1b");
    ASSERT_TRUE(pump_until([&] { return clock.sleepers() == 1; }));
    clock.advance(limits::terminal_escape_wait);
    ASSERT_TRUE(sees("Esc again: Deny"));
    EXPECT_TRUE(hub.attempts.empty());
    type("\x1b");
    ASSERT_TRUE(pump_until([&] { return clock.sleepers() == 1; }));
    clock.advance(limits::terminal_escape_wait);
    ASSERT_TRUE(pump_until([&] { return !hub.attempts.empty(); }));
    EXPECT_EQ(std::get<Choose>(hub.attempts.front().what).option_id, "deny");
}

TEST_F(TerminalTest, ASequenceThatComesInTwoPartsIsNoEsc) {
    open_pty();
    start();
    show(presentation(approval(), 7));
    type("\x1b");
    ASSERT_TRUE(pump_until([&] { return clock.sleepers() == 1; }));
    ASSERT_TRUE(types("[A", "▶ This call, session"));
    EXPECT_EQ(clock.sleepers(), 0U);
}

TEST_F(TerminalTest, APasteDoesNotDecide) {
    open_pty();
    start();
    show(presentation(approval(), 7));
    ASSERT_TRUE(types(arrow_up + arrow_up, "▶ Allow once"));
    ASSERT_TRUE(types("\x1b[200~allow\r\r\x1b[201~\r", "pasted text decides nothing"));
    EXPECT_TRUE(types("\x1b[B", "▶ This call, session"));
    EXPECT_TRUE(hub.attempts.empty());
}

TEST_F(TerminalTest, WhatWasTypedBeforeTheTerminalWasOpenedIsNoAnswer) {
    open_pty();
    type("\r\r");
    pollfd typed_ahead{.fd = near, .events = POLLIN, .revents = 0};
    ASSERT_EQ(::poll(&typed_ahead, 1, 10'000), 1);
    start();
    int unread = -1;
    ASSERT_EQ(::ioctl(near, FIONREAD, &unread), 0);
    EXPECT_EQ(unread, 0);
    show(presentation(approval(), 7));
    EXPECT_TRUE(types(arrow_up, "▶ This call, session"));
    EXPECT_TRUE(hub.attempts.empty());
}

TEST_F(TerminalTest, OneIsShownAtATimeAndTheOthersAreCounted) {
    open_pty();
    start();
    show(presentation(approval(1), 1));
    terminal->present(presentation(approval(2), 2));
    terminal->present(presentation(approval(3), 3));
    ASSERT_TRUE(sees("2 more waiting"));
    EXPECT_EQ(hub.shown, std::vector<DeliveryId>{1});
    terminal->conclude(1, denied_by_alice());
    ASSERT_TRUE(sees(id_of(2).str()));
    EXPECT_TRUE(sees("1 more waiting"));
    EXPECT_EQ(hub.shown, (std::vector<DeliveryId>{1, 2}));
}

TEST_F(TerminalTest, WalkingToAnotherRequestKeepsTheDraft) {
    open_pty();
    start();
    show(presentation(approval(1), 1));
    ASSERT_TRUE(types(arrow_up, "▶ This call, session"));
    terminal->present(presentation(question({notes()}, 2), 2));
    ASSERT_TRUE(types("\x1b[6~", "answer> "));
    clock.advance(1s);
    ASSERT_TRUE(types("nope", "answer> nope")) << "letters are text where text is typed";
    ASSERT_TRUE(types("\x1b[5~", "▶ This call, session"));
    ASSERT_TRUE(types("n", "answer> nope"));
    clock.advance(1s);
    type("\r");
    ASSERT_TRUE(pump_until([&] { return !hub.attempts.empty(); }));
    EXPECT_EQ(std::get<Submit>(hub.attempts.front().what), (Submit{{{"Notes", {}, "nope"}}}));
    EXPECT_EQ(hub.attempts.front().request_id, id_of(2));
    EXPECT_EQ(hub.shown, (std::vector<DeliveryId>{1, 2})) << "each is reported once";
}

TEST_F(TerminalTest, AnEnterMeantForTheCardBeforeDoesNotDecideTheNext) {
    open_pty();
    start();
    show(presentation(approval(1), 1));
    terminal->present(presentation(approval(2), 2));
    ASSERT_TRUE(types(arrow_up + arrow_up, "▶ Allow once"));
    hub.on_submit = [&](const Attempt&) { terminal->conclude(1, denied_by_alice()); };
    ASSERT_TRUE(types("\r\r" + arrow_up + "\r" + arrow_up + "\r", id_of(2).str()));
    ASSERT_TRUE(pump_until([&] { return hub.shown.size() == 2; }));
    ASSERT_TRUE(types(arrow_up, "▶")) << "the keys before were taken";
    EXPECT_EQ(hub.attempts.size(), 1U);
}

TEST_F(TerminalTest, TheOutcomeTakesThePlaceOfTheWidget) {
    open_pty();
    start();
    show(presentation(approval(), 7));
    ASSERT_TRUE(sees("▶ Deny"));
    screen.clear();
    terminal->conclude(7, denied_by_alice());
    ASSERT_TRUE(sees("denied by alice on ops"));
    EXPECT_TRUE(screen.starts_with("\r\x1b[3A\x1b[J")) << "the four rows of the widget are erased first";
    EXPECT_TRUE(sees("record 42, root q83vASNF"));
    EXPECT_EQ(hub.ended, std::vector<DeliveryId>{7});
    type("\r\r");
    terminal->say("marker");
    EXPECT_TRUE(sees("marker"));
    EXPECT_TRUE(hub.attempts.empty());
}

TEST_F(TerminalTest, WhatIsConcludedBeforeItWasShownIsNeverShown) {
    open_pty();
    start();
    show(presentation(approval(1), 1));
    terminal->present(presentation(approval(2), 2));
    terminal->conclude(2, denied_by_alice());
    terminal->conclude(1, denied_by_alice());
    terminal->conclude(99, denied_by_alice());
    terminal->present(presentation(approval(3), 3));
    ASSERT_TRUE(pump_until([&] { return hub.shown.size() == 2; }));
    EXPECT_EQ(hub.shown, (std::vector<DeliveryId>{1, 3}));
    EXPECT_EQ(hub.ended, std::vector<DeliveryId>{1});
    EXPECT_EQ(screen.find(id_of(2).str()), std::string::npos);
}

TEST_F(TerminalTest, ConcludedWhileItIsWrittenItIsNotReportedAsDelivered) {
    open_pty();
    start();
    terminal->present(presentation(approval(1), 1));
    terminal->conclude(1, denied_by_alice());
    ASSERT_TRUE(sees("denied by alice"));
    EXPECT_TRUE(hub.shown.empty());
    EXPECT_TRUE(hub.failed.empty());
}

TEST_F(TerminalTest, ARefusedAttemptSaysWhyAndThePersonMayDecideAgain) {
    open_pty();
    start();
    show(presentation(approval(), 7));
    hub.on_submit = [&](const Attempt& attempt) {
        terminal->refuse(attempt, {Errc::not_authorised, "not a decider\x1b[2J"});
    };
    ASSERT_TRUE(types(arrow_up + "\r", "you may not decide this (not a decider\\u{1B}[2J)"));
    hub.on_submit = {};
    type("\r");
    EXPECT_TRUE(pump_until([&] { return hub.attempts.size() == 2; }));
}

TEST_F(TerminalTest, AVoteBelowTheQuorumShowsTheProgress) {
    open_pty();
    start();
    show(presentation(approval(), 7));
    terminal->progress(7, {{.person = "alice", .option_id = "allow", .seq = 3}}, 2);
    EXPECT_TRUE(sees("1 of 2: alice"));
}

TEST_F(TerminalTest, I7_ATextLongerThanTheScreenIsPrintedInFull) {
    open_pty(40, 10);
    start();
    auto request = approval();
    std::string call;
    for (int at = 0; at < 2'000; ++at) call += "line " + std::to_string(at) + "\n";
    std::get<Approval>(request.body).display_text = call;
    terminal->present(presentation(request, 7));
    context.poll();
    EXPECT_TRUE(hub.shown.empty()) << "not before the last byte was taken";
    ASSERT_TRUE(pump_until([&] { return !hub.shown.empty(); }));
    EXPECT_TRUE(sees("▶ Deny"));
    for (int at = 0; at < 2'000; ++at) {
        ASSERT_NE(screen.find(" line " + std::to_string(at) + "\r\n"), std::string::npos) << at;
    }
    EXPECT_EQ(screen.find("\x1b[?1049h"), std::string::npos) << "no alternate screen";
}

TEST_F(TerminalTest, AfterAResizeTheCardIsPrintedAgainForTheNewWidth) {
    open_pty(80, 24);
    start();
    show(presentation(approval(), 7));
    ASSERT_TRUE(sees("▶ Deny"));
    resize(50, 24);
    ASSERT_TRUE(types(arrow_up, "▶ This call, session"));
    EXPECT_NE(screen.find("rm -rf build"), std::string::npos);
    EXPECT_EQ(screen.find("\x1b[3A"), std::string::npos) << "nothing is erased by a count of rows that no longer holds";
    EXPECT_EQ(hub.shown.size(), 1U);
}

TEST_F(TerminalTest, TheModesAreRestoredWhenItIsCancelled) {
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

TEST_F(TerminalTest, TheModesAreRestoredWhenItNeverRanOrAnExceptionPassed) {
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

TEST_F(TerminalTest, CtrlCRestoresTheTerminalAndDecidesNothing) {
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

TEST_F(TerminalTest, AHangUpClosesTheChannelAndReportsWhatWasNotShown) {
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

TEST_F(TerminalTest, TheOwnerCanCloseIt) {
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

TEST_F(TerminalTest, APipeIsRefusedUnlessPlain) {
    open_pipes();
    options.plain = false;
    const auto made = Terminal::open(context.get_executor(), options, {clock, hub, hub});
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, Errc::unsupported);
    EXPECT_NE(made.error().detail.find("--plain"), std::string::npos);
}

TEST_F(TerminalTest, ATerminalThatTheAgentUsesIsRefused) {
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

TEST_F(TerminalTest, I13_OneCardTooManyIsUndeliverable) {
    open_pty();
    start();
    for (DeliveryId id = 1; id <= limits::terminal_waiting_max; ++id) terminal->present(presentation(approval(), id));
    EXPECT_TRUE(hub.failed.empty());
    terminal->present(presentation(approval(), limits::terminal_waiting_max + 1));
    EXPECT_TRUE(hub.failed.empty()) << "never from inside present()";
    ASSERT_TRUE(pump_until([&] { return !hub.failed.empty(); }));
    EXPECT_EQ(hub.failed.front().first, limits::terminal_waiting_max + 1);
}

TEST_F(TerminalTest, I13_ATerminalThatTakesNoOutputIsClosed) {
    open_pty();
    start();
    const std::string most(limits::terminal_outgoing_bytes_max / 2, 'a');
    terminal->say(most);
    terminal->say(most);
    terminal->present(presentation(approval(), 7));
    ASSERT_TRUE(pump_until([&] { return !closed.empty(); }));
    EXPECT_EQ(closed.front(), "the terminal takes no output");
    ASSERT_EQ(hub.failed.size(), 1U);
    EXPECT_TRUE(modes_are_back());
}

TEST_F(TerminalTest, NoColorIsRespected) {
    ::setenv("NO_COLOR", "1", 1);
    open_pty();
    start();
    ::unsetenv("NO_COLOR");
    show(presentation(approval(), 7));
    ASSERT_TRUE(sees("▶ Deny"));
    EXPECT_EQ(screen.find("\x1b[31m"), std::string::npos);
}

TEST_F(TerminalTest, PlainAnswersComeByLinesOverPipes) {
    open_pipes();
    start();
    type("1\n");
    ASSERT_TRUE(sees("Nothing is waiting."));
    show(presentation(approval(), 7));
    EXPECT_EQ(hub.refs.front().place, (Place{.channel = "desk", .chat = "plain", .thread = "", .message = "7"}));
    ASSERT_TRUE(sees("1) Allow once  2) This call, session  3) Deny"));
    EXPECT_EQ(screen.find('\x1b'), std::string::npos);
    ASSERT_TRUE(types("yes\n", "Nothing was decided"));
    ASSERT_TRUE(types("?\n", "rm -rf build"));
    ASSERT_TRUE(pump_until([&] { return hub.shown.size() == 1; }));
    EXPECT_TRUE(hub.attempts.empty());
    type("3 too risky\n");
    ASSERT_TRUE(pump_until([&] { return !hub.attempts.empty(); }));
    EXPECT_EQ(std::get<Choose>(hub.attempts.front().what).option_id, "deny");
    EXPECT_EQ(hub.attempts.front().reason, "too risky");
    EXPECT_EQ(hub.attempts.front().where, hub.refs.front().place);
    terminal->conclude(7, denied_by_alice());
    EXPECT_TRUE(sees("denied by alice on ops"));
}

TEST_F(TerminalTest, PlainWalksWithNextAndPrevious) {
    open_pipes();
    start();
    show(presentation(approval(1), 1));
    terminal->present(presentation(approval(2), 2));
    ASSERT_TRUE(sees("(1 more waiting)"));
    type("/next\n");
    ASSERT_TRUE(pump_until([&] { return hub.shown.size() == 2; }));
    ASSERT_TRUE(types("/previous\n", id_of(1).str()));
    type("3\n");
    ASSERT_TRUE(pump_until([&] { return !hub.attempts.empty(); }));
    EXPECT_EQ(hub.attempts.front().request_id, id_of(1));
}

TEST_F(TerminalTest, TheEndOfPlainInputInventsNoDecision) {
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

TEST_F(TerminalTest, I13_APlainLineOnePastItsBoundDecidesNothing) {
    open_pipes();
    start();
    show(presentation(question({notes()}), 7));
    const std::string past(limits::terminal_line_bytes_max + 1, 'a');
    ASSERT_TRUE(types(past + "\n", "That line is too long"));
    EXPECT_TRUE(hub.attempts.empty());
}

TEST_F(TerminalTest, PipesAreLeftAsTheyWere) {
    open_pipes();
    start();
    show(presentation(approval(), 7));
    terminal->close();
    ASSERT_TRUE(pump_until([&] { return tasks.size() == 0; }));
    EXPECT_EQ(::fcntl(options.in, F_GETFL) & O_NONBLOCK, 0);
    EXPECT_EQ(::fcntl(options.out, F_GETFL) & O_NONBLOCK, 0);
}

TEST_F(TerminalTest, ASecretIsNotEchoedOnAPlainTerminal) {
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
    terminal->say("marker");
    ASSERT_TRUE(sees("marker"));
    EXPECT_EQ(screen.find("hunter2"), std::string::npos);
    EXPECT_TRUE(modes_are_back());
}

TEST_F(TerminalTest, OnAPlainTerminalALineTypedTooSoonDecidesNothing) {
    open_pty();
    options.plain = true;
    start();
    terminal->present(presentation(approval(), 7));
    ASSERT_TRUE(pump_until([&] { return !hub.shown.empty(); }));
    ASSERT_TRUE(types("1\n", "before the request could be read"));
    EXPECT_TRUE(hub.attempts.empty());
    clock.advance(300ms);
    type("1\n");
    EXPECT_TRUE(pump_until([&] { return hub.attempts.size() == 1; }));
}

}  // namespace
}  // namespace countersign::channels::terminal
