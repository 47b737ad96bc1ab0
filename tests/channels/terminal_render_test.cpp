// SPDX-License-Identifier: Apache-2.0
// Golden files, compared byte for byte. COUNTERSIGN_UPDATE_GOLDEN=1 writes them anew, for a person to look at the
// change.
#include "channels/terminal/render.hpp"

#include "channels/conclusion_words.hpp"
#include "channels/refusal_words.hpp"
#include "channels/terminal/guard.hpp"
#include "channels/terminal/plain_prompt.hpp"
#include "channels/terminal/prompt.hpp"
#include "channels/terminal/widget.hpp"
#include "channels/terminal/width.hpp"
#include "tests/channels/terminal_samples.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>

namespace countersign::channels::terminal {
namespace {

using namespace samples;
using namespace std::chrono_literals;

const WallTime now{1'763'258'400'000ms};
const Style coloured{.plain = false, .colour = true, .columns = 60};
const Style plain{.plain = true, .colour = false, .columns = 60};

void expect_golden(const std::string& text, const std::string& name) {
    const auto path = std::string{COUNTERSIGN_SOURCE_DIR} + "/tests/channels/golden/" + name + ".txt";
    if (std::getenv("COUNTERSIGN_UPDATE_GOLDEN") != nullptr) std::ofstream{path, std::ios::binary} << text;
    std::ifstream file{path, std::ios::binary};
    ASSERT_TRUE(file) << path;
    std::ostringstream expected;
    expected << file.rdbuf();
    EXPECT_EQ(text, expected.str()) << name;
}

Presentation edit() {
    auto request = approval();
    request.requester = "alice";
    request.judgement.risk = {.level = RiskLevel::medium, .rule = "edits-files"};
    auto& body = std::get<Approval>(request.body);
    body.subject = ToolUse{.tool_name = "Edit", .tool_id = "t2"};
    body.display_text = R"({"file_path":"/srv/app/設定.toml","new_string":"port = 8080","old_string":"port = 80"})";
    body.diff = "--- a/設定.toml\n+++ b/設定.toml\n@@ -1 +1 @@\n-port = 80\n+port = 8080";
    auto made = presentation(std::move(request), 5);
    made.state.required = 2;
    made.expires = now + 29min + 5s;
    return made;
}

Conclusion denied() {
    Conclusion made;
    made.request_id = id_of(1);
    made.outcome = Outcome::denied;
    made.decided_by = "alice";
    made.channel = "ops-slack";
    made.option_label = "Deny";
    made.reason = "not on a Friday";
    made.forwarded = true;
    made.took = 12'300ms;
    made.seq = 42;
    made.root = "q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k=";
    made.size = 44;
    return made;
}

TEST(TerminalRender, ALongConclusionBreaksBetweenWordsAtTheTerminalsWidth) {
    auto long_winded = denied();
    for (int i = 0; i < 20; ++i) long_winded.reason += " and not on a Monday either";
    const Style style{.plain = false, .colour = false, .columns = 40};
    std::istringstream text{std::regex_replace(conclusion(long_winded, style, {}), std::regex{"\x1b\\[[0-9;]*m"}, "")};
    std::string words;
    for (std::string row; std::getline(text, row);) {
        EXPECT_LT(width_of(row), style.columns) << row;
        const std::string_view begins = words.empty() ? "■ " : "  ";
        EXPECT_TRUE(row.starts_with(begins)) << row;
        words += row.substr(begins.size());
    }
    EXPECT_NE(words.find(long_winded.reason), std::string::npos) << "nothing of it is lost";
    EXPECT_NE(conclusion(long_winded, plain, {}).find(long_winded.reason), std::string::npos)
        << "on one line for a pipe";
}

TEST(TerminalRender, AnApprovalIsShownWhole) {
    expect_golden(card(presentation(approval(), 1), now, coloured), "terminal_approval");
    expect_golden(card(presentation(approval(), 1), now, plain), "terminal_approval_plain");
}

TEST(TerminalRender, WhereItWouldRunAndWhatAHostLooksLikeAreOnTheCard) {
    auto request = approval();
    request.workplace = {.host = "build-7", .repository = "git.example/acme/shop", .branch = "ma\u202Ein"};
    std::get<Approval>(request.body).suspect_hosts = {
        {SuspectHost::Kind::looks_alike, "аррӏе.com", "xn--80ak6aa92e.com", "apple.com"}};
    const Style wide{.plain = true, .colour = false, .columns = 120};
    const auto text = card(presentation(std::move(request), 1), now, wide);
    for (const auto* line :
         {"machine:    build-7\n", "repository: git.example/acme/shop\n", "branch:     ma\\u{202E}in\n",
          "note:       ⚠ host аррӏе.com only looks like apple.com, really xn--80ak6aa92e.com\n"}) {
        EXPECT_NE(text.find(line), std::string::npos) << line << "is not in\n" << text;
    }
}

TEST(TerminalRender, ADiffIsColouredAndWrappedByWidth) {
    expect_golden(card(edit(), now, coloured), "terminal_edit");
    expect_golden(card(edit(), now, plain), "terminal_edit_plain");
}

TEST(TerminalRender, ABundleOfQuestionsIsShownWhole) {
    expect_golden(card(presentation(question({stack(), targets(), notes()}), 1), now, coloured), "terminal_questions");
    expect_golden(card(presentation(question({stack(), targets(), notes()}), 1), now, plain),
                  "terminal_questions_plain");
}

TEST(TerminalRender, TheOutcomeStandsAboveItsRecord) {
    auto expired = denied();
    expired.outcome = Outcome::expired;
    expired.decided_by = expired.channel = expired.option_label = expired.reason = "";
    expired.forwarded = false;
    auto unheard = denied();
    unheard.outcome = Outcome::allowed;
    unheard.option_label = "Allow once";
    unheard.reason = "";
    unheard.forwarded = false;
    expect_golden(conclusion(denied(), coloured, {}) + conclusion(expired, coloured, {}) +
                      conclusion(unheard, coloured, {}),
                  "terminal_conclusions");
    expect_golden(conclusion(denied(), plain, {}) + conclusion(expired, plain, {}) + conclusion(unheard, plain, {}),
                  "terminal_conclusions_plain");
}

TEST(TerminalRender, EveryOutcomeHasItsWords) {
    for (const auto outcome :
         {Outcome::allowed, Outcome::denied, Outcome::answered, Outcome::cancelled, Outcome::expired,
          Outcome::withdrawn, Outcome::undeliverable, Outcome::lost, Outcome::unlogged, Outcome::indeterminate}) {
        Conclusion made;
        made.outcome = outcome;
        EXPECT_TRUE(conclusion(made, plain, {}).starts_with(words_of(outcome).word)) << name(outcome);
    }
}

TEST(TerminalRender, TheWidgetIsDrawnInPlace) {
    Prompt one{approval(), options(), 0ms, {}};
    Prompt many{question({stack(), notes()}), {}, 0ms, {}};
    many.shown(BootTime{});
    (void)many.press(key(KeyKind::enter), BootTime{1s});
    expect_golden(drawn(widget(one.view(), 2, 24, coloured), 0) + "\n" + drawn(widget(many.view(), 0, 24, coloured), 0),
                  "terminal_widgets");
    EXPECT_TRUE(drawn({"a", "b"}, 3).starts_with("\r\x1b[2A\x1b[J"));
    EXPECT_EQ(erased(1), "\r\x1b[J");
    EXPECT_EQ(erased(0), "");
}

TEST(TerminalRender, EverythingIsSaidInTheLanguageOfWhoSitsThere) {
    for (const std::string tag : {"en", "de", "zh"}) {
        const auto language = language_of(tag);
        auto shown = edit();
        shown.audience.language = tag;
        shown.resumed = true;
        shown.state = {.votes = {{"alice", "allow", 3}}, .required = 2, .asked = 3, .waiting = 4};
        Prompt one{*shown.request, shown.offered, 0ms, language};
        one.behind(4);
        auto asked = presentation(question({stack(), targets(), notes()}), 1);
        asked.audience.language = tag;
        Prompt many{*asked.request, {}, 0ms, language};
        PlainPrompt by_line{asked.request, {}, 0ms, language};
        std::string text = card(shown, now, plain) + card(asked, now, plain);
        for (const auto& row : widget(one.view(), 2, 24, plain)) text += row + "\n";
        for (const auto& row : widget(many.view(), 0, 24, plain)) text += row + "\n";
        text += by_line.choices() + conclusion(denied(), plain, language) + progress(shown.state, language) + "\n";
        for (const auto code :
             {Errc::not_authorised, Errc::late, Errc::asked_again, Errc::away, Errc::busy, Errc::internal}) {
            text += refused({code, ""}, {.principal = "terminal:1000", .language = language}) + "\n";
        }
        expect_golden(text, "terminal_language_" + tag);
    }
}

TEST(TerminalRender, ADetailFollowsTheColonOfTheLanguage) {
    for (const std::string tag : {"en", "de", "zh"}) {
        const auto language = language_of(tag);
        const std::string colon = tag == "zh" ? "：" : ": ";
        auto shown = presentation(approval(), 1);
        auto asked = presentation(question({stack(), notes()}), 1);
        shown.audience.language = asked.audience.language = tag;
        auto text = card(shown, now, plain);
        EXPECT_NE(text.find(colon + "runs this call"), std::string::npos) << text;
        text = card(asked, now, plain);
        EXPECT_NE(text.find("React" + colon + "the usual"), std::string::npos) << text;
        Prompt prompt{*asked.request, {}, 0ms, language};
        text = drawn(widget(prompt.view(), 0, 24, plain), 0);
        EXPECT_NE(text.find("React" + colon + "the usual"), std::string::npos) << text;
        PlainPrompt by_line{asked.request, {}, 0ms, language};
        by_line.shown({});
        ASSERT_FALSE(by_line.answer("1", BootTime{1s}).decided);
        text = by_line.answer("none", BootTime{1s}).say;
        EXPECT_NE(text.find("Stack" + colon + "React"), std::string::npos) << text;
    }
}

TEST(TerminalRender, EveryRefusalThatCanBeMendedSaysWhatItIs) {
    for (const auto* tag : {"en", "de", "zh"}) {
        const auto said = [&](Errc code) {
            return refused({code, ""}, {.principal = "terminal:1000", .language = language_of(tag)});
        };
        for (const auto code : {Errc::not_authorised, Errc::not_shown, Errc::late, Errc::asked_again,
                                Errc::already_decided, Errc::already_voted, Errc::unknown_request, Errc::unknown_option,
                                Errc::away, Errc::unavailable, Errc::busy}) {
            EXPECT_NE(said(code), said(Errc::internal)) << name(code);
        }
    }
}

TEST(TerminalRender, WhatRefusesAllThatWaitIsListedByLinesToo) {
    auto shown = presentation(approval(), 1);
    shown.state.waiting = 2;
    EXPECT_NE(card(shown, now, plain).find("4) Deny all 3"), std::string::npos) << card(shown, now, plain);
    shown.state.waiting = 0;
    EXPECT_EQ(card(shown, now, plain).find("4)"), std::string::npos);
}

TEST(TerminalRender, TheCursorOfALongTextStaysInSight) {
    const Style style{.plain = false, .colour = false, .columns = 40};
    for (const std::size_t cursor : {0U, 1U, 50U, 99U, 100U}) {
        View view;
        view.field = Field{.label = "answer", .text = std::string(cursor, 'a') + std::string(100 - cursor, 'b')};
        view.field->cursor = cursor;
        const auto row = widget(view, 0, 24, style).front();
        const std::string marked = cursor < 100 ? "\x1b[7mb\x1b[0m" : "\x1b[7m \x1b[0m";
        EXPECT_NE(row.find(marked), std::string::npos) << cursor << ": " << row;
        EXPECT_LT(width_of(std::regex_replace(row, std::regex{"\x1b\\[[0-9;]*m"}, "")), 40U) << cursor;
    }
}

TEST(TerminalRender, TheTabBarReadsAsTheSeedDrawsIt) {
    Prompt prompt{question({stack(), notes()}), {}, 0ms, {}};
    prompt.shown(BootTime{});
    (void)prompt.press(key(KeyKind::enter), BootTime{1s});
    const auto rows = widget(prompt.view(), 0, 24, {.plain = true, .colour = false, .columns = 60});
    EXPECT_EQ(rows.front(), "■ Stack □ Notes ✓ Submit");
}

TEST(TerminalRender, NoColourMeansNoColour) {
    auto style = coloured;
    style.colour = false;
    const auto text = card(edit(), now, style) + conclusion(denied(), style, {});
    for (const auto* code : {"\x1b[31m", "\x1b[32m", "\x1b[33m"}) EXPECT_EQ(text.find(code), std::string::npos);
    EXPECT_NE(card(edit(), now, coloured).find("\x1b[32m+port = 8080"), std::string::npos);
    EXPECT_NE(card(edit(), now, coloured).find("\x1b[31m-port = 80\x1b"), std::string::npos);
}

TEST(TerminalRender, PlainHasNoEscapesAndNoDrawnLines) {
    const auto text = card(edit(), now, plain) + conclusion(denied(), plain, {});
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    for (const auto* line : {"─", "│", "┊", "■"}) EXPECT_EQ(text.find(line), std::string::npos) << line;
}

TEST(TerminalRender, I7_EveryByteOfALongCallIsOnTheCard) {
    auto request = approval();
    std::string call;
    for (int at = 0; at < 5'000; ++at) call += std::to_string(at) + (at % 7 == 0 ? "\n" : " 漢 ");
    std::get<Approval>(request.body).display_text = call;
    const auto text = card(presentation(request, 1), now, {.plain = false, .colour = false, .columns = 40});
    // The pieces behind the bars, put together again: a new line where the bar says so, else the same one.
    std::string seen;
    std::istringstream rows{text.substr(text.find("call:\n") + 6)};
    for (std::string row; std::getline(rows, row) && row.starts_with("  \x1b[2m");) {
        const bool fresh = row.find("│") != std::string::npos;
        const std::string end = "\x1b[0m ";
        seen += (fresh && !seen.empty() ? "\n" : "") + row.substr(row.find(end) + end.size());
        EXPECT_LT(width_of(row.substr(row.find(end) + end.size())), 40U);
    }
    EXPECT_EQ(seen, call);
}

TEST(TerminalRender, I7_ManyBlankLinesAreOneRowThatNoTextCanImitate) {
    auto request = approval();
    auto& text = std::get<Approval>(request.body).display_text;
    const auto shown = [&](const Style& style) { return card(presentation(request, 1), now, style); };
    const Style drawn{.plain = false, .colour = false, .columns = 80};
    text = "ls" + std::string(61, '\n') + "⋮ 7 blank lines\n~ 7 blank lines\nrm -rf /";
    EXPECT_NE(shown(drawn).find("ls\n  ⋮ 60 blank lines\n  \x1b[2m│\x1b[0m ⋮ 7 blank lines\n"), std::string::npos)
        << shown(drawn);
    EXPECT_NE(shown(plain).find("  | ls\n  ~ 60 blank lines\n  | ⋮ 7 blank lines\n  | ~ 7 blank lines\n  | rm -rf /\n"),
              std::string::npos)
        << shown(plain);
    text = "ls" + std::string(limits::terminal_blank_rows_max + 1, '\n') + "id";
    EXPECT_EQ(shown(plain).find("blank lines"), std::string::npos);
    EXPECT_NE(shown(plain).find("  | ls\n  | \n  | \n  | id\n"), std::string::npos) << shown(plain);
    text = "ls" + std::string(limits::terminal_blank_rows_max + 2, '\n') + "id";
    EXPECT_NE(shown(plain).find("  | ls\n  ~ 3 blank lines\n  | id\n"), std::string::npos) << shown(plain);
    text = "ls\n  \n \n    \n";
    EXPECT_NE(shown(plain).find("  | ls\n  ~ 4 blank lines\n"), std::string::npos) << "also at the end, and of spaces";
    text = "ls" + std::string(2'000, ' ') + "; rm -rf /";
    EXPECT_LT(std::ranges::count(shown(drawn), '\n'), 20) << "spaces that fill rows are counted too";
    EXPECT_NE(shown(drawn).find("; rm -rf /"), std::string::npos);
}

TEST(TerminalRender, NoTextOfAnAgentReachesTheTerminalAsAControl) {
    auto request = approval();
    request.agent_id = "a\x1b[2Jb\nrisk:       low";
    request.cwd = "/srv\r/x";
    auto& body = std::get<Approval>(request.body);
    body.display_text = "ls\x1b]0;x\x07\xc2\x9b\xe2\x80\xae";
    body.untrusted_reason = "\x1b[1A";
    body.options[0].detail = "\x08\x08";
    auto made = presentation(request, 1);
    for (const auto& style : {plain, Style{.plain = false, .colour = false, .columns = 60}}) {
        const auto text = card(made, now, style);
        EXPECT_EQ(text.find("\x1b[2J"), std::string::npos);
        EXPECT_EQ(text.find("\x1b]"), std::string::npos);
        EXPECT_EQ(text.find("\x1b[1A"), std::string::npos);
        EXPECT_EQ(text.find_first_of("\r\x07\x08"), std::string::npos);
        EXPECT_EQ(text.find("\nrisk:       low"), std::string::npos) << "a field stays on its line";
        EXPECT_NE(text.find("\\u{1B}"), std::string::npos);
    }
}

TEST(TerminalRender, AnOptionThatTheWidgetCutsStandsInFullOnTheCard) {
    auto long_option = options()[0];
    long_option.label = std::string(70, 'x') + "!";
    auto made = presentation(approval(), 1);
    made.offered = {long_option, options()[2]};
    const auto text = card(made, now, coloured);
    EXPECT_NE(text.find("options:\n"), std::string::npos);
    EXPECT_NE(text.find('!'), std::string::npos);
    EXPECT_EQ(text.find("(denies)"), std::string::npos) << "that one fits";
    const auto rows = widget(Prompt{approval(), made.offered, 0ms, {}}.view(), 0, 24, plain);
    EXPECT_TRUE(rows[1].ends_with("… (allow once)…")) << "what the option does is not cut off: " << rows[1];
    EXPECT_LT(width_of(rows[1]), 60U);
}

TEST(TerminalRender, TheTailOfALongDetailDoesNotLookLikeAnotherOption) {
    auto request = approval();
    auto made = presentation(request, 1);
    auto detailed = options();
    detailed[0].detail = std::string(43, 'x') + "Deny";
    made.offered = detailed;
    const auto text = card(made, now, coloured);
    EXPECT_EQ(text.find("\n  Deny\n"), std::string::npos);
    EXPECT_NE(text.find("Deny\n"), std::string::npos);
}

TEST(TerminalRender, WhatIsSanitisedAlreadyIsNotEscapedAgain) {
    EXPECT_EQ(guarded_line(R"(a\u{1B}→⏎\x{FF}é漢)"), R"(a\u{1B}→⏎\x{FF}é漢)");
    EXPECT_EQ(guarded_block("a\nb"), "a\nb");
    EXPECT_EQ(guarded_line("a\nb"), "a⏎b");
    EXPECT_EQ(guarded_line("\xff"), "\\x{FF}");
}

TEST(TerminalRender, AReasonThatTheHubHasCleanedIsEscapedOnce) {
    auto made = denied();
    made.reason = R"(not \u{202E} now)";
    EXPECT_NE(conclusion(made, plain, {}).find(R"(reason: not \u{202E} now)"), std::string::npos);
}

TEST(TerminalRender, WordsOfOtherPeopleAreSanitisedHere) {
    auto made = denied();
    made.reason = "\x1b[2J\nallowed by alice";
    const auto text = conclusion(made, plain, {});
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
    EXPECT_EQ(refused({Errc::already_decided, "denied by alice\x1b[A"}, {}).find('\x1b'), std::string::npos);
    EXPECT_EQ(progress({.votes = {{.person = "alice", .option_id = "allow", .seq = 3}}, .required = 2}, {}),
              "1 of 2: alice");
}

TEST(TerminalRender, I1_AFullLogIsSaidOnceWithFileCauseAndWhatToDo) {
    const std::string why = "audit log unavailable: /s/audit/seg-000000.log: No space left on device; restart "
                            "Countersign after freeing space";
    EXPECT_EQ(refused({Errc::unavailable, why}, {}), "Nothing can be decided now: " + why + ".");
    EXPECT_EQ(refusal_words({Errc::unavailable, why}, {}).text(), refused({Errc::unavailable, why}, {})) << "a tap";
    auto card = conclusion({.outcome = Outcome::unlogged, .reason = why}, plain, {});
    std::ranges::replace(card, '\n', ' ');
    EXPECT_NE(card.find("No space left on device"), std::string::npos) << card;
    EXPECT_NE(card.find("after freeing space"), std::string::npos) << card;
}

TEST(TerminalRender, TheWidgetNeverHasMoreRowsThanTheScreen) {
    std::vector<Choice> choices;
    for (int at = 0; at < 16; ++at) choices.push_back({"choice " + std::to_string(at), ""});
    Prompt prompt{question({{.question_id = "Q", .text = "which", .choices = choices}}), {}, 0ms, {}};
    prompt.shown(BootTime{});
    for (int at = 0; at < 16; ++at) {
        const auto rows = widget(prompt.view(), 0, 6, plain);
        EXPECT_LE(rows.size(), 6U);
        bool in_sight = false;
        for (const auto& row : rows) in_sight |= row.starts_with("▶ ○ choice " + std::to_string(at));
        EXPECT_TRUE(in_sight) << at;
        (void)prompt.press(key(KeyKind::down), BootTime{1s});
    }
    for (const auto& row : widget(prompt.view(), 999, 24, {.plain = true, .colour = false, .columns = 20})) {
        EXPECT_LT(width_of(row), 20U);
    }
}

}  // namespace
}  // namespace countersign::channels::terminal
