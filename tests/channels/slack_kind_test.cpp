// SPDX-License-Identifier: Apache-2.0
#include "channels/slack/kind.hpp"
#include "channels/slack/open.hpp"

#include "tests/channels/slack_fakes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::channels::slack {
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

TEST(SlackKind, I2_ClicksNeedAWayInThatIsProven) {
    const WrittenSettings token{{"token_file", "/t"}};
    const auto with = [&](WrittenSettings more) {
        more.insert(token.begin(), token.end());
        return wrong(more);
    };
    EXPECT_THAT(with({}), ElementsAre("token_file"));
    EXPECT_THAT(with({{"app_token_file", "/a"}}), IsEmpty());
    EXPECT_THAT(with({{"signing_secret_file", "/s"}}), IsEmpty());
    EXPECT_THAT(with({{"app_token_file", "/a"}, {"signing_secret_file", "/s"}}), IsEmpty());
    EXPECT_THAT(with({{"app_token_file", "/a"}, {"mode", "webhook"}}), ElementsAre("mode"));
    EXPECT_THAT(with({{"signing_secret_file", "/s"}, {"mode", "socket"}}), ElementsAre("mode"));
    EXPECT_THAT(with({{"signing_secret_file", "/s"}, {"mode", "poll"}}), ElementsAre("mode"));
}

TEST(SlackKind, APreviousSecretHasAnEndAndASuccessor) {
    const WrittenSettings begin{{"token_file", "/t"}, {"app_token_file", "/a"}};
    auto written = begin;
    written["previous_signing_secret_file"] = "/p";
    EXPECT_THAT(wrong(written), ElementsAre("previous_signing_secret_file", "previous_signing_secret_file"));
    written["previous_until"] = "2026-12-01T12:00:00Z";
    written["signing_secret_file"] = "/s";
    EXPECT_THAT(wrong(written), IsEmpty());
    written.erase("previous_signing_secret_file");
    EXPECT_THAT(wrong(written), ElementsAre("previous_until"));
}

TEST(SlackKind, AChatIsAChannelsId) {
    for (const auto* chat : {"C0123ABCD", "G0123"}) EXPECT_EQ(kind.check_chat(chat).what, "") << chat;
    for (const auto* chat : {"D0123", "#ops", "c0123", "U0123", "C", "C-1", ""}) {
        EXPECT_NE(kind.check_chat(chat).what, "") << chat;
        EXPECT_NE(kind.check_chat(chat).instead, "") << chat;
    }
}

TEST(SlackKind, I4_APersonIsAWorkspaceAndAnId) {
    const auto read = [](const std::string& text) { return kind.principal.read({.text = &text}); };
    for (const auto* text : {"T0123/U061F7AUR", "E0123/W061F7AUR"}) EXPECT_EQ(read(text), text);
    for (const auto* text :
         {"U061F7AUR", "T0123/alice", "T0123/u061", "t0123/U061", "T0123/", "/U061", "T0123/U061/U062"}) {
        EXPECT_FALSE(read(text)) << text;
    }
}

TEST(SlackKind, TheModeFollowsFromTheSecretsUnlessItIsWritten) {
    const auto options = [](std::map<std::string, std::string> values) {
        values["token_file"] = "token";
        const auto find = [](const std::string&) -> Result<security::Secret> { return security::Secret{fakes::token}; };
        return options_of(Settings{std::move(values), find}, WallTime{1'763'258'400'000ms});
    };
    EXPECT_EQ(options({{"app_token_file", "a"}})->mode, Mode::socket);
    EXPECT_EQ(options({{"signing_secret_file", "s"}})->mode, Mode::webhook);
    EXPECT_EQ(options({{"app_token_file", "a"}, {"signing_secret_file", "s"}, {"mode", "webhook"}})->mode,
              Mode::webhook);
    const auto late = options({{"signing_secret_file", "s"},
                               {"previous_signing_secret_file", "p"},
                               {"previous_until", "2026-12-01T12:00:00Z"}});
    EXPECT_EQ(late.error().code, Errc::bad_config) << "more than 30 days ahead";
}

}  // namespace
}  // namespace countersign::channels::slack
