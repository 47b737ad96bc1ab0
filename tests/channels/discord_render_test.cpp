// SPDX-License-Identifier: Apache-2.0
// Golden files, compared byte for byte. COUNTERSIGN_UPDATE_GOLDEN=1 writes them anew, for a person to look at the
// change.
#include "channels/discord/preview.hpp"
#include "channels/discord/render.hpp"
#include "channels/discord/views.hpp"

#include "security/digest.hpp"
#include "security/encoding.hpp"
#include "tests/channels/discord_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace countersign::channels::discord {
namespace {

using namespace samples;
using namespace std::chrono_literals;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

constexpr auto interaction = "846462639134605312";

Call window(const Json& modal) { return respond(interaction, "token", dumped(modal_response(modal))); }

Request long_call() {
    auto request = approval();
    std::string call;
    for (int line = 1; line <= 800; ++line) call += "echo line " + std::to_string(line) + "\n";
    std::get<Approval>(request.body).display_text = call + "rm -rf /";
    return request;
}

Request many_questions() {
    auto request = questions();
    auto& all = std::get<Questionnaire>(request.body).questions;
    all.clear();
    for (std::size_t i = 0; i < limits::questions_max; ++i) {
        Question question{.question_id = std::to_string(i), .text = "Question " + std::to_string(i), .choices = {}};
        for (std::size_t j = 0; j < limits::choices_max; ++j) question.choices.push_back({"choice", "what it means"});
        question.free_text = true;
        all.push_back(std::move(question));
    }
    return request;
}

TEST_F(DiscordRender, AnApprovalIsOneCard) {
    const auto parcel = renderer.card(presentation(approval()), spot, now);
    EXPECT_FALSE(parcel.document);
    expect_message(parcel.card);
    expect_golden({parcel.card}, "discord_approval");
}

TEST_F(DiscordRender, ADiffIsABlockOfItsOwn) {
    const auto card = renderer.card(edit(), spot, now).card;
    expect_message(card);
    EXPECT_THAT(texts(body(card)), HasSubstr("```diff\n--- a/"));
    expect_golden({card}, "discord_edit");
}

TEST_F(DiscordRender, HighRiskIsSaidLoudly) {
    const auto high = body(renderer.card(presentation(approval()), spot, now).card);
    EXPECT_THAT(texts(high), HasSubstr("\n### 🔴 risk: **high**"));
    EXPECT_EQ(high["components"][0]["accent_color"], 0xED4245);
    const auto medium = body(renderer.card(edit(), spot, now).card);
    EXPECT_THAT(texts(medium), HasSubstr("\n🟠 risk: **medium**"));
    EXPECT_NE(medium["components"][0]["accent_color"], 0xED4245);
}

TEST_F(DiscordRender, AColourIsOursToSay) {
    const auto shown = buttons(body(renderer.card(presentation(approval()), spot, now).card));
    EXPECT_EQ(shown.at("Allow once")["style"], 3);
    EXPECT_EQ(shown.at("Deny")["style"], 4);
    EXPECT_EQ(shown.at("Deny…")["style"], 4);
    EXPECT_EQ(shown.at("Allow this exact call for this session")["style"], 2) << "what lasts does not lead on";
    for (const auto& [label, button] : shown) EXPECT_EQ(button["custom_id"].get<std::string>().size(), 47U) << label;
}

TEST_F(DiscordRender, ACallIsColouredAsWhatItIs) {
    const auto shown = [&](Subject subject, std::string text) {
        auto request = approval();
        std::get<Approval>(request.body).subject = std::move(subject);
        std::get<Approval>(request.body).display_text = std::move(text);
        return texts(body(renderer.card(presentation(request), spot, now).card));
    };
    EXPECT_THAT(shown(ToolUse{.tool_name = "Bash"}, "ls"), HasSubstr("```sh\nls\n```"));
    EXPECT_THAT(shown(ShellExec{}, "ls"), HasSubstr("```sh\nls\n```"));
    EXPECT_THAT(shown(ToolUse{.tool_name = "Fetch"}, "{\"url\":1}"), HasSubstr("```json\n{\"url\":1}\n```"));
    EXPECT_THAT(shown(ToolUse{.tool_name = "Read"}, "/etc/passwd"), HasSubstr("```\n/etc/passwd\n```"));
}

// Text that tries to be more than text, in every place where others write.
TEST_F(DiscordRender, OnlyOurOwnWordsCanReachAnyone) {
    const std::vector<std::string> hostile{"@everyone evil",
                                           "<@53908232506183680> evil",
                                           "<#1> <@&2> evil",
                                           "` evil **bold** `",
                                           "``` evil",
                                           "```\n@everyone evil\n```",
                                           "\n```evil\n",
                                           "`````` evil ``````",
                                           "```sh\nevil\n```\n# evil\n```",
                                           "[evil](https://evil.example)",
                                           "https://evil.example",
                                           "# evil",
                                           "> evil",
                                           "-# evil",
                                           "||evil||",
                                           "\\` evil",
                                           "\\",
                                           "`\\",
                                           "evil `",
                                           "evil ``",
                                           "evil\n``",
                                           ":evil:",
                                           "<t:1:R> evil"};
    for (const auto& text : hostile) {
        auto request = approval();
        request.agent_id = request.runtime = request.session_key = request.cwd = request.requester = text;
        request.workplace = {.host = text, .repository = text, .branch = text};
        request.judgement.risk.rule = text;
        auto& call = std::get<Approval>(request.body);
        call.subject = ToolUse{.tool_name = text};
        call.display_text = call.diff = call.untrusted_reason = text;
        for (auto& option : call.options) option.detail = text;
        call.options[0].label = text.substr(0, 20);
        auto shown = presentation(request);
        shown.audience.mentions = {{.person = text, .principal = "discord:" + alice}};
        const auto message = body(renderer.card(shown, spot, now).card);
        expect_content(message);
        for (const auto& component : components(message)) {
            if (component["type"] != 10) continue;
            const auto read = parsed(component["content"].get<std::string>());
            EXPECT_THAT(read.outside, Not(HasSubstr("evil"))) << text << "\n" << component["content"];
            EXPECT_THAT(read.outside, Not(HasSubstr("everyone"))) << text;
            EXPECT_THAT(read.outside, Not(HasSubstr("`"))) << text;
        }
        EXPECT_EQ(message["allowed_mentions"]["users"], Json::array({alice})) << "and the deciders are called by id";
        EXPECT_THAT(texts(message), HasSubstr("asking: <@" + alice + ">"));
    }
}

TEST_F(DiscordRender, I7_NoTextEndsItsBlockAndEveryCharacterIsShown) {
    std::mt19937 random{7};
    const std::vector<std::string> pieces{"`", "``", "```", "````", "\n", "x", "sh", " ", "\\", "é", "@everyone"};
    for (int i = 0; i < 3000; ++i) {
        std::string text = "a";  // the platform leaves out empty lines at both ends
        for (unsigned length = random() % 12; length > 0; --length) text += pieces[random() % pieces.size()];
        text += "z";
        const auto read = parsed(code_block(text, i % 2 == 0 ? "sh" : ""));
        ASSERT_EQ(read.blocks.size(), 1U) << text;
        EXPECT_EQ(without_marks(read.blocks[0]), text);
        EXPECT_THAT(read.outside, IsEmpty()) << text;
        const auto line = text_rules.line(text);
        const auto inline_read = parsed(inline_code(line));
        ASSERT_EQ(inline_read.codes.size(), 1U) << line;
        EXPECT_THAT(inline_read.outside, IsEmpty()) << line;
    }
    for (const auto* empty : {"", "\n", "\n\n", "\n```"}) {
        EXPECT_EQ(parsed(code_block(empty)).blocks.size(), 1U) << "no block would leave its fences in sight";
    }
}

TEST_F(DiscordRender, WhatWouldNotBeSeenIsWrittenOut) {
    auto request = approval();
    auto& call = std::get<Approval>(request.body);
    call.display_text = "echo \u202Egnp.exe\u200B\uFEFF \x1b[2J";
    request.cwd = "/srv/\u2066a\u2069";
    const auto shown = texts(body(renderer.card(presentation(request), spot, now).card));
    EXPECT_THAT(shown, HasSubstr("\\u{202E}gnp.exe\\u{200B}\\u{FEFF} \\u{1B}[2J"));
    EXPECT_THAT(shown, HasSubstr("/srv/\\u{2066}a\\u{2069}"));
}

TEST_F(DiscordRender, WordsOfOursAreNoMarkdown) {
    EXPECT_EQ(escaped("1. *a* _b_ ~c~ |d| `e` [f](g) <h> #i @j"),
              "1\\. \\*a\\* \\_b\\_ \\~c\\~ \\|d\\| \\`e\\` \\[f\\](g) \\<h\\> \\#i \\@j");
    EXPECT_EQ(escaped("- a\n+ b\n> c\n# d\n12) e\n- 1.5 f-g"), "\\- a\n\\+ b\n\\> c\n\\# d\n12\\) e\n\\- 1.5 f-g");
    EXPECT_EQ(escaped("agent: :tada: https://a"), "agent: \\:tada: https\\://a");
    EXPECT_EQ(escaped("-# no list", false), "-\\# no list") << "inside of a line";
}

TEST_F(DiscordRender, ASingleChoiceIsAnsweredOnTheCard) {
    auto request = questions();
    auto& all = std::get<Questionnaire>(request.body).questions;
    all.resize(1);
    all[0].free_text = false;
    const auto few = renderer.card(presentation(request), spot, now).card;
    EXPECT_THAT(lists(body(few)), IsEmpty());
    EXPECT_TRUE(buttons(body(few)).contains("1. React"));
    all[0].choices.clear();
    for (int i = 1; i <= 16; ++i) all[0].choices.push_back({"choice " + std::to_string(i), "what it means"});
    const auto many = renderer.card(presentation(request), spot, now).card;
    ASSERT_EQ(lists(body(many)).size(), 1U);
    EXPECT_EQ(lists(body(many))[0]["max_values"], 1);
    expect_message(few);
    expect_message(many);
    expect_golden({few, many}, "discord_choices");
}

TEST_F(DiscordRender, ABundleIsOneCardWithAListForEachQuestion) {
    auto shown = presentation(questions());
    shown.state.chosen = {{1}, {0, 1}, {}};
    const auto card = renderer.card(shown, spot, now).card;
    expect_message(card);
    const auto found = lists(body(card));
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0]["max_values"], 1);
    EXPECT_EQ(found[1]["max_values"], 2);
    EXPECT_TRUE(found[0]["options"][1].contains("default")) << "what is chosen already is marked";
    EXPECT_TRUE(found[1]["options"][0].contains("default"));
    for (const auto& list : found) {
        const auto name = part_named(list["custom_id"].get<std::string>());
        EXPECT_EQ(name.part, Part::list);
        EXPECT_EQ(list["options"][0]["value"], name.token) << "the token of its first choice";
    }
    const auto shown_buttons = buttons(body(card));
    EXPECT_EQ(shown_buttons.at("Submit")["style"], 3);
    EXPECT_EQ(shown_buttons.at("Cancel")["style"], 4);
    const auto& questionnaire = *shown.request->questionnaire();
    const auto opener = shown_buttons.at("Answer…")["custom_id"].get<std::string>();
    const auto modal = answers_modal(questionnaire, 0, opener, Language{});
    expect_modal(modal);
    expect_golden({card, window(modal)}, "discord_questions");
}

TEST_F(DiscordRender, I13_TheMostQuestionsWithTheMostChoicesFitOneCard) {
    const auto request = many_questions();
    const auto parcel = renderer.card(presentation(request), spot, now);
    expect_message(parcel.card);
    EXPECT_EQ(lists(body(parcel.card)).size(), limits::questions_max);
    EXPECT_EQ(answer_pages(*request.questionnaire()), 2U) << "one window has room for five";
    EXPECT_TRUE(buttons(body(parcel.card)).contains("Answer… (2/2)"));
    for (std::size_t page = 0; page < 2; ++page) {
        expect_modal(answers_modal(*request.questionnaire(), page, std::string(47, 'x'), Language{}));
    }
}

TEST_F(DiscordRender, I13_TheMostOptionsFitOneCard) {
    auto request = approval();
    auto& options = std::get<Approval>(request.body).options;
    options.clear();
    for (std::size_t i = 0; i < limits::options_max; ++i) {
        options.push_back({.option_id = std::to_string(i),
                           .label = std::to_string(i) + std::string(18, '`'),
                           .detail = std::string(200, '`'),
                           .effect = i % 4 == 0 ? Effect::deny : Effect::allow,
                           .scope = i % 3 == 0 ? Scope::session : Scope::once});
    }
    request.agent_id = request.session_key = request.cwd = std::string(200, '`');
    auto shown = presentation(request);
    shown.state.waiting = 3;
    const auto parcel = renderer.card(shown, spot, now);
    expect_message(parcel.card);
    ASSERT_TRUE(parcel.without_allow);
    expect_message(*parcel.without_allow);
    expect_message(renderer.conclusion(shown, spot, card_message, denied()));
}

TEST_F(DiscordRender, ALongCallIsAFileAndABriefCard) {
    const auto parcel = renderer.card(presentation(long_call()), spot, now);
    ASSERT_TRUE(parcel.document);
    ASSERT_TRUE(parcel.without_allow);
    for (const auto& call : {parcel.card, *parcel.without_allow, *parcel.document}) expect_message(call);
    expect_golden({parcel.card, *parcel.without_allow}, "discord_long");
    const auto& form = std::get<Form>(parcel.document->body);
    ASSERT_EQ(form.size(), 2U);
    const auto digest = security::hex(security::sha256(form[1].data));
    EXPECT_THAT(texts(body(parcel.card)), HasSubstr(digest));
    EXPECT_THAT(texts(body(*parcel.document)), HasSubstr(digest));
    EXPECT_EQ(components(body(*parcel.document)).back()["file"]["url"], "attachment://" + form[1].file_name);
    EXPECT_TRUE(buttons(body(parcel.card)).contains("Allow once"));
    EXPECT_FALSE(buttons(body(*parcel.without_allow)).contains("Allow once")) << "I7";
    EXPECT_NE(body(parcel.card)["nonce"], body(*parcel.without_allow)["nonce"]) << "else the card would not be posted";
    EXPECT_NE(body(parcel.card)["nonce"], body(*parcel.document)["nonce"]);
}

// One past what is shown whole, and a call of a megabyte.
TEST_F(DiscordRender, I13_ACardIsNeverLongerThanThePlatformTakes) {
    for (const auto* letter : {"x", "`", "```\n", "é", "🎉", "*"}) {
        bool was_whole = true;
        for (std::size_t length = 500; length <= 4200; length += 230) {
            auto request = approval();
            auto& text = std::get<Approval>(request.body).display_text;
            text = "";
            while (sent_units(text) < length) text += letter;
            const auto parcel = renderer.card(presentation(request), spot, now);
            expect_message(parcel.card);
            EXPECT_FALSE(!was_whole && !parcel.document) << "longer and whole again";
            was_whole = !parcel.document;
        }
        EXPECT_FALSE(was_whole) << letter;
    }
    auto request = approval();
    std::get<Approval>(request.body).display_text = std::string(1 << 20, '`');
    const auto parcel = renderer.card(presentation(request), spot, now);
    expect_message(parcel.card);
    expect_message(*parcel.document);
    EXPECT_THAT(std::get<Form>(parcel.document->body)[1].data, HasSubstr(std::string(1 << 20, '`')));
}

TEST_F(DiscordRender, TheEndIsShownAboveWhatItWasAbout) {
    auto expired = denied();
    expired.outcome = Outcome::expired;
    expired.decided_by = expired.channel = expired.option_label = expired.reason = "";
    const auto shown = presentation(approval());
    const std::vector<Call> calls{renderer.conclusion(shown, spot, card_message, denied()),
                                  renderer.conclusion(shown, spot, card_message, expired),
                                  renderer.conclusion(presentation(questions()), spot, card_message, expired),
                                  renderer.earlier(spot, card_message, denied()), renderer.retired(spot, card_message)};
    for (const auto& call : calls) {
        expect_message(call);
        EXPECT_EQ(call.verb, HttpMethod::patch);
        EXPECT_TRUE(buttons(body(call)).empty());
        EXPECT_THAT(lists(body(call)), IsEmpty());
    }
    EXPECT_THAT(texts(body(calls[0])), HasSubstr("rm -rf build\nmake all")) << "and what it was about stays";
    const auto reply = renderer.conclusion_reply(shown, spot, card_message, denied());
    expect_message(reply);
    expect_golden(calls, "discord_conclusions");
}

TEST_F(DiscordRender, TheCardsOfASessionGoIntoTheThreadOfItsFirst) {
    auto in_session = spot;
    in_session.reply_to = card_message;
    const auto card = renderer.card(presentation(approval()), in_session, now).card;
    EXPECT_EQ(card.path, "channels/" + ops + "/threads/" + card_message + "/messages");
    EXPECT_EQ(body(card)["thread_name"], "builder · s-7");
    auto request = approval();
    request.agent_id = std::string(200, 'x');
    expect_text(body(renderer.card(presentation(request), in_session, now).card)["thread_name"],
                limits::discord_thread_name_units_max);
    const auto end = renderer.session_end(in_session, {.to = {}, .below = {}, .agent_id = "builder"});
    EXPECT_EQ(end.path, card.path);
    EXPECT_FALSE(body(end).contains("thread_name")) << "none is opened for the end of a session";
    auto direct = direct_spot;
    direct.reply_to = card_message;
    EXPECT_EQ(renderer.card(presentation(approval()), direct, now).card.path, "channels/@" + alice + "/messages");
}

TEST_F(DiscordRender, WhatBelongsToACardAnswersIt) {
    const auto shown = presentation(approval());
    const auto in_thread = card_message + "/1100000000000000002";
    const auto reminder = renderer.reminder(shown, spot, in_thread, {.waited = 5min});
    expect_message(reminder);
    EXPECT_EQ(reminder.path, "channels/" + ops + "/threads/" + card_message + "/messages");
    EXPECT_EQ(body(reminder)["message_reference"]["message_id"], "1100000000000000002");
    EXPECT_EQ(renderer.retired(spot, in_thread).path, "channels/" + card_message + "/messages/1100000000000000002");
    auto below = spot;
    below.reply_to = card_message;
    const auto offer = renderer.reason_offer(shown, below, Language{});
    expect_message(offer);
    EXPECT_EQ(body(offer)["message_reference"]["message_id"], card_message);
    EXPECT_EQ(buttons(body(offer)).at("Deny with this reason")["style"], 4);
}

TEST_F(DiscordRender, AMessageThatIsTriedAgainIsTheSameOne) {
    auto shown = presentation(approval());
    const auto nonce = [&](WallTime at) { return body(renderer.card(shown, spot, at).card)["nonce"]; };
    const auto first = nonce(now);
    shown.expires = now + 5min;
    EXPECT_EQ(nonce(now + 1min), first) << "also if what it says changed meanwhile";
    shown.generation = 1;
    EXPECT_NE(nonce(now), first);
    auto other = spot;
    other.target = other.chat = "345626669114982000";
    shown.generation = 0;
    EXPECT_NE(body(renderer.card(shown, other, now).card)["nonce"], first);
}

TEST_F(DiscordRender, AnAnnouncementKeepsEveryByteOfItsLines) {
    const std::string exact = "countersign.example/log\n42\nq83v<&>\n\n— key abc\n";
    const auto call = renderer.announcement(spot, {.id = 1, .to = {}, .heading = "Checkpoint 42", .exact = exact});
    expect_message(call);
    EXPECT_THAT(parsed(texts(body(call))).blocks, ElementsAre(exact.substr(0, exact.size() - 1)));
}

TEST_F(DiscordRender, AnAnswerToOnePersonIsSeenByThemAlone) {
    auto private_spot = spot;
    private_spot.reply_to = interaction_name(interaction);
    const auto call = renderer.reply(private_spot, Phrase{"no <you> may not"});
    EXPECT_EQ(call.path, std::string{"interactions/"} + interaction + "/words");
    EXPECT_EQ(body(call)["flags"], ephemeral_flag | components_flag);
    EXPECT_EQ(texts(body(call)), "no \\<you\\> may not\n");
    const auto whole = renderer.document(approval(), {}, private_spot, Language{});
    EXPECT_EQ(whole.path, call.path);
    EXPECT_EQ(body(whole)["flags"], ephemeral_flag | components_flag);
    const auto alert = renderer.in_slot(Phrase{"no"}, true);
    EXPECT_EQ(Json::parse(alert.body)["type"], 4);
    EXPECT_EQ(Json::parse(alert.body)["data"]["flags"], ephemeral_flag | components_flag);
    EXPECT_FALSE(is_note(alert));
    EXPECT_TRUE(is_note(renderer.in_slot(Phrase{"noted"}, false)));
}

TEST_F(DiscordRender, I13_LongWordsAreCutBetweenLines) {
    Phrase words;
    for (int i = 0; i < 400; ++i) words.plain("line ").code(std::to_string(i)).plain("\n");
    const auto call = renderer.reply(spot, words);
    expect_content(body(call));
    EXPECT_THAT(texts(body(call)), testing::EndsWith("`\n…\n"));
    Phrase one;
    one.code(std::string(5000, '`'));
    const auto cut = renderer.reply(spot, one);
    expect_content(body(cut));
    EXPECT_THAT(parsed(texts(body(cut))).outside, Not(HasSubstr("`")));
}

TEST_F(DiscordRender, TheReasonIsAskedForInAWindow) {
    const std::string token(47, 't');
    const auto modal = reason_modal(token, Language{});
    expect_modal(modal);
    expect_golden({window(modal)}, "discord_reason");
    EXPECT_EQ(part_named(modal["custom_id"].get<std::string>()), (PartName{Part::reason, token}));
    EXPECT_EQ(typed_reason({{"reason", {"too late"}}}), "too late");
    EXPECT_EQ(typed_reason({}), "");
}

TEST_F(DiscordRender, WhatWasTypedIntoAWindowIsWhatWouldBeTypedInTheChat) {
    const auto request = questions();
    const Fields fields{{"q2", {"all of it"}}, {"q0", {"Svelte"}}, {"q7", {"none"}}, {"q1", {" \n"}}};
    EXPECT_THAT(typed_answers(*request.questionnaire(), fields),
                ElementsAre(TypedAnswer{0, "Svelte"}, TypedAnswer{2, "all of it"}));
    EXPECT_THAT(typed_answers(*request.questionnaire(), {}), IsEmpty());
}

TEST_F(DiscordRender, APreviewReadsAsThePersonDoes) {
    const auto read = preview.read(renderer.card(presentation(approval()), spot, now).card);
    ASSERT_TRUE(read);
    EXPECT_THAT(read->words, StartsWith("Approval wanted\n🔴 risk: high (removes-files)\nagent: builder (claude)"));
    EXPECT_THAT(read->words, HasSubstr("\nrm -rf build\nmake all\n"));
    EXPECT_THAT(read->words, Not(HasSubstr("`")));
    EXPECT_THAT(read->buttons,
                ElementsAre(ElementsAre("Allow once", "Deny"), ElementsAre("Allow this exact call for this session"),
                            ElementsAre("Deny…")));
}

}  // namespace
}  // namespace countersign::channels::discord
