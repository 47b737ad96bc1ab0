// SPDX-License-Identifier: Apache-2.0
#include "channels/discord/commands.hpp"
#include "channels/discord/inbound.hpp"
#include "channels/discord/interactions.hpp"
#include "channels/discord/payload.hpp"

#include "channels/discord/bounds.hpp"
#include "channels/discord/ids.hpp"
#include "core/json/read.hpp"
#include "core/limits.hpp"
#include "tests/channels/discord_fakes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::channels::discord {
namespace {

using namespace fakes;
using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

const WallTime then{1'763'258'400'000ms};
const std::function<bool(const std::string&)> only_ops = [](const std::string& chat) { return chat == ops; };
const Ours ours{.bot = bot, .is_used = only_ops};

Payload read(const Json& json) { return read_interaction(*json::read(json.dump())->value.object()); }
template <class Kind> Kind read_as(const Json& json) {
    auto payload = read(json);
    auto* found = std::get_if<Kind>(&payload);
    EXPECT_NE(found, nullptr) << json;
    return found == nullptr ? Kind{} : std::move(*found);
}
bool is_ignored(const Payload& payload) { return std::holds_alternative<Ignored>(payload); }
Doing doing(const std::string& data = "token") { return {.id = snowflake(then), .data = data}; }
Payload said(const Json& message, bool updated = false) {
    return read_message(*json::read(message.dump())->value.object(), updated);
}

TEST(DiscordPayload, APressNamesItsPersonItsMessageItsButtonAndItsMoment) {
    const auto click = read_as<Click>(button_press(doing()));
    EXPECT_EQ(click.at.user, alice);
    EXPECT_EQ(click.data, "token");
    const auto press = press_of(click, ours);
    EXPECT_EQ(press.principal, std::string{"discord:"} + alice);
    ASSERT_TRUE(press.on);
    EXPECT_EQ(press.on->chat, ops);
    EXPECT_EQ(press.on->message, "1100000000000000001");
    EXPECT_EQ(press.on->is_ours, true);
    EXPECT_EQ(press.on->has_button, true);
    EXPECT_EQ(press.made, then) << "the id says when";
    EXPECT_FALSE(press.by_bot);
}

TEST(DiscordPayload, ThePersonIsTheMemberOrTheUserAndNeverAName) {
    auto direct = doing();
    direct.direct = true;
    EXPECT_EQ(read_as<Click>(button_press(direct)).at.user, alice);
    auto both = button_press(doing());
    both["user"] = {{"id", bob}};
    EXPECT_TRUE(is_ignored(read(both))) << "two readers could believe either";
    both["user"]["id"] = alice;
    EXPECT_FALSE(is_ignored(read(both)));
    for (const auto* id : {"", "mason", "0", "053908232506183680", "99999999999999999999"}) {
        auto made = button_press(doing());
        made["member"]["user"]["id"] = id;
        EXPECT_TRUE(is_ignored(read(made))) << id;
    }
    auto nobody = button_press(doing());
    nobody.erase("member");
    EXPECT_TRUE(is_ignored(read(nobody)));
}

TEST(DiscordPayload, DirectMessagesGoByThePersonTheyAreWith) {
    auto direct = doing();
    direct.direct = true;
    EXPECT_EQ(press_of(read_as<Click>(button_press(direct)), ours).on->chat, std::string{"@"} + alice);
    // The direct messages between two people, where one of them used the app.
    auto between = button_press(direct);
    between["context"] = 2;
    EXPECT_EQ(press_of(read_as<Click>(between), ours).on->chat, ops);
    between.erase("context");
    EXPECT_EQ(press_of(read_as<Click>(between), ours).on->chat, std::string{"@"} + alice);
    // Nothing in a server is direct, whatever it says.
    auto server = button_press(doing());
    server["context"] = 1;
    EXPECT_EQ(press_of(read_as<Click>(server), ours).on->chat, ops);
}

TEST(DiscordPayload, AThreadOfOursGoesByTheChannelThatHasIt) {
    auto in_thread = doing();
    in_thread.chat = "345626669114983000";
    auto made = button_press(in_thread);
    made["channel"] = {{"id", in_thread.chat}, {"type", 11}, {"parent_id", ops}};
    const auto press = press_of(read_as<Click>(made), ours);
    EXPECT_EQ(press.on->chat, ops);
    EXPECT_EQ(press.on->message, "345626669114983000/1100000000000000001");
    const std::function<bool(const std::string&)> named = [](const std::string&) { return true; };
    const auto configured = press_of(read_as<Click>(made), {.bot = bot, .is_used = named});
    EXPECT_EQ(configured.on->chat, "345626669114983000") << "a thread that is a chat of its own";
    EXPECT_EQ(configured.on->message, "1100000000000000001");
}

TEST(DiscordPayload, AMessageOfAnotherSenderIsNotOurs) {
    auto other = doing();
    other.author = "290926444748734467";
    EXPECT_EQ(press_of(read_as<Click>(button_press(other)), ours).on->is_ours, false);
    auto untold = button_press(doing());
    untold["message"].erase("author");
    untold["message"].erase("components");
    const auto press = press_of(read_as<Click>(untold), ours);
    EXPECT_EQ(press.on->is_ours, std::nullopt);
    EXPECT_EQ(press.on->has_button, std::nullopt);
    auto gone = button_press(doing());
    gone["message"]["components"] = Json::array();
    EXPECT_EQ(press_of(read_as<Click>(gone), ours).on->has_button, false);
}

TEST(DiscordPayload, AListTellsAllThatIsChosenInIt) {
    auto list = button_press(doing("slist"));
    list["data"] = {{"component_type", 3}, {"custom_id", "slist"}, {"values", {"one", "two"}}};
    const auto press = press_of(read_as<Click>(list), ours);
    EXPECT_EQ(press.data, "list") << "the token in its name";
    EXPECT_THAT(*press.picked, ElementsAre("one", "two"));
    list["data"]["values"] = Json::array();
    EXPECT_TRUE(press_of(read_as<Click>(list), ours).picked->empty()) << "all were given back";
    list["data"]["values"] = Json::array({1});
    EXPECT_TRUE(is_ignored(read(list)));
    list["data"]["component_type"] = 5;
    EXPECT_TRUE(is_ignored(read(list))) << "a list of users is none of ours";
}

TEST(DiscordPayload, AModalHasItsFieldsAndTheCardThatOpenedIt) {
    auto filled = doing("rtoken");
    const auto submission = read_as<Submission>(modal_submit(filled, {{"reason", "not on\na Friday"}}));
    EXPECT_THAT(submission.fields, ElementsAre(Field{.id = "reason", .values = {"not on\na Friday"}}));
    const auto press = press_of(submission, ours);
    EXPECT_EQ(press.data, "token");
    EXPECT_EQ(press.on->message, "1100000000000000001");
    EXPECT_EQ(press.on->has_button, std::nullopt) << "the card may have other buttons by now";
    // The older form: rows instead of labels.
    auto rows = modal_submit(filled, {});
    rows["data"]["components"] = Json::array({Json{
        {"type", 1}, {"components", Json::array({Json{{"type", 4}, {"custom_id", "reason"}, {"value", "no"}}})}}});
    EXPECT_THAT(read_as<Submission>(rows).fields, ElementsAre(Field{.id = "reason", .values = {"no"}}));
}

TEST(DiscordPayload, WhatIsNotAnInteractionOfOursIsIgnored) {
    EXPECT_TRUE(std::holds_alternative<Ping>(read({{"id", "1"}, {"type", 1}})));
    EXPECT_TRUE(is_ignored(read(interaction(4, doing())))) << "an autocompletion";
    EXPECT_TRUE(is_ignored(read(interaction(99, doing()))));
    auto menu = slash_command(doing(), "approve");
    menu["data"]["type"] = 2;
    EXPECT_TRUE(is_ignored(read(menu))) << "an entry of a person's menu";
    for (const auto* member : {"id", "application_id", "token"}) {
        auto made = button_press(doing());
        made.erase(member);
        EXPECT_TRUE(is_ignored(read(made))) << member;
    }
}

TEST(DiscordPayload, ATokenThatWouldLeaveItsPathIsRefused) {
    for (const std::string bad : {"a/b", "..", "a b", "a?b", "a%2fb", "", "a\nb"}) {
        auto made = doing();
        made.token = bad;
        EXPECT_TRUE(is_ignored(read(button_press(made)))) << bad;
    }
    auto made = doing();
    made.token = std::string(limits::discord_token_bytes_max, 'a');
    EXPECT_FALSE(is_ignored(read(button_press(made))));
    made.token += 'a';
    EXPECT_TRUE(is_ignored(read(button_press(made))));
}

TEST(DiscordPayload, ASlashCommandIsACommandOfTheChat) {
    const auto text = [](const std::string& name, const Json& options = Json::array()) {
        return typed_of(read_as<Slash>(slash_command(doing(), name, options)), ours).text;
    };
    EXPECT_EQ(text("approve", {string_option("option", "Allow once"), string_option("code", "K7")}),
              "/approve K7 Allow once ");
    EXPECT_EQ(text("deny", {string_option("code", "K7"), string_option("reason", "no")}), "/deny K7 no ");
    EXPECT_EQ(text("pending"), "/pending ");
    EXPECT_EQ(text("halt", Json::array({string_option("name", "builder")})), "/halt builder ");
    EXPECT_EQ(text("countersign"), "/help");
    EXPECT_EQ(text("countersign", Json::array({string_option("words", "always K7")})), "/always K7");
    EXPECT_EQ(text("countersign", Json::array({string_option("words", "/always K7")})), "/always K7");
    EXPECT_EQ(text("other", Json::array({string_option("words", "K7")})), "/other");
    const auto typed = typed_of(read_as<Slash>(slash_command(doing(), "pending")), ours);
    EXPECT_TRUE(typed.direct) << "its answer is for them alone";
    EXPECT_EQ(typed.made, then);
    EXPECT_EQ(interaction_of(typed.message), snowflake(then));
    EXPECT_THAT(typed.message, testing::Not(HasSubstr("aW50"))) << "the token is in no name";
}

TEST(DiscordPayload, OurCommandsAreRegisteredOnceAndNoOthersAreTouched) {
    const CommandPlace everywhere{.application = application};
    const auto all = missing_commands({}, everywhere);
    ASSERT_EQ(all.size(), 5U);
    auto registered = Json::array();
    for (const auto& command : all) registered.push_back(command);
    registered.push_back({{"name", "another"}, {"type", 1}});
    const auto missing = [&](const Json& list) {
        return missing_commands(*json::read(list.dump())->value.array(), everywhere).size();
    };
    EXPECT_EQ(missing(registered), 0U);
    auto changed = registered;
    changed[0]["description"] = "something else";
    EXPECT_EQ(missing(changed), 1U);
    changed = registered;
    changed[1]["options"][0]["required"] = false;
    EXPECT_EQ(missing(changed), 1U);
    changed = registered;
    changed[1]["options"].erase(1);
    EXPECT_EQ(missing(changed), 1U);
    for (const auto& command : all) {
        EXPECT_LE(command["description"].get<std::string>().size(), 100U);
        for (const auto& option : command["options"]) {
            EXPECT_LE(option["description"].get<std::string>().size(), 100U);
        }
    }
}

TEST(DiscordPayload, AMessageIsAPersonsOwnWordsOrMarkedAsWhatElseItIs) {
    const auto id = snowflake(then);
    const auto typed = typed_of(std::get<Message>(said(direct_message(id, "deny K7"))), ours);
    EXPECT_EQ(typed.chat, std::string{"@"} + alice);
    EXPECT_EQ(typed.text, "deny K7");
    EXPECT_TRUE(typed.direct);
    EXPECT_EQ(typed.made, then);

    auto by_bot = direct_message(id, "approve K7");
    by_bot["author"]["bot"] = true;
    EXPECT_TRUE(typed_of(std::get<Message>(said(by_bot)), ours).by_bot);
    auto hook = direct_message(id, "approve K7");
    hook["webhook_id"] = "1";
    EXPECT_TRUE(typed_of(std::get<Message>(said(hook)), ours).by_bot);
    auto forwarded = direct_message(id, "approve K7");
    forwarded["message_reference"] = {{"type", 1}, {"message_id", "1100000000000000001"}};
    EXPECT_TRUE(typed_of(std::get<Message>(said(forwarded)), ours).second_hand);
    EXPECT_EQ(typed_of(std::get<Message>(said(forwarded)), ours).reply_to, std::nullopt);

    auto edited = direct_message(id, "approve K7");
    EXPECT_TRUE(is_ignored(said(edited, true))) << "a preview was added";
    edited["edited_timestamp"] = "2025-11-16T02:00:05+00:00";
    EXPECT_TRUE(typed_of(std::get<Message>(said(edited, true)), ours).edited);
    EXPECT_NE(delivery_of(std::get<Message>(said(edited, true))), delivery_of(std::get<Message>(said(edited))));

    auto server = direct_message(id, "approve K7");
    server["guild_id"] = "290926798626357999";
    EXPECT_TRUE(is_ignored(said(server)));
    auto pinned = direct_message(id, "");
    pinned["type"] = 6;
    EXPECT_TRUE(is_ignored(said(pinned)));
}

TEST(DiscordPayload, AReplyNamesTheMessageThatItAnswers) {
    auto reply = direct_message(snowflake(then), "more tests first");
    reply["type"] = 19;
    reply["message_reference"] = {{"message_id", "1100000000000000001"}, {"channel_id", "777000000000000001"}};
    reply["referenced_message"] = {{"id", "1100000000000000001"}, {"author", {{"id", bot}}}};
    auto typed = typed_of(std::get<Message>(said(reply)), ours);
    EXPECT_EQ(typed.reply_to, "1100000000000000001");
    EXPECT_TRUE(typed.answers_ours);
    EXPECT_FALSE(typed.answers_elsewhere);
    reply["message_reference"]["channel_id"] = ops;
    reply["referenced_message"]["author"]["id"] = bob;
    typed = typed_of(std::get<Message>(said(reply)), ours);
    EXPECT_TRUE(typed.answers_elsewhere);
    EXPECT_FALSE(typed.answers_ours);
}

TEST(DiscordPayload, ABodyIsOneObjectWithoutDoubledMembers) {
    EXPECT_TRUE(read_body(button_press(doing()).dump()));
    for (const auto* text : {"", "[]", "1", "null", "{", "{} {}", R"({"type":1,"type":3})"}) {
        EXPECT_EQ(read_body(text).error().code, Errc::malformed) << text;
    }
    EXPECT_EQ(read_body(std::string(limits::webhook_body_bytes_max + 1, ' ')).error().code, Errc::too_large);
}

Outgoing words(const std::string& id, const std::string& text = "{}") {
    return {.path = "interactions/" + id + "/words", .body = text};
}

TEST(DiscordInteractions, WordsFollowTheFirstAnswerForAsLongAsTheTokenLives) {
    Interactions kept;
    const BootTime now{1h};
    const std::string id = "846462639134605312";
    kept.keep({.application = application, .id = id, .token = "secret"}, now);
    auto call = words(id);
    ASSERT_TRUE(kept.resolve(call, now + limits::discord_interaction_life - 1ms));
    EXPECT_EQ(call.path, std::string{"webhooks/"} + application + "/secret");
    EXPECT_EQ(call.verb, HttpMethod::post);
    call = words(id);
    EXPECT_FALSE(kept.resolve(call, now + limits::discord_interaction_life));
    call = words("846462639134605313");
    EXPECT_FALSE(kept.resolve(call, now));
    for (const auto* path : {"interactions//words", "interactions/words", "channels/1/messages", ""}) {
        Outgoing other{.path = path, .body = {}};
        EXPECT_FALSE(kept.resolve(other, now)) << path;
    }
}

TEST(DiscordInteractions, TheFirstWordsReplaceWhatSaysThinking) {
    Interactions kept;
    const BootTime now{1h};
    const std::string id = "846462639134605312";
    kept.keep({.application = application, .id = id, .token = "secret"}, now);
    kept.thinking(id);
    const auto original = std::string{"webhooks/"} + application + "/secret/messages/@original";
    auto first = words(id, "first");
    ASSERT_TRUE(kept.resolve(first, now));
    EXPECT_EQ(first.path, original);
    EXPECT_EQ(first.verb, HttpMethod::patch);
    auto second = words(id, "second");
    ASSERT_TRUE(kept.resolve(second, now));
    EXPECT_EQ(second.verb, HttpMethod::post);
    first = words(id, "first");
    ASSERT_TRUE(kept.resolve(first, now));
    EXPECT_EQ(first.path, original) << "tried again";
}

TEST(DiscordInteractions, WordsThatWereOnTheirWayBeforeThinkingAreNotReplacedByLaterOnes) {
    Interactions kept;
    const BootTime now{1h};
    const std::string id = "846462639134605312";
    kept.keep({.application = application, .id = id, .token = "secret"}, now);
    auto first = words(id, "first");
    ASSERT_TRUE(kept.resolve(first, now));
    kept.thinking(id);
    for (const auto* text : {"first", "second"}) {
        auto next = words(id, text);
        ASSERT_TRUE(kept.resolve(next, now));
        EXPECT_EQ(next.verb, HttpMethod::post) << text;
    }
}

TEST(DiscordInteractions, I13_SoManyTokensAreRemembered) {
    Interactions kept;
    const auto id = [](std::size_t number) { return std::to_string(846'462'639'134'605'312ULL + number); };
    for (std::size_t i = 0; i <= limits::discord_interactions_max; ++i) {
        kept.keep({.application = application, .id = id(i), .token = "secret"}, BootTime{1h});
    }
    EXPECT_EQ(kept.size(), limits::discord_interactions_max);
    auto oldest = words(id(0));
    EXPECT_FALSE(kept.resolve(oldest, BootTime{1h}));
    auto newest = words(id(limits::discord_interactions_max));
    EXPECT_TRUE(kept.resolve(newest, BootTime{1h}));
}

}  // namespace
}  // namespace countersign::channels::discord
