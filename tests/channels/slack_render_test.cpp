// SPDX-License-Identifier: Apache-2.0
// Golden files, compared byte for byte. COUNTERSIGN_UPDATE_GOLDEN=1 writes them anew, for a person to look at the
// change.
#include "channels/slack/render.hpp"
#include "channels/slack/views.hpp"

#include "core/json/read.hpp"
#include "security/digest.hpp"
#include "security/encoding.hpp"
#include "tests/channels/slack_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::channels::slack {
namespace {

using namespace samples;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

TEST_F(SlackRender, AnApprovalIsOneCard) {
    const auto parcel = renderer.card(presentation(approval()), spot, now);
    EXPECT_FALSE(parcel.document);
    expect_message(parcel.card);
    expect_golden({parcel.card}, "slack_approval");
}

TEST_F(SlackRender, ADiffStandsInAFrameOfItsOwn) {
    const auto card = renderer.card(edit(), spot, now).card;
    expect_message(card);
    expect_golden({card}, "slack_edit");
}

TEST_F(SlackRender, HighRiskIsAskedTwiceAndARefusalIsNot) {
    const auto card = body(renderer.card(presentation(approval()), spot, now).card);
    const auto shown = buttons(card);
    ASSERT_TRUE(shown.contains("Allow once"));
    EXPECT_TRUE(shown.at("Allow once").contains("confirm"));
    EXPECT_TRUE(shown.at("Allow this exact call for this session").contains("confirm"));
    EXPECT_FALSE(shown.at("Deny").contains("confirm"));
    EXPECT_FALSE(shown.at("Deny…").contains("confirm"));
    const auto medium = buttons(body(renderer.card(edit(), spot, now).card));
    for (const auto& [label, button] : medium) EXPECT_FALSE(button.contains("confirm")) << label;
}

TEST_F(SlackRender, OnlyOurOwnWordsCanReachAnyone) {
    auto request = approval();
    request.agent_id = "<!channel>";
    request.cwd = "/srv/<@U1>";
    auto& call = std::get<Approval>(request.body);
    call.display_text = "echo <!here> <https://evil.example|good> & *bold* :tada:";
    call.untrusted_reason = "<!everyone> @channel";
    call.options[0].label = "<@U1> :ok:";
    auto shown = presentation(request);
    shown.audience.mentions = {{.person = "alice", .principal = "slack:T0/U1"}};
    const auto message = body(renderer.card(shown, spot, now).card);
    EXPECT_EQ(message["text"].get<std::string>().find_first_of("<>"), std::string::npos) << message["text"];
    EXPECT_EQ(message["unfurl_links"], false);
    EXPECT_EQ(message["unfurl_media"], false);
    for (const auto& block : message["blocks"]) {
        EXPECT_THAT(block.dump(), Not(HasSubstr("mrkdwn")));
        EXPECT_THAT(block.dump(), Not(HasSubstr("\"emoji\":true")));
    }
    EXPECT_THAT(frames(message["blocks"]), Contains(call.display_text));
    EXPECT_THAT(reads(message["blocks"]), HasSubstr("asking: @U1")) << "and the deciders are called by their id";
}

TEST_F(SlackRender, ASingleChoiceIsAnsweredOnTheCard) {
    auto request = questions();
    auto& all = std::get<Questionnaire>(request.body).questions;
    all.resize(1);
    const auto few = renderer.card(presentation(request), spot, now).card;
    all[0].choices.clear();
    for (int i = 1; i <= 30; ++i) all[0].choices.push_back({"choice " + std::to_string(i), ""});
    const auto many = renderer.card(presentation(request), spot, now).card;
    expect_message(few);
    expect_message(many);
    expect_golden({few, many}, "slack_choices");
}

TEST_F(SlackRender, SeveralQuestionsAreAnsweredInAWindow) {
    const auto card = renderer.card(presentation(questions()), spot, now).card;
    expect_message(card);
    const Opener opener{.token = "t", .chat = "C0OPS", .message = card_message};
    const auto view = answers_view(questions(), opener, Language{});
    expect_view(view);
    expect_golden({card, open_view("1.2.ab", view)}, "slack_questions");
}

TEST_F(SlackRender, ALongCallIsAFileAndABriefCard) {
    auto request = approval();
    std::string call;
    for (int line = 1; line <= 800; ++line) call += "echo line " + std::to_string(line) + "\n";
    std::get<Approval>(request.body).display_text = call + "rm -rf /";
    const auto parcel = renderer.card(presentation(request), spot, now);
    ASSERT_TRUE(parcel.document);
    ASSERT_TRUE(parcel.without_allow);
    expect_message(parcel.card);
    expect_message(*parcel.without_allow);
    expect_golden({parcel.card, *parcel.without_allow}, "slack_long");
    const auto& form = std::get<Form>(parcel.document->body);
    const auto digest = security::hex(security::sha256(form.back().data));
    EXPECT_THAT(reads(body(parcel.card)["blocks"]), HasSubstr(digest));
    EXPECT_TRUE(buttons(body(parcel.card)).contains("Whole text"));
    EXPECT_FALSE(buttons(body(*parcel.without_allow)).contains("Allow once")) << "I7";
}

TEST_F(SlackRender, I7_TheWindowWithTheWholeTextShowsEveryCharacter) {
    auto request = approval();
    std::string call;
    for (int line = 1; line <= 800; ++line) call += "echo line " + std::to_string(line) + "\n";
    call += std::string(7000, 'x');
    std::get<Approval>(request.body).display_text = call;
    const auto view = whole_text_view(request, {}, Language{});
    expect_view(view);
    std::string shown;
    for (const auto& text : frames(view["blocks"])) {
        EXPECT_LE(text_rules.units(text), limits::slack_section_units_max);
        shown += text;
    }
    EXPECT_EQ(shown, document_text(request, {}, text_rules));
}

TEST_F(SlackRender, I13_TheLongestWholeTextStillFitsAWindow) {
    auto request = approval();
    std::get<Approval>(request.body).display_text = std::string(limits::slack_view_units_max + 1, 'x');
    expect_view(whole_text_view(request, {}, Language{}));
}

TEST_F(SlackRender, TheEndIsShownAboveWhatItWasAbout) {
    auto expired = denied();
    expired.outcome = Outcome::expired;
    expired.decided_by = expired.channel = expired.option_label = expired.reason = "";
    const auto shown = presentation(approval());
    const std::vector<Call> calls{renderer.conclusion(shown, spot, card_message, denied()),
                                  renderer.conclusion(shown, spot, card_message, expired),
                                  renderer.conclusion_reply(shown, spot, card_message, denied()),
                                  renderer.earlier(spot, card_message, denied()), renderer.retired(spot, card_message)};
    for (const auto& call : calls) {
        expect_message(call);
        EXPECT_TRUE(buttons(body(call)).empty());
    }
    expect_golden(calls, "slack_conclusions");
}

TEST_F(SlackRender, WhatBelongsToACardGoesIntoItsThread) {
    auto shown = presentation(approval());
    const auto alone = body(renderer.reminder(shown, spot, card_message, {.waited = std::chrono::minutes{5}}));
    EXPECT_EQ(alone["thread_ts"], card_message);
    auto in_session = spot;
    in_session.reply_to = "1548261000.000100";
    const auto below = body(renderer.reminder(shown, in_session, card_message, {.waited = std::chrono::minutes{5}}));
    EXPECT_EQ(below["thread_ts"], "1548261000.000100") << "a thread has one level";
    EXPECT_EQ(body(renderer.card(shown, in_session, now).card)["thread_ts"], "1548261000.000100");
}

TEST_F(SlackRender, AnAnnouncementKeepsEveryByteOfItsLines) {
    const std::string exact = "countersign.example/log\n42\nq83v<&>\n\n— key abc\n";
    const auto call = renderer.announcement(spot, {.id = 1, .to = {}, .heading = "Checkpoint 42", .exact = exact});
    expect_message(call);
    EXPECT_THAT(frames(body(call)["blocks"]), ElementsAre(exact.substr(0, exact.size() - 1)));
}

TEST_F(SlackRender, AnAnswerToOnePersonIsSeenByThemAlone) {
    auto private_spot = spot;
    private_spot.reply_to = private_name({.user = "U1", .thread = card_message});
    const auto call = renderer.reply(private_spot, Phrase{"no <you> may not"});
    EXPECT_EQ(call.path, "chat.postEphemeral");
    EXPECT_EQ(body(call)["user"], "U1");
    EXPECT_EQ(body(call)["thread_ts"], card_message);
    EXPECT_EQ(body(call)["text"], "no &lt;you&gt; may not");
    const auto in_slot = renderer.in_slot(Phrase{"no"}, false);
    EXPECT_EQ(Json::parse(in_slot.body)["response_type"], "ephemeral");
}

TEST_F(SlackRender, TheReasonIsAskedForInAWindow) {
    const auto request = approval();
    const Opener opener{.token = "t", .chat = "C0OPS", .message = card_message};
    const auto view = reason_view(request, request.approval()->options[1], opener, Language{});
    expect_view(view);
    expect_golden({open_view("1.2.ab", view)}, "slack_reason");
    EXPECT_EQ(opener_of(view["private_metadata"].get<std::string>()), opener);
}

TEST_F(SlackRender, WhatWasTypedIntoAWindowIsWhatWouldBeTypedInTheChat) {
    const auto values = json::read(R"({"q0":{"field":{"type":"radio_buttons","selected_option":{"value":"2"}}},
        "w0":{"field":{"value":null}},
        "q1":{"field":{"type":"checkboxes","selected_options":[{"value":"1"},{"value":"2"}]}},
        "w2":{"field":{"value":"all of it"}}})");
    const auto request = questions();
    const auto& questionnaire = *request.questionnaire();
    EXPECT_THAT(typed_answers(questionnaire, *values->value.object()), ElementsAre("2", "1,2", "all of it"));
    const auto both =
        json::read(R"({"q0":{"field":{"selected_option":{"value":"2"}}},"w0":{"field":{"value":"Svelte"}}})");
    EXPECT_THAT(typed_answers(questionnaire, *both->value.object()), ElementsAre("Svelte", "", ""));
    EXPECT_THAT(typed_answers(questionnaire, json::Object{}), ElementsAre("", "", ""));
}

}  // namespace
}  // namespace countersign::channels::slack
