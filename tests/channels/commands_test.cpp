// SPDX-License-Identifier: Apache-2.0
#include "channels/commands.hpp"

#include "core/limits.hpp"

#include <gtest/gtest.h>

namespace countersign::channels {
namespace {

using security::Secret;
using security::ShortCodes;

constexpr CommandRules group{.bare_words = false, .bot_name = "countersign_bot"};
constexpr CommandRules direct{.bare_words = true, .bot_name = "countersign_bot"};

Ulid ulid(std::uint8_t number) {
    return {WallTime{std::chrono::milliseconds{1'763'258'400'000}}, {0, 0, 0, 0, 0, 0, 0, 0, 0, number}};
}

std::vector<Option> offered() {
    return {{.option_id = "allow", .label = "Allow once", .effect = Effect::allow},
            {.option_id = "session", .label = "This session", .effect = Effect::allow, .scope = Scope::session},
            {.option_id = "always", .label = "Always", .effect = Effect::allow, .scope = Scope::always},
            {.option_id = "deny", .label = "Deny", .effect = Effect::deny}};
}

Command command(std::string_view text) {
    const auto parsed = parse_command(text, direct);
    EXPECT_TRUE(parsed) << text;
    return parsed.value_or(Command{});
}

TEST(Commands, EveryVerbIsReadWithSlashOrExclamationMark) {
    for (const auto* mark : {"/", "!"}) {
        for (const auto& [word, verb] : std::vector<std::pair<std::string, Verb>>{{"approve", Verb::approve},
                                                                                  {"deny", Verb::deny},
                                                                                  {"always", Verb::always},
                                                                                  {"session", Verb::session},
                                                                                  {"answer", Verb::answer},
                                                                                  {"more", Verb::more},
                                                                                  {"pending", Verb::pending},
                                                                                  {"help", Verb::help},
                                                                                  {"start", Verb::start},
                                                                                  {"grants", Verb::grants},
                                                                                  {"revoke", Verb::revoke},
                                                                                  {"halt", Verb::halt},
                                                                                  {"resume", Verb::resume},
                                                                                  {"auto", Verb::unavailable},
                                                                                  {"interactive", Verb::unavailable},
                                                                                  {"console", Verb::unavailable}}) {
            const auto parsed = parse_command(mark + word, group);
            ASSERT_TRUE(parsed) << word;
            EXPECT_EQ(parsed->verb, verb) << word;
            EXPECT_EQ(parsed->word, word);
        }
    }
}

TEST(Commands, BareWordsCountOnlyWhereTheChannelSaysSo) {
    EXPECT_FALSE(parse_command("deny 01KA567Z800000000000000001", group));
    EXPECT_TRUE(parse_command("deny 01KA567Z800000000000000001", direct));
    EXPECT_FALSE(parse_command("start the build please", direct));
}

TEST(Commands, OkAndYesAreNoDecisions) {
    for (const auto* text : {"ok", "yes", "y", "👍", "approved", "", "  ", "/", "!", "!!!", "allow it"}) {
        EXPECT_FALSE(parse_command(text, direct)) << text;
    }
    for (const auto* text : {"/ok", "!yes"}) {
        EXPECT_FALSE(parse_command(text, group)) << text;
        EXPECT_EQ(parse_command(text, direct)->verb, Verb::unknown) << text;
    }
}

TEST(Commands, AnUnknownCommandIsOursOnlyWhereItIsCertainlyMeantForUs) {
    EXPECT_FALSE(parse_command("/aprove X", group)) << "it may be another bot's";
    EXPECT_EQ(parse_command("/aprove X", direct)->word, "aprove");
    const CommandRules named{.bot_name = "signer"};
    EXPECT_EQ(parse_command("/aprove@Signer X", named)->verb, Verb::unknown);
    EXPECT_FALSE(parse_command("/aprove@other X", named));
    EXPECT_FALSE(parse_command("aprove X", direct)) << "without its mark it is a sentence";
}

TEST(Commands, ACommandForAnotherBotIsNotOurs) {
    EXPECT_TRUE(parse_command("/approve@countersign_bot K7K7K7K7", group));
    EXPECT_TRUE(parse_command("/APPROVE@Countersign_Bot K7K7K7K7", group));
    EXPECT_FALSE(parse_command("/approve@other_bot K7K7K7K7", group));
    EXPECT_FALSE(parse_command("/approve@countersign_bot2 K7K7K7K7", group));
    EXPECT_FALSE(parse_command("/approve@ K7K7K7K7", group));
    EXPECT_FALSE(parse_command("approve@countersign_bot K7K7K7K7", direct)) << "a bare word has no address";
}

TEST(Commands, AnIdIsReadAsAPersonWroteIt) {
    EXPECT_EQ(command("/approve 01KA567Z800000000000000001").id.ulid, ulid(1));
    EXPECT_EQ(command("/approve olka567z8ooooooooooooooooi").id.ulid, ulid(1));
    EXPECT_EQ(command("/approve k7oil2ab").id.code, "K70112AB");
    for (const auto* text : {"/approve", "/approve ???", "/approve 82345678901234567890123456", "/approve UUUUUUUU"}) {
        EXPECT_FALSE(command(text).id.ulid) << text;
        EXPECT_EQ(command(text).id.code, "") << text;
    }
    EXPECT_EQ(command("/approve ???").id.typed, "???");
}

TEST(Commands, WhatFollowsTheIdIsKeptWithItsLines) {
    EXPECT_EQ(command("/deny  K7K7K7K7   not on\n a Friday \n").rest, "not on\n a Friday");
    EXPECT_EQ(command("/start abc").rest, "abc");
    EXPECT_EQ(command("/halt agent-7").rest, "agent-7");
    EXPECT_EQ(command("/resume  the night build ").rest, "the night build") << "a session may be called so";
    EXPECT_EQ(command("/revoke k7oil2ab").id.code, "K70112AB");
}

TEST(Commands, I13_ATextPastTheBoundIsNoCommand) {
    const std::string head = "/deny K7K7K7K7 ";
    EXPECT_TRUE(parse_command(head + std::string(limits::command_bytes_max - head.size(), 'a'), group));
    EXPECT_FALSE(parse_command(head + std::string(limits::command_bytes_max - head.size() + 1, 'a'), group));
}

TEST(Commands, ACodeIsBoundToItsChat) {
    const ShortCodes codes{Secret{std::string_view{"a key of the tests alone"}}};
    const std::vector<Ulid> here{ulid(1), ulid(2)};
    const std::vector<std::string> room{"-100"};
    const auto typed = [&](const std::string& id) { return command("/approve " + id).id; };
    EXPECT_EQ(find_request(typed(codes.code(ulid(2), "-100")), here, room, codes), ulid(2));
    EXPECT_EQ(find_request(typed(codes.code(ulid(2), "-200")), here, room, codes), std::nullopt);
    EXPECT_EQ(find_request(typed(ulid(1).str()), here, room, codes), ulid(1));
    EXPECT_EQ(find_request(typed(ulid(3).str()), here, room, codes), std::nullopt) << "not shown here";
    EXPECT_EQ(find_request(typed("???"), here, room, codes), std::nullopt);
}

TEST(Commands, AVerbMeansTheOnlyOptionOfItsKind) {
    EXPECT_EQ(option_for(command("/approve K7K7K7K7"), offered())->option_id, "allow");
    EXPECT_EQ(option_for(command("/session K7K7K7K7"), offered())->option_id, "session");
    EXPECT_EQ(option_for(command("/always K7K7K7K7"), offered())->option_id, "always");
    EXPECT_EQ(option_for(command("/deny K7K7K7K7 allow"), offered())->option_id, "deny");
    EXPECT_EQ(option_for(command("/approve K7K7K7K7 this session"), offered())->option_id, "session");
}

TEST(Commands, NoneOrSeveralAreListedAndNothingIsDecided) {
    auto options = offered();
    options.push_back({.option_id = "allow2", .label = "Allow too", .effect = Effect::allow});
    const auto several = option_for(command("/approve K7K7K7K7"), options);
    ASSERT_FALSE(several);
    EXPECT_EQ(several.error().code, Errc::unknown_option);
    EXPECT_NE(several.error().detail.find("\"Allow too\" (allow, once)"), std::string::npos);
    EXPECT_EQ(option_for(command("/approve K7K7K7K7 allow too"), options)->option_id, "allow2");
    EXPECT_FALSE(option_for(command("/approve K7K7K7K7 deny"), options)) << "approve never denies";
    EXPECT_FALSE(option_for(command("/always K7K7K7K7"), {options.front()}));
    EXPECT_FALSE(option_for(command("/deny K7K7K7K7"), {options.front()}));
    EXPECT_FALSE(option_for(command("/pending"), options));
}

TEST(Commands, AnOptionThatNoTableKnowsIsNotPickedByItsScope) {
    std::vector<Option> options{
        {.option_id = "x", .label = "Frobnicate", .effect = Effect::allow, .scope = Scope::always, .known = false}};
    EXPECT_FALSE(option_for(command("/always K7K7K7K7"), options));
    options.front().scope = Scope::once;
    EXPECT_FALSE(option_for(command("/approve K7K7K7K7"), options));
}

}  // namespace
}  // namespace countersign::channels
