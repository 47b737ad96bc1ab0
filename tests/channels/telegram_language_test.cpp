// SPDX-License-Identifier: Apache-2.0
// Cards in every language: golden files for a person to read, and what must hold whatever the words are.
#include "channels/card_text.hpp"
#include "channels/catalogue.hpp"
#include "channels/duration.hpp"
#include "channels/telegram/bounds.hpp"
#include "core/limits.hpp"
#include "security/digest.hpp"
#include "security/display/display.hpp"
#include "security/encoding.hpp"
#include "tests/channels/telegram_samples.hpp"

#include <random>

namespace countersign::channels::telegram {
namespace {

using namespace samples;

class TelegramLanguage : public TelegramRender, public ::testing::WithParamInterface<std::string_view> {
protected:
    [[nodiscard]] Presentation in_language(Presentation shown) const {
        shown.audience.language = GetParam();
        return shown;
    }
    [[nodiscard]] std::string text_of(const Presentation& shown) {
        return body(renderer.card(shown, spot, now).card)["text"].get<std::string>();
    }
};

INSTANTIATE_TEST_SUITE_P(All, TelegramLanguage, ::testing::ValuesIn(language_tags()),
                         [](const auto& made) { return std::string{made.param}; });

std::size_t units_of(const Call& call) { return text_rules.units(body(call)["text"].get<std::string>()); }

Request placed() {
    auto request = approval();
    request.requester = "alice";
    request.workplace = {.host = "build-7", .repository = "git.example/acme/shop", .branch = "release/2.1"};
    request.judgement.risk = {.level = RiskLevel::high, .rule = "look-alike-host"};
    auto& call = std::get<Approval>(request.body);
    call.display_text = "curl https://аррӏе.com/install.sh";
    call.suspect_hosts = {
        {.kind = SuspectHost::Kind::looks_alike,
         .shown = "аррӏе.com",
         .ascii = "xn--80ak6aa92e.com",
         .looks_like = "apple.com"},
        {.kind = SuspectHost::Kind::punycode, .shown = "münchen.example", .ascii = "xn--mnchen-3ya.example"}};
    return request;
}

// Everything that can stand on a card, once.
TEST_P(TelegramLanguage, CardsReadLikeThis) {
    auto shown = in_language(presentation(placed()));
    shown.state.required = 2;
    shown.expires = now + 29min + 5s;
    const auto asked = in_language(presentation(questions()));
    auto unheard = denied();
    unheard.outcome = Outcome::allowed;
    unheard.option_label = "Allow once";
    unheard.reason = "";
    unheard.forwarded = false;
    auto expired = denied();
    expired.outcome = Outcome::expired;
    expired.decided_by = expired.channel = expired.option_label = expired.reason = "";
    auto voted = shown;
    voted.state.votes = {{"alice", "allow", 3}};
    auto tiring = in_language(presentation(placed()));
    tiring.audience.mentions = {{"alice", "telegram:77"}, {"bob", "telegram:78"}};
    tiring.state.asked = 3;
    tiring.state.waiting = 4;
    const SessionEnd ended{.to = tiring.to,
                           .below = {{"ops", "-100", "", "40"}, 0},
                           .language = std::string{GetParam()},
                           .agent_id = "builder",
                           .session_key = "s-7"};
    auto failed = ended;
    failed.failure = "exited with 1";
    expect_golden({renderer.card(tiring, spot, now).card,
                   renderer.reminder(tiring, spot, "42", {.waited = 70min, .mentions = tiring.audience.mentions}),
                   renderer.session_end(spot, ended), renderer.session_end(spot, failed)},
                  "telegram_audience_" + std::string{GetParam()});
    expect_golden({renderer.card(shown, spot, now).card, renderer.card(asked, spot, now).card,
                   renderer.update(voted, spot, "42", now, true), renderer.conclusion(shown, spot, "42", denied()),
                   renderer.conclusion(shown, spot, "42", unheard), renderer.conclusion(shown, spot, "42", expired)},
                  "telegram_language_" + std::string{GetParam()});
}

TEST_P(TelegramLanguage, ADetailFollowsTheColonOfTheLanguage) {
    const std::string colon = GetParam() == "zh" ? "：" : ": ";
    const auto shown = text_of(in_language(presentation(approval())));
    EXPECT_NE(shown.find(")" + colon + "runs this call\n"), std::string::npos) << shown;
    const auto asked = text_of(in_language(presentation(questions())));
    EXPECT_NE(asked.find("React" + colon + "the usual\n"), std::string::npos) << asked;
}

// Random text of every plane, sanitised as a runtime would: the card shows exactly that, in the entities that we made
// and no others, and nothing of it stands outside of them.
TEST_P(TelegramLanguage, I6_WhateverTheTextItIsShownAsItIsAndStylesNothing) {
    std::mt19937 random{7};
    const auto any_text = [&](std::size_t most) {
        std::string text;
        const auto length = random() % most;
        constexpr std::string_view marks = "*_`[]()~<>&@#/\\|.!-+=\n\t {}:";
        for (std::size_t i = 0; i < length; ++i) {
            if (random() % 3 == 0) {
                text += marks[random() % marks.size()];
            } else {
                auto code = static_cast<char32_t>(random() % 0x110000);
                if (random() % 2 == 0) code %= 0x3000;
                utf8::append(text, code);
            }
        }
        return security::display(text, security::DisplayMode::block);
    };
    const auto any_line = [&](std::size_t most) {
        return "x" + security::display(any_text(most), security::DisplayMode::line);
    };
    // What is left of a card when the entities are cut out, with each of them in its place as one unit.
    const auto around = [](const Json& message) {
        auto left = utf16(message["text"].get<std::string>());
        std::size_t end = left.size() + 1;
        for (auto entity = message["entities"].rbegin(); entity != message["entities"].rend(); ++entity) {
            const auto type = (*entity)["type"].get<std::string>();
            EXPECT_TRUE(type == "pre" || type == "code" || type == "bold" || type == "text_mention") << type;
            if (type == "text_mention") {
                const auto user = (*entity)["user"]["id"].get<int>();
                EXPECT_TRUE(user == 77 || user == 78) << "nobody is called but who may decide: " << user;
            }
            const auto offset = (*entity)["offset"].get<std::size_t>();
            const auto length = (*entity)["length"].get<std::size_t>();
            EXPECT_LE(offset + length, end) << "entities do not overlap";
            end = offset;
            if (type != "bold") left.replace(offset, length, u"\u25A0");
        }
        return left;
    };
    std::optional<std::u16string> first;
    for (int round = 0; round < 300; ++round) {
        auto request = placed();
        auto& call = std::get<Approval>(request.body);
        request.agent_id = any_line(10);
        request.session_key = any_line(10);
        request.requester = any_line(10);
        request.cwd = any_line(30);
        request.workplace = {.host = any_line(10), .repository = any_line(20), .branch = any_line(20)};
        request.judgement.risk.rule = any_line(10);
        call.suspect_hosts[0].shown = any_line(20);
        call.suspect_hosts[0].looks_like = any_line(20);
        call.display_text = "x" + any_text(200);
        call.diff = any_text(50) + "x";
        call.untrusted_reason = "x" + any_text(50);
        auto shown = in_language(presentation(request));
        // Ids that Telegram could not know call nobody, whatever they look like.
        shown.audience.mentions = {{any_line(10), "telegram:77"},
                                   {any_line(10), "telegram:-5"},
                                   {any_line(10), "telegram:" + any_line(5)},
                                   {any_line(10), any_line(10)},
                                   {any_line(10), "telegram:78"}};
        const auto rendering = renderer.card(shown, spot, now);
        if (rendering.document) continue;
        const auto made = body(rendering.card);
        ASSERT_LE(utf16(made["text"].get<std::string>()).size(), limits::telegram_text_units_max);
        for (const auto& block : {call.display_text, call.diff, call.untrusted_reason}) {
            EXPECT_TRUE(has_piece(made, "pre", text_rules.block(block))) << block;
        }
        for (const auto& line : {request.agent_id, request.workplace.host, request.workplace.repository,
                                 request.workplace.branch, call.suspect_hosts[0].shown}) {
            EXPECT_TRUE(has_piece(made, "code", text_rules.line(line))) << line;
        }
        const auto reminder =
            body(renderer.reminder(shown, spot, "42", {.waited = 10min, .mentions = shown.audience.mentions}));
        for (const auto* message : {&made, &reminder}) {
            std::vector<std::pair<std::u16string, int>> called;
            for (const auto& entity : (*message)["entities"]) {
                if (entity["type"] != "text_mention") continue;
                called.emplace_back(
                    utf16((*message)["text"].get<std::string>())
                        .substr(entity["offset"].get<std::size_t>(), entity["length"].get<std::size_t>()),
                    entity["user"]["id"].get<int>());
            }
            EXPECT_EQ(called, (std::vector<std::pair<std::u16string, int>>{
                                  {utf16(text_rules.line(shown.audience.mentions[0].person)), 77},
                                  {utf16(text_rules.line(shown.audience.mentions[4].person)), 78}}));
        }
        EXPECT_EQ(around(reminder).find_first_of(u"@#/<>*_`[]~|\\"), std::u16string::npos);
        EXPECT_EQ(security::undisplay(text_rules.block(call.display_text)), security::undisplay(call.display_text));

        // What stands outside does not depend on the text at all, and no app makes a link of it.
        const auto words = around(made);
        if (!first) first = words;
        EXPECT_EQ(words, *first);
        EXPECT_EQ(words.find_first_of(u"@#/<>*_`[]~|\\"), std::u16string::npos);

        auto conclusion = denied();
        conclusion.decided_by = any_line(10);
        conclusion.channel = any_line(10);
        conclusion.reason = any_line(50);
        const auto ended = body(renderer.conclusion(shown, spot, "42", conclusion));
        EXPECT_TRUE(has_piece(ended, "code", text_rules.line(conclusion.reason)));
        EXPECT_EQ(around(ended).find_first_of(u"@#/<>*_`[]~|\\"), std::u16string::npos);
    }
    EXPECT_TRUE(first);
}

Request longest(std::string_view letter) {
    const auto most = [letter](std::size_t bytes) {
        std::string text;
        while (text.size() + letter.size() <= bytes) text += letter;
        return text;
    };
    auto request = placed();
    request.agent_id = most(limits::agent_id_bytes_max);
    request.session_key = most(limits::session_key_bytes_max);
    request.requester = most(limits::principal_bytes_max);
    request.cwd = most(limits::cwd_bytes_max);
    request.judgement.risk.rule = most(limits::config_name_bytes_max);
    request.args_hash.partial = true;
    const auto place = most(limits::workplace_text_bytes_max);
    request.workplace = {.host = place, .repository = place, .branch = place};
    auto& call = std::get<Approval>(request.body);
    call.subject = ToolUse{most(limits::tool_name_bytes_max), "t"};
    call.display_text = most(limits::display_text_bytes_max);
    call.untrusted_reason = most(limits::untrusted_reason_bytes_max);
    call.suspect_hosts.assign(
        limits::suspect_hosts_max,
        {.kind = SuspectHost::Kind::looks_alike, .shown = most(400), .ascii = most(300), .looks_like = most(300)});
    call.options.clear();
    for (std::size_t i = 0; i < limits::options_max; ++i) {
        call.options.push_back({.option_id = std::to_string(i),
                                .label = std::string(18, 'w') + std::to_string(10 + i),
                                .detail = most(limits::option_detail_bytes_max)});
    }
    call.options[3].known = false;
    return request;
}

Conclusion longest_end() {
    auto made = denied();
    made.outcome = Outcome::undeliverable;  // the longest meaning
    made.decided_by = made.channel = std::string(limits::config_name_bytes_max, 'n');
    made.reason = std::string(10'000, 'r');
    made.answered = std::string(10'000, 'a');
    made.took = 6 * 24h + 23h;
    made.seq = limits::log_records_max;
    return made;
}

// A message that is too long is refused by Telegram: then nobody sees the request, or its buttons stay.
TEST_P(TelegramLanguage, I7_TheLongestRequestHasABriefCardAndAnEndThatFit) {
    for (const auto* letter : {"w", "漢", "🎉"}) {
        auto shown = in_language(presentation(longest(letter)));
        shown.state.required = limits::quorum_max;
        shown.resumed = true;
        shown.state.asked = limits::shared_requests_max;
        shown.state.waiting = limits::pending_requests_max;
        shown.audience.mentions.assign(limits::mentions_max,
                                       {std::string(limits::config_name_bytes_max, 'm'), "telegram:77"});
        shown.expires = now + 6 * 24h + 23h;
        const auto rendering = renderer.card(shown, spot, now);
        EXPECT_LE(units_of(rendering.card), limits::telegram_text_units_max);
        EXPECT_LE(units_of(*rendering.without_allow), limits::telegram_text_units_max);
        std::vector<Vote> votes(limits::quorum_max - 1, {std::string(limits::config_name_bytes_max, 'v'), "allow", 1});
        shown.state.votes = votes;
        EXPECT_LE(units_of(renderer.update(shown, spot, "42", now, true)), limits::telegram_text_units_max);
        EXPECT_LE(units_of(renderer.card(shown, spot, now).card), limits::telegram_text_units_max);
        EXPECT_LE(units_of(renderer.conclusion(shown, spot, "42", longest_end())), limits::telegram_text_units_max);

        auto asked = longest(letter);
        Question question{.question_id = "q",
                          .text = std::string(limits::question_text_bytes_max, 'w'),
                          .choices = {},
                          .multiple = true,
                          .free_text = true,
                          .secret = true};
        question.required = false;
        asked.body = Questionnaire{std::vector<Question>(limits::questions_max, question)};
        const auto bundle = in_language(presentation(asked));
        EXPECT_LE(units_of(renderer.card(bundle, spot, now).card), limits::telegram_text_units_max);
        EXPECT_LE(units_of(renderer.conclusion(bundle, spot, "42", longest_end())), limits::telegram_text_units_max);
    }
}

// The digest is what the file is known by: however short the rest is cut, it stands there whole.
TEST_P(TelegramLanguage, I7_TheDigestOfTheFileIsNeverCut) {
    const auto shown = in_language(presentation(longest("w")));
    const auto made = body(renderer.card(shown, spot, now).card);
    const auto digest =
        security::hex(security::sha256(document_text(*shown.request, shown.request->approval()->options, text_rules)));
    EXPECT_TRUE(has_piece(made, "code", digest));
}

TEST_P(TelegramLanguage, I7_ACardThatIsWholeStaysWholeWhenVotesAreAdded) {
    auto request = approval();
    auto& call = std::get<Approval>(request.body);
    std::vector<Vote> few{{"alice", "allow", 1}, {"bob-the-builder-from-next-door", "allow", 2}};
    std::vector<Vote> many;
    for (int i = 0; i < 15; ++i) many.push_back({"a-person-with-a-name-" + std::to_string(i), "allow", 1});
    auto shown = in_language(presentation(request));
    shown.state.required = limits::quorum_max;
    const auto is_whole = [&](std::size_t length) {
        call.display_text = std::string(length, 'z');
        shown.request = std::make_shared<const Request>(request);
        return !renderer.card(shown, spot, now).document;
    };
    std::size_t length = 3'000;
    ASSERT_TRUE(is_whole(length));
    while (is_whole(length + 1)) ++length;
    ASSERT_TRUE(is_whole(length));
    shown.state.asked = limits::shared_requests_max;
    shown.state.waiting = limits::pending_requests_max;
    for (const auto& votes : {few, many}) {
        shown.state.votes = votes;
        const auto made = body(renderer.update(shown, spot, "42", now, true));
        EXPECT_TRUE(has_piece(made, "pre", call.display_text));
        EXPECT_LE(text_rules.units(made["text"].get<std::string>()), limits::telegram_text_units_max);
    }
}

TEST_P(TelegramLanguage, I12_ACardSaysThatItIsShownAgainAndThatOldVotesDoNotCount) {
    const auto said = [](const std::string& text, Key key) {
        return text.find(pattern(language_of(GetParam()), key)) != std::string::npos;
    };
    auto shown = in_language(presentation(approval()));
    EXPECT_FALSE(said(text_of(shown), Key::shown_again));
    shown.resumed = true;
    EXPECT_TRUE(said(text_of(shown), Key::shown_again));
    EXPECT_FALSE(said(text_of(shown), Key::votes_again)) << "nobody votes here";
    shown.state.required = 2;
    EXPECT_TRUE(said(text_of(shown), Key::votes_again));
}

TEST_P(TelegramLanguage, I12_ACardOfBeforeTheRestartSaysThatItWaitsOrGoesOnAndHasNoButtons) {
    EarlierNews news{.request_id = id_of(1), .language = std::string{GetParam()}};
    const auto waits = body(renderer.earlier(spot, "42", news));
    news.state = EarlierNews::State::goes_on;
    const auto goes_on = body(renderer.earlier(spot, "42", news));
    const auto language = language_of(GetParam());
    EXPECT_EQ(waits["text"], "⏳ " + std::string{pattern(language, Key::restarted_waits)} + "\n" + id_of(1).str());
    EXPECT_EQ(goes_on["text"], "↪ " + std::string{pattern(language, Key::restarted_goes_on)} + "\n" + id_of(1).str());
    for (const auto& made : {waits, goes_on}) {
        EXPECT_EQ(made["message_id"], 42);
        EXPECT_TRUE(!made.contains("reply_markup") || made["reply_markup"]["inline_keyboard"].empty());
    }
}

TEST_P(TelegramLanguage, WhatCanBeTypedIsTheSameForEverybody) {
    const auto shown = in_language(presentation(approval()));
    const auto code = keys.codes.code(shown.request->id, "-100");
    const auto made = body(renderer.card(shown, spot, now).card);
    EXPECT_TRUE(has_piece(made, "code", "/approve " + code));
    EXPECT_TRUE(has_piece(made, "code", "/deny " + code));
    EXPECT_TRUE(has_piece(body(renderer.card(in_language(presentation(questions())), spot, now).card), "code",
                          "/answer " + keys.codes.code(id_of(2), "-100")));
}

TEST_F(TelegramRender, ATagThatNobodyKnowsIsEnglish) {
    auto shown = presentation(approval());
    const auto english = renderer.card(shown, spot, now).card;
    shown.audience.language = "tlh";
    EXPECT_EQ(body(renderer.card(shown, spot, now).card), body(english));
    shown.audience.language = "de-CH";
    EXPECT_NE(body(renderer.card(shown, spot, now).card), body(english));
}

// A prompt said "Permission: Bash" and nothing else.
TEST_P(TelegramLanguage, Incident_claude_plugins_3885_TheCardHasTheWholeCall) {
    auto request = approval();
    std::get<Approval>(request.body).diff = "-a\n+b";
    const auto made = body(renderer.card(in_language(presentation(request)), spot, now).card);
    EXPECT_TRUE(has_piece(made, "code", "Bash"));
    EXPECT_TRUE(has_piece(made, "code", "/srv/app"));
    EXPECT_TRUE(has_piece(made, "pre", "rm -rf build\nmake all"));
    EXPECT_TRUE(has_piece(made, "pre", "-a\n+b"));
}

// Buttons stayed although the command was cut.
TEST_P(TelegramLanguage, Incident_hermes_62359_ACutCommandCanOnlyBeAllowedAfterItsFile) {
    auto request = approval();
    std::get<Approval>(request.body).display_text = std::string(3'800, 'x') + "; rm -rf /" + std::string(400, 'y');
    const auto rendering = renderer.card(in_language(presentation(request)), spot, now);
    ASSERT_TRUE(rendering.document);
    ASSERT_TRUE(rendering.without_allow);
    const auto without = body(*rendering.without_allow);
    ASSERT_EQ(without["reply_markup"]["inline_keyboard"].size(), 2U);
    EXPECT_EQ(without["reply_markup"]["inline_keyboard"][0][0]["text"], "Deny");
    const std::string with_words = without["reply_markup"]["inline_keyboard"][1][0]["callback_data"];
    EXPECT_EQ(with_words[1], 'r') << "the other one asks for a reason";
    EXPECT_EQ(without["text"].get<std::string>().find("/approve"), std::string::npos);
}

// The budget was counted before the escapes were added.
TEST_P(TelegramLanguage, Incident_hermes_114801_TheBudgetIsCountedAfterEscapes) {
    auto request = approval();
    std::string call;
    for (int i = 0; i < 700; ++i) call += "\u202E";
    auto& text = std::get<Approval>(request.body).display_text;
    text = security::display(call, security::DisplayMode::block);
    ASSERT_GT(text_rules.units(text), limits::telegram_text_units_max);
    EXPECT_TRUE(renderer.card(in_language(presentation(request)), spot, now).document);
    // These two are escaped by us alone, because Telegram would drop them.
    text.clear();
    for (int i = 0; i < 700; ++i) text += "a\u0333";
    ASSERT_LT(text_rules.units(text), 1'500U);
    const auto rendering = renderer.card(in_language(presentation(request)), spot, now);
    EXPECT_TRUE(rendering.document);
    EXPECT_LE(units_of(rendering.card), limits::telegram_text_units_max);
}

// Markdown in a command was answered with 400, and nobody saw the prompt.
TEST_P(TelegramLanguage, Incident_hermes_10999_MarkdownInACommandIsText) {
    auto request = approval();
    auto& text = std::get<Approval>(request.body).display_text;
    text = "echo '*bold* _it `code [x](http://e.example) ```' <b>&amp; \\*";
    const auto made = body(renderer.card(in_language(presentation(request)), spot, now).card);
    EXPECT_TRUE(has_piece(made, "pre", text));
    EXPECT_FALSE(made.contains("parse_mode"));
}

// Of six systems one could name the approver.
TEST_P(TelegramLanguage, Incident_autogen_5891_TheEndNamesWhoDecidedAndWhere) {
    const auto made = body(renderer.conclusion(in_language(presentation(approval())), spot, "42", denied()));
    EXPECT_TRUE(has_piece(made, "code", "alice"));
    EXPECT_TRUE(has_piece(made, "code", "ops-slack"));
}

TEST_P(TelegramLanguage, TheEndSaysWhoWhereWhenHowLongWhyAndTheRootOfTheLog) {
    auto shown = in_language(presentation(approval()));
    const auto language = language_of(GetParam());
    const auto made = body(renderer.conclusion(shown, spot, "42", denied()));
    const std::string text = made["text"];
    for (const auto* code : {"alice", "ops-slack", "not on a Friday", "44 abcdef0123456789"}) {
        EXPECT_TRUE(has_piece(made, "code", code)) << code << " is not in\n" << text;
    }
    EXPECT_NE(text.find("2025-11-16 02:00 UTC"), std::string::npos) << text;
    EXPECT_NE(text.find(duration(12'300ms, language)), std::string::npos) << text;
    EXPECT_NE(text.find(channels::text(language, Key::record, {{"number", "42"}})), std::string::npos) << text;
    EXPECT_TRUE(made["reply_markup"]["inline_keyboard"].empty());

    const auto three = channels::text(language, Key::asked_times, {{"count", "3"}});
    EXPECT_EQ(text.find(three), std::string::npos);
    shown.state.asked = 3;
    EXPECT_NE(body(renderer.conclusion(shown, spot, "42", denied()))["text"].get<std::string>().find(three),
              std::string::npos)
        << "how many it was the answer to";
}

TEST_P(TelegramLanguage, TheEndSaysForHowLongTheSameCallIsAllowed) {
    const auto shown = in_language(presentation(approval()));
    const auto language = language_of(GetParam());
    const auto says = [&](Scope granted, Key key) {
        auto made = denied();
        made.outcome = Outcome::allowed;
        made.granted = granted;
        const std::string text = body(renderer.conclusion(shown, spot, "42", made))["text"];
        return text.find(pattern(language, key)) != std::string::npos;
    };
    EXPECT_TRUE(says(Scope::session, Key::granted_session));
    EXPECT_TRUE(says(Scope::always, Key::granted_always));
    EXPECT_FALSE(says(Scope::once, Key::granted_session));
    EXPECT_FALSE(says(Scope::once, Key::granted_always));
}

TEST_P(TelegramLanguage, ACardSaysHowMuchTimeIsLeft) {
    auto shown = in_language(presentation(approval()));
    shown.expires = now + 29min + 5s;
    const auto language = language_of(GetParam());
    const auto left = channels::text(language, Key::time_left, {{"time", duration(29min + 5s, language)}});
    EXPECT_NE(text_of(shown).find(left), std::string::npos) << text_of(shown);
}

}  // namespace
}  // namespace countersign::channels::telegram
