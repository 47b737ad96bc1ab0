// SPDX-License-Identifier: Apache-2.0
// Whole flows: from a request through a card, a click and the log to the agent, over a fake Web API.
#include "tests/channels/slack_world.hpp"

namespace countersign::channels::slack::fakes {
namespace {

using namespace std::chrono_literals;
using countersign::fakes::question_request;
using testing::HasSubstr;
using testing::Not;

TEST_F(SlackWorld, AClickOnAllowReachesTheAgentAndEndsTheCard) {
    begin();
    const auto id = ask("ls -l");
    ASSERT_EQ(http.of("chat.postMessage").size(), 1U);
    EXPECT_EQ(http.of("chat.postMessage")[0]["channel"], "C0OPS");
    EXPECT_EQ(world->ledger.count("presented"), 1U);

    const auto delivered = press("Allow");
    EXPECT_EQ(delivered->answer().status, 200U);
    EXPECT_EQ(delivered->answer().body, "") << "Slack reads nothing there";
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].request_id, id);
    EXPECT_EQ(forwarded()[0].outcome, Outcome::allowed);
    EXPECT_EQ(world->ledger.text("decision", "decidedBy"), "alice");
    ASSERT_EQ(http.of("chat.update").size(), 1U);
    const auto edit = http.of("chat.update")[0];
    EXPECT_EQ(edit["ts"], "1763258400.000001");
    EXPECT_THAT(edit["blocks"].dump(), Not(HasSubstr("\"actions\""))) << "the buttons are gone";
    EXPECT_TRUE(edit["text"].get<std::string>().starts_with("✅ Allowed (Allow) by alice on desk"));
    EXPECT_TRUE(http.of("chat.postEphemeral").empty()) << "the card says it";
    EXPECT_EQ(world->ledger.count("concluded"), 1U);
}

TEST_F(SlackWorld, I5_OnlyWhatSlackSignedIsRead) {
    begin();
    ask();
    const auto body = "payload=" + form_escaped(block_actions(pressing("Allow")).dump());
    const std::string type = "application/x-www-form-urlencoded";
    const auto now = world->clock.wall();
    const auto refused = [&](std::vector<HttpHeader> sent) {
        const auto before = world->ledger.count("refused");
        EXPECT_EQ(deliver(body, std::move(sent))->answer().status, 401U);
        return world->ledger.count("refused") >= before;
    };
    EXPECT_TRUE(refused(headers(body, type, now, "another-secret-of-the-tests")));
    EXPECT_TRUE(refused(headers(body + " ", type, now)));
    EXPECT_TRUE(refused(headers(body, type, now + 301s)));
    EXPECT_TRUE(refused(headers(body, type, now - 1s))) << "before this process";
    EXPECT_TRUE(refused({}));
    auto doubled = headers(body, type, now);
    doubled.push_back(doubled.back());
    EXPECT_TRUE(refused(doubled));
    EXPECT_TRUE(forwarded().empty());
    EXPECT_EQ(deliver(body, headers(body, type, now))->answer().status, 200U);
    EXPECT_EQ(forwarded().size(), 1U);
}

class SlackRotation : public SlackWorld {
protected:
    static constexpr std::string_view previous = "the-signing-secret-before-that-one";
    void adjust(SlackOptions& options) override {
        options.secrets.previous = security::Secret{previous};
        options.secrets.previous_until = world->clock.wall() + 1h;
    }
    unsigned status(std::string_view secret) {
        const auto body = event({.text = "hello", .message = moment(), .event = "Ev" + std::to_string(++last_trigger)});
        return deliver(body.dump(), headers(body.dump(), "application/json", world->clock.wall(), secret))
            ->answer()
            .status;
    }
};

TEST_F(SlackRotation, TwoSecretsAreValidUntilTheOldOneEnds) {
    begin();
    EXPECT_EQ(status(signing_secret), 200U);
    EXPECT_EQ(status(previous), 200U);
    EXPECT_THAT(problems.back(), HasSubstr("previous secret"));
    world->advance(1h);
    EXPECT_EQ(status(signing_secret), 200U);
    EXPECT_EQ(status(previous), 401U);
}

TEST_F(SlackWorld, I5_AReplayHasNoEffect) {
    begin();
    ask();
    const auto click = block_actions(pressing("Allow", "U666"));
    interact(click);
    const auto told = http.calls.size();
    interact(click);
    EXPECT_EQ(http.calls.size(), told);
}

TEST_F(SlackWorld, I4_AStrangerIsToldInPrivateThatTheyMayNot) {
    begin();
    ask();
    press("Allow", "U666");
    EXPECT_TRUE(forwarded().empty());
    ASSERT_EQ(http.of("chat.postEphemeral").size(), 1U);
    EXPECT_EQ(http.of("chat.postEphemeral")[0]["user"], "U666");
    EXPECT_THAT(last_text("chat.postEphemeral"), HasSubstr("slack:T0/U666"));
    EXPECT_EQ(world->ledger.count("refused"), 1U);
    auto guest = pressing("Allow");
    guest.team = "T9";
    interact(block_actions(guest));
    EXPECT_TRUE(forwarded().empty()) << "alice's user id, of another workspace";
}

TEST_F(SlackWorld, I16_AClickThatWasMadeTooLongAgoAllowsNothing) {
    begin();
    ask();
    auto late = pressing("Allow");
    world->advance(6min);
    interact(block_actions(late));
    EXPECT_TRUE(forwarded().empty());
}

TEST_F(SlackWorld, TheReasonOfARefusalIsAskedForInAWindow) {
    begin();
    const auto id = ask();
    const auto opened = press("Deny…");
    EXPECT_EQ(opened->answer().status, 200U);
    ASSERT_EQ(http.of("views.open").size(), 1U);
    EXPECT_TRUE(forwarded().empty());
    const auto answered = interact(view_submission(
        {.view = last_view(),
         .values = {{"reason", {{"field", {{"type", "plain_text_input"}, {"value", "not on\na Friday"}}}}}}}));
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].request_id, id);
    EXPECT_EQ(forwarded()[0].outcome, Outcome::denied);
    EXPECT_THAT(forwarded()[0].reason, HasSubstr("not on"));
    EXPECT_EQ(answered->json()["response_action"], "update");
    EXPECT_THAT(answered->json()["view"].dump(), HasSubstr("Denied"));
}

TEST_F(SlackWorld, I16_AWindowForAReasonAllowsNothing) {
    begin();
    ask();
    press("Deny…");
    auto window = last_view();
    const auto allow = pressing("Allow");
    window["private_metadata"] = metadata_of({.token = allow.data, .chat = allow.chat, .message = allow.message});
    interact(view_submission(
        {.view = window, .values = {{"reason", {{"field", {{"type", "plain_text_input"}, {"value", "fine"}}}}}}}));
    EXPECT_TRUE(forwarded().empty());
    EXPECT_EQ(world->ledger.count("refused"), 1U);
}

TEST_F(SlackWorld, AWindowThatIsSentAfterTheDecisionIsToldSo) {
    begin();
    ask();
    press("Deny…");
    press("Allow", "U78");
    ASSERT_EQ(forwarded().size(), 1U);
    const auto answered = interact(view_submission({.view = last_view()}));
    EXPECT_EQ(forwarded().size(), 1U);
    EXPECT_THAT(answered->json()["view"].dump(), HasSubstr("Too late"));
}

TEST_F(SlackWorld, AWindowOpensForPeopleOfTheConfigurationAlone) {
    begin();
    ask();
    press("Deny…", "U666");
    EXPECT_TRUE(http.of("views.open").empty());
    EXPECT_EQ(world->ledger.count("refused"), 1U);
}

Json answered(const std::string& first, const Json& second) {
    return {{"w0", {{"field", {{"type", "plain_text_input"}, {"value", first}}}}},
            {"w1", {{"field", {{"type", "plain_text_input"}, {"value", second}}}}}};
}

Request two_questions(Ulid id) {
    auto request = question_request(id);
    auto& questions = std::get<Questionnaire>(request.body).questions;
    questions[1].secret = false;
    return request;
}

TEST_F(SlackWorld, SeveralQuestionsAreAnsweredByOneWindow) {
    begin();
    ask(two_questions(world->ids.next()));
    press("Answer…");
    const auto view = last_view();
    ASSERT_FALSE(view.is_null());
    const auto missing = interact(view_submission({.view = view, .values = answered("/deny it", nullptr)}));
    EXPECT_EQ(missing->json()["response_action"], "errors");
    EXPECT_TRUE(missing->json()["errors"].contains("w1"));
    EXPECT_TRUE(forwarded().empty());
    const auto done = interact(view_submission({.view = view, .values = answered("/deny it", "hunter")}));
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].outcome, Outcome::answered);
    ASSERT_EQ(forwarded()[0].answers.size(), 2U);
    EXPECT_EQ(forwarded()[0].answers[0].text, "/deny it") << "an answer is no command";
    EXPECT_EQ(forwarded()[0].answers[1].text, "hunter");
    EXPECT_EQ(done->json()["response_action"], "update");
}

TEST_F(SlackWorld, ASlashCommandIsAnsweredInItsReply) {
    begin();
    const auto id = ask();
    const auto listed = slash("/pending", "");
    EXPECT_EQ(listed->json()["response_type"], "ephemeral");
    EXPECT_THAT(listed->answer().body, HasSubstr("ls"));
    const auto allowed = slash("/countersign", "approve " + code(id));
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].outcome, Outcome::allowed);
    EXPECT_THAT(allowed->answer().body, HasSubstr("Allowed"));
}

TEST_F(SlackWorld, ALateResultOfASlashCommandGoesToItsSenderAlone) {
    begin();
    const auto id = ask();
    world->ledger.hold(true);
    const auto typed = slash("/approve", code(id));
    EXPECT_FALSE(typed->slot->filled);
    typed->slot->closed = true;  // the front answered in its place
    world->ledger.hold(false);
    world->settle();
    EXPECT_EQ(forwarded().size(), 1U);
    ASSERT_EQ(http.of("chat.postEphemeral").size(), 1U);
    EXPECT_EQ(http.of("chat.postEphemeral")[0]["user"], "U77");
    EXPECT_THAT(last_text("chat.postEphemeral"), HasSubstr("Allowed"));
}

TEST_F(SlackWorld, AClickIsAcknowledgedWhileTheLogIsSlow) {
    begin();
    ask();
    world->ledger.hold(true);
    const auto clicked = press("Allow");
    ASSERT_TRUE(clicked->reply) << "before anything is on disk";
    EXPECT_TRUE(forwarded().empty()) << "I1";
    world->ledger.hold(false);
    world->settle();
    EXPECT_EQ(forwarded().size(), 1U);
    EXPECT_TRUE(last_text("chat.update").starts_with("✅ Allowed"));
}

TEST_F(SlackWorld, AReplyInTheThreadOffersToDenyWithItsWords) {
    begin();
    ask();
    notify(event({.text = "more tests first", .message = moment(), .thread = "1763258400.000001"}));
    EXPECT_TRUE(forwarded().empty());
    ASSERT_EQ(http.of("chat.postMessage").size(), 2U);
    EXPECT_EQ(http.of("chat.postMessage")[1]["thread_ts"], "1763258400.000001");
    auto offer = pressing("Deny with this reason");
    offer.message = "1763258400.000002";
    interact(block_actions(offer));
    ASSERT_EQ(forwarded().size(), 1U);
    EXPECT_EQ(forwarded()[0].reason, "more tests first");
}

TEST_F(SlackWorld, AnEventThatIsBroughtAgainCountsOnce) {
    begin();
    const auto id = ask();
    const auto said = event({.text = "!deny " + code(id), .message = moment()});
    notify(said);
    const auto calls = http.calls.size();
    EXPECT_EQ(forwarded().size(), 1U);
    notify(said);
    EXPECT_EQ(http.calls.size(), calls);
}

TEST_F(SlackWorld, OurOwnMessagesAreNotHeard) {
    begin();
    const auto id = ask();
    auto own = event({.user = "U0BOT", .text = "!approve " + code(id)});
    notify(own);
    own = event({.text = "!approve " + code(id)});
    own["event"]["bot_id"] = "B0BOT";
    notify(own);
    EXPECT_TRUE(forwarded().empty());
    EXPECT_EQ(world->ledger.count("refused"), 0U);
}

TEST_F(SlackWorld, TheAddressIsProvenByItsChallenge) {
    begin();
    EXPECT_EQ(notify({{"type", "url_verification"}, {"challenge", "abc"}})->json()["challenge"], "abc");
}

TEST_F(SlackWorld, AStepToAPersonGoesToTheirDirectMessages) {
    auto configuration = slack_configuration();
    configuration.routes.front().steps = {{.channel = "desk", .people = {"alice"}}};
    begin(configuration);
    ask();
    EXPECT_EQ(http.of("chat.postMessage").at(0)["channel"], "DU77");
    auto click = pressing("Allow");
    click.chat = "DU77";
    interact(block_actions(click));
    EXPECT_EQ(forwarded().size(), 1U);
}

TEST_F(SlackWorld, AnUninstalledAppEndsTheChannelOnceSlackConfirmsIt) {
    begin();
    auto gone = event({});
    gone["event"] = {{"type", "app_uninstalled"}};
    notify(gone);
    EXPECT_TRUE(slack->unready().empty()) << "auth.test says otherwise";
    gone["event_id"] = "Ev2";
    http.will("auth.test", FakeSlack::refused("account_inactive"));
    notify(gone);
    EXPECT_FALSE(slack->unready().empty());
}

TEST_F(SlackWorld, I2_ATokenThatSlackRefusesStartsNothing) {
    http.will("auth.test", FakeSlack::refused("invalid_auth"));
    begin();
    EXPECT_FALSE(slack->unready().empty());
    EXPECT_THAT(problems.back(), HasSubstr("OAuth & Permissions"));
}

TEST_F(SlackWorld, I2_WithoutTheSecretsOfItsModeNothingOpens) {
    begin();
    const auto open = [&](Mode mode) {
        SlackOptions options;
        options.token = security::Secret{token};
        options.mode = mode;
        return Slack::open(world->io.get_executor(), std::move(options), ports.of(*world, http), {}).error().code;
    };
    EXPECT_EQ(open(Mode::webhook), Errc::missing_secret);
    EXPECT_EQ(open(Mode::socket), Errc::missing_secret);
}

}  // namespace
}  // namespace countersign::channels::slack::fakes
