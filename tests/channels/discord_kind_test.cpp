// SPDX-License-Identifier: Apache-2.0
#include "channels/discord/ids.hpp"
#include "channels/discord/kind.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::channels::discord {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> wrong(const WrittenSettings& written) {
    std::vector<std::string> names;
    for (const auto& [setting, complaint] : kind.check(written)) {
        EXPECT_NE(complaint.what, "");
        EXPECT_NE(complaint.instead, "");
        names.emplace_back(setting);
    }
    return names;
}

TEST(DiscordKind, I2_AWebhookNeedsTheKeyThatItsCallsAreProvenWith) {
    const WrittenSettings token{{"token_file", "/t"}};
    const auto with = [&](WrittenSettings more) {
        more.insert(token.begin(), token.end());
        return wrong(more);
    };
    EXPECT_THAT(with({}), IsEmpty()) << "the Gateway needs nothing more";
    EXPECT_THAT(with({{"mode", "gateway"}}), IsEmpty());
    EXPECT_THAT(with({{"mode", "webhook"}}), ElementsAre("mode"));
    EXPECT_THAT(with({{"mode", "webhook"}, {"public_key", "ab"}}), IsEmpty());
    EXPECT_THAT(with({{"mode", "socket"}}), ElementsAre("mode"));
    EXPECT_THAT(with({{"mode", ""}}), ElementsAre("mode"));
    EXPECT_THAT(with({{"application_id", "123"}}), ElementsAre("application_id"));
    EXPECT_THAT(with({{"application_id", "290926444748734465"}}), IsEmpty());
    EXPECT_THAT(with({{"guild", "123"}}), ElementsAre("guild"));
    EXPECT_THAT(with({{"guild", "290926444748734465"}}), IsEmpty());
}

TEST(DiscordKind, AChatIsAChannelsId) {
    EXPECT_EQ(kind.check_chat("345626669114982999").what, "");
    for (const auto* chat : {"#ops", "ops", "", "34562666911498", "0345626669114982999", "@53908232506183680",
                             "345626669114982999 ", "18446744073709551616"}) {
        EXPECT_NE(kind.check_chat(chat).what, "") << chat;
        EXPECT_NE(kind.check_chat(chat).instead, "") << chat;
    }
}

TEST(DiscordKind, I4_APersonIsAnId) {
    const auto read = [](const std::string& text) { return kind.principal.read({.text = &text}); };
    EXPECT_EQ(read("53908232506183680"), "53908232506183680");
    for (const auto* text :
         {"mason", "mason#0001", "<@53908232506183680>", "-53908232506183680", "5390823250618368.0"}) {
        EXPECT_FALSE(read(text)) << text;
    }
    const std::int64_t number = 53'908'232'506'183'680;
    EXPECT_FALSE(kind.principal.read({.integer = &number})) << "a program that reads doubles would round it";
}

TEST(DiscordIds, AnIdSaysWhenItWasMade) {
    EXPECT_EQ(moment_of("175928847299117063"), WallTime{1'462'015'105'796ms}) << "the example of Discord's own page";
    EXPECT_FALSE(moment_of("1"));
}

TEST(DiscordIds, AMessageInAThreadHasTheThreadInItsName) {
    const MessageName plain{.message = "1100000000000000001"};
    const MessageName inside{.message = "1100000000000000002", .thread = "1100000000000000001"};
    for (const auto& name : {plain, inside}) EXPECT_EQ(message_name(name_of(name)), name);
    for (const auto* text : {"", "/", "1100000000000000001/", "/1100000000000000001", "i1100000000000000001", "x/y",
                             "1100000000000000001/1100000000000000002/1100000000000000003"}) {
        EXPECT_FALSE(message_name(text)) << text;
    }
}

TEST(DiscordIds, AChatOfOnePersonIsNeverAChannel) {
    EXPECT_EQ(direct_user(direct_chat("53908232506183680")), "53908232506183680");
    EXPECT_FALSE(is_direct("53908232506183680"));
    EXPECT_FALSE(is_direct("@alice"));
    EXPECT_EQ(user_of("discord:53908232506183680"), "53908232506183680");
    EXPECT_FALSE(user_of("slack:T0/U1"));
    EXPECT_EQ(interaction_of(interaction_name("846462639134605312")), "846462639134605312");
    EXPECT_FALSE(interaction_of("846462639134605312"));
}

TEST(DiscordIds, APartIsNamedByItsTokenAndWhatItIs) {
    const std::string token = "1d" + std::string(45, '0');
    for (const auto part : {Part::button, Part::list, Part::answers, Part::reason}) {
        EXPECT_EQ(part_named(custom_id(part, token)), (PartName{part, token}));
        EXPECT_LE(custom_id(part, token).size(), 100U);
    }
    EXPECT_EQ(part_named(""), (PartName{Part::button, ""}));
}

}  // namespace
}  // namespace countersign::channels::discord
