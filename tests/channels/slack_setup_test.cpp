// SPDX-License-Identifier: Apache-2.0
// Setting up Slack: which tokens are taken, who is bound by the code, and how the way that clicks come in changes.
#include "channels/slack/setup.hpp"

#include "channels/slack/bounds.hpp"
#include "channels/slack/manifest.hpp"
#include "channels/slack/pairing.hpp"
#include "core/limits.hpp"
#include "tests/channels/setup_fakes.hpp"
#include "tests/channels/slack_fakes.hpp"
#include "tests/fakes/fake_clock.hpp"
#include "tests/fakes/fake_ids.hpp"
#include "tests/fakes/message_pipe.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

namespace countersign::channels::slack {
namespace {

namespace asio = boost::asio;
using channels::fakes::FakeChannel;
using channels::fakes::Lines;
using channels::fakes::SetupTest;
using countersign::fakes::MessagePipe;
using fakes::FakeSlack;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::array<std::string, 3> codes{"ABCD1234", "EFGH5678", "JKMN9012"};

class SlackPairing : public testing::Test {
protected:
    void begin() {
        const PairingTerminal terminal{.new_code = [this] { return codes.at(shown++); },
                                       .wrong_code = [this] { ++wrong; }};
        asio::co_spawn(io,
                       pair({.bot = bot,
                             .app = app,
                             .clock = clock,
                             .ids = ids,
                             .connect = [this](std::string) { return connect(); },
                             .tell = [this](const std::string& text) { told += text; }},
                            "U0BOT", terminal),
                       [this](const std::exception_ptr& failed, Result<Paired> outcome) {
                           if (failed) std::rethrow_exception(failed);
                           result = std::move(outcome);
                       });
        settle();
        ASSERT_EQ(sockets.size(), limits::slack_sockets);
        for (std::size_t i = 0; i < sockets.size(); ++i) greet(i, i + 1);
    }
    void settle() {
        io.restart();
        io.poll();
    }
    asio::awaitable<Result<Stream>> connect() {
        auto [ours, theirs] = MessagePipe::pair(io.get_executor());
        sockets.push_back(std::move(theirs));
        co_return Stream{std::move(ours)};
    }
    void greet(std::size_t socket, std::size_t connections) {
        sockets.at(socket)->push(Json{{"type", "hello"}, {"num_connections", connections}}.dump());
        settle();
    }
    void envelope(const std::string& type, const Json& payload, bool takes_payload = false) {
        const Json envelope{{"envelope_id", "e-" + std::to_string(++envelopes)},
                            {"type", type},
                            {"accepts_response_payload", takes_payload},
                            {"payload", payload}};
        sockets.at(0)->push(envelope.dump());
        settle();
    }
    void say(const std::string& user, const std::string& text, const std::string& chat = {}) {
        envelope("events_api", fakes::event({.user = user, .text = text, .chat = chat.empty() ? "D" + user : chat}));
    }
    void slash(const std::string& user, const std::string& text) {
        envelope("slash_commands",
                 {{"team_id", "T0"},
                  {"channel_id", "C0OPS"},
                  {"user_id", user},
                  {"user_name", "alice"},
                  {"command", "/countersign"},
                  {"text", text}},
                 true);
    }
    std::vector<Json> acknowledged() {
        std::vector<Json> found;
        for (const auto& text : sockets.at(0)->arrived()) found.push_back(Json::parse(*text));
        return found;
    }
    // Who was told what, in the order of the messages.
    std::vector<std::string> answers() {
        std::vector<std::string> found;
        for (const auto& body : http.of("chat.postMessage")) {
            found.push_back(body["channel"].get<std::string>() + ": " + body["text"].get<std::string>());
        }
        return found;
    }

    asio::io_context io;
    countersign::fakes::FakeClock clock;
    countersign::fakes::FakeIds ids;
    FakeSlack http;
    SlackClient bot{http, "https://slack.com/api", security::Secret{fakes::token}};
    SlackClient app{http, "https://slack.com/api", security::Secret{fakes::app_token}};
    std::vector<std::unique_ptr<MessagePipe>> sockets;
    std::optional<Result<Paired>> result;
    std::string told;
    std::size_t shown = 0;
    int wrong = 0;
    int envelopes = 0;
};

TEST_F(SlackPairing, BindsWhoWritesTheCodeDirectlyAndTellsThemSo) {
    begin();
    say("U666", "hello");
    say("U666", "ABCD1235");
    EXPECT_FALSE(result);
    EXPECT_EQ(wrong, 1);
    say("U77", "ABCD1234");
    ASSERT_TRUE(result);
    ASSERT_TRUE(*result) << describe(result->error());
    EXPECT_EQ((*result)->id, "T0/U77");
    EXPECT_THAT(answers(),
                ElementsAre("DU666: Send the code that your terminal shows.",
                            "DU666: Send the code that your terminal shows.", "DU77: Done. Go back to your terminal."));
    EXPECT_EQ(acknowledged().size(), 3U) << "or the hub that starts next would get them again";
    EXPECT_THAT(told, IsEmpty());
}

TEST_F(SlackPairing, ASlashCommandBindsAndIsAnsweredInItsAcknowledgement) {
    begin();
    slash("U666", "start ABCD1235");
    slash("U77", "start abcd1234");
    ASSERT_TRUE(result && *result);
    EXPECT_EQ((*result)->id, "T0/U77");
    EXPECT_EQ((*result)->name, "alice");
    const auto said = acknowledged();
    ASSERT_EQ(said.size(), 2U);
    EXPECT_EQ(said[0]["payload"]["text"], "Send the code that your terminal shows.");
    EXPECT_EQ(said[1]["payload"]["response_type"], "ephemeral");
    EXPECT_EQ(said[1]["payload"]["text"], "Done. Go back to your terminal.");
    EXPECT_THAT(answers(), IsEmpty());
}

TEST_F(SlackPairing, ACodeThatOthersMayHaveReadIsReplaced) {
    begin();
    say("U77", "is it ABCD1234?", "C0OPS");
    EXPECT_EQ(shown, 2U);
    EXPECT_THAT(answers(), IsEmpty()) << "a channel hears nothing of it";
    auto edited = fakes::event({.user = "U666", .text = "x", .chat = "DU666"});
    edited["event"]["subtype"] = "message_changed";
    edited["event"]["message"] = {{"user", "U666"}, {"text", "EFGH5678"}, {"ts", "1763258410.000006"}, {"team", "T0"}};
    envelope("events_api", edited);
    EXPECT_EQ(shown, 3U);
    say("U666", "ABCD1234");
    EXPECT_FALSE(result);
    say("U77", "JKMN9012");
    EXPECT_EQ((*result)->id, "T0/U77");
}

TEST_F(SlackPairing, AnotherBotIsNeitherBoundNorAnswered) {
    begin();
    auto said = fakes::event({.user = "U0EVIL", .text = "ABCD1234", .chat = "DU0EVIL"});
    said["event"]["bot_id"] = "B0EVIL";
    envelope("events_api", said);
    EXPECT_FALSE(result);
    EXPECT_EQ(shown, 2U);
    EXPECT_THAT(answers(), IsEmpty());
}

TEST_F(SlackPairing, TheBotsOwnWordsAreNotHeard) {
    begin();
    say("U0BOT", "ABCD1234");
    say("U0BOT", "ABCD1234", "C0OPS");
    EXPECT_FALSE(result);
    EXPECT_EQ(shown, 1U);
    EXPECT_THAT(answers(), IsEmpty());
}

TEST_F(SlackPairing, APersonOfAnotherWorkspaceIsBoundAsThat) {
    begin();
    auto said = fakes::event({.user = "U5", .text = "ABCD1234", .chat = "DU5"});
    said["event"]["user_team"] = "T9";
    envelope("events_api", said);
    EXPECT_EQ((*result)->id, "T9/U5");
}

TEST_F(SlackPairing, I13_ItEndsTenMinutesAfterTheLastCode) {
    begin();
    clock.advance(limits::pairing_max - std::chrono::milliseconds{1});
    say("U77", "ABCD1234", "C0OPS");
    clock.advance(limits::pairing_max - std::chrono::milliseconds{1});
    settle();
    EXPECT_FALSE(result);
    clock.advance(std::chrono::milliseconds{1});
    settle();
    ASSERT_TRUE(result);
    EXPECT_EQ(result->error().code, Errc::timeout);
    EXPECT_THAT(result->error().detail, Not(HasSubstr("both tokens")));
}

TEST_F(SlackPairing, IfNothingCameTheTokensAreInDoubt) {
    begin();
    clock.advance(limits::pairing_max);
    settle();
    ASSERT_TRUE(result);
    EXPECT_THAT(result->error().detail, HasSubstr("are both tokens of the same app"));
}

TEST_F(SlackPairing, AnAppWithoutSocketModeEndsIt) {
    begin();
    sockets[1]->push(std::string{R"({"type":"disconnect","reason":"link_disabled"})"});
    settle();
    ASSERT_TRUE(result);
    EXPECT_EQ(result->error().code, Errc::bad_config);
    EXPECT_THAT(told, HasSubstr("Socket Mode is switched off for this app: switch it on"));
}

TEST_F(SlackPairing, AnotherProgramThatTakesMessagesIsToldOnce) {
    begin();
    EXPECT_THAT(told, IsEmpty()) << "two are ours";
    greet(0, 3);
    greet(1, 4);
    EXPECT_EQ(told.find("Another program"), 0U);
    EXPECT_EQ(told.rfind("Another program"), 0U);
}

class SlackSetup : public SetupTest<FakeSlack> {
protected:
    SlackSetup() : SetupTest<FakeSlack>{setup_kind, "slack"} {}
};
class SlackChannel final : public FakeChannel {
public:
    explicit SlackChannel(std::map<std::string, std::string> values)
        : FakeChannel{"slack", std::move(values), "xapp-1-A0-FakeTokenOfTheTestsAlone"} {}
};

TEST_F(SlackSetup, EachCredentialSaysHowToGetIt) {
    const auto wanted = open()->credentials();
    ASSERT_EQ(wanted.size(), 2U);
    EXPECT_EQ(wanted[0].setting, "token_file");
    EXPECT_THAT(wanted[0].steps, HasSubstr("    countersign setup slack --manifest\n"));
    EXPECT_EQ(wanted[1].setting, "app_token_file");
    EXPECT_THAT(wanted[1].steps, HasSubstr("connections:write"));
    const auto webhook = open({{"--webhook", "https://a.example"}})->credentials();
    ASSERT_EQ(webhook.size(), 3U);
    EXPECT_EQ(webhook[2].setting, "signing_secret_file");
}

TEST_F(SlackSetup, TheBotAndItsWorkspaceAreNamedAndTheTeamBecomesASetting) {
    const auto setup = open({{"--base-url", "https://slack.example/api"}});
    ASSERT_TRUE(check(*setup, 0, fakes::token));
    EXPECT_EQ(told, "This is @countersign of Acme (T0).\n");
    EXPECT_EQ(http.calls[0].request.url, "https://slack.example/api/auth.test");
    EXPECT_THAT(setup->settings(),
                ElementsAre(std::pair<std::string, std::string>{"team", "T0"},
                            std::pair<std::string, std::string>{"base_url", "https://slack.example/api"}));
    ASSERT_TRUE(check(*setup, 1, fakes::app_token));
    EXPECT_EQ(http.of("apps.connections.open").size(), 1U);
    EXPECT_THAT(told, Not(HasSubstr("Token")));
}

TEST_F(SlackSetup, I2_WhatSlackRefusesIsAskedForAgain) {
    const auto setup = open();
    EXPECT_EQ(check(*setup, 0, fakes::app_token).error().code, Errc::missing_secret);
    EXPECT_EQ(check(*setup, 1, fakes::token).error().code, Errc::missing_secret);
    EXPECT_THAT(http.calls, IsEmpty()) << "Slack is not asked about another kind of token";
    http.will("auth.test", FakeSlack::refused("account_inactive"));
    EXPECT_EQ(check(*setup, 0, fakes::token).error().code, Errc::missing_secret);
    auto answer = FakeSlack::ok({{"user_id", "U0BOT"}, {"team_id", "T0"}});
    answer.headers = {{"x-oauth-scopes", "chat:write"}};
    http.will("auth.test", answer);
    const auto scopes = check(*setup, 0, fakes::token);
    EXPECT_EQ(scopes.error().code, Errc::bad_config);
    EXPECT_THAT(scopes.error().detail, HasSubstr("files:write (to send a call"));
    http.will("apps.connections.open", FakeSlack::refused("missing_scope", {{"needed", "connections:write"}}));
    const auto app = check(*setup, 1, fakes::app_token);
    EXPECT_EQ(app.error().code, Errc::bad_config);
    EXPECT_THAT(app.error().detail, HasSubstr("lacks the scope connections:write: generate another one"));
    http.will("auth.test", Error{Errc::away, "no route"});
    EXPECT_EQ(check(*setup, 0, fakes::token).error().code, Errc::unavailable) << "another answer would not help";
}

TEST_F(SlackSetup, ASigningSecretIsKnownByItsForm) {
    const auto setup = open({{"--webhook", "https://a.example"}});
    EXPECT_TRUE(check(*setup, 2, fakes::signing_secret));
    for (const auto& wrong : {std::string{}, std::string(31, 'a'), std::string(33, 'a'), std::string(32, 'A')}) {
        EXPECT_EQ(check(*setup, 2, wrong).error().code, Errc::missing_secret) << wrong;
    }
    EXPECT_THAT(check(*setup, 2, fakes::token).error().detail, HasSubstr("a token, not the signing secret"));
    EXPECT_THAT(http.calls, IsEmpty()) << "it is sent nowhere";
}

TEST_F(SlackSetup, TheManifestIsPrintedAndNothingElseHappens) {
    EXPECT_FALSE(open()->printed());
    EXPECT_EQ(**open({{"--manifest", "true"}})->printed(), manifest());
    const auto webhook = open({{"--manifest", "true"}, {"--webhook", "https://a.example"}})->printed();
    EXPECT_THAT(**webhook, HasSubstr("request_url: https://a.example/webhooks/slack/slack\n"));
    EXPECT_FALSE(*open({{"--manifest", "true"}, {"--webhook", "a.example"}})->printed());
    EXPECT_THAT(http.calls, IsEmpty());
}

TEST(SlackManifest, ForAWebhookHasTheAddressWhereSlackCalls) {
    const std::string_view small = "# Socket Mode\ndisplay_information:\n  name: x\nfeatures:\n  slash_commands:\n"
                                   "    - command: /a\n      description: y\nsettings:\n  interactivity:\n"
                                   "    is_enabled: true\n  event_subscriptions:\n    bot_events:\n      - message.im\n"
                                   "  socket_mode_enabled: true\n";
    const auto made = webhook_manifest(small, "https://h/w");
    EXPECT_THAT(made, HasSubstr("    - command: /a\n      url: https://h/w\n      description: y\n"));
    EXPECT_THAT(made, HasSubstr("  interactivity:\n    request_url: https://h/w\n    is_enabled: true\n"));
    EXPECT_THAT(made, HasSubstr("  event_subscriptions:\n    request_url: https://h/w\n    bot_events:\n"));
    EXPECT_THAT(made, HasSubstr("  socket_mode_enabled: false\n"));
    EXPECT_THAT(made, Not(HasSubstr("# Socket Mode")));
}

TEST_F(SlackSetup, ToAWebhookAsksForTheSigningSecretAndSaysWhatToPasteWhere) {
    const auto setup = open({{"--webhook", "https://a.example"}, {"--listen", "127.0.0.1:1"}});
    EXPECT_TRUE(setup->changes_channel(true));
    EXPECT_FALSE(setup->changes_channel(false)) << "a new channel is set up first";
    SlackChannel channel{{{"app_token_file", "/etc/app"}}};
    channel.typed = fakes::signing_secret;
    ASSERT_TRUE(finish(setup->change(channel)));
    EXPECT_THAT(channel.asked, ElementsAre("signing_secret_file"));
    EXPECT_EQ(channel.change.set, (Lines{{"mode", "webhook"}, {"signing_secret_file", "/etc/slack-signing-secret"}}));
    EXPECT_EQ(channel.listens, "127.0.0.1:1");
    EXPECT_TRUE(channel.written);
    for (const auto* where :
         {"Interactivity & Shortcuts, Request URL:\n        https://a.example/webhooks/slack/desk\n",
          "Event Subscriptions, Request URL:\n        https://a.example/webhooks/slack/desk\n",
          "Slash Commands, Request URL of each command:\n        https://a.example/webhooks/slack/desk\n",
          "--manifest --webhook https://a.example --channel desk\n", "switch it off"}) {
        EXPECT_THAT(told, HasSubstr(where));
    }
    EXPECT_THAT(http.calls, IsEmpty()) << "Slack has no call for it";
}

TEST_F(SlackSetup, BackToSocketModeChecksTheAppsTokenBeforeAnythingIsWritten) {
    const auto setup = open({{"--socket", "true"}});
    EXPECT_TRUE(setup->changes_channel(false)) << "without a channel that is an error, not a set-up";
    SlackChannel channel{{{"mode", "webhook"}, {"signing_secret_file", "/etc/signing"}}};
    channel.typed = fakes::token;
    EXPECT_EQ(finish(setup->change(channel)).error().code, Errc::missing_secret);
    channel.typed = fakes::app_token;
    http.will("apps.connections.open", FakeSlack::refused("invalid_auth"));
    EXPECT_FALSE(finish(setup->change(channel)));
    EXPECT_FALSE(channel.written);
    const auto changed = finish(setup->change(channel));
    ASSERT_TRUE(changed) << describe(changed.error());
    EXPECT_THAT(*changed, HasSubstr("switch it on at the app's page"));
    EXPECT_EQ(channel.change.set, (Lines{{"app_token_file", "/etc/slack-app-token"}}));
    EXPECT_THAT(channel.change.remove, ElementsAre("mode"));
    EXPECT_THAT(told, HasSubstr("signing_secret_file in [channels.desk]"));
}

TEST_F(SlackSetup, AHubThatRunsKeepsItsWayOfHearing) {
    SlackChannel channel{{{"app_token_file", "/etc/app"}}};
    channel.typed = fakes::signing_secret;
    channel.hub_runs = true;
    const auto refused = finish(open({{"--webhook", "https://a.example"}})->change(channel));
    EXPECT_EQ(refused.error().code, Errc::busy);
    EXPECT_FALSE(channel.written);
    SlackChannel other{{{"signing_secret_file", "/etc/signing"}}};
    other.typed = fakes::signing_secret;
    other.hub_runs = true;
    EXPECT_TRUE(finish(open({{"--webhook", "https://b.example"}})->change(other))) << "only the address changes";
}

}  // namespace
}  // namespace countersign::channels::slack
