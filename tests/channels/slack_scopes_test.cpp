// SPDX-License-Identifier: Apache-2.0
// What the app may do and which channels it sees, as the hub tells it at its start.
#include "channels/slack/scopes.hpp"
#include "tests/channels/slack_world.hpp"

#include <fstream>
#include <iterator>

namespace countersign::channels::slack::fakes {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string all_scopes() {
    std::string all;
    for (const auto& scope : app_scopes()) all += (all.empty() ? "" : ",") + std::string{scope.name};
    return all;
}

TEST(SlackScopes, AreThoseOfTheManifestInItsOrder) {
    std::ifstream file{std::string{COUNTERSIGN_SOURCE_DIR} + "/deploy/slack-manifest.yaml"};
    const std::string manifest{std::istreambuf_iterator<char>{file}, {}};
    std::string written = "    bot:\n";
    for (const auto& scope : app_scopes()) written += "      - " + std::string{scope.name} + "\n";
    EXPECT_THAT(manifest, HasSubstr(written + "settings:"));
}

TEST(SlackScopes, MissingOnesAreNamedWithTheirPurposeAndWhatToDo) {
    EXPECT_THAT(missing_scopes(all_scopes()), IsEmpty());
    EXPECT_THAT(missing_scopes("users:read, " + all_scopes() + " ,extra"), IsEmpty());
    EXPECT_EQ(missing_scopes("").size(), app_scopes().size());
    EXPECT_EQ(missing_scopes("chat:write.public,command").size(), app_scopes().size()) << "a part of a name is none";
    auto most = all_scopes();
    most.erase(most.find(",im:history"), std::string_view{",im:history"}.size());
    EXPECT_THAT(missing_scopes(most), ElementsAre("im:history"));
    EXPECT_EQ(explain_missing_scopes({"im:history"}),
              "the app lacks the scope im:history (to read what people write to the bot): add it at the app's page, "
              "OAuth & Permissions, Bot Token Scopes, then install the app again");
    EXPECT_THAT(explain_missing_scopes({"commands", "im:write"}),
                HasSubstr("the scopes commands (to take slash commands), im:write (to write to people directly)"));
}

class SlackChannels : public SlackWorld {
protected:
    void adjust(SlackOptions& options) override {
        options.chats = [this] { return chats; };
    }
    static HttpResponse channel(const std::string& name, bool member, bool archived = false) {
        return FakeSlack::ok({{"channel", {{"name", name}, {"is_member", member}, {"is_archived", archived}}}});
    }
    std::vector<std::string> chats{"C0OPS"};
};

TEST_F(SlackChannels, AMissingScopeIsToldAndTheHubStillStarts) {
    auto answer = FakeSlack::ok({{"user_id", "U0BOT"}, {"team_id", "T0"}, {"user", "countersign"}});
    answer.headers = {{"x-oauth-scopes", "chat:write,commands"}};
    http.will("auth.test", answer);
    http.will("conversations.info", FakeSlack::refused("missing_scope", {{"needed", "channels:read"}}));
    begin();
    ASSERT_EQ(problems.size(), 1U) << "what the scope would have shown is no problem of its own";
    EXPECT_THAT(problems[0], HasSubstr("files:write (to send a call that is too long for a message)"));
    EXPECT_TRUE(slack->unready().empty());
}

TEST_F(SlackChannels, AChannelWhereTheBotIsNotAMemberIsToldWithWhatToType) {
    chats = {"C0ARCHIVE", "C0GENERAL", "C0OPS", "C0SECRET"};
    http.will("conversations.info", channel("old", true, true));
    http.will("conversations.info", channel("general", false));
    http.will("conversations.info", channel("ops", true));
    http.will("conversations.info", FakeSlack::refused("channel_not_found"));
    begin();
    ASSERT_EQ(problems.size(), 3U);
    EXPECT_THAT(problems[0], HasSubstr("#old (C0ARCHIVE), which is archived"));
    EXPECT_EQ(problems[1],
              "desk: requests will not arrive in #general (C0GENERAL), where @countersign is not a member: type "
              "/invite @countersign there");
    EXPECT_THAT(problems[2], HasSubstr("C0SECRET, which @countersign cannot see: correct the id, or if the channel is "
                                       "private, type /invite @countersign there"));
}

TEST_F(SlackChannels, I13_LooksAtOnlySoManyChannels) {
    chats.clear();
    for (std::size_t i = 0; i <= limits::slack_channel_checks_max; ++i) chats.push_back("C" + std::to_string(i));
    begin();
    EXPECT_EQ(http.of("conversations.info").size(), limits::slack_channel_checks_max);
}

}  // namespace
}  // namespace countersign::channels::slack::fakes
