// SPDX-License-Identifier: Apache-2.0
// Setting up Discord: which tokens are taken, who is bound by the code, and how the way that presses come in changes.
#include "channels/discord/setup.hpp"

#include "channels/discord/pairing.hpp"
#include "core/limits.hpp"
#include "tests/channels/discord_fakes.hpp"
#include "tests/channels/setup_fakes.hpp"
#include "tests/fakes/fake_clock.hpp"
#include "tests/fakes/fake_ids.hpp"
#include "tests/fakes/message_pipe.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <optional>

namespace countersign::channels::discord {
namespace {

namespace asio = boost::asio;
using channels::fakes::FakeChannel;
using channels::fakes::Lines;
using channels::fakes::SetupTest;
using countersign::fakes::MessagePipe;
using namespace fakes;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const std::array<std::string, 3> codes{"ABCD1234", "EFGH5678", "JKMN9012"};
constexpr auto base_url = "https://discord.com/api/v10";

// Discord, which takes its time over the first answer to an interaction while `is_slow`.
class SlowDiscord final : public HttpClient {
public:
    SlowDiscord(HttpClient& discord, asio::io_context& io)
        : taken{io, asio::steady_timer::time_point::max()}, discord_{discord} {}
    asio::awaitable<Result<HttpResponse>> send(HttpRequest request) override {
        const bool waits = is_slow && request.url.ends_with("/callback");
        boost::system::error_code woken;
        if (waits) co_await taken.async_wait(asio::redirect_error(asio::use_awaitable, woken));
        co_return co_await discord_.send(std::move(request));
    }
    bool is_slow = false;
    asio::steady_timer taken;

private:
    HttpClient& discord_;
};

class DiscordPairing : public testing::Test {
protected:
    void begin() {
        const PairingTerminal terminal{.new_code = [this] { return codes.at(shown++); },
                                       .wrong_code = [this] { ++wrong; }};
        asio::co_spawn(io,
                       pair({.client = client,
                             .clock = clock,
                             .ids = ids,
                             .connect = [this](std::string) { return connect(); },
                             .tell = [this](const std::string& text) { told += text; }},
                            base_url, bot, terminal),
                       [this](const std::exception_ptr& failed, Result<Paired> outcome) {
                           if (failed) std::rethrow_exception(failed);
                           result = std::move(outcome);
                       });
        settle();
        ASSERT_TRUE(theirs);
        push({{"op", 10}, {"d", {{"heartbeat_interval", 45'000}}}});
        dispatch("READY", {{"v", 10}, {"session_id", "s"}, {"resume_gateway_url", "wss://gateway.discord.gg"}});
    }
    void settle() {
        io.restart();
        io.poll();
    }
    asio::awaitable<Result<LinePtr>> connect() {
        auto [ours, other] = MessagePipe::pair(io.get_executor());
        theirs = std::move(other);
        line = std::make_shared<FakeLine>(std::move(ours));
        co_return LinePtr{line};
    }
    void push(const Json& frame) {
        theirs->push(frame.dump());
        settle();
    }
    void dispatch(const std::string& event, const Json& data) {
        push({{"op", 0}, {"s", ++seq}, {"t", event}, {"d", data}});
    }
    std::string next_id() { return snowflake(clock.wall(), ++acts); }
    void say(const std::string& user, const std::string& text, const Json& more = Json::object()) {
        auto message = direct_message(next_id(), text, user);
        message.update(more, true);
        dispatch("MESSAGE_CREATE", message);
    }
    void slash(const std::string& user, const std::string& words) {
        dispatch("INTERACTION_CREATE", slash_command({.user = user, .id = next_id()}, "countersign",
                                                     Json::array({string_option("words", words)})));
    }
    // What the bot wrote to people directly.
    std::vector<std::string> answers() {
        std::vector<std::string> found;
        for (const auto& call : http.of("POST channels/:id/messages")) {
            found.push_back(call.body["components"][0]["content"].get<std::string>());
        }
        return found;
    }

    asio::io_context io;
    countersign::fakes::FakeClock clock;
    countersign::fakes::FakeIds ids;
    FakeDiscord http;
    SlowDiscord slow{http, io};
    DiscordClient client{slow, clock, base_url, security::Secret{token}};
    std::unique_ptr<MessagePipe> theirs;
    std::shared_ptr<FakeLine> line;
    std::optional<Result<Paired>> result;
    std::string told;
    std::size_t shown = 0;
    int wrong = 0;
    int seq = 0;
    unsigned acts = 0;
};

TEST_F(DiscordPairing, BindsThePersonWhoWritesTheCodeDirectlyAndTellsThemSo) {
    http.will("GET users/:id", FakeDiscord::ok({{"id", alice}, {"username", "mason"}, {"global_name", "Mason"}}));
    begin();
    say(stranger, "hello");
    say(stranger, "ABCD1235");
    EXPECT_FALSE(result);
    EXPECT_EQ(wrong, 1);
    say(alice, "abcd1234");
    ASSERT_TRUE(result);
    ASSERT_TRUE(*result) << describe(result->error());
    EXPECT_EQ((*result)->id, alice);
    EXPECT_EQ((*result)->name, "Mason");
    EXPECT_THAT(answers(), ElementsAre(HasSubstr("Send the code"), HasSubstr("Send the code"), HasSubstr("Done")));
    EXPECT_THAT(told, IsEmpty());
}

TEST_F(DiscordPairing, ASlashCommandBindsAndIsAnsweredToItsSenderAlone) {
    begin();
    slash(stranger, "start ABCD1235");
    slash(alice, "start abcd1234");
    ASSERT_TRUE(result && *result);
    EXPECT_EQ((*result)->id, alice);
    const auto said = http.of("POST interactions/:id/:token/callback");
    ASSERT_EQ(said.size(), 2U);
    EXPECT_THAT(said[0].body.dump(), HasSubstr("Send the code that your terminal shows"));
    EXPECT_THAT(said[1].body.dump(), HasSubstr("Go back to your terminal"));
    EXPECT_EQ(said[1].body["data"]["flags"].get<unsigned>() & ephemeral_flag, ephemeral_flag);
    EXPECT_THAT(answers(), IsEmpty());
}

TEST_F(DiscordPairing, ItEndsOnlyWhenDiscordHasTheAnswerToTheSlashCommand) {
    begin();
    slow.is_slow = true;
    slash(alice, "start ABCD1234");
    EXPECT_FALSE(result);
    slow.taken.cancel();
    settle();
    ASSERT_TRUE(result && *result);
    EXPECT_EQ(http.of("POST interactions/:id/:token/callback").size(), 1U);
}

TEST_F(DiscordPairing, TheCodeAloneIsEnoughInTheSlashCommand) {
    begin();
    slash(alice, "ABCD1234");
    ASSERT_TRUE(result && *result);
    EXPECT_EQ((*result)->id, alice);
}

TEST_F(DiscordPairing, ACodeThatWasForwardedEditedInOrSentByABotIsReplaced) {
    begin();
    auto author = direct_message("1", "")["author"];
    author["id"] = stranger;
    author["bot"] = true;
    say(stranger, "ABCD1234", {{"author", author}});
    EXPECT_FALSE(result);
    EXPECT_EQ(shown, 2U);
    EXPECT_THAT(answers(), IsEmpty()) << "a bot is not answered";
    auto edited = direct_message(next_id(), "EFGH5678", stranger);
    edited["edited_timestamp"] = "2025-11-16T02:00:01.000000+00:00";
    dispatch("MESSAGE_UPDATE", edited);
    EXPECT_FALSE(result);
    EXPECT_EQ(shown, 3U);
    say(alice, "JKMN9012");
    ASSERT_TRUE(result && *result);
    EXPECT_EQ((*result)->id, alice);
}

TEST_F(DiscordPairing, TheBotsOwnWordsAreNotHeard) {
    begin();
    say(bot, "ABCD1234");
    EXPECT_FALSE(result);
    EXPECT_EQ(shown, 1U);
    EXPECT_THAT(answers(), IsEmpty());
}

TEST_F(DiscordPairing, I13_ItEndsTenMinutesAfterTheLastCode) {
    begin();
    say(stranger, "hello");
    clock.advance(limits::pairing_max - std::chrono::milliseconds{1});
    settle();
    EXPECT_FALSE(result);
    clock.advance(std::chrono::milliseconds{1});
    settle();
    ASSERT_TRUE(result);
    EXPECT_EQ(result->error().code, Errc::timeout);
    EXPECT_THAT(result->error().detail, Not(HasSubstr("Nothing at all")));
}

TEST_F(DiscordPairing, IfNothingCameTheBotAndTheServerAreInDoubt) {
    begin();
    clock.advance(limits::pairing_max);
    settle();
    ASSERT_TRUE(result);
    EXPECT_THAT(result->error().detail, HasSubstr("does your server allow direct messages"));
}

TEST_F(DiscordPairing, AnIntentThatDiscordRefusesIsNamed) {
    begin();
    line->code = 4014;
    theirs->close();
    settle();
    ASSERT_TRUE(result);
    EXPECT_EQ(result->error().code, Errc::bad_config);
    EXPECT_THAT(result->error().detail, HasSubstr("Bot, Privileged Gateway Intents"));
}

class DiscordSetup : public SetupTest<FakeDiscord> {
protected:
    DiscordSetup() : SetupTest<FakeDiscord>{setup_kind, "discord"} {}
};
class DiscordChannel final : public FakeChannel {
public:
    explicit DiscordChannel(std::map<std::string, std::string> values)
        : FakeChannel{"discord", std::move(values), token} {}
};

TEST_F(DiscordSetup, TheCredentialSaysHowToGetItAndThatNoIntentIsNeeded) {
    const auto wanted = open()->credentials();
    ASSERT_EQ(wanted.size(), 1U);
    EXPECT_EQ(wanted[0].setting, "token_file");
    EXPECT_THAT(wanted[0].steps, HasSubstr("https://discord.com/developers/applications"));
    EXPECT_THAT(wanted[0].steps, HasSubstr("Leave every switch under\n   Privileged Gateway Intents off"));
}

TEST_F(DiscordSetup, TheBotIsNamedAndItsApplicationBecomesASetting) {
    const auto setup = open({{"--base-url", "https://discord.example/v10"}, {"--guild", ops}});
    ASSERT_TRUE(check(*setup, 0, token));
    EXPECT_EQ(told, "This is @countersign (application 290926444748734465).\n");
    EXPECT_EQ(http.calls[0].request.url, "https://discord.example/v10/applications/@me");
    EXPECT_EQ(setup->settings(),
              (Lines{{"application_id", application}, {"guild", ops}, {"base_url", "https://discord.example/v10"}}));
}

TEST_F(DiscordSetup, I2_WhatDiscordRefusesIsAskedForAgain) {
    const auto setup = open();
    EXPECT_EQ(check(*setup, 0, "0123456789abcdef0123456789abcdef").error().code, Errc::missing_secret);
    EXPECT_THAT(http.calls, IsEmpty()) << "Discord is not asked about another kind of secret";
    http.will("GET applications/@me", FakeDiscord::refused(401, 0, "401: Unauthorized"));
    const auto refused = check(*setup, 0, token);
    EXPECT_EQ(refused.error().code, Errc::missing_secret);
    EXPECT_THAT(refused.error().detail, HasSubstr("Bot, Reset Token"));
    http.will("GET applications/@me", Error{Errc::away, "no route"});
    EXPECT_EQ(check(*setup, 0, token).error().code, Errc::unavailable) << "another answer would not help";
    EXPECT_THAT(check(*open({{"--guild", "Acme"}}), 0, token).error().detail, HasSubstr("Copy Server ID"));
}

TEST_F(DiscordSetup, I13_ItWaitsTenMinutesUntilTheBotIsInAServer) {
    const auto setup = open();
    ASSERT_TRUE(check(*setup, 0, token));
    std::optional<Result<PairedPerson>> outcome;
    asio::co_spawn(io, setup->pair(),
                   [&](const std::exception_ptr&, Result<PairedPerson> result) { outcome = std::move(result); });
    const auto advance = [this](std::chrono::milliseconds by) {
        clock.advance(by);
        io.restart();
        io.poll();
    };
    advance(std::chrono::milliseconds{0});
    EXPECT_THAT(told, HasSubstr("scope=bot+applications.commands&permissions=309237746688\n"));
    EXPECT_THAT(told, HasSubstr("Waiting until the bot is in a server …\n"));
    for (std::chrono::milliseconds left = limits::pairing_max; left > limits::pairing_retry;
         left -= limits::pairing_retry) {
        advance(limits::pairing_retry);
    }
    EXPECT_FALSE(outcome);
    advance(limits::pairing_retry);
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->error().code, Errc::timeout);
    EXPECT_TRUE(http.of("POST applications/:id/commands").empty());
}

TEST_F(DiscordSetup, ToAWebhookWritesThePublicKeyAndSaysWhereToPasteTheAddress) {
    const auto setup = open({{"--webhook", "https://a.example"}, {"--listen", "127.0.0.1:1"}});
    EXPECT_TRUE(setup->changes_channel(true));
    EXPECT_FALSE(setup->changes_channel(false)) << "a new channel is set up first";
    DiscordChannel channel{{{"token_file", "/etc/token"}}};
    ASSERT_TRUE(finish(setup->change(channel)));
    EXPECT_EQ(channel.change.set,
              (Lines{{"mode", "webhook"}, {"public_key", std::string{public_key}}, {"application_id", application}}));
    EXPECT_EQ(channel.listens, "127.0.0.1:1");
    EXPECT_TRUE(channel.written);
    EXPECT_THAT(told, HasSubstr("under Interactions Endpoint URL:\n        https://a.example/webhooks/discord/desk\n"));
    EXPECT_THAT(told, HasSubstr("https://discord.com/developers/applications/290926444748734465/information\n"));
}

TEST_F(DiscordSetup, I2_AnApplicationWithoutAPublicKeyGetsNoWebhook) {
    http.me["verify_key"] = "not a key";
    DiscordChannel channel{{{"token_file", "/etc/token"}}};
    EXPECT_EQ(finish(open({{"--webhook", "https://a.example"}})->change(channel)).error().code, Errc::malformed);
    EXPECT_FALSE(channel.written);
}

TEST_F(DiscordSetup, BackToTheGatewayDeletesOurAddressAndNoOther) {
    const auto setup = open({{"--gateway", "true"}});
    EXPECT_TRUE(setup->changes_channel(false)) << "without a channel that is an error, not a set-up";
    DiscordChannel channel{{{"token_file", "/etc/token"}, {"mode", "webhook"}}};
    http.me["interactions_endpoint_url"] = "https://other.example/webhooks/discord/another";
    EXPECT_EQ(finish(setup->change(channel)).error().code, Errc::conflict);
    EXPECT_FALSE(channel.written);
    EXPECT_TRUE(http.of("PATCH applications/@me").empty());
    http.me["interactions_endpoint_url"] = "https://a.example/webhooks/discord/desk";
    const auto changed = finish(setup->change(channel));
    ASSERT_TRUE(changed) << describe(changed.error());
    ASSERT_EQ(http.of("PATCH applications/@me").size(), 1U);
    EXPECT_TRUE(http.of("PATCH applications/@me")[0].body["interactions_endpoint_url"].is_null());
    EXPECT_THAT(channel.change.remove, ElementsAre("mode"));
    EXPECT_TRUE(channel.written);
    EXPECT_THAT(told, HasSubstr("public_key in [channels.desk]"));
    EXPECT_TRUE(finish(open({{"--gateway", "true"}}, true)->change(channel))) << "or by --force";
}

TEST_F(DiscordSetup, AHubThatRunsKeepsItsWayOfHearing) {
    DiscordChannel channel{{{"token_file", "/etc/token"}}};
    channel.hub_runs = true;
    const auto refused = finish(open({{"--webhook", "https://a.example"}})->change(channel));
    EXPECT_EQ(refused.error().code, Errc::busy);
    EXPECT_FALSE(channel.written);
    DiscordChannel other{{{"token_file", "/etc/token"}, {"mode", "webhook"}}};
    other.hub_runs = true;
    EXPECT_TRUE(finish(open({{"--webhook", "https://b.example"}})->change(other))) << "only the address changes";
}

}  // namespace
}  // namespace countersign::channels::discord
