// SPDX-License-Identifier: Apache-2.0
// Keys on a real terminal.
#include "tests/channels/terminal_fixture.hpp"

namespace countersign::channels::terminal {
namespace {

using TerminalOnPty = TerminalTest;

TEST_F(TerminalOnPty, TheCardIsShownAndReportedWhole) {
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

TEST_F(TerminalOnPty, WhatCanBeChosenIsListedOnce) {
    open_pty();
    start();
    show(presentation(approval(), 7));
    ASSERT_TRUE(sees("Enter choose"));
    EXPECT_EQ(times_on_screen("Allow once: runs this call"), 1);
    EXPECT_EQ(times_on_screen("Allow once"), 1);
    terminal->conclude(7, denied_by_alice());
    screen.clear();
    show(presentation(question({stack()}), 8));
    ASSERT_TRUE(sees("Enter select"));
    EXPECT_EQ(times_on_screen("Pick a framework"), 1);
    EXPECT_EQ(times_on_screen("React: the usual"), 1);
    EXPECT_EQ(times_on_screen("Svelte"), 1);
}

TEST_F(TerminalOnPty, ArrowsAndEnterHandInTheAttempt) {
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

TEST_F(TerminalOnPty, KeysRightAfterTheCardAppearedAreIgnored) {
    open_pty();
    start();
    terminal->present(presentation(approval(), 7));
    ASSERT_TRUE(pump_until([&] { return !hub.shown.empty(); }));
    clock.advance(299ms);
    ASSERT_TRUE(types(arrow_up, "▶ Deny"));
    ASSERT_TRUE(types("\r", "▶ Deny"));
    EXPECT_TRUE(hub.attempts.empty());
    clock.advance(1ms);
    ASSERT_TRUE(types(arrow_up, "▶ Allow this exact call for this session"));
    type("\r");
    EXPECT_TRUE(pump_until([&] { return hub.attempts.size() == 1; }));
}

TEST_F(TerminalOnPty, ALoneEscCountsWhenNothingFollowsInTime) {
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

TEST_F(TerminalOnPty, ASequenceThatComesInTwoPartsIsNoEsc) {
    open_pty();
    start();
    show(presentation(approval(), 7));
    type("\x1b");
    ASSERT_TRUE(pump_until([&] { return clock.sleepers() == 1; }));
    ASSERT_TRUE(types("[A", "▶ Allow this exact call for this session"));
    EXPECT_EQ(clock.sleepers(), 0U);
}

TEST_F(TerminalOnPty, APasteDoesNotDecide) {
    open_pty();
    start();
    show(presentation(approval(), 7));
    ASSERT_TRUE(types(arrow_up + arrow_up, "▶ Allow once"));
    ASSERT_TRUE(types("\x1b[200~allow\r\r\x1b[201~\r", "pasted text can't decide"));
    EXPECT_TRUE(types("\x1b[B", "▶ Allow this exact call for this session"));
    EXPECT_TRUE(hub.attempts.empty());
}

TEST_F(TerminalOnPty, WhatWasTypedBeforeTheTerminalWasOpenedIsNoAnswer) {
    open_pty();
    type("\r\r");
    pollfd typed_ahead{.fd = near, .events = POLLIN, .revents = 0};
    ASSERT_EQ(::poll(&typed_ahead, 1, 10'000), 1);
    start();
    int unread = -1;
    ASSERT_EQ(::ioctl(near, FIONREAD, &unread), 0);
    EXPECT_EQ(unread, 0);
    show(presentation(approval(), 7));
    EXPECT_TRUE(types(arrow_up, "▶ Allow this exact call for this session"));
    EXPECT_TRUE(hub.attempts.empty());
}

TEST_F(TerminalOnPty, OneIsShownAtATimeAndTheOthersAreCounted) {
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

TEST_F(TerminalOnPty, WalkingToAnotherRequestKeepsTheDraft) {
    open_pty();
    start();
    show(presentation(approval(1), 1));
    ASSERT_TRUE(types(arrow_up, "▶ Allow this exact call for this session"));
    terminal->present(presentation(question({notes()}, 2), 2));
    ASSERT_TRUE(types("\x1b[6~", "answer> "));
    clock.advance(1s);
    ASSERT_TRUE(types("nope", "answer> nope")) << "letters are text where text is typed";
    ASSERT_TRUE(types("\x1b[5~", "▶ Allow this exact call for this session"));
    ASSERT_TRUE(types("n", "answer> nope"));
    clock.advance(1s);
    type("\r");
    ASSERT_TRUE(pump_until([&] { return !hub.attempts.empty(); }));
    EXPECT_EQ(std::get<Submit>(hub.attempts.front().what), (Submit{{{"Notes", {}, "nope"}}}));
    EXPECT_EQ(hub.attempts.front().request_id, id_of(2));
    EXPECT_EQ(hub.shown, (std::vector<DeliveryId>{1, 2})) << "each is reported once";
}

TEST_F(TerminalOnPty, AnEnterMeantForTheCardBeforeDoesNotDecideTheNext) {
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

TEST_F(TerminalOnPty, TheOutcomeTakesThePlaceOfTheWidget) {
    open_pty();
    start();
    show(presentation(approval(), 7));
    ASSERT_TRUE(sees("▶ Deny"));
    screen.clear();
    terminal->conclude(7, denied_by_alice());
    ASSERT_TRUE(sees("Denied by alice on ops"));
    EXPECT_TRUE(screen.starts_with("\r\x1b[4A\x1b[J")) << "the five rows of the widget are erased first";
    EXPECT_TRUE(sees("record 42, anchor 44 abcdef0123456789"));
    EXPECT_EQ(hub.ended, std::vector<DeliveryId>{7});
    type("\r\r");
    terminal->say("marker");
    EXPECT_TRUE(sees("marker"));
    EXPECT_TRUE(hub.attempts.empty());
}

TEST_F(TerminalOnPty, WhatIsConcludedBeforeItWasShownIsNeverShown) {
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

TEST_F(TerminalOnPty, ConcludedWhileItIsWrittenItIsNotReportedAsDelivered) {
    open_pty();
    start();
    terminal->present(presentation(approval(1), 1));
    terminal->conclude(1, denied_by_alice());
    ASSERT_TRUE(sees("Denied by alice"));
    EXPECT_TRUE(hub.shown.empty());
    EXPECT_TRUE(hub.failed.empty());
}

TEST_F(TerminalOnPty, ARefusedAttemptSaysWhyAndThePersonMayDecideAgain) {
    open_pty();
    start();
    show(presentation(approval(), 7));
    hub.refusal = Error{Errc::not_authorised, "not a decider\x1b[2J"};
    ASSERT_TRUE(types(arrow_up + "\r", "can add you. (not a decider\\u{1B}[2J)"));
    hub.refusal.reset();
    type("\r");
    EXPECT_TRUE(pump_until([&] { return hub.attempts.size() == 2; }));
}

TEST_F(TerminalOnPty, ALineOfTheProcessIsEscapedOnce) {
    open_pty();
    start();
    terminal->say("first line\nsecond \x1b line");
    ASSERT_TRUE(sees("second \\u{1B} line"));
    EXPECT_EQ(screen.find("⏎"), std::string::npos) << "each line is a line";
    terminal->say("cleaned \\u{202E}, not cleaned \x1b[2J");
    EXPECT_TRUE(sees("cleaned \\u{202E}, not cleaned \\u{1B}[2J"));
}

TEST_F(TerminalOnPty, AVoteBelowTheQuorumShowsTheProgress) {
    open_pty();
    start();
    show(presentation(approval(), 7));
    terminal->update(7, {.votes = {{.person = "alice", .option_id = "allow", .seq = 3}}, .required = 2});
    EXPECT_TRUE(sees("1 of 2: alice"));
}

TEST_F(TerminalOnPty, AllThatWaitBehindACardAreRefusedByItsLastRow) {
    open_pty();
    start();
    show(presentation(approval(), 7));
    terminal->update(7, {.waiting = 2});
    ASSERT_TRUE(sees("Deny all 3"));
    ASSERT_TRUE(types("4", "▶ Deny all 3"));
    ASSERT_TRUE(types("\r", "reason (optional)> "));
    type("\r");
    ASSERT_TRUE(pump_until([&] { return !hub.attempts.empty(); }));
    EXPECT_TRUE(hub.attempts.front().and_behind);
    EXPECT_EQ(std::get<Choose>(hub.attempts.front().what).option_id, "deny");
}

TEST_F(TerminalOnPty, WhoSitsThereIsSpokenToInTheirLanguage) {
    open_pty();
    options.language = [](const std::string& principal) { return principal == "terminal:1000" ? "de" : "zh"; };
    start();
    show(presentation(approval(), 7));
    EXPECT_TRUE(sees("Freigabe erbeten"));
    EXPECT_TRUE(sees("Esc Esc ablehnen"));
    terminal->conclude(7, denied_by_alice());
    EXPECT_TRUE(sees("Abgelehnt von alice über ops"));
}

TEST_F(TerminalOnPty, WithoutALanguageOfTheirOwnTheRoutesIsSpoken) {
    open_pty();
    options.language = [](const std::string&) { return ""; };
    start();
    auto shown = presentation(approval(), 7);
    shown.audience.language = "zh";
    show(shown);
    EXPECT_TRUE(sees("请求批准"));
}

TEST_F(TerminalOnPty, I7_ATextLongerThanTheScreenIsPrintedInFull) {
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

TEST_F(TerminalOnPty, AfterAResizeTheCardIsPrintedAgainForTheNewWidth) {
    open_pty(80, 24);
    start();
    show(presentation(approval(), 7));
    ASSERT_TRUE(sees("▶ Deny"));
    resize(50, 24);
    ASSERT_TRUE(types(arrow_up, "▶ Allow this exact call for this session"));
    EXPECT_NE(screen.find("rm -rf build"), std::string::npos);
    EXPECT_EQ(screen.find("\x1b[3A"), std::string::npos) << "nothing is erased by a count of rows that no longer holds";
    EXPECT_EQ(hub.shown.size(), 1U);
}

}  // namespace
}  // namespace countersign::channels::terminal
