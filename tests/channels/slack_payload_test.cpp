// SPDX-License-Identifier: Apache-2.0
#include "channels/slack/inbound.hpp"
#include "channels/slack/payload.hpp"

#include "core/json/read.hpp"
#include "tests/channels/slack_fakes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::channels::slack {
namespace {

using namespace fakes;
using testing::ElementsAre;

Payload interaction(const Json& json) { return read_interaction(*json::read(json.dump())->value.object()); }
Payload event_of(const Json& json) { return read_event(*json::read(json.dump())->value.object()); }

Click click(const Json& json) {
    const auto payload = interaction(json);
    const auto* found = std::get_if<Click>(&payload);
    EXPECT_NE(found, nullptr);
    return found == nullptr ? Click{} : *found;
}
Message message(const Json& json) {
    const auto payload = event_of(json);
    const auto* found = std::get_if<Message>(&payload);
    EXPECT_NE(found, nullptr) << json;
    return found == nullptr ? Message{} : *found;
}
bool is_ignored(const Payload& payload) { return std::holds_alternative<Ignored>(payload); }

TEST(SlackPayload, AClickNamesItsMessageItsButtonAndItsMoment) {
    const auto read = click(block_actions({.data = "token"}));
    EXPECT_THAT(read.by.principals, ElementsAre("slack:T0/U77"));
    EXPECT_EQ(read.chat, "C0OPS");
    EXPECT_EQ(read.message, "1763258400.000001");
    EXPECT_EQ(read.data, "token");
    EXPECT_EQ(read.has_button, true);
    const auto press = press_of(read, "slack:T0/U77", "B0BOT");
    EXPECT_EQ(press.on->is_ours, true);
    EXPECT_EQ(press.made, WallTime{std::chrono::milliseconds{1'763'258'400'000}});
    EXPECT_EQ(press_of(read, "slack:T0/U77", "B0OTHER").on->is_ours, false);
}

TEST(SlackPayload, I4_AGuestOfAnotherWorkspaceIsNotAMemberOfThisOne) {
    const auto read = click(block_actions({.team = "T9", .data = "token"}));
    EXPECT_THAT(read.by.principals, ElementsAre("slack:T9/U77"));
    auto guest = block_actions({.team = "T9", .data = "token"});
    guest["enterprise"] = {{"id", "E1"}};
    EXPECT_THAT(click(guest).by.principals, ElementsAre("slack:T9/U77")) << "nor of the organisation";
    auto untold = block_actions({.data = "token"});
    untold["user"].erase("team_id");
    EXPECT_THAT(click(untold).by.principals, ElementsAre("slack:T0/U77"));
}

TEST(SlackPayload, AMemberOfAnOrganisationMayBeWrittenUnderEitherId) {
    auto member = block_actions({.user = "W77", .data = "token"});
    member["enterprise"] = {{"id", "E1"}};
    const auto by = click(member).by;
    EXPECT_THAT(by.principals, ElementsAre("slack:T0/W77", "slack:E1/W77"));
    EXPECT_EQ(principal_of(by, [](const std::string& one) { return one == "slack:E1/W77"; }), "slack:E1/W77");
    EXPECT_EQ(principal_of(by, [](const std::string&) { return false; }), "slack:T0/W77");
}

TEST(SlackPayload, ADirectMessageGoesByThePersonItIsWith) {
    const auto read = click(block_actions({.data = "token", .chat = "D0AB"}));
    EXPECT_EQ(press_of(read, "slack:T0/U77", "B0BOT").on->chat, "U77");
    const auto said = message(event({.text = "pending", .chat = "D0AB"}));
    EXPECT_TRUE(said.direct);
    EXPECT_EQ(typed_of(said, "slack:T0/U77").chat, "U77");
}

TEST(SlackPayload, WhatIsNotAClickOnAMessageIsIgnored) {
    auto json = block_actions({.data = "token"});
    json["actions"] = Json::array();
    EXPECT_TRUE(is_ignored(interaction(json)));
    json = block_actions({.data = "token"});
    json["actions"].push_back(json["actions"][0]);
    EXPECT_TRUE(is_ignored(interaction(json)));
    json = block_actions({.data = "token"});
    json["container"]["type"] = "view";
    EXPECT_TRUE(is_ignored(interaction(json)));
    json = block_actions({.user = "alice", .data = "token"});
    EXPECT_TRUE(is_ignored(interaction(json))) << "a name is not an id";
    EXPECT_TRUE(is_ignored(interaction({{"type", "shortcut"}})));
    EXPECT_TRUE(is_ignored(interaction({{"type", "view_closed"}})));
}

TEST(SlackPayload, AMessageIsAPersonsOwnWordsOrMarkedAsWhatElseItIs) {
    const auto said = message(event({.text = "deny &lt;K7&gt; &amp;amp;", .thread = "1763258400.000001"}));
    EXPECT_EQ(said.text, "deny <K7> &amp;");
    const auto typed = typed_of(said, "slack:T0/U77");
    EXPECT_EQ(typed.reply_to, "1763258400.000001");
    EXPECT_FALSE(typed.by_bot);
    EXPECT_FALSE(typed.edited);

    auto bot = event({.text = "approve K7"});
    bot["event"]["bot_id"] = "B9";
    EXPECT_TRUE(typed_of(message(bot), "slack:T0/U77").by_bot);

    auto edit = event({.text = ""});
    edit["event"] = {
        {"type", "message"},
        {"subtype", "message_changed"},
        {"channel", "C0OPS"},
        {"message", {{"user", "U77"}, {"team", "T0"}, {"text", "approve K7"}, {"ts", "1763258410.000005"}}},
        {"previous_message", {{"text", "hello"}}}};
    EXPECT_TRUE(typed_of(message(edit), "slack:T0/U77").edited);
    edit["event"]["previous_message"]["text"] = "approve K7";
    EXPECT_TRUE(is_ignored(event_of(edit))) << "a preview was added";
    auto joined = event({.text = "joined"});
    joined["event"]["subtype"] = "channel_join";
    EXPECT_TRUE(is_ignored(event_of(joined)));
}

TEST(SlackPayload, AnUninstalledAppIsTold) {
    auto gone = event({});
    gone["event"] = {{"type", "app_uninstalled"}};
    EXPECT_TRUE(std::holds_alternative<Removed>(event_of(gone)));
    gone["event"] = {{"type", "tokens_revoked"}, {"tokens", {{"oauth", {"U1"}}, {"bot", Json::array()}}}};
    EXPECT_TRUE(is_ignored(event_of(gone))) << "another person's token";
    gone["event"]["tokens"]["bot"] = {"U0BOT"};
    EXPECT_TRUE(std::holds_alternative<Removed>(event_of(gone)));
}

TEST(SlackPayload, ABodyIsAFormOrJson) {
    const std::string form = "application/x-www-form-urlencoded";
    const auto click = read_body(form, "payload=" + form_escaped(block_actions({.data = "token"}).dump()));
    ASSERT_TRUE(click);
    EXPECT_TRUE(std::holds_alternative<Click>(*click));
    const auto slash =
        read_body(form, "team_id=T0&channel_id=C0OPS&user_id=U77&command=%2Fapprove&text=K7&trigger_id=1.2");
    ASSERT_TRUE(slash);
    EXPECT_EQ(std::get<Slash>(*slash).command, "/approve");
    EXPECT_THAT(std::get<Slash>(*slash).by.principals, ElementsAre("slack:T0/U77"));
    EXPECT_TRUE(is_ignored(*read_body(form, "ssl_check=1&token=x")));
    const auto challenge =
        read_body("application/json", R"({"type":"url_verification","challenge":"abc","token":"x"})");
    EXPECT_EQ(std::get<Challenge>(*challenge).text, "abc");
    EXPECT_EQ(read_body("application/json", "[]").error().code, Errc::malformed);
    EXPECT_EQ(read_body(form, "payload=%7B").error().code, Errc::malformed);
    EXPECT_EQ(
        read_body("application/json", R"({"type":"event_callback","event":{"user":"U1","user":"U2"}})").error().code,
        Errc::malformed)
        << "two readers could believe either";
    EXPECT_EQ(read_body(form, "payload=" + form_escaped(R"({"type":"x","user":{"id":"U1","id":"U2"}})")).error().code,
              Errc::malformed);
    EXPECT_EQ(read_body(form, "user_id=U1&user_id=U2&command=%2Fapprove").error().code, Errc::malformed);
    EXPECT_FALSE(read_body(form, "%zz=1"));
}

TEST(SlackPayload, ASlashCommandIsACommandOfTheChat) {
    Slash slash{
        .by = {.user = "U77", .principals = {"slack:T0/U77"}}, .chat = "C0OPS", .command = "/deny", .text = "K7 no"};
    EXPECT_EQ(typed_of(slash, "slack:T0/U77", "/countersign").text, "/deny K7 no");
    EXPECT_EQ(typed_of(slash, "slack:T0/U77", "/countersign").message, "@U77") << "its answer is for them alone";
    slash.command = "/countersign";
    slash.text = "approve K7";
    EXPECT_EQ(typed_of(slash, "slack:T0/U77", "/countersign").text, "/approve K7");
    slash.text = " ";
    EXPECT_EQ(typed_of(slash, "slack:T0/U77", "/countersign").text, "/help");
}

TEST(SlackPayload, I5_WhatComesTwiceHasOneName) {
    const auto once = click(block_actions({.data = "token"}));
    EXPECT_EQ(delivery_of(once), delivery_of(click(block_actions({.data = "token"}))));
    EXPECT_NE(delivery_of(once), delivery_of(click(block_actions({.data = "token", .trigger = "1.2.abd"}))));
    EXPECT_LE(delivery_of(once).size(), limits::delivery_id_bytes_max);
}

TEST(SlackPayload, ATimestampIsATime) {
    EXPECT_EQ(moment_of("1548426417.840180"), WallTime{std::chrono::milliseconds{1'548'426'417'840}});
    for (const auto* text : {"", "1548426417", "1548426417.", ".5", "1e9.0", "-1.0", "9999999999999.0"}) {
        EXPECT_FALSE(moment_of(text)) << text;
    }
}

}  // namespace
}  // namespace countersign::channels::slack
