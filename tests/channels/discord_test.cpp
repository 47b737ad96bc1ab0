// SPDX-License-Identifier: Apache-2.0
// Whole flows: from a request through a card, a press and the log to the agent, over a fake REST API.
#include "channels/discord/views.hpp"
#include "tests/channels/discord_world.hpp"

namespace countersign::channels::discord::fakes {
namespace {

using namespace std::chrono_literals;
using countersign::fakes::question_request;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

constexpr auto post = "POST channels/:id/messages";
constexpr auto patch = "PATCH channels/:id/messages/:id";
constexpr auto follow_up = "POST webhooks/:id/:token";
constexpr auto original = "PATCH webhooks/:id/:token/messages/@original";

constexpr int words_type = 4;
constexpr int thinking_type = 5;
constexpr int deferred_type = 6;
constexpr int card_type = 7;
constexpr int modal_type = 9;

TEST_F(DiscordWorld, APressOnAllowReachesTheAgentAndIsAnsweredWithTheCard) {
    begin();
    const auto id = ask("ls -l");
    ASSERT_THAT(http.of(post), SizeIs(1));
    EXPECT_EQ(world->ledger.count("presented"), 1U);

    const auto delivered = press("Allow");
    ASSERT_THAT(forwarded(), SizeIs(1));
    EXPECT_EQ(forwarded()[0].request_id, id);
    EXPECT_EQ(forwarded()[0].outcome, Outcome::allowed);
    EXPECT_EQ(world->ledger.text("decision", "decidedBy"), "alice");
    ASSERT_EQ(delivered->type(), card_type) << delivered->body();
    EXPECT_THAT(delivered->body(), Not(HasSubstr("custom_id"))) << "the buttons are gone";
    EXPECT_THAT(delivered->body(), HasSubstr("Allowed"));
    ASSERT_THAT(http.of(patch), SizeIs(1)) << "the edit goes out with the bot's token all the same";
    EXPECT_EQ(http.of(patch)[0].body, delivered->json()["data"]);
    EXPECT_EQ(world->ledger.count("concluded"), 1U);
}

TEST_F(DiscordWorld, I1_TheAnswerPromisesNothingBeforeTheRecordIsOnDisk) {
    begin();
    ask();
    world->ledger.hold(true);
    const auto delivered = press("Allow");
    EXPECT_FALSE(delivered->reply);
    world->advance(limits::discord_reply_max - 1ms);
    EXPECT_FALSE(delivered->reply);
    world->advance(1ms);
    ASSERT_TRUE(delivered->reply);
    EXPECT_EQ(delivered->json(), (Json{{"type", deferred_type}}));
    EXPECT_TRUE(forwarded().empty());
    world->ledger.hold(false);
    world->settle();
    EXPECT_THAT(forwarded(), SizeIs(1));
    EXPECT_THAT(http.of(patch), SizeIs(1));
    EXPECT_TRUE(http.of(follow_up).empty()) << "the card says it";
}

TEST_F(DiscordWorld, I5_OnlyWhatDiscordSignedIsRead) {
    begin();
    ask();
    const auto body = button_press(doing(button("Allow"))).dump();
    const auto now = world->clock.wall();
    EXPECT_EQ(deliver(body, signed_headers(body, now + 301s))->reply->status, 401U);
    EXPECT_EQ(deliver(body, signed_headers(body + " ", now))->reply->status, 401U);
    EXPECT_EQ(deliver(body, {})->reply->status, 401U);
    EXPECT_TRUE(forwarded().empty());
    EXPECT_GE(world->ledger.count("refused"), 1U);
    EXPECT_EQ(deliver(body, signed_headers(body, now))->reply->status, 200U);
    EXPECT_THAT(forwarded(), SizeIs(1));
}

TEST_F(DiscordWorld, I5_AReplayHasNoEffect) {
    begin();
    ask();
    const auto pressed = button_press(doing(button("Allow"), stranger));
    EXPECT_EQ(interact(pressed)->type(), words_type);
    const auto told = http.calls.size();
    const auto refusals = world->ledger.count("refused");
    EXPECT_EQ(interact(pressed)->type(), deferred_type) << "and no second answer";
    EXPECT_EQ(http.calls.size(), told);
    EXPECT_EQ(world->ledger.count("refused"), refusals);
}

TEST_F(DiscordWorld, I4_AStrangerIsToldInPrivateThatTheyMayNot) {
    begin();
    ask();
    const auto delivered = press("Allow", stranger);
    EXPECT_TRUE(forwarded().empty());
    ASSERT_EQ(delivered->type(), words_type);
    EXPECT_EQ(delivered->json()["data"]["flags"].get<unsigned>() & ephemeral_flag, ephemeral_flag);
    EXPECT_THAT(delivered->body(), HasSubstr(stranger));
    EXPECT_EQ(world->ledger.count("refused"), 1U);
    EXPECT_TRUE(http.of(patch).empty());
}

TEST_F(DiscordWorld, ARefusalThatIsKnownTooLateFollowsForThatPersonAlone) {
    begin();
    ask();
    world->ledger.hold(true);
    const auto first = press("Allow");
    const auto second = press("Deny", bob);
    world->advance(limits::discord_reply_max);
    EXPECT_EQ(first->type(), deferred_type);
    world->ledger.hold(false);
    world->settle();
    EXPECT_THAT(forwarded(), SizeIs(1));
    // The second was too late, and hears it: in the answer or after it.
    const bool follows = second->type() == deferred_type;
    EXPECT_EQ(http.of(follow_up).size(), follows ? 1U : 0U);
    if (follows) {
        EXPECT_THAT(http.of(follow_up)[0].path, HasSubstr("aW50ZXJhY3Rpb242"));
        const auto said = http.of(follow_up);
        for (const auto& header : said[0].request.headers) EXPECT_NE(header.name, "authorization");
    }
}

TEST_F(DiscordWorld, I16_APressThatWasMadeTooLongAgoAllowsNothingAndStillDenies) {
    begin();
    ask("ls 1");
    auto late = doing(button("Allow"));
    auto denial = doing(button("Deny"));
    world->advance(5min);
    interact(button_press(late));
    EXPECT_TRUE(forwarded().empty());
    interact(button_press(denial));
    ASSERT_THAT(forwarded(), SizeIs(1));
    EXPECT_EQ(forwarded()[0].outcome, Outcome::denied);
}

TEST_F(DiscordWorld, I16_JustBeforeThatItAllows) {
    begin();
    ask();
    auto late = doing(button("Allow"));
    world->advance(5min - 1ms);
    interact(button_press(late));
    EXPECT_THAT(forwarded(), SizeIs(1));
}

TEST_F(DiscordWorld, TheReasonOfARefusalIsAskedForInAModal) {
    begin();
    const auto id = ask();
    const auto opened = press("Deny…");
    ASSERT_EQ(opened->type(), modal_type) << opened->body();
    EXPECT_TRUE(forwarded().empty());
    const auto modal = opened->json()["data"]["custom_id"].get<std::string>();
    EXPECT_EQ(part_named(modal).part, Part::reason);
    std::string field;
    find_field(opened->json(), field);
    const auto answered = interact(modal_submit(doing(modal), {{field, "not on\na Friday"}}));
    ASSERT_THAT(forwarded(), SizeIs(1));
    EXPECT_EQ(forwarded()[0].request_id, id);
    EXPECT_EQ(forwarded()[0].outcome, Outcome::denied);
    EXPECT_THAT(forwarded()[0].reason, HasSubstr("not on"));
    EXPECT_EQ(answered->type(), card_type) << answered->body();
}

TEST_F(DiscordWorld, AModalThatIsSentAfterTheDecisionIsToldSo) {
    begin();
    ask();
    const auto modal = press("Deny…")->json()["data"]["custom_id"].get<std::string>();
    press("Allow", bob);
    ASSERT_THAT(forwarded(), SizeIs(1));
    const auto answered = interact(modal_submit(doing(modal), {{"reason", "no"}}));
    EXPECT_THAT(forwarded(), SizeIs(1));
    EXPECT_EQ(answered->type(), words_type);
    EXPECT_THAT(answered->body(), HasSubstr("Too late"));
}

TEST_F(DiscordWorld, AModalOpensForPeopleOfTheConfigurationAlone) {
    begin();
    ask();
    EXPECT_EQ(press("Deny…", stranger)->type(), words_type);
    EXPECT_EQ(world->ledger.count("refused"), 1U);
}

TEST_F(DiscordWorld, I10_WordsWithAButtonThatAsksForNoneDecideNothing) {
    begin();
    ask();
    interact(modal_submit(doing(custom_id(Part::reason, button("Allow"))), {{"reason", "no"}}));
    EXPECT_TRUE(forwarded().empty());
    interact(modal_submit(doing(button("Allow")), {}));
    EXPECT_TRUE(forwarded().empty() || forwarded()[0].outcome != Outcome::allowed) << "a modal is not a button";
}

Request two_questions(Ulid id) {
    auto request = question_request(id);
    std::get<Questionnaire>(request.body).questions[1].secret = false;
    return request;
}

TEST_F(DiscordWorld, QuestionsThatWantWordsAreAnsweredInAModal) {
    begin();
    ask(two_questions(world->ids.next()));
    const auto opened = press("Answer…");
    ASSERT_EQ(opened->type(), modal_type) << http.of(post).back().body;
    const auto modal = opened->json()["data"]["custom_id"].get<std::string>();
    EXPECT_EQ(part_named(modal).part, Part::answers);
}

TEST_F(DiscordWorld, ASlashCommandIsAnsweredInItsReply) {
    begin();
    const auto id = ask();
    const auto listed = slash("pending");
    ASSERT_EQ(listed->type(), words_type) << listed->body();
    EXPECT_EQ(listed->json()["data"]["flags"].get<unsigned>() & ephemeral_flag, ephemeral_flag);
    EXPECT_THAT(listed->body(), HasSubstr("ls"));
    const auto allowed = slash("approve", Json::array({string_option("code", code(id))}));
    ASSERT_THAT(forwarded(), SizeIs(1));
    EXPECT_EQ(forwarded()[0].outcome, Outcome::allowed);
    EXPECT_EQ(allowed->type(), words_type);
    EXPECT_THAT(allowed->body(), HasSubstr("Allowed"));
}

TEST_F(DiscordWorld, ALateResultOfASlashCommandReplacesWhatSaysThinking) {
    begin();
    const auto id = ask();
    world->ledger.hold(true);
    const auto typed = slash("approve", Json::array({string_option("code", code(id))}));
    world->advance(limits::discord_reply_max);
    ASSERT_EQ(typed->type(), thinking_type);
    EXPECT_EQ(typed->json()["data"]["flags"], ephemeral_flag);
    world->ledger.hold(false);
    world->settle();
    EXPECT_THAT(forwarded(), SizeIs(1));
    ASSERT_THAT(http.of(original), SizeIs(1));
    EXPECT_THAT(http.of(original)[0].body.dump(), HasSubstr("Allowed"));
    EXPECT_THAT(http.of(original)[0].path, HasSubstr(application));
}

TEST_F(DiscordWorld, AResultAfterTheTokensEndIsDropped) {
    begin();
    const auto id = ask();
    world->ledger.hold(true);
    slash("approve", Json::array({string_option("code", code(id))}));
    world->advance(limits::discord_reply_max);
    world->advance(limits::discord_interaction_life);
    world->ledger.hold(false);
    world->settle();
    EXPECT_TRUE(http.of(original).empty());
    EXPECT_TRUE(http.of(follow_up).empty());
}

TEST_F(DiscordWorld, WordsThatOvertakeTheFirstAnswerAreSentAgainForAsLongAsDiscordTakesThatAnswer) {
    begin();
    const auto more = Json::array({string_option("words", "more " + code(ask()))});
    const auto unknown = FakeDiscord::refused(404, 10015, "Unknown Webhook");
    http.will(follow_up, unknown);
    slash("countersign", more);
    EXPECT_THAT(http.of(follow_up), SizeIs(1));
    world->advance(limits::discord_overtaking_interval);
    EXPECT_THAT(http.of(follow_up), SizeIs(2));
    world->advance(limits::discord_overtaking_max);
    EXPECT_THAT(http.of(follow_up), SizeIs(2)) << "it was taken";

    for (int i = 0; i < 100; ++i) http.will(follow_up, unknown);
    slash("countersign", more);
    for (int i = 0; i < 100; ++i) world->advance(limits::discord_overtaking_interval);
    const auto tries = http.of(follow_up).size() - 2;
    EXPECT_EQ(tries, 1 + limits::discord_overtaking_max / limits::discord_overtaking_interval);
}

TEST_F(DiscordWorld, HaltAndTheOtherCommandsAreTakenToo) {
    begin();
    const auto id = ask();
    const auto answered = slash("countersign", Json::array({string_option("words", "deny " + code(id) + " not now")}));
    ASSERT_THAT(forwarded(), SizeIs(1));
    EXPECT_EQ(forwarded()[0].reason, "not now");
    EXPECT_EQ(answered->type(), words_type);
    EXPECT_EQ(slash("countersign")->type(), words_type) << "the help";
    EXPECT_EQ(slash("halt", Json::array({string_option("name", "nobody")}))->type(), words_type);
}

TEST_F(DiscordWorld, CommandsAreRegisteredWhereTheyAreMissing) {
    begin();
    EXPECT_THAT(http.of("POST applications/:id/commands"), SizeIs(5));
    auto registered = Json::array();
    for (const auto& call : http.of("POST applications/:id/commands")) registered.push_back(call.body);
    http.calls.clear();
    http.will("GET applications/:id/commands", FakeDiscord::ok(registered));
    begin();
    EXPECT_TRUE(http.of("POST applications/:id/commands").empty());
}

TEST_F(DiscordWorld, AnInteractionOfAnotherAppIsNotTaken) {
    begin();
    ask();
    auto other = button_press(doing(button("Allow")));
    other["application_id"] = "290926444748734499";
    EXPECT_EQ(interact(other)->reply->status, 400U);
    EXPECT_TRUE(forwarded().empty());
}

TEST_F(DiscordWorld, AStepToAPersonGoesToTheirDirectMessages) {
    auto configuration = discord_configuration();
    configuration.routes.front().steps = {{.channel = "desk", .people = {"alice"}}};
    begin(configuration);
    ask();
    EXPECT_EQ(http.of("POST users/@me/channels").at(0).body["recipient_id"], alice);
    EXPECT_EQ(http.of(post).at(0).path, "channels/777000000000000001/messages");
    auto direct = doing(button("Allow"));
    direct.direct = true;
    direct.chat = "777000000000000001";
    interact(button_press(direct));
    EXPECT_THAT(forwarded(), SizeIs(1));
}

TEST_F(DiscordWorld, ByTheGatewayTheAnswerIsACallAndAReplayAfterAResumeStillDecides) {
    begin(discord_configuration(), Mode::gateway);
    EXPECT_TRUE(discord->inbound().empty());
    EXPECT_FALSE(discord->unready().empty());
    push({{"op", 10}, {"d", {{"heartbeat_interval", 45'000}}}});
    dispatch("READY", {{"session_id", "s"}, {"resume_gateway_url", "wss://gateway.discord.gg"}});
    EXPECT_TRUE(discord->unready().empty());
    ask();
    http.will("POST interactions/:id/:token/callback", FakeDiscord::refused(404, 10062, "Unknown interaction"));
    auto replayed = doing(button("Allow"));
    world->advance(1min);
    dispatch("INTERACTION_CREATE", button_press(replayed));
    ASSERT_THAT(forwarded(), SizeIs(1));
    EXPECT_THAT(http.of("POST interactions/:id/:token/callback"), SizeIs(1));
    EXPECT_THAT(http.of(patch), SizeIs(1));
}

TEST_F(DiscordWorld, ATextInTheDirectMessagesIsHeardByTheGateway) {
    auto configuration = discord_configuration();
    configuration.routes.front().steps = {{.channel = "desk", .people = {"alice"}}};
    begin(configuration, Mode::gateway);
    push({{"op", 10}, {"d", {{"heartbeat_interval", 45'000}}}});
    dispatch("READY", {{"session_id", "s"}, {"resume_gateway_url", "wss://gateway.discord.gg"}});
    const auto id = ask();
    const auto typed = "deny " + code(id, direct_chat(alice)) + " not now";
    dispatch("MESSAGE_CREATE", direct_message(snowflake(world->clock.wall(), 1), typed));
    ASSERT_THAT(forwarded(), SizeIs(1));
    EXPECT_EQ(forwarded()[0].reason, "not now");
    auto own = direct_message(snowflake(world->clock.wall(), 2), "pending", bot);
    own["author"]["bot"] = true;
    const auto calls = http.calls.size();
    dispatch("MESSAGE_CREATE", own);
    EXPECT_EQ(http.calls.size(), calls) << "our own words are not heard";
}

TEST_F(DiscordWorld, AnAppWithAnEndpointSendsNothingToTheGatewayAndReadinessSaysSo) {
    http.me["interactions_endpoint_url"] = "https://approvals.example.com/webhooks/discord/desk";
    begin(discord_configuration(), Mode::gateway);
    push({{"op", 10}, {"d", {{"heartbeat_interval", 45'000}}}});
    dispatch("READY", {{"session_id", "s"}, {"resume_gateway_url", "wss://gateway.discord.gg"}});
    ASSERT_THAT(discord->unready(), SizeIs(1));
    EXPECT_THAT(discord->unready()[0], HasSubstr("Interactions Endpoint URL"));
}

TEST_F(DiscordWorld, I2_ATokenOrKeyOfAnotherAppStartsNothing) {
    http.me["verify_key"] = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
    begin();
    EXPECT_FALSE(discord->unready().empty());
    EXPECT_THAT(problems.back(), HasSubstr("public_key"));
    http.me["verify_key"] = public_key;
    http.will("GET applications/@me", FakeDiscord::refused(401, 0, "401: Unauthorized"));
    begin();
    EXPECT_FALSE(discord->unready().empty());
    EXPECT_THAT(problems.back(), HasSubstr("Reset Token"));
}

TEST_F(DiscordWorld, ATokenThatIsRefusedLaterEndsTheChannelOnceDiscordConfirmsIt) {
    begin();
    http.will(post, FakeDiscord::refused(401, 0, "401: Unauthorized"));
    ask("ls 1");
    world->advance(1min);
    EXPECT_TRUE(discord->unready().empty()) << "users/@me says otherwise";
    for (int i = 0; i < 3; ++i) http.will(post, FakeDiscord::refused(401, 0, "401: Unauthorized"));
    http.will("GET users/@me", FakeDiscord::refused(401, 0, "401: Unauthorized"));
    ask("ls 2");
    world->advance(1min);
    EXPECT_FALSE(discord->unready().empty());
}

TEST_F(DiscordWorld, I2_WithoutAKeyThatMayVerifyNoWebhookOpens) {
    begin();
    const auto open = [&](const std::string& key) {
        DiscordOptions options;
        options.token = security::Secret{token};
        options.mode = Mode::webhook;
        options.public_key = key;
        return Discord::open(world->io.get_executor(), std::move(options), ports.of(*world, http), {}).error().code;
    };
    EXPECT_EQ(open(""), Errc::missing_secret);
    EXPECT_EQ(open(std::string(64, '0')), Errc::bad_config) << "all zero: it was never set";
    // Points of low order accept signatures that anybody can make.
    EXPECT_EQ(open("0100000000000000000000000000000000000000000000000000000000000000"), Errc::bad_config);
    EXPECT_EQ(open("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"), Errc::bad_config);
    EXPECT_EQ(open("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), Errc::bad_config);
    EXPECT_EQ(open("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"), Errc::bad_config);
    EXPECT_EQ(open(std::string{public_key}.substr(1)), Errc::bad_config);
    EXPECT_EQ(open(std::string{public_key} + "00"), Errc::bad_config);
}

}  // namespace
}  // namespace countersign::channels::discord::fakes
