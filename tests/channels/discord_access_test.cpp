// SPDX-License-Identifier: Apache-2.0
// What the bot lacks in a channel, where its commands are registered, and what the operator is told of both.
#include "channels/discord/access.hpp"

#include "channels/discord/bounds.hpp"
#include "core/json/read.hpp"
#include "tests/channels/discord_fakes.hpp"
#include "tests/channels/discord_world.hpp"
#include "tests/fakes/fake_clock.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

namespace countersign::channels::discord {
namespace {

using namespace fakes;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr auto guild = "290926798626357999";
constexpr PermissionBits everything_needed = 309'237'746'688;

TEST(DiscordPermissions, TheInvitationAsksForWhatIsNeededAndNothingElse) {
    PermissionBits bits = 0;
    for (const auto& one : needed_permissions()) bits |= one.bit;
    EXPECT_EQ(bits, everything_needed);
    EXPECT_EQ(invite_address(application), "https://discord.com/oauth2/authorize?client_id=290926444748734465&scope="
                                           "bot+applications.commands&permissions=309237746688");
}

class DiscordOverwrites : public testing::Test {
protected:
    static Json overwrite(const std::string& id, int kind, PermissionBits allow, PermissionBits deny) {
        return {{"id", id}, {"type", kind}, {"allow", std::to_string(allow)}, {"deny", std::to_string(deny)}};
    }
    [[nodiscard]] PermissionBits with(const std::vector<Json>& overwrites) const {
        const Json channel{{"permission_overwrites", overwrites}};
        return permissions_in(*json::read(channel.dump())->value.object(), member);
    }
    Membership member{.server = guild, .bot = bot, .permissions = 0b1100, .roles = {"41", "42"}};
};

TEST_F(DiscordOverwrites, AreAppliedForEveryoneThenForRolesThenForTheBot) {
    member.permissions = 0b10000 | 0b100;
    EXPECT_EQ(with({}), 0b10100U);
    EXPECT_EQ(with({overwrite(guild, 0, 0b1, 0b100)}), 0b10001U);
    EXPECT_EQ(with({overwrite("41", 0, 0, 0b100), overwrite("42", 0, 0b100, 0)}), 0b10100U)
        << "one role allows what another denies";
    EXPECT_EQ(with({overwrite(bot, 1, 0b100, 0b10000), overwrite("41", 0, 0b1, 0b100)}), 0b101U);
    EXPECT_EQ(with({overwrite("43", 0, 0b1, 0b100), overwrite(alice, 1, 0, 0b100)}), 0b10100U) << "those of others";
}

TEST_F(DiscordOverwrites, AnAdministratorMayDoEverything) {
    member.permissions = 0b1000;
    EXPECT_THAT(missing_permissions(with({overwrite(bot, 1, 0, ~0ULL)})), IsEmpty());
}

TEST_F(DiscordOverwrites, NumbersThatAreNoneAllowNothing) {
    for (const auto* text : {"", "-1", "12x", "18446744073709551616", "0x4"}) EXPECT_EQ(permission_bits(text), 0U);
    EXPECT_EQ(permission_bits("18446744073709551615"), ~0ULL);
}

class DiscordAccess : public testing::Test {
protected:
    template <class Value> Value finish(boost::asio::awaitable<Value> step) {
        std::optional<Value> outcome;
        boost::asio::co_spawn(io, std::move(step), [&](const std::exception_ptr& failed, Value result) {
            if (failed) std::rethrow_exception(failed);
            outcome = std::move(result);
        });
        io.restart();
        io.run();
        return std::move(*outcome);
    }
    // The bot's server, its roles and one channel.
    void server(PermissionBits permissions = everything_needed, const Json& overwrites = Json::array(), int type = 0) {
        http.will("GET channels/:id", FakeDiscord::ok({{"id", ops},
                                                       {"type", type},
                                                       {"name", "ops"},
                                                       {"guild_id", guild},
                                                       {"permission_overwrites", overwrites}}));
        const Json one{{"id", guild}, {"name", "Acme"}, {"permissions", std::to_string(permissions)}};
        http.will("GET users/@me/guilds?limit=200", FakeDiscord::ok(Json::array({one})));
        http.will("GET guilds/:id/members/:id", FakeDiscord::ok({{"roles", Json::array({"41"})}}));
    }
    std::string flaw() {
        ChannelCheck check{client, app};
        const auto found = finish(check.flaw(ops));
        if (!found) return "error: " + describe(found.error());
        return found->value_or("");
    }

    boost::asio::io_context io;
    countersign::fakes::FakeClock clock;
    FakeDiscord http;
    DiscordClient client{http, clock, "https://discord.com/api/v10", security::Secret{token}};
    Application app{.id = application, .bot = bot, .bot_name = "countersign"};
};

TEST_F(DiscordAccess, AChannelWithEveryPermissionHasNoFlaw) {
    server();
    EXPECT_EQ(flaw(), "");
}

TEST_F(DiscordAccess, APermissionThatTheChannelDeniesIsNamedWithItsPurposeAndWhatToClick) {
    const PermissionBits attach = 1ULL << 15U;
    server(everything_needed,
           Json::array({{{"id", "41"}, {"type", 0}, {"allow", "0"}, {"deny", std::to_string(attach)}}}));
    EXPECT_EQ(flaw(),
              "in #ops (345626669114982999) @countersign lacks the permission Attach Files (to send a call that "
              "is too long for a message): choose Edit Channel, Permissions, add the role or the name of the bot "
              "there, and allow it");
}

TEST_F(DiscordAccess, APermissionThatTheWholeServerDoesNotGiveComesWithAnotherInvitation) {
    const PermissionBits threads = 1ULL << 38U;
    server(everything_needed & ~threads);
    EXPECT_THAT(flaw(), HasSubstr("lacks the permission Send Messages in Threads (to write in those threads): open "
                                  "https://discord.com/oauth2/authorize?client_id=290926444748734465"));
}

TEST_F(DiscordAccess, AForumTakesNoMessagesAndAThreadHasThePermissionsOfItsChannel) {
    server(everything_needed, Json::array(), 15);
    EXPECT_THAT(flaw(), HasSubstr("takes no messages: choose a text channel"));
    http.answers.clear();
    http.will("GET channels/:id",
              FakeDiscord::ok({{"id", ops}, {"type", 11}, {"name", "t"}, {"parent_id", "345626669114982111"}}));
    server(0);
    EXPECT_THAT(flaw(), HasSubstr("in #t (345626669114982999) @countersign lacks the permissions View Channel"));
    EXPECT_EQ(http.of("GET channels/:id").back().path, "channels/345626669114982111");
}

TEST_F(DiscordAccess, AChannelThatTheBotCannotSeeIsAFlawAndAnUnreachableDiscordIsNot) {
    http.will("GET channels/:id", FakeDiscord::refused(403, 50'001, "Missing Access"));
    EXPECT_THAT(flaw(), HasSubstr("give it View Channel there"));
    http.will("GET channels/:id", Error{Errc::away, "no route"});
    EXPECT_THAT(flaw(), HasSubstr("error: "));
}

TEST_F(DiscordAccess, I13_NoMoreServersAreTakenThanWereAskedFor) {
    auto many = Json::array();
    for (std::size_t i = 0; i <= limits::discord_servers_max; ++i) {
        many.push_back({{"id", std::to_string(290'926'798'626'357'000ULL + i)}, {"name", "x"}, {"permissions", "0"}});
    }
    http.will("GET users/@me/guilds?limit=200", FakeDiscord::ok(many));
    EXPECT_THAT(*finish(own_servers(client)), SizeIs(limits::discord_servers_max));
}

TEST_F(DiscordAccess, CommandsInAServerAreNotShownASecondTimeFromEverywhere) {
    const CommandPlace everywhere{.application = application};
    auto global = Json::array();
    for (auto command : missing_commands({}, everywhere)) {
        command["id"] = std::to_string(771'825'006'014'889'000ULL + global.size());
        global.push_back(command);
    }
    global[0]["description"] = "of another program";
    http.will("GET applications/:id/commands", FakeDiscord::ok(global));
    ASSERT_TRUE(finish(register_commands(client, {.application = application, .server = guild})));
    const auto made = http.of("POST applications/:id/guilds/:id/commands");
    ASSERT_THAT(made, SizeIs(5));
    for (const auto& call : made) EXPECT_FALSE(call.body.contains("contexts")) << "a server's commands take none";
    EXPECT_THAT(http.of("DELETE applications/:id/commands/:id"), SizeIs(4)) << "all but the one that is different";
    EXPECT_TRUE(http.of("POST applications/:id/commands").empty());
}

TEST_F(DiscordAccess, AServerThatRefusesCommandsIsAskedForWithTheMissingScope) {
    const auto* const call = "GET applications/:id/guilds/:id/commands";
    const CommandPlace here{.application = application, .server = guild};
    http.will(call, FakeDiscord::refused(403, 50'001, "Missing Access"));
    const auto refused = finish(register_commands(client, here));
    EXPECT_EQ(refused.error().code, Errc::bad_config);
    EXPECT_THAT(refused.error().detail, HasSubstr("without the scope applications.commands: open https://discord.com"));
    http.will(call, FakeDiscord::refused(403, 50'001, "Missing Access"));
    EXPECT_FALSE(finish(may_have_commands(client, here)));
    http.will(call, Error{Errc::away, "no route"});
    EXPECT_TRUE(finish(may_have_commands(client, here))) << "Discord did not say";
}

TEST_F(DiscordWorld, AtTheStartAMissingPermissionIsToldToTheOperator) {
    chats = {ops};
    http.will("GET channels/:id", FakeDiscord::refused(403, 50'001, "Missing Access"));
    begin();
    EXPECT_THAT(problems, testing::Contains(HasSubstr("requests may not arrive: @countersign cannot use the channel")));
}

TEST_F(DiscordWorld, I13_SoManyChannelsAreLookedAtWhenTheHubStarts) {
    for (std::size_t i = 0; i <= limits::discord_channel_checks_max; ++i) {
        chats.push_back(std::to_string(345'626'669'114'982'000ULL + i));
    }
    begin();
    EXPECT_THAT(http.of("GET channels/:id"), SizeIs(limits::discord_channel_checks_max));
}

}  // namespace
}  // namespace countersign::channels::discord
