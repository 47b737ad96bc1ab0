// SPDX-License-Identifier: Apache-2.0
// An agent that draws: whatever it says, the rows next to the choices show the real call (I15).
#include "channels/terminal/call_line.hpp"
#include "channels/terminal/render.hpp"
#include "channels/terminal/speech.hpp"
#include "channels/terminal/widget.hpp"
#include "channels/terminal/width.hpp"
#include "security/display/display.hpp"
#include "tests/channels/terminal_fixture.hpp"
#include "tests/fakes/virtual_screen.hpp"

#include <sstream>

namespace countersign::channels::terminal {
namespace {

using fakes::VirtualScreen;

Request dangerous() {
    auto request = approval(9);
    auto& body = std::get<Approval>(request.body);
    body.display_text = "rm -rf /";
    body.untrusted_reason = "";
    return request;
}

std::string repeated(std::string_view text, int times) {
    std::string all;
    for (int at = 0; at < times; ++at) all += text;
    return all;
}

// A whole screen that looks like another request, as the program itself would draw it.
std::string forged_screen() {
    auto harmless = approval(1);
    std::get<Approval>(harmless.body).display_text = "ls";
    harmless.judgement.risk = {.level = RiskLevel::low, .rule = "reads"};
    const auto made = presentation(harmless, 1);
    const Style style{.plain = false, .colour = true, .columns = 80};
    auto text = repeated("\n", 24) + card(made, WallTime{}, style);
    for (const auto& row : widget(Prompt{harmless, made.offered, 0ms, {}}.view(), 0, 23, style)) text += row + "\n";
    return text;
}

std::vector<std::string> hostile_words() {
    const std::string card = "low risk · Bash: ls\n▶ Allow once\n  Deny\n";
    return {
        forged_screen(),
        card,
        repeated(card, 40),
        repeated("\n", 30) + card,
        repeated(" ", 70) + "low risk · Bash: ls" + repeated(" ", 61) + "▶ Allow once",
        repeated("x", 5'000),
        repeated("漢", 400),
        repeated("\U00017000", 200),          // Tangut: wide, and in no old table
        repeated("\u231A\u2B50\u26A1", 100),  // wide by their emoji form
        repeated("\U0001F1E6", 200),
        repeated("e\u0301\u0301", 300),
        repeated("\u2764\uFE0F", 100),
        "\x1b[2J\x1b[H" + card,
        "\x1b[6A\x1b[J" + card,
        "\x1b]0;title\x07\x1bP1$r\x1b\\\x1b[?1049h" + card,
        "\x9b"
        "2J\xc2\x9b"
        "2J" +
            card,
        "one\rlow risk · Bash: ls\r\n\b\b\b\btwo\vthree\ffour\x85"
        "five",
        "\u202E\u2066sl :hsaB\u2069\u202C",
        "\u2028low risk · Bash: ls\u2029▶ Allow once",
        repeated("\t", 60) + "low risk · Bash: ls",
        std::string("\0\0\x7f\xff\xfe", 5) + card,
        "high risk · Bash: rm -rf /\n" + card,
        "builder │ \nbuilder ┊ ",
        "",
    };
}

class TerminalForgery : public TerminalTest {
protected:
    void SetUp() override {
        TerminalTest::SetUp();
        open_pty(80, 24);
    }
    // What is on the screen after everything so far.
    [[nodiscard]] std::vector<std::string> seen(bool all = false) const {
        VirtualScreen virtual_screen{80, 24};
        virtual_screen.feed(screen);
        EXPECT_EQ(virtual_screen.strange, 0) << screen;
        return all ? virtual_screen.all_rows() : virtual_screen.rows();
    }
    // Everything that was written until now is drawn.
    void settle() {
        ASSERT_TRUE(pump_until([&] {
            const auto before = screen.size();
            context.run_for(1ms);
            collect();
            return screen.size() == before;
        }));
    }
    static std::size_t row_with(const std::vector<std::string>& rows, std::string_view text) {
        for (auto at = rows.size(); at > 0; --at) {
            if (rows[at - 1].find(text) != std::string::npos) return at - 1;
        }
        ADD_FAILURE() << text << " is not on the screen";
        return 0;
    }
    static std::string joined(const std::vector<std::string>& rows) {
        std::string text;
        for (const auto& row : rows) text += row + "\n";
        return text;
    }
    void expect_choices_below_the_real_call() const {
        const auto rows = seen();
        const auto call = row_with(rows, "high risk · Bash: rm -rf /");
        ASSERT_LE(call + 5, rows.size()) << joined(rows);
        EXPECT_EQ(rows[call], "high risk · Bash: rm -rf /");
        EXPECT_EQ(rows[call + 1], "  Allow once: runs this call");
        EXPECT_EQ(rows[call + 2], "  Allow this exact call for this session");
        EXPECT_EQ(rows[call + 3], "▶ Deny: the agent hears no");
        EXPECT_EQ(rows.size(), call + 5) << "nothing is below the keys:\n" << joined(rows);
        EXPECT_EQ(rows[call - 1], "note:       no time limit") << "the card is right above";
        EXPECT_EQ(rows[row_with(rows, "│ ")], "  │ rm -rf /");
    }
};

TEST_F(TerminalForgery, I15_WhatAnAgentSaysNeverComesBetweenACardAndItsChoices) {
    start();
    for (const auto& words : hostile_words()) {
        screen.clear();
        show(presentation(dangerous(), 7));
        settle();
        const auto before = seen();
        ASSERT_TRUE(terminal->quote("builder", words));
        ASSERT_TRUE(sees("lines held back"));
        settle();
        expect_choices_below_the_real_call();
        auto after = seen();
        ASSERT_EQ(after.size(), before.size());
        after.back() = before.back();
        EXPECT_EQ(after, before) << "only the count of held lines changed";

        terminal->conclude(7, denied_by_alice());
        ASSERT_TRUE(pump_until([&] { return !hub.ended.empty(); }));
        hub.ended.clear();
        hub.shown.clear();
        settle();
    }
}

TEST_F(TerminalForgery, I7_BlankLinesDoNotPushTheRestOfACallOffTheScreen) {
    start();
    auto request = dangerous();
    std::get<Approval>(request.body).display_text = "ls" + std::string(61, '\n') + "rm -rf /";
    show(presentation(request, 9));
    settle();
    const auto rows = seen();
    const auto mark = row_with(rows, "⋮ 60 blank lines");
    ASSERT_GT(mark, 0U);
    EXPECT_EQ(rows[mark - 1], "  │ ls");
    EXPECT_EQ(rows[mark + 1], "  │ rm -rf /");
    EXPECT_EQ(rows[row_with(rows, "high risk · ")], "high risk · Bash: ls (line 1 of 62)");
    EXPECT_EQ(joined(rows).find("above the screen"), std::string::npos) << "all of it is in sight";
}

TEST_F(TerminalForgery, I7_ACardThatIsTallerThanTheScreenSaysHowMuchIsAboveIt) {
    start();
    auto request = dangerous();
    auto& text = std::get<Approval>(request.body).display_text;
    text = "rm -rf /";
    for (int at = 0; at < 60; ++at) text += "\n# " + std::to_string(at);
    show(presentation(request, 9));
    settle();
    const auto hidden = seen(true).size() - seen().size();
    ASSERT_GT(hidden, 0U);
    auto rows = seen();
    const auto note = row_with(rows, "above the screen");
    ASSERT_GT(note, 0U);
    EXPECT_EQ(rows[note], std::to_string(hidden) + " lines are above the screen. Scroll up and read all of it.");
    EXPECT_EQ(rows[note + 1], "high risk · Bash: rm -rf / (line 1 of 61)") << "right above the choices";
    EXPECT_EQ(rows.size(), 24U);
    type(arrow_up);
    settle();
    rows = seen();
    EXPECT_NE(joined(rows).find(std::to_string(hidden) + " lines are above"), std::string::npos) << joined(rows);
}

TEST_F(TerminalForgery, I7_ACardOfExactlyTheScreensHeightHasNothingAboveIt) {
    start();
    auto request = dangerous();
    auto& text = std::get<Approval>(request.body).display_text;
    show(presentation(request, 9));
    settle();
    const auto free = 24 - seen().size();
    for (const std::size_t more : {free, free + 1}) {
        terminal->conclude(9, denied_by_alice());
        settle();
        screen.clear();
        text = "rm -rf /";
        for (std::size_t at = 0; at < more; ++at) text += "\n# " + std::to_string(at);
        show(presentation(request, 9));
        settle();
        const auto said = joined(seen(true)).find("2 lines are above the screen") != std::string::npos;
        EXPECT_EQ(said, more > free) << joined(seen(true));
    }
}

TEST_F(TerminalForgery, I7_ByLinesACardThatIsTallerThanTheTerminalSaysSo) {
    options.plain = true;
    start();
    auto request = dangerous();
    auto& text = std::get<Approval>(request.body).display_text;
    for (int at = 0; at < 60; ++at) text += "\n# " + std::to_string(at);
    show(presentation(request, 9));
    settle();
    const auto rows = seen();
    const auto hidden = seen(true).size() - rows.size();
    EXPECT_NE(joined(rows).find(std::to_string(hidden) + " lines are above the screen"), std::string::npos)
        << hidden << joined(rows);
}

TEST_F(TerminalForgery, I15_EachRowOfAnAgentsWordsBeginsWithItsName) {
    start();
    for (const auto& words : hostile_words()) {
        screen.clear();
        ASSERT_TRUE(terminal->quote("builder", words));
        ASSERT_TRUE(sees("builder"));
        settle();
        const auto rows = seen(true);
        EXPECT_EQ(rows.back(), "") << "the cursor is in a fresh row";
        for (std::size_t at = 0; at + 1 < rows.size(); ++at) {
            const bool named = rows[at].starts_with("builder │") || rows[at].starts_with("builder ┊");
            EXPECT_TRUE(named) << rows[at] << "\nof\n" << joined(rows);
        }
    }
}

TEST_F(TerminalForgery, I15_ByLinesToo) {
    options.plain = true;
    start();
    for (const auto& words : hostile_words()) {
        screen.clear();
        show(presentation(dangerous(), 7));
        ASSERT_TRUE(sees("Type a number"));
        settle();
        const auto before = screen;
        ASSERT_TRUE(terminal->quote("builder", words));
        settle();
        EXPECT_EQ(screen, before) << "nothing is printed while the request is open";
        auto rows = seen();
        EXPECT_EQ(rows.back(), "");
        EXPECT_EQ(rows[rows.size() - 3], "high risk · Bash: rm -rf /");
        EXPECT_TRUE(rows[rows.size() - 2].starts_with("Type a number"));
        screen.clear();
        terminal->conclude(7, denied_by_alice());
        ASSERT_TRUE(sees("builder"));
        settle();
        rows = seen(true);
        for (std::size_t at = 3; at + 1 < rows.size(); ++at) {
            const bool named = rows[at].starts_with("builder |") || rows[at].starts_with("builder :");
            EXPECT_TRUE(named) << rows[at] << "\nof\n" << joined(rows);
        }
        hub.shown.clear();
    }
}

TEST_F(TerminalForgery, I15_NoTextOfACallContinuesInARowWithoutItsBar) {
    const auto request_with = [](const std::string& words) {
        auto request = dangerous();
        std::get<Approval>(request.body).display_text = security::display(words);
        return request;
    };
    for (const bool plain : {false, true}) {
        for (const auto& words : hostile_words()) {
            VirtualScreen virtual_screen{80, 24};
            auto text = card(presentation(request_with(words), 1), WallTime{},
                             {.plain = plain, .colour = false, .columns = 80, .breaks = true});
            for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.insert(at, "\r");
            virtual_screen.feed(text);
            const auto rows = virtual_screen.all_rows();
            const auto first = row_with(rows, "call:") + 1;
            for (auto at = first; at < rows.size() && !rows[at].starts_with(plain ? "options:" : "note:"); ++at) {
                const bool barred = plain ? rows[at].starts_with("  |") || rows[at].starts_with("  :")
                                          : rows[at].starts_with("  │") || rows[at].starts_with("  ┊");
                // In the column of the bar, where no text gets.
                const bool mark = rows[at].starts_with(plain ? "  ~ " : "  ⋮ ") && rows[at].ends_with(" blank lines");
                EXPECT_TRUE(barred || mark) << rows[at] << "\nof\n" << joined(rows);
            }
        }
    }
}

TEST_F(TerminalForgery, OurOwnWordsBeginAtTheLeftOnce) {
    start();
    terminal->say("not accepted: " + repeated("y", 200) + "\n▶ Allow once");
    ASSERT_TRUE(sees("Allow once"));
    settle();
    const auto rows = seen(true);
    EXPECT_TRUE(rows.front().starts_with("not accepted:")) << rows.front();
    for (std::size_t at = 1; at + 1 < rows.size(); ++at) EXPECT_TRUE(rows[at].starts_with("    ")) << rows[at];
}

TEST_F(TerminalForgery, WhatWasHeldBackIsShownOnDemandAndTheWholeCardFollows) {
    start();
    show(presentation(dangerous(), 7));
    ASSERT_TRUE(terminal->quote("builder", "one\ntwo"));
    ASSERT_TRUE(sees("lines held back: 2 (l shows them)"));
    ASSERT_TRUE(types("l", "▶ Deny"));
    settle();
    const auto rows = seen();
    EXPECT_EQ(rows[row_with(rows, "one")], "builder │ one");
    EXPECT_LT(row_with(rows, "builder │ two"), row_with(rows, "Approval wanted"));
    expect_choices_below_the_real_call();
    EXPECT_EQ(screen.find("held back"), std::string::npos);
    type("\r");
    clock.advance(1ms);
    settle();
    EXPECT_TRUE(hub.attempts.empty()) << "the card is new on the screen";
}

TEST_F(TerminalForgery, ByLinesWhatWasHeldBackIsShownOnDemand) {
    options.plain = true;
    start();
    show(presentation(dangerous(), 7));
    ASSERT_TRUE(terminal->quote("builder", "one"));
    ASSERT_TRUE(types("/lines\n", "builder | one"));
    ASSERT_TRUE(sees("Type a number"));
    const auto rows = seen();
    EXPECT_LT(row_with(rows, "builder | one"), row_with(rows, "Approval wanted"));
}

TEST_F(TerminalForgery, WhatWasHeldBackComesBeforeTheNextCard) {
    start();
    show(presentation(approval(1), 1));
    terminal->present(presentation(dangerous(), 7));
    ASSERT_TRUE(terminal->quote("builder", "between"));
    terminal->conclude(1, denied_by_alice());
    ASSERT_TRUE(pump_until([&] { return hub.shown.size() == 2; }));
    settle();
    const auto rows = seen(true);
    EXPECT_LT(row_with(rows, "Denied by alice"), row_with(rows, "builder │ between"));
    EXPECT_LT(row_with(rows, "builder │ between"), row_with(rows, "Approval wanted"));
    expect_choices_below_the_real_call();
}

TEST_F(TerminalForgery, AnotherCardsEndIsFollowedByTheWholeOpenCard) {
    start();
    show(presentation(approval(1), 1));
    terminal->present(presentation(dangerous(), 7));
    type("n");
    ASSERT_TRUE(pump_until([&] { return hub.shown.size() == 2; }));
    screen.clear();
    terminal->conclude(1, denied_by_alice());
    ASSERT_TRUE(sees("▶ Deny"));
    settle();
    const auto rows = seen();
    EXPECT_LT(row_with(rows, "Denied by alice"), row_with(rows, "Approval wanted"));
    expect_choices_below_the_real_call();
}

TEST_F(TerminalForgery, AVoteOnAnotherCardIsSaidWhenThatCardIsShownAgain) {
    start();
    show(presentation(approval(1), 1));
    terminal->present(presentation(dangerous(), 7));
    type("n");
    ASSERT_TRUE(pump_until([&] { return hub.shown.size() == 2; }));
    settle();
    const auto before = screen;
    terminal->update(1, {.votes = {{.person = "alice", .option_id = "allow", .seq = 3}}, .required = 2});
    settle();
    EXPECT_EQ(screen.find("1 of 2", before.size()), std::string::npos);
    expect_choices_below_the_real_call();
    EXPECT_TRUE(types("p", "1 of 2: alice"));
}

TEST_F(TerminalForgery, WhatWasHeldBackIsPrintedWhenTheTerminalCloses) {
    start();
    show(presentation(dangerous(), 7));
    ASSERT_TRUE(terminal->quote("builder", "last words"));
    type("\x03");
    ASSERT_TRUE(pump_until([&] { return interrupts == 1; }));
    EXPECT_TRUE(sees("last words"));
    EXPECT_FALSE(terminal->quote("builder", "after it"));
}

TEST_F(TerminalForgery, I13_AFloodOfWordsDoesNotCloseTheTerminal) {
    start();
    const auto words = repeated("x", 70) + "\n";
    for (int at = 0; at < 200; ++at) ASSERT_TRUE(terminal->quote("builder", repeated(words, 1'000)));
    show(presentation(dangerous(), 7));
    for (int at = 0; at < 200; ++at) ASSERT_TRUE(terminal->quote("builder", repeated(words, 1'000)));
    settle();
    EXPECT_TRUE(closed.empty());
    EXPECT_TRUE(hub.failed.empty());
    expect_choices_below_the_real_call();
}

TEST(HeldLines, I13_OnePastTheBoundTheOldestLineIsLeftOutAndCounted) {
    const Style style{.plain = true};
    HeldLines held;
    for (std::size_t at = 0; at < HeldLines::lines_max; ++at) held.add("builder", "line " + std::to_string(at));
    held.add("builder", "one past");
    EXPECT_EQ(held.count(), HeldLines::lines_max + 1);
    const auto text = held.take(style, {});
    EXPECT_TRUE(text.starts_with("older lines left out: 1\nbuilder | line 1\n")) << text.substr(0, 80);
    EXPECT_TRUE(text.ends_with("builder | one past\n"));
    EXPECT_TRUE(held.empty());
    for (std::size_t at = 0; at < HeldLines::lines_max; ++at) held.add("builder", "line " + std::to_string(at));
    EXPECT_TRUE(held.take(style, {}).starts_with("builder | line 0\n"));
}

TEST(HeldLines, I13_OnePastTheBoundInBytesTheOldestLineIsLeftOut) {
    HeldLines held;
    held.add("builder", std::string(HeldLines::bytes_max - 1, 'a'));
    held.add("builder", "b");
    EXPECT_FALSE(HeldLines{held}.take({.plain = true}, {}).starts_with("older lines"));
    held.add("builder", "c");
    EXPECT_EQ(held.take({.plain = true}, {}), "older lines left out: 1\nbuilder | b\nbuilder | c\n");
    held.add("builder", std::string(HeldLines::bytes_max + 1, 'a'));
    EXPECT_EQ(held.take({.plain = true}, {}).size(), HeldLines::bytes_max + std::string{"builder | \n"}.size());
}

TEST(HeldLines, AnAgentDoesNotPushOutOurOwnLines) {
    HeldLines held;
    held.add("", "ALARM: the log is refused");
    for (std::size_t at = 0; at < 2 * HeldLines::lines_max; ++at) held.add("builder", "noise");
    EXPECT_NE(held.take({.plain = true}, {}).find("\nALARM: the log is refused\n"), std::string::npos);
}

TEST(TerminalWidth, I15_NoCharacterIsWiderOnATerminalThanWeCount) {
    const auto locale = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    ASSERT_NE(locale, nullptr);
    const auto before = ::uselocale(locale);
    for (char32_t code = 0x20; code <= 0x10FFFF; ++code) {
        if (code >= 0xD800 && code <= 0xDFFF) continue;
        std::string text = "a";
        utf8::append(text, code);
        if (security::display(text) != text) continue;  // never on a screen as it is
        const int width = ::wcwidth(static_cast<wchar_t>(code));
        EXPECT_GE(static_cast<int>(width_of(code)), width) << std::hex << static_cast<std::uint32_t>(code);
    }
    ::uselocale(before);
    ::freelocale(locale);
    for (const char32_t letter : {U'é', U'ж', U'─', U'│', U'…', U'●', U'▶'}) EXPECT_EQ(width_of(letter), 1U);
}

TEST(CallLine, SaysRiskToolAndTheFirstLineThatSaysSomething) {
    auto request = dangerous();
    auto& shown = std::get<Approval>(request.body).display_text;
    const auto line = [&](std::size_t columns) { return fitted(*call_line(request, {}), columns); };
    EXPECT_EQ(line(79), "high risk · Bash: rm -rf /");
    shown = "\n   \n  ls" + repeated(" ", 100) + "; rm -rf /\nmore";
    EXPECT_EQ(line(79), "high risk · Bash: ls ; rm -rf / (line 3 of 4)");
    shown = "{\n  \"file_path\": \"/etc/shadow\"\n}";
    EXPECT_EQ(line(79), "high risk · Bash: \"file_path\": \"/etc/shadow\" (line 2 of 3)");
    shown = "{\n}";
    EXPECT_EQ(line(79), "high risk · Bash: { (line 1 of 2)");
    shown = repeated("a", 100) + "\nmore";
    EXPECT_EQ(line(40), "high risk · Bash: aaaaaaa… (line 1 of 2)");
    std::get<Approval>(request.body).subject = ToolUse{.tool_name = repeated("T", 200), .tool_id = "t"};
    shown = "rm -rf /";
    EXPECT_TRUE(line(79).ends_with("T…: rm -rf /")) << line(79);
    EXPECT_FALSE(call_line(question({stack()}), {}));
}

TEST(CallLine, StaysAboveTheChoicesHoweverFewRowsThereAre) {
    Prompt prompt{dangerous(), options(), 0ms, {}};
    const Style style{.plain = true, .colour = false, .columns = 80};
    for (std::size_t rows_max = 3; rows_max < 8; ++rows_max) {
        const auto rows = widget(prompt.view(), 0, rows_max, style);
        EXPECT_LE(rows.size(), rows_max);
        EXPECT_EQ(rows.front(), "high risk · Bash: rm -rf /");
        EXPECT_NE(std::ranges::find(rows, "▶ Deny: the agent hears no"), rows.end()) << rows_max;
    }
}

}  // namespace
}  // namespace countersign::channels::terminal
