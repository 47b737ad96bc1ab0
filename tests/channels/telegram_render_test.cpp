// SPDX-License-Identifier: Apache-2.0
// Golden files, compared byte for byte. COUNTERSIGN_UPDATE_GOLDEN=1 writes them anew, for a person to look at the
// change.
#include "channels/telegram/bounds.hpp"
#include "channels/telegram/render.hpp"

#include "channels/card_text.hpp"
#include "core/limits.hpp"
#include "core/utf8.hpp"
#include "security/digest.hpp"
#include "security/display/display.hpp"
#include "security/encoding.hpp"
#include "tests/channels/telegram_samples.hpp"

#include <gtest/gtest.h>

#include <random>

namespace countersign::channels::telegram {
namespace {

using namespace samples;

std::u16string without_blank_lines(std::u16string_view text) {
    std::u16string kept;
    while (true) {
        const auto line = text.substr(0, text.find(u'\n'));
        if (line.find_first_not_of(u' ') != line.npos) kept.append(line).append(u"\n");
        if (line.size() == text.size()) return kept;
        text.remove_prefix(line.size() + 1);
    }
}
// All that is in frames, without blank lines: a card shows many of those as their number.
std::u16string lines_in_frames(const Json& message) {
    std::u16string lines;
    for (const auto& [type, text] : pieces(message)) {
        if (type == "pre") lines += without_blank_lines(text);
    }
    return lines;
}

std::vector<Option> without(std::vector<Option> options, std::size_t at) {
    options.erase(options.begin() + static_cast<std::ptrdiff_t>(at));
    return options;
}

TEST_F(TelegramRender, AnApprovalIsOneCard) {
    const auto rendering = renderer.card(presentation(approval()), spot, now);
    EXPECT_FALSE(rendering.document);
    expect_golden({rendering.card}, "telegram_approval");
}

TEST_F(TelegramRender, ADiffStandsUnderTheCall) {
    expect_golden({renderer.card(edit(), spot, now).card}, "telegram_edit");
}

TEST_F(TelegramRender, I7_ManyBlankLinesAreCountedOutsideOfTheCall) {
    auto request = approval();
    auto& text = std::get<Approval>(request.body).display_text;
    const auto card = [&] { return body(renderer.card(presentation(request), spot, now).card); };
    text = "ls" + std::string(61, '\n') + "⋮ 60 blank lines\nrm -rf /";
    const auto shown = card();
    EXPECT_TRUE(has_piece(shown, "pre", "ls"));
    EXPECT_TRUE(has_piece(shown, "pre", "⋮ 60 blank lines\nrm -rf /")) << "what the agent wrote stays in its frame";
    EXPECT_NE(shown["text"].get<std::string>().find("ls\n⋮ 60 blank lines\n⋮ 60"), std::string::npos) << shown["text"];
    text = "ls\n\n  \nrm -rf /";
    EXPECT_TRUE(has_piece(card(), "pre", text)) << "two are shown as they are";
    text = "ls\n\n  \n\nrm -rf /";
    EXPECT_TRUE(has_piece(card(), "pre", "ls"));
    EXPECT_TRUE(has_piece(card(), "pre", "rm -rf /"));
    text = "\n\n\nls\n\n\n";
    EXPECT_TRUE(has_piece(card(), "pre", "ls"));
    EXPECT_NE(card()["text"].get<std::string>().find("⋮ 3 blank lines\nls\n⋮ 3 blank lines\n"), std::string::npos)
        << card()["text"];
}

TEST_F(TelegramRender, QuestionsHaveAButtonForEachChoice) {
    auto shown = presentation(questions());
    const auto card = renderer.card(shown, spot, now).card;
    shown.state.chosen = {{1}, {0, 1}, {}};
    expect_golden({card, renderer.marks(shown, spot, "42")}, "telegram_questions");
}

TEST_F(TelegramRender, AQuestionThatStandsAloneHasNoNumber) {
    auto request = questions();
    const auto text = [&]() -> std::string {
        return body(renderer.card(presentation(request), spot, now).card)["text"];
    };
    EXPECT_NE(text().find("\nquestion 1"), std::string::npos);
    std::get<Questionnaire>(request.body).questions.resize(1);
    EXPECT_EQ(text().find("question 1"), std::string::npos) << text();
    EXPECT_NE(text().find("\nquestion"), std::string::npos) << text();
}

TEST_F(TelegramRender, ALongCallIsAFileAndABriefCard) {
    auto request = approval();
    std::string call;
    for (int line = 1; line <= 400; ++line) call += "echo line " + std::to_string(line) + "\n";
    std::get<Approval>(request.body).display_text = call + "rm -rf /";
    const auto rendering = renderer.card(presentation(request), spot, now);
    ASSERT_TRUE(rendering.document);
    ASSERT_TRUE(rendering.without_allow);
    expect_golden({*rendering.document, rendering.card, *rendering.without_allow}, "telegram_long");
}

TEST_F(TelegramRender, TheEndIsShownAboveWhatItWasAbout) {
    auto expired = denied();
    expired.outcome = Outcome::expired;
    expired.decided_by = expired.channel = expired.option_label = expired.reason = "";
    auto unheard = denied();
    unheard.outcome = Outcome::allowed;
    unheard.option_label = "Allow once";
    unheard.reason = "";
    unheard.forwarded = false;
    const auto shown = presentation(approval());
    expect_golden({renderer.conclusion(shown, spot, "42", denied()), renderer.conclusion(shown, spot, "42", expired),
                   renderer.conclusion(shown, spot, "42", unheard),
                   renderer.conclusion_reply(shown, spot, "41", denied())},
                  "telegram_conclusions");
}

TEST_F(TelegramRender, ProgressIsALineOnTheCard) {
    auto shown = edit();
    shown.state = {.votes = {{"alice", "allow", 3}}, .required = 2};
    expect_golden({renderer.update(shown, spot, "42", now, true)}, "telegram_progress");
}

TEST_F(TelegramRender, ACardThatIsShownLaterBeginsWithTheVotes) {
    auto shown = edit();
    shown.state = {.votes = {{"alice", "allow", 3}}, .required = 2};
    const std::string text = body(renderer.card(shown, spot, now).card)["text"];
    EXPECT_NE(text.find("1 of 2: alice\n"), std::string::npos) << text;
    EXPECT_NE(text.find(", in "), std::string::npos) << "the time left is counted from now";
}

TEST_F(TelegramRender, ATopicAndTheMessageAboveStandInEveryNewMessage) {
    auto topic = spot;
    topic.thread = "7";
    topic.reply_to = "40";
    const auto made = body(renderer.card(edit(), topic, now).card);
    EXPECT_EQ(made["message_thread_id"], 7);
    EXPECT_EQ(made["reply_parameters"]["message_id"], 40);
    EXPECT_EQ(made["reply_parameters"]["allow_sending_without_reply"], true);
    const auto form = std::get<Form>(renderer.document(approval(), {}, topic, {}).body);
    EXPECT_EQ(std::ranges::find(form, "message_thread_id", &FormPart::name)->data, "7");
    EXPECT_NE(std::ranges::find(form, "reply_parameters", &FormPart::name), form.end());
}

// The bytes of another client (grammy 1.46.0) for the same calls; it sends a parse mode, and we never do.
TEST(TelegramMessage, CallsMeanWhatAnotherClientsCallsMean) {
    const auto theirs = Json::parse(
        R"({"chat_id":1,"text":"Deploy?","link_preview_options":{"is_disabled":true},"reply_markup":{"inline_keyboard":
        [[{"text":"Approve","callback_data":"a:01HZX","style":"success"},
          {"text":"Deny","callback_data":"d:01HZX","style":"danger"}]]}})");
    const auto ours = send_message("1", StyledText{}.plain("Deploy?"),
                                   {{{"Approve", "a:01HZX", "success"}, {"Deny", "d:01HZX", "danger"}}});
    EXPECT_EQ(ours.path, "sendMessage");
    EXPECT_EQ(body(ours), theirs);
    const auto reply = Json::parse(
        R"({"chat_id":1,"text":"reply","reply_parameters":{"message_id":42,"allow_sending_without_reply":true}})");
    auto our_reply = body(send_reply({"1", 42}, StyledText{}.plain("reply")));
    our_reply.erase("link_preview_options");
    EXPECT_EQ(our_reply, reply);
}

TEST(TelegramMessage, NothingIsEverParsedAndNoLinkIsFetched) {
    const auto text = StyledText{}.plain("a").code("b").pre("c", "diff").bold("d");
    for (const auto& call :
         {send_message("-1", text, {}), send_reply({"-1", 3}, text), edit_message({"-1", 3}, text, {})}) {
        const auto made = body(call);
        EXPECT_FALSE(made.contains("parse_mode"));
        EXPECT_TRUE(made["link_preview_options"]["is_disabled"]);
        EXPECT_EQ(made["chat_id"], -1);
    }
    EXPECT_EQ(body(send_message("@channel", text, {}))["chat_id"], "@channel");
}

TEST(TelegramMessage, I13_AFileGoesWithoutACaptionThatIsTooLong) {
    const auto parts = [](std::size_t units) {
        return std::get<Form>(
            send_document({"1"}, {"a.txt", "text", StyledText{}.plain(std::string(units, 'c'))}).body);
    };
    EXPECT_EQ(std::ranges::count(parts(limits::telegram_caption_units_max), "caption", &FormPart::name), 1);
    EXPECT_EQ(std::ranges::count(parts(limits::telegram_caption_units_max + 1), "caption", &FormPart::name), 0);
}

TEST(TelegramMessage, AnAnswerIsCutBetweenCharacters) {
    std::string words;
    for (int i = 0; i < 150; ++i) words += "🎉";
    const std::string text = body(answer_query("q", words, true))["text"];
    EXPECT_EQ(text_rules.units(text), limits::telegram_alert_units_max);
    EXPECT_TRUE(utf8::valid(text));
}

TEST_F(TelegramRender, EveryButtonIsBoundToThisChatAndIsShortEnough) {
    const auto made = body(renderer.card(presentation(approval()), spot, now).card);
    std::size_t index = 0;
    for (const auto& row : made["reply_markup"]["inline_keyboard"]) {
        for (const auto& button : row) {
            const std::string data = button["callback_data"];
            EXPECT_EQ(data.size(), security::button_token_bytes);
            const auto verified = keys.tokens.verify(data, {"ops", "-100"});
            ASSERT_TRUE(verified);
            const bool asks_why = button["text"] == "Deny…";
            EXPECT_EQ(verified->option, asks_why ? 1U : index++);
            EXPECT_EQ(verified->verb, asks_why ? security::ButtonVerb::reason : security::ButtonVerb::decide);
            EXPECT_FALSE(keys.tokens.verify(data, {"ops", "-200"}));
            EXPECT_FALSE(keys.tokens.verify(data, {"other", "-100"}));
        }
    }
    EXPECT_EQ(index, 3U);
}

TEST_F(TelegramRender, AButtonPointsIntoTheFrozenOptionsAlsoWhenSomeAreNotOffered) {
    auto shown = presentation(approval());
    shown.offered = without(shown.offered, 1);
    shown.generation = 33;
    const auto made = body(renderer.card(shown, spot, now).card);
    const std::string session = made["reply_markup"]["inline_keyboard"][1][0]["callback_data"];
    EXPECT_EQ(keys.tokens.verify(session, {"ops", "-100"})->option, 2);
    EXPECT_EQ(keys.tokens.verify(session, {"ops", "-100"})->generation, 1);
}

TEST_F(TelegramRender, ARoleOfTheAgentColoursNothing) {
    auto shown = presentation(approval());
    auto options = shown.request->approval()->options;
    options[1].role = Role::primary;
    options[0].role = Role::destructive;
    options[2].known = false;
    shown.offered = options;
    const auto made = body(renderer.card(shown, spot, now).card)["reply_markup"]["inline_keyboard"];
    EXPECT_EQ(made[0][0]["style"], "success");
    EXPECT_EQ(made[0][1]["style"], "danger");
    EXPECT_FALSE(made[1][0].contains("style"));
}

TEST_F(TelegramRender, I2_AnAllowThatIsCalledDenySaysThatItAllows) {
    auto request = approval();
    auto& options = std::get<Approval>(request.body).options;
    options = {{.option_id = "a", .label = "Deny", .effect = Effect::allow},
               {.option_id = "b", .label = "Reject", .effect = Effect::deny}};
    const auto made = body(renderer.card(presentation(request), spot, now).card);
    EXPECT_EQ(made["reply_markup"]["inline_keyboard"][0][0]["text"], "Allow: Deny");
    EXPECT_EQ(made["reply_markup"]["inline_keyboard"][0][1]["text"], "Reject");
    EXPECT_NE(made["text"].get<std::string>().find("• Deny (allow once)\n"), std::string::npos);
}

TEST_F(TelegramRender, AnOptionThatLastsHasARowOfItsOwn) {
    const auto made = body(renderer.card(presentation(approval()), spot, now).card);
    const auto& rows = made["reply_markup"]["inline_keyboard"];
    ASSERT_EQ(rows.size(), 3U);
    EXPECT_EQ(rows[0].size(), 2U);
    EXPECT_EQ(rows[1][0]["text"], "Allow this exact call for this session");
    EXPECT_EQ(rows[2][0]["text"], "Deny…");
}

TEST_F(TelegramRender, WhatCanBeTypedIsOnTheCardOnceAndOnlyWhereItWouldBeTaken) {
    auto shown = presentation(approval());
    const auto code = keys.codes.code(shown.request->id, "-100");
    const auto text = [&]() -> std::string { return body(renderer.card(shown, spot, now).card)["text"]; };
    EXPECT_NE(text().find("or write: /approve " + code + " or /deny " + code + "\n"), std::string::npos);
    EXPECT_EQ(text().find("code: "), std::string::npos);
    shown.state.asked = 2;
    EXPECT_NE(text().find("or write: /deny " + code + "\n"), std::string::npos) << "only a button says which card (I9)";
    EXPECT_EQ(text().find("/approve"), std::string::npos);
    shown.state.asked = 1;
    shown.offered = without(shown.offered, 0);
    EXPECT_NE(text().find("or write: /deny " + code + "\n"), std::string::npos) << "nothing allows once";
}

TEST_F(TelegramRender, TheEndOfAQuestionSaysWhatWasAnswered) {
    auto made = denied();
    made.outcome = Outcome::answered;
    made.option_label = made.reason = "";
    made.answered = "1. React; 2. web, ios";
    const std::string text = body(renderer.conclusion(presentation(questions()), spot, "42", made))["text"];
    EXPECT_NE(text.find("answer: 1. React; 2. web, ios\n"), std::string::npos);
    made.answered = std::string(513, 'a');
    const std::string cut = body(renderer.conclusion(presentation(questions()), spot, "42", made))["text"];
    EXPECT_NE(cut.find("answer: " + std::string(512, 'a') + "…\n"), std::string::npos);
}

TEST_F(TelegramRender, I12_WhatTheLogDoesNotKnowIsLeftOut) {
    Conclusion lost;
    lost.request_id = id_of(1);
    lost.outcome = Outcome::lost;
    lost.seq = 7;
    const std::string text = body(renderer.earlier(spot, "42", lost))["text"];
    EXPECT_EQ(text.find("1970"), std::string::npos) << text;
    EXPECT_EQ(text.find("anchor"), std::string::npos) << text;
    EXPECT_NE(text.find("record 7\n"), std::string::npos) << text;
}

TEST_F(TelegramRender, ADiffHasNoEmptyLastRow) {
    auto request = approval();
    std::get<Approval>(request.body).diff = "-a\n+b\n";
    EXPECT_TRUE(has_piece(body(renderer.card(presentation(request), spot, now).card), "pre", "-a\n+b"));
}

TEST_F(TelegramRender, I7_WhatTelegramWouldDropIsEscaped) {
    EXPECT_EQ(text_rules.line("a\xCC\x8A"
                              "b\xCC\xB3"
                              "c\xCC\xBF"),
              R"(a\u{30A}b\u{333}c\u{33F})");
    EXPECT_EQ(text_rules.line("a\nb"), "a⏎b");
    EXPECT_EQ(text_rules.block("a\nb\x1b\xff"), "a\nb\\u{1B}\\x{FF}");
    EXPECT_EQ(text_rules.line(R"(a\u{1B}→⏎é漢)"), R"(a\u{1B}→⏎é漢)");
}

TEST_F(TelegramRender, I7_TheLastUnitThatFitsIsInTheMessageAndOneMoreMakesAFile) {
    auto request = approval();
    auto& call = std::get<Approval>(request.body);
    call.display_text.clear();
    const auto card = whole_card({.presentation = presentation(request), .now = now, .code = "00000000"}, card_rules);
    const auto used = text_rules.units(card);
    const auto most = card_units_max(presentation(request), card_rules);
    EXPECT_LT(most, limits::telegram_text_units_max) << "room is kept for what may be added";
    for (const auto& [letter, units] : std::vector<std::pair<std::string, std::size_t>>{{"x", 1}, {"🎉", 2}}) {
        call.display_text.clear();
        for (std::size_t i = used; i + units <= most; i += units) call.display_text += letter;
        auto rendering = renderer.card(presentation(request), spot, now);
        EXPECT_FALSE(rendering.document);
        EXPECT_LE(utf16(body(rendering.card)["text"].get<std::string>()).size(), limits::telegram_text_units_max);
        call.display_text += letter;
        rendering = renderer.card(presentation(request), spot, now);
        EXPECT_TRUE(rendering.document);
        EXPECT_LE(utf16(body(rendering.card)["text"].get<std::string>()).size(), limits::telegram_text_units_max);
    }
}

TEST_F(TelegramRender, I7_TheFileIsTheTextThatTheLogNames) {
    auto request = approval();
    std::get<Approval>(request.body).display_text = std::string(5000, 'y');
    const auto rendering = renderer.card(presentation(request), spot, now);
    const auto& form = std::get<Form>(rendering.document->body);
    const auto file = std::ranges::find(form, "document", &FormPart::name);
    EXPECT_EQ(file->data, shown_text(request)) << "no detail was cut, so none stands below it";
    EXPECT_EQ(file->file_name, request.id.str() + ".txt");
    const auto digest = security::hex(security::sha256(file->data));
    EXPECT_TRUE(has_piece(body(rendering.card), "code", digest));
    const auto caption = std::ranges::find(form, "caption", &FormPart::name);
    EXPECT_NE(caption->data.find(digest), std::string::npos);
    EXPECT_LE(text_rules.units(caption->data), limits::telegram_caption_units_max);
}

TEST_F(TelegramRender, I7_ACardThatIsWholeStaysWholeWhenVotesAreAdded) {
    auto request = approval();
    auto& call = std::get<Approval>(request.body);
    std::vector<Vote> votes;
    for (int i = 0; i < 15; ++i) votes.push_back({"a-person-with-a-name-" + std::to_string(i), "allow", 1});
    auto shown = presentation(request);
    shown.state.required = 16;
    call.display_text = std::string(3'000, 'z');
    shown.request = std::make_shared<const Request>(request);
    while (!renderer.card(shown, spot, now).document) {
        call.display_text += 'z';
        shown.request = std::make_shared<const Request>(request);
    }
    call.display_text.pop_back();
    shown.request = std::make_shared<const Request>(request);
    ASSERT_FALSE(renderer.card(shown, spot, now).document);
    shown.state.votes = votes;
    const auto made = body(renderer.update(shown, spot, "42", now, true));
    EXPECT_TRUE(has_piece(made, "pre", call.display_text));
    EXPECT_NE(made["text"].get<std::string>().find("15 of 16"), std::string::npos);
}

// Whatever a card may be told while it is open: votes, more people by a reload, requests that share it or wait behind.
CardState any_state(std::mt19937& random) {
    const auto upto = [&](std::uint32_t most) { return static_cast<std::uint32_t>(random() % (most + 1)); };
    CardState state{.required = 1 + upto(limits::quorum_max - 1),
                    .asked = 1 + upto(limits::shared_requests_max - 1),
                    .waiting = upto(1) == 0 ? 0 : upto(limits::pending_requests_max)};
    for (auto left = upto(state.required); left > 0; --left) {
        state.votes.push_back({std::string(1 + upto(limits::config_name_bytes_max - 1), 'v'), "allow", left});
    }
    return state;
}

TEST_F(TelegramRender, I7_WhateverIsAddedToAWholeCardItStaysWhole) {
    std::mt19937 random{7};
    std::size_t whole = 0;
    for (const std::string language : {"en", "de", "zh"}) {
        for (int round = 0; round < 100; ++round) {
            auto request = approval();
            auto& call = std::get<Approval>(request.body);
            for (const std::string letter : {"x", "\n", "\xF0\x9F\x8E\x89", "\x1b"}) {
                for (auto count = random() % 600; count > 0; --count) call.display_text += letter;
            }
            call.diff = "-" + std::string(random() % 200, 'a') + "\n+b\n";
            call.untrusted_reason = std::string(random() % 200, 'r');
            auto shown = presentation(request);
            shown.audience.language = language;
            shown.resumed = random() % 2 == 0;
            if (random() % 2 == 0) shown.state = any_state(random);
            // As near to the edge as can be: that is where a line too many would cost the text.
            auto padded = std::get<Approval>(request.body);
            const auto fits_now = [&] {
                request.body = padded;
                shown.request = std::make_shared<const Request>(request);
                return !renderer.card(shown, spot, now).document;
            };
            if (!fits_now()) continue;
            for (std::size_t step = 2048; step > 0; step /= 2) {
                padded.display_text += std::string(step, 'p');
                if (!fits_now()) padded.display_text.resize(padded.display_text.size() - step);
            }
            ASSERT_TRUE(fits_now());
            ++whole;
            for (int update = 0; update < 4; ++update) {
                auto state = any_state(random);
                state.required = std::max(state.required, shown.state.required);
                shown.state = state;
                const auto made = body(renderer.update(shown, spot, "42", now, true));
                ASSERT_LE(text_rules.units(made["text"].get<std::string>()), limits::telegram_text_units_max);
                ASSERT_NE(lines_in_frames(made).find(without_blank_lines(utf16(text_rules.block(padded.display_text)))),
                          std::u16string::npos)
                    << language;
                ASSERT_TRUE(has_piece(made, "pre", "-" + padded.diff.substr(1, padded.diff.size() - 2)));
                ASSERT_TRUE(padded.untrusted_reason.empty() || has_piece(made, "pre", padded.untrusted_reason));
            }
        }
    }
    EXPECT_GT(whole, 50U);
}

TEST_F(TelegramRender, TheLongestRequestStillHasABriefCardAndAnEnd) {
    auto request = approval();
    const auto most = [](std::size_t bytes) { return std::string(bytes, 'w'); };
    request.agent_id = most(limits::agent_id_bytes_max);
    request.session_key = most(limits::session_key_bytes_max);
    request.cwd = most(limits::cwd_bytes_max);
    auto& call = std::get<Approval>(request.body);
    call.subject = ToolUse{most(limits::tool_name_bytes_max), "t"};
    call.display_text = most(limits::display_text_bytes_max);
    call.untrusted_reason = most(limits::untrusted_reason_bytes_max);
    call.options.clear();
    for (std::size_t i = 0; i < limits::options_max; ++i) {
        call.options.push_back({.option_id = std::to_string(i),
                                .label = most(18) + std::to_string(10 + i),
                                .detail = most(limits::option_detail_bytes_max)});
    }
    auto shown = presentation(request);
    shown.state.required = 16;
    const auto rendering = renderer.card(shown, spot, now);
    EXPECT_LE(text_rules.units(body(rendering.card)["text"].get<std::string>()), limits::telegram_text_units_max);
    const auto& form = std::get<Form>(rendering.document->body);
    EXPECT_NE(std::ranges::find(form, "document", &FormPart::name)->data.find(most(limits::option_detail_bytes_max)),
              std::string::npos)
        << "a detail that was cut is in the file";
    auto conclusion = denied();
    conclusion.reason = most(10'000);
    EXPECT_LE(text_rules.units(body(renderer.conclusion(shown, spot, "42", conclusion))["text"].get<std::string>()),
              limits::telegram_text_units_max);

    auto asked = questions();
    auto& bundle = std::get<Questionnaire>(asked.body).questions;
    bundle.assign(limits::questions_max, {.question_id = "q", .text = most(limits::question_text_bytes_max)});
    for (auto& question : bundle)
        question.choices.assign(limits::choices_max, {most(limits::choice_label_bytes_max), ""});
    const auto card = body(renderer.card(presentation(asked), spot, now).card);
    EXPECT_LE(text_rules.units(card["text"].get<std::string>()), limits::telegram_text_units_max);
    EXPECT_EQ(card["reply_markup"]["inline_keyboard"].size(), 2U) << "too many choices for buttons: Submit and Cancel";
}

TEST_F(TelegramRender, I13_OneChoiceTooManyAndTheyAreAnsweredByNumber) {
    auto request = questions();
    auto& bundle = std::get<Questionnaire>(request.body).questions;
    bundle.assign(4, {.question_id = "q", .text = "?", .choices = std::vector<Choice>(16, Choice{"c", ""})});
    const auto rows = [&] {
        return body(renderer.card(presentation(request), spot, now).card)["reply_markup"]["inline_keyboard"].size();
    };
    EXPECT_EQ(rows(), limits::telegram_buttons_max + 2);
    bundle.push_back({.question_id = "q5", .text = "?", .choices = {{"c", ""}}});
    EXPECT_EQ(rows(), 2U);
}

TEST_F(TelegramRender, I13_ALabelIsCutToItsButton) {
    auto request = questions();
    auto& bundle = std::get<Questionnaire>(request.body).questions;
    bundle.resize(1);
    const auto label = [&](std::size_t length) -> std::string {
        bundle[0].choices = {{std::string(length, 'c'), ""}};
        return body(
            renderer.card(presentation(request), spot, now).card)["reply_markup"]["inline_keyboard"][0][0]["text"];
    };
    EXPECT_EQ(label(limits::telegram_button_units_max - 3), "1. " + std::string(37, 'c'));
    EXPECT_EQ(label(limits::telegram_button_units_max - 2), "1. " + std::string(36, 'c') + "…");
}

TEST(TelegramWords, EveryOutcomeHasItsWords) {
    for (const auto outcome :
         {Outcome::allowed, Outcome::denied, Outcome::answered, Outcome::cancelled, Outcome::expired,
          Outcome::withdrawn, Outcome::undeliverable, Outcome::lost, Outcome::unlogged, Outcome::indeterminate}) {
        Conclusion made;
        made.outcome = outcome;
        const auto text = styled(conclusion_text(made, {}, text_rules));
        EXPECT_GT(text.units(), 10U) << name(outcome);
    }
}

TEST_F(TelegramRender, AnAnnouncementIsQuietAndItsLinesAreCopiedAsTheyAre) {
    const Announcement announcement{.id = 1,
                                    .to = {.chat = "-100", .principal = {}},
                                    .heading = "# Audit log, 5 records.",
                                    .exact = "audit.example/bridge1\n5\nQlX2vJ0=\n\n— audit.example/bridge1 4V1uJ==\n"};
    expect_golden({renderer.announcement(spot, announcement)}, "telegram_announcement");
}

}  // namespace
}  // namespace countersign::channels::telegram
