// SPDX-License-Identifier: Apache-2.0
// Golden files, compared byte for byte. COUNTERSIGN_UPDATE_GOLDEN=1 writes them anew, for a person to look at the
// change.
#include "channels/telegram/render.hpp"

#include "channels/telegram/card.hpp"
#include "core/limits.hpp"
#include "core/utf8.hpp"
#include "security/digest.hpp"
#include "security/display.hpp"
#include "security/encoding.hpp"
#include "tests/channels/telegram_fakes.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>

namespace countersign::channels::telegram {
namespace {

using namespace std::chrono_literals;
using fakes::Json;

const WallTime now{1'763'258'400'000ms};
const Spot spot{.channel = "ops", .chat = "-100", .target = "-100"};

class TelegramRender : public ::testing::Test {
protected:
    fakes::TestKeys test_keys;
    Keys keys{test_keys.tokens, test_keys.codes};
};

Json body(const Call& call) { return Json::parse(std::get<std::string>(call.body)); }

void expect_golden(const std::vector<Call>& calls, const std::string& name) {
    const auto path = std::string{COUNTERSIGN_SOURCE_DIR} + "/tests/channels/golden/" + name + ".json";
    Json text = Json::array();
    for (const auto& call : calls) {
        Json made{{"method", call.method}};
        if (const auto* form = std::get_if<Form>(&call.body)) {
            for (const auto& part : *form) made["form"][part.name] = part.data;
        } else {
            made["body"] = body(call);
        }
        text.push_back(made);
    }
    const auto printed = text.dump(2) + "\n";
    if (std::getenv("COUNTERSIGN_UPDATE_GOLDEN") != nullptr) std::ofstream{path, std::ios::binary} << printed;
    std::ifstream file{path, std::ios::binary};
    ASSERT_TRUE(file) << path;
    std::ostringstream expected;
    expected << file.rdbuf();
    EXPECT_EQ(printed, expected.str()) << name;
}

Ulid id_of(std::uint8_t number) {
    return {WallTime{std::chrono::milliseconds{1'763'258'400'000}}, {0, 0, 0, 0, 0, 0, 0, 0, 0, number}};
}

Request approval() {
    Request request;
    request.id = id_of(1);
    request.agent_id = "builder";
    request.runtime = "claude";
    request.session_key = "s-7";
    request.cwd = "/srv/app";
    request.judgement.risk = {.level = RiskLevel::high, .rule = "removes-files"};
    request.body = Approval{
        .subject = ToolUse{.tool_name = "Bash", .tool_id = "t1"},
        .display_text = "rm -rf build\nmake all",
        .diff = "",
        .untrusted_reason = "I need a clean build.",
        .options = {
            {.option_id = "allow", .label = "Allow once", .detail = "runs this call", .effect = Effect::allow},
            {.option_id = "deny", .label = "Deny", .effect = Effect::deny},
            {.option_id = "session", .label = "This call, session", .effect = Effect::allow, .scope = Scope::session}}};
    return request;
}

Request questions() {
    auto request = approval();
    request.id = id_of(2);
    Question notes{.question_id = "Notes", .text = "Anything else?", .choices = {}, .free_text = true};
    notes.required = false;
    request.body = Questionnaire{
        {{.question_id = "Stack",
          .text = "Pick a framework",
          .choices = {{"React", "the usual"}, {"Vue", ""}},
          .free_text = true},
         {.question_id = "Targets", .text = "Which targets?", .choices = {{"web", ""}, {"ios", ""}}, .multiple = true},
         notes}};
    return request;
}

Presentation presentation(Request request) {
    Presentation made;
    made.id = 1;
    if (const auto* body = request.approval()) made.offered = body->options;
    made.request = std::make_shared<const Request>(std::move(request));
    made.to.chat = "-100";
    return made;
}

Presentation edit() {
    auto request = approval();
    request.requester = "alice";
    request.judgement.risk = {.level = RiskLevel::medium, .rule = "edits-files"};
    auto& body = std::get<Approval>(request.body);
    body.subject = ToolUse{.tool_name = "Edit", .tool_id = "t2"};
    body.display_text = "/srv/app/設定.toml";
    body.diff = "--- a/設定.toml\n+++ b/設定.toml\n@@ -1 +1 @@\n-port = 80\n+port = 8080 🎉";
    body.untrusted_reason = "";
    auto made = presentation(std::move(request));
    made.required = 2;
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
    made.at = now + 12s;
    made.took = 12'300ms;
    made.seq = 42;
    made.root = "q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k=";
    made.size = 44;
    return made;
}

std::u16string utf16(std::string_view text) {
    std::u16string units;
    while (!text.empty()) {
        const auto next = utf8::decode(text);
        if (!next) {
            ADD_FAILURE() << "not UTF-8";
            break;
        }
        if (next->value > 0xFFFF) {
            units += static_cast<char16_t>(0xD800 + ((next->value - 0x10000) >> 10U));
            units += static_cast<char16_t>(0xDC00 + ((next->value - 0x10000) & 0x3FFU));
        } else {
            units += static_cast<char16_t>(next->value);
        }
        text.remove_prefix(next->length);
    }
    return units;
}

// What a person's app makes of it: the pieces under each entity, cut out of UTF-16 as Telegram does.
std::vector<std::pair<std::string, std::u16string>> pieces(const Json& message) {
    std::vector<std::pair<std::string, std::u16string>> found;
    const auto units = utf16(message["text"].get<std::string>());
    if (!message.contains("entities")) return found;
    for (const auto& entity : message["entities"]) {
        const auto offset = entity["offset"].get<std::size_t>();
        const auto length = entity["length"].get<std::size_t>();
        EXPECT_LE(offset + length, units.size());
        found.emplace_back(entity["type"], units.substr(offset, length));
    }
    return found;
}

bool has_piece(const Json& message, const std::string& type, std::string_view text) {
    const auto all = pieces(message);
    return std::ranges::find(all, std::pair{type, utf16(text)}) != all.end();
}

TEST_F(TelegramRender, AnApprovalIsOneCard) {
    const auto rendering = render(presentation(approval()), spot, keys, now);
    EXPECT_FALSE(rendering.document);
    expect_golden({rendering.card}, "telegram_approval");
}

TEST_F(TelegramRender, ADiffStandsUnderTheCall) {
    expect_golden({render(edit(), spot, keys, now).card}, "telegram_edit");
}

TEST_F(TelegramRender, QuestionsHaveAButtonForEachChoice) {
    const auto shown = presentation(questions());
    expect_golden({render(shown, spot, keys, now).card, render_marks(shown, spot, keys, 42, {{1}, {0, 1}, {}})},
                  "telegram_questions");
}

TEST_F(TelegramRender, ALongCallIsAFileAndABriefCard) {
    auto request = approval();
    std::string call;
    for (int line = 1; line <= 400; ++line) call += "echo line " + std::to_string(line) + "\n";
    std::get<Approval>(request.body).display_text = call + "rm -rf /";
    const auto rendering = render(presentation(request), spot, keys, now);
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
    expect_golden({render_conclusion(shown, spot, 42, denied()), render_conclusion(shown, spot, 42, expired),
                   render_conclusion(shown, spot, 42, unheard), render_conclusion_reply(spot, 41, denied())},
                  "telegram_conclusions");
}

TEST_F(TelegramRender, ProgressIsALineOnTheCard) {
    const Progress progress{.votes = {{"alice", "allow", 3}}, .required = 2};
    expect_golden({render_progress(edit(), spot, keys, now, 42, progress)}, "telegram_progress");
}

// The bytes of another client (grammy 1.46.0) for the same calls; it sends a parse mode, and we never do.
TEST(TelegramMessage, CallsMeanWhatAnotherClientsCallsMean) {
    const auto theirs = Json::parse(
        R"({"chat_id":1,"text":"Deploy?","link_preview_options":{"is_disabled":true},"reply_markup":{"inline_keyboard":
        [[{"text":"Approve","callback_data":"a:01HZX","style":"success"},
          {"text":"Deny","callback_data":"d:01HZX","style":"danger"}]]}})");
    const auto ours = send_message("1", StyledText{}.plain("Deploy?"),
                                   {{{"Approve", "a:01HZX", "success"}, {"Deny", "d:01HZX", "danger"}}});
    EXPECT_EQ(ours.method, "sendMessage");
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
        return std::get<Form>(send_document("1", {"a.txt", "text", StyledText{}.plain(std::string(units, 'c'))}).body);
    };
    EXPECT_EQ(std::ranges::count(parts(limits::telegram_caption_units_max), "caption", &FormPart::name), 1);
    EXPECT_EQ(std::ranges::count(parts(limits::telegram_caption_units_max + 1), "caption", &FormPart::name), 0);
}

TEST(TelegramMessage, AnAnswerIsCutBetweenCharacters) {
    std::string words;
    for (int i = 0; i < 150; ++i) words += "🎉";
    const std::string text = body(answer_query("q", words, true))["text"];
    EXPECT_EQ(utf16_units(text), limits::telegram_alert_units_max);
    EXPECT_TRUE(utf8::valid(text));
}

TEST_F(TelegramRender, EveryButtonIsBoundToThisChatAndIsShortEnough) {
    const auto made = body(render(presentation(approval()), spot, keys, now).card);
    std::size_t index = 0;
    for (const auto& row : made["reply_markup"]["inline_keyboard"]) {
        for (const auto& button : row) {
            const std::string data = button["callback_data"];
            EXPECT_EQ(data.size(), security::button_token_bytes);
            const auto verified = keys.tokens.verify(data, {"ops", "-100"});
            ASSERT_TRUE(verified);
            EXPECT_EQ(verified->option, index++);
            EXPECT_FALSE(keys.tokens.verify(data, {"ops", "-200"}));
            EXPECT_FALSE(keys.tokens.verify(data, {"other", "-100"}));
        }
    }
    EXPECT_EQ(index, 3U);
}

TEST_F(TelegramRender, AButtonPointsIntoTheFrozenOptionsAlsoWhenSomeAreNotOffered) {
    auto shown = presentation(approval());
    shown.offered.erase(shown.offered.begin() + 1);
    shown.generation = 33;
    const auto made = body(render(shown, spot, keys, now).card);
    const std::string session = made["reply_markup"]["inline_keyboard"][1][0]["callback_data"];
    EXPECT_EQ(keys.tokens.verify(session, {"ops", "-100"})->option, 2);
    EXPECT_EQ(keys.tokens.verify(session, {"ops", "-100"})->generation, 1);
}

TEST_F(TelegramRender, ARoleOfTheAgentColoursNothing) {
    auto shown = presentation(approval());
    shown.offered[1].role = Role::primary;
    shown.offered[0].role = Role::destructive;
    shown.offered[2].known = false;
    const auto made = body(render(shown, spot, keys, now).card)["reply_markup"]["inline_keyboard"];
    EXPECT_EQ(made[0][0]["style"], "success");
    EXPECT_EQ(made[0][1]["style"], "danger");
    EXPECT_FALSE(made[1][0].contains("style"));
}

TEST_F(TelegramRender, I2_AnAllowThatIsCalledDenySaysThatItAllows) {
    auto request = approval();
    auto& options = std::get<Approval>(request.body).options;
    options = {{.option_id = "a", .label = "Deny", .effect = Effect::allow},
               {.option_id = "b", .label = "Reject", .effect = Effect::deny}};
    const auto made = body(render(presentation(request), spot, keys, now).card);
    EXPECT_EQ(made["reply_markup"]["inline_keyboard"][0][0]["text"], "Allow: Deny");
    EXPECT_EQ(made["reply_markup"]["inline_keyboard"][0][1]["text"], "Reject");
    EXPECT_NE(made["text"].get<std::string>().find("• Deny (allows, once)\n"), std::string::npos);
}

TEST_F(TelegramRender, WhatLastsStandsInItsOwnRowAndIsSaidOnTheCard) {
    const auto made = body(render(presentation(approval()), spot, keys, now).card);
    const auto& rows = made["reply_markup"]["inline_keyboard"];
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].size(), 2U);
    EXPECT_EQ(rows[1][0]["text"], "This call, session");
    EXPECT_NE(made["text"].get<std::string>().find("• This call, session (allows, this session)\n"), std::string::npos);
}

TEST_F(TelegramRender, WhatCanBeTypedIsOnTheCardOnceAndOnlyWhereItWouldBeTaken) {
    auto shown = presentation(approval());
    const auto code = keys.codes.code(shown.request->id, "-100");
    const auto text = [&]() -> std::string { return body(render(shown, spot, keys, now).card)["text"]; };
    EXPECT_NE(text().find("or write: /approve " + code + " or /deny " + code + "\n"), std::string::npos);
    EXPECT_EQ(text().find("code: "), std::string::npos);
    shown.offered.erase(shown.offered.begin());
    EXPECT_NE(text().find("or write: /deny " + code + "\n"), std::string::npos) << "nothing allows once";
}

TEST_F(TelegramRender, TheEndOfAQuestionSaysWhatWasAnswered) {
    auto made = denied();
    made.outcome = Outcome::answered;
    made.option_label = made.reason = "";
    made.answered = "1. React; 2. web, ios";
    const std::string text = body(render_conclusion(presentation(questions()), spot, 42, made))["text"];
    EXPECT_NE(text.find("answer: 1. React; 2. web, ios\n"), std::string::npos);
    made.answered = std::string(513, 'a');
    const std::string cut = body(render_conclusion(presentation(questions()), spot, 42, made))["text"];
    EXPECT_NE(cut.find("answer: " + std::string(512, 'a') + "…\n"), std::string::npos);
}

TEST_F(TelegramRender, I12_WhatTheLogDoesNotKnowIsLeftOut) {
    Conclusion lost;
    lost.request_id = id_of(1);
    lost.outcome = Outcome::lost;
    lost.seq = 7;
    const std::string text = body(render_earlier(spot, 42, lost))["text"];
    EXPECT_EQ(text.find("1970"), std::string::npos) << text;
    EXPECT_EQ(text.find("anchor"), std::string::npos) << text;
    EXPECT_NE(text.find("record 7\n"), std::string::npos) << text;
}

TEST_F(TelegramRender, ADiffHasNoEmptyLastRow) {
    auto request = approval();
    std::get<Approval>(request.body).diff = "-a\n+b\n";
    EXPECT_TRUE(has_piece(body(render(presentation(request), spot, keys, now).card), "pre", "-a\n+b"));
}

// Random text of every plane, sanitised as a runtime would: the card shows exactly that, in the entities that we made
// and no others, and nothing of it stands outside of them.
TEST_F(TelegramRender, I6_WhateverTheTextItIsShownAsItIsAndStylesNothing) {
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
    for (int round = 0; round < 300; ++round) {
        auto request = approval();
        auto& call = std::get<Approval>(request.body);
        request.agent_id = security::display(any_text(10), security::DisplayMode::line);
        request.cwd = security::display(any_text(30), security::DisplayMode::line);
        call.display_text = "x" + any_text(200);
        call.diff = any_text(50) + "x";
        call.untrusted_reason = any_text(50);
        const auto rendering = render(presentation(request), spot, keys, now);
        if (rendering.document) continue;
        const auto made = body(rendering.card);
        ASSERT_LE(utf16(made["text"].get<std::string>()).size(), limits::telegram_text_units_max);
        EXPECT_TRUE(has_piece(made, "pre", guarded_block(call.display_text))) << call.display_text;
        if (!call.diff.empty()) EXPECT_TRUE(has_piece(made, "pre", guarded_block(call.diff)));
        if (!call.untrusted_reason.empty()) EXPECT_TRUE(has_piece(made, "pre", guarded_block(call.untrusted_reason)));
        if (!request.agent_id.empty()) EXPECT_TRUE(has_piece(made, "code", guarded_line(request.agent_id)));
        EXPECT_EQ(security::undisplay(guarded_block(call.display_text)), security::undisplay(call.display_text));

        // What is left when the entities are cut out does not depend on the text at all.
        auto left = utf16(made["text"].get<std::string>());
        std::size_t end = left.size() + 1;
        for (auto entity = made["entities"].rbegin(); entity != made["entities"].rend(); ++entity) {
            const auto type = (*entity)["type"].get<std::string>();
            EXPECT_TRUE(type == "pre" || type == "code" || type == "bold");
            const auto offset = (*entity)["offset"].get<std::size_t>();
            const auto length = (*entity)["length"].get<std::size_t>();
            ASSERT_LE(offset + length, end) << "entities do not overlap";
            end = offset;
            if (type != "bold") left.erase(offset, length);
        }
        for (const auto unit : left) EXPECT_LT(unit, 0x2023) << "only our own words stand outside";
        EXPECT_EQ(left.find(u'@'), std::u16string::npos);
    }
}

TEST_F(TelegramRender, I7_WhatTelegramWouldDropIsEscaped) {
    EXPECT_EQ(guarded_line("a\xCC\x8A"
                           "b\xCC\xB3"
                           "c\xCC\xBF"),
              R"(a\u{30A}b\u{333}c\u{33F})");
    EXPECT_EQ(guarded_line("a\nb"), "a⏎b");
    EXPECT_EQ(guarded_block("a\nb\x1b\xff"), "a\nb\\u{1B}\\x{FF}");
    EXPECT_EQ(guarded_line(R"(a\u{1B}→⏎é漢)"), R"(a\u{1B}→⏎é漢)");
}

TEST_F(TelegramRender, I7_TheLastUnitThatFitsIsInTheMessageAndOneMoreMakesAFile) {
    auto request = approval();
    auto& call = std::get<Approval>(request.body);
    call.display_text.clear();
    const auto used = whole_card({.presentation = presentation(request), .now = now, .code = "00000000"}).units();
    for (const auto& [letter, units] : std::vector<std::pair<std::string, std::size_t>>{{"x", 1}, {"🎉", 2}}) {
        call.display_text.clear();
        for (std::size_t i = used; i + units <= limits::telegram_text_units_max; i += units)
            call.display_text += letter;
        auto rendering = render(presentation(request), spot, keys, now);
        EXPECT_FALSE(rendering.document);
        EXPECT_LE(utf16(body(rendering.card)["text"].get<std::string>()).size(), limits::telegram_text_units_max);
        call.display_text += letter;
        rendering = render(presentation(request), spot, keys, now);
        EXPECT_TRUE(rendering.document);
        EXPECT_LE(utf16(body(rendering.card)["text"].get<std::string>()).size(), limits::telegram_text_units_max);
    }
}

TEST_F(TelegramRender, I7_TheFileIsTheTextThatTheLogNames) {
    auto request = approval();
    std::get<Approval>(request.body).display_text = std::string(5000, 'y');
    const auto rendering = render(presentation(request), spot, keys, now);
    const auto& form = std::get<Form>(rendering.document->body);
    const auto file = std::ranges::find(form, "document", &FormPart::name);
    EXPECT_EQ(file->data, shown_text(request)) << "no detail was cut, so none stands below it";
    EXPECT_EQ(file->file_name, request.id.str() + ".txt");
    const auto digest = security::hex(security::sha256(file->data));
    EXPECT_TRUE(has_piece(body(rendering.card), "code", digest));
    const auto caption = std::ranges::find(form, "caption", &FormPart::name);
    EXPECT_NE(caption->data.find(digest), std::string::npos);
    EXPECT_LE(utf16_units(caption->data), limits::telegram_caption_units_max);
}

TEST_F(TelegramRender, I7_ACardThatIsWholeStaysWholeWhenVotesAreAdded) {
    auto request = approval();
    auto& call = std::get<Approval>(request.body);
    std::vector<Vote> votes;
    for (int i = 0; i < 15; ++i) votes.push_back({"a-person-with-a-name-" + std::to_string(i), "allow", 1});
    auto shown = presentation(request);
    shown.required = 16;
    call.display_text = std::string(3'000, 'z');
    shown.request = std::make_shared<const Request>(request);
    while (!render(shown, spot, keys, now).document) {
        call.display_text += 'z';
        shown.request = std::make_shared<const Request>(request);
    }
    call.display_text.pop_back();
    shown.request = std::make_shared<const Request>(request);
    ASSERT_FALSE(render(shown, spot, keys, now).document);
    const auto made = body(render_progress(shown, spot, keys, now, 42, {.votes = votes, .required = 16}));
    EXPECT_TRUE(has_piece(made, "pre", call.display_text));
    EXPECT_NE(made["text"].get<std::string>().find("15 of 16"), std::string::npos);
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
    shown.required = 16;
    const auto rendering = render(shown, spot, keys, now);
    EXPECT_LE(utf16_units(body(rendering.card)["text"].get<std::string>()), limits::telegram_text_units_max);
    const auto& form = std::get<Form>(rendering.document->body);
    EXPECT_NE(std::ranges::find(form, "document", &FormPart::name)->data.find(most(limits::option_detail_bytes_max)),
              std::string::npos)
        << "a detail that was cut is in the file";
    auto conclusion = denied();
    conclusion.reason = most(10'000);
    EXPECT_LE(utf16_units(body(render_conclusion(shown, spot, 42, conclusion))["text"].get<std::string>()),
              limits::telegram_text_units_max);

    auto asked = questions();
    auto& bundle = std::get<Questionnaire>(asked.body).questions;
    bundle.assign(limits::questions_max, {.question_id = "q", .text = most(limits::question_text_bytes_max)});
    for (auto& question : bundle)
        question.choices.assign(limits::choices_max, {most(limits::choice_label_bytes_max), ""});
    const auto card = body(render(presentation(asked), spot, keys, now).card);
    EXPECT_LE(utf16_units(card["text"].get<std::string>()), limits::telegram_text_units_max);
    EXPECT_EQ(card["reply_markup"]["inline_keyboard"].size(), 2U) << "too many choices for buttons: Submit and Cancel";
}

TEST_F(TelegramRender, I13_OneChoiceTooManyAndTheyAreAnsweredByNumber) {
    auto request = questions();
    auto& bundle = std::get<Questionnaire>(request.body).questions;
    bundle.assign(4, {.question_id = "q", .text = "?", .choices = std::vector<Choice>(16, Choice{"c", ""})});
    const auto rows = [&] {
        return body(render(presentation(request), spot, keys, now).card)["reply_markup"]["inline_keyboard"].size();
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
            render(presentation(request), spot, keys, now).card)["reply_markup"]["inline_keyboard"][0][0]["text"];
    };
    EXPECT_EQ(label(limits::telegram_button_units_max - 3), "1. " + std::string(37, 'c'));
    EXPECT_EQ(label(limits::telegram_button_units_max - 2), "1. " + std::string(36, 'c') + "…");
}

TEST(TelegramWords, EveryOutcomeHasItsWords) {
    for (const auto outcome :
         {Outcome::allowed, Outcome::denied, Outcome::answered, Outcome::cancelled, Outcome::expired,
          Outcome::withdrawn, Outcome::undeliverable, Outcome::lost, Outcome::unlogged, Outcome::indeterminate}) {
        StyledText text;
        Conclusion made;
        made.outcome = outcome;
        conclusion_lines(text, made);
        EXPECT_GT(text.units(), 10U) << name(outcome);
    }
}

TEST_F(TelegramRender, AnAnnouncementIsQuietAndItsLinesAreCopiedAsTheyAre) {
    const Announcement announcement{.id = 1,
                                    .to = {.chat = "-100", .principal = {}},
                                    .heading = "# Audit log, 5 records.",
                                    .exact = "audit.example/bridge1\n5\nQlX2vJ0=\n\n— audit.example/bridge1 4V1uJ==\n"};
    expect_golden({render_announcement(spot, announcement)}, "telegram_announcement");
}

}  // namespace
}  // namespace countersign::channels::telegram
