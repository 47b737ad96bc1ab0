// SPDX-License-Identifier: Apache-2.0
// A bot is added to a configuration that people wrote: their own lines don't change.
#include "app/setup/additions.hpp"

#include "app/channels/registry.hpp"
#include "channels/telegram/kind.hpp"
#include "config/config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::app::setup {
namespace {

using testing::HasSubstr;

constexpr std::string_view desk = R"(# ours, do not touch
[people.alice]
terminal = 1000   # her desk
roles = ["approve"]

[channels.desk]
kind = "terminal"

[[routes]]
match = { risk = "low" }
ask = [ { channel = "desk" } ]
deciders = ["alice"]

[[routes]]   # everything else
ask = [
    { channel = "desk" },  # first the desk ] "
]
deciders = [ "alice" ]
)";

Configuration read(std::string_view text) {
    auto parsed = config::parse_config(text, "test.toml", known_kinds());
    if (const auto* problems = std::get_if<std::vector<config::ConfigProblem>>(&parsed)) {
        ADD_FAILURE() << print(problems->front()) << "\n" << text;
        return {};
    }
    return std::get<Configuration>(std::move(parsed));
}

NewChannel bob() {
    return {.kind = &channels::telegram::kind,
            .title = "Telegram",
            .person = "bob",
            .id = "88",
            .channel = "phone",
            .settings = {{"token_file", "/etc/token"}}};
}

TEST(SetupAdditions, ABotAndItsPersonAreAddedAndEveryOldLineIsUnchanged) {
    const auto added = with_channel(desk, read(desk), bob());
    ASSERT_TRUE(added) << describe(added.error());
    const auto made = read(added->text);
    EXPECT_EQ(made.channels.at("phone").settings.at("token_file"), "/etc/token");
    EXPECT_EQ(made.person_of("telegram:88")->name, "bob");
    ASSERT_EQ(made.routes.back().steps.size(), 2U);
    EXPECT_EQ(made.routes.back().steps[1].people, std::vector<std::string>{"bob"});
    EXPECT_EQ(made.routes.back().deciders, (std::vector<std::string>{"alice", "bob"}));
    EXPECT_EQ(made.routes.front().steps.size(), 1U) << "only the last route asks there";
    for (const auto* kept : {"# ours, do not touch\n", "terminal = 1000   # her desk\n",
                             "[[routes]]   # everything else\n", "# first the desk ] \"\n"}) {
        EXPECT_THAT(added->text, HasSubstr(kept));
    }
}

TEST(SetupAdditions, AKnownPersonGetsTheirTelegramIdAndRemainsADecider) {
    auto setup = bob();
    setup.person = "alice";
    const auto added = with_channel(desk, read(desk), setup);
    ASSERT_TRUE(added) << describe(added.error());
    const auto made = read(added->text);
    EXPECT_EQ(made.people.size(), 1U);
    EXPECT_EQ(made.people.at("alice").principals, (std::vector<std::string>{"telegram:88", "terminal:1000"}));
    EXPECT_EQ(made.routes.back().deciders, std::vector<std::string>{"alice"});
}

TEST(SetupAdditions, ASecondBotGetsItsOwnName) {
    const auto first = with_channel(desk, read(desk), bob());
    ASSERT_TRUE(first);
    const auto now = read(first->text);
    EXPECT_EQ(free_channel_name(now, "phone"), "phone2");
    auto setup = bob();
    setup.channel = free_channel_name(now, "phone");
    const auto second = with_channel(first->text, now, setup);
    ASSERT_TRUE(second) << describe(second.error());
    EXPECT_EQ(read(second->text).routes.back().steps.size(), 3U);
}

TEST(SetupAdditions, I4_AnAccountOrNameThatIsAlreadyBoundIsAConflict) {
    const auto now = read(with_channel(desk, read(desk), bob())->text);
    auto setup = bob();
    setup.channel = "phone2";
    setup.person = "carol";  // with bob's account
    EXPECT_EQ(with_channel(desk, now, setup).error().code, Errc::conflict);
    setup.person = "bob";
    setup.id = "99";  // another account in bob's name
    EXPECT_EQ(with_channel(desk, now, setup).error().code, Errc::conflict);
}

TEST(SetupAdditions, AnIdIsWrittenInTheFormThatItsKindReads) {
    auto setup = bob();
    EXPECT_EQ(person_toml(setup), "[people.bob]\ntelegram = 88\nroles    = [\"approve\", \"approve-always\"]\n");
    setup.kind = &channel_entry("slack")->kind;
    setup.id = "T0123/U061F7AUR";
    EXPECT_EQ(person_toml(setup),
              "[people.bob]\nslack = \"T0123/U061F7AUR\"\nroles = [\"approve\", \"approve-always\"]\n");
    setup.groups = {{"C0OPS", "ops"}};
    setup.channel = "desk";
    EXPECT_THAT(configuration_toml(setup), HasSubstr("# ask = [ { channel = \"desk\", chat = \"C0OPS\" } ]"));
}

TEST(SetupAdditions, AChosenGroupIsAskedInsteadOfThePerson) {
    auto setup = bob();
    setup.chat = "-1001";
    setup.groups = {{"-1001", "Ops"}, {"-1002", "Dev"}};
    EXPECT_EQ(step_toml(setup), R"({ channel = "phone", chat = -1001 })");
    const auto added = with_channel(desk, read(desk), setup);
    ASSERT_TRUE(added) << describe(added.error());
    const auto step = read(added->text).routes.back().steps.back();
    EXPECT_EQ(step.chat, "-1001");
    EXPECT_TRUE(step.people.empty());
    const auto fresh = configuration_toml(setup);
    EXPECT_EQ(read(fresh).routes.back().steps.front().chat, "-1001");
    EXPECT_EQ(read(fresh).routes.back().deciders, std::vector<std::string>{"bob"}) << "the others there only read";
    EXPECT_THAT(fresh, HasSubstr("# To ask in the group Dev:\n# ask = [ { channel = \"phone\", chat = -1002 } ]"));
    EXPECT_EQ(fresh.find("group Ops"), std::string::npos);
    EXPECT_THAT(fresh, HasSubstr("# Everything is asked in Ops, and waits"));
}

TEST(SetupAdditions, AConfigurationThatCannotBeChangedSafelyIsLeftAndTheLinesAreShown) {
    const std::string inline_routes = R"(routes = [ { ask = [ { channel = "desk" } ], deciders = ["alice"] } ]
[people.alice]
terminal = 1000
roles = ["approve"]
[channels.desk]
kind = "terminal"
)";
    const auto added = with_channel(inline_routes, read(inline_routes), bob());
    ASSERT_FALSE(added);
    EXPECT_EQ(added.error().code, Errc::unsupported);
    EXPECT_THAT(added.error().detail, HasSubstr("[channels.phone]"));
    EXPECT_THAT(added.error().detail, HasSubstr("telegram = 88"));
}

}  // namespace
}  // namespace countersign::app::setup
