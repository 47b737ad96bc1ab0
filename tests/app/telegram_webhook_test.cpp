// SPDX-License-Identifier: Apache-2.0
#include "app/setup/channel_table.hpp"
#include "channels/telegram/setup.hpp"

#include <gmock/gmock.h>

namespace countersign::app::setup {
namespace {

using testing::HasSubstr;

std::string address(const std::string& given) {
    const auto made = webhook_address("Telegram", {.name = "phone", .kind = "telegram"}, given);
    if (!made) return "refused: " + made.error().detail;
    const auto port = channels::telegram::check_webhook_port(*made);
    return port ? *made : "refused: " + port.error().detail;
}

TEST(WebhookAddress, IsTheHostAndOurPath) {
    EXPECT_EQ(address("https://a.example"), "https://a.example/webhooks/telegram/phone");
    EXPECT_EQ(address("https://a.example/"), "https://a.example/webhooks/telegram/phone");
    EXPECT_EQ(address("https://a.example:8443/bots//"), "https://a.example:8443/bots/webhooks/telegram/phone");
    EXPECT_EQ(address("https://[2001:db8::1]"), "https://[2001:db8::1]/webhooks/telegram/phone");
    EXPECT_EQ(address("http://127.0.0.1:5000"), "http://127.0.0.1:5000/webhooks/telegram/phone");
}

TEST(WebhookAddress, AnAddressThatTelegramWouldNotCallIsRefused) {
    for (const auto* bad :
         {"", "a.example", "http://a.example", "ftp://a.example", "https://", "https://u:p@a.example"}) {
        EXPECT_THAT(address(bad), HasSubstr("https only")) << bad;
    }
    EXPECT_THAT(address("https://a.example:5000"), HasSubstr("443, 80, 88 and 8443"));
    EXPECT_THAT(address("https://[2001:db8::1]:444"), HasSubstr("443, 80, 88 and 8443"));
    EXPECT_THAT(address("https://a.example?x"), HasSubstr("no ?"));
}

constexpr std::string_view before = R"(# mine
[channels.other]
mode = "poll"

[channels.phone] # the bot
kind = "telegram"
  mode = "poll"
# mode = "webhook"
token_file = "/t"

[[routes]]
mode = "x"
)";

TEST(WebhookLines, OnlyOneTableChangesAndCommentsAreKept) {
    const auto after = with_settings(before, {.channel = "phone",
                                              .set = {{"mode", "webhook"}, {"webhook_url", "https://a\"b\\c"}},
                                              .remove = {"token_file"}});
    ASSERT_TRUE(after);
    EXPECT_EQ(*after, R"(# mine
[channels.other]
mode = "poll"

[channels.phone] # the bot
mode = "webhook"
webhook_url = "https://a\"b\\c"
kind = "telegram"
# mode = "webhook"

[[routes]]
mode = "x"
)");
}

TEST(WebhookLines, AMissingTableIsNotAdded) {
    const auto after =
        with_settings("channels.phone.kind = \"telegram\"\n", {.channel = "phone", .set = {}, .remove = {}});
    ASSERT_FALSE(after);
    EXPECT_EQ(after.error().code, Errc::unsupported);
}

TEST(WebhookLines, AListenerIsAddedAtTheEnd) {
    EXPECT_EQ(*with_listener("a = 1", {}, "[::1]:81"), "a = 1\n\n[gateway]\nlisten = \"[::1]:81\"\n");
    EXPECT_EQ(*with_listener("", {}, ""), "\n[gateway]\nlisten = \"127.0.0.1:8080\"\n");
    EXPECT_EQ(with_listener("a = 1", {}, "bridge.example").error().code, Errc::bad_config);
}

TEST(WebhookLines, AnExistingListenerIsNeitherMovedNorMistakenForAnother) {
    const ListenAddress now{.host = "::1", .port = 81};
    EXPECT_EQ(*with_listener("a = 1", now, ""), "a = 1");
    EXPECT_EQ(*with_listener("a = 1", now, "[::1]:81"), "a = 1");
    const auto other = with_listener("a = 1", now, "127.0.0.1:8081");
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().detail,
              "[gateway] listens on [::1]:81: write 127.0.0.1:8081 there, or leave --listen away");
}

std::vector<std::string> unused_when_polling(const Configuration& configuration, const std::string& channel) {
    return only_for_webhook(configuration, channel,
                            {"webhook_secret_file", "previous_webhook_secret_file", "previous_until"});
}

Configuration polling_after_webhook() {
    Configuration configuration;
    configuration.channels["phone"] = {
        .name = "phone", .kind = "telegram", .settings = {{"token_file", "/t"}, {"webhook_secret_file", "/s"}}};
    configuration.gateway.listen = ListenAddress{.host = "127.0.0.1", .port = 8080};
    return configuration;
}

TEST(WebhookLines, SettingsThatAPollingBotDoesNotNeedAreNamed) {
    EXPECT_EQ(unused_when_polling(polling_after_webhook(), "phone"),
              (std::vector<std::string>{"webhook_secret_file in [channels.phone]", "listen in [gateway]"}));
}

TEST(WebhookLines, AListenerThatAnotherWebhookNeedsIsNotReportedAsUnused) {
    auto configuration = polling_after_webhook();
    configuration.channels["other"] = {.name = "other", .kind = "telegram", .settings = {{"mode", "webhook"}}};
    EXPECT_EQ(unused_when_polling(configuration, "phone"),
              std::vector<std::string>{"webhook_secret_file in [channels.phone]"});
}

TEST(WebhookLines, ABotThatNeverHadAWebhookHasNoUnusedSettings) {
    auto configuration = polling_after_webhook();
    configuration.channels.at("phone").settings.erase("webhook_secret_file");
    configuration.gateway.listen.reset();
    EXPECT_EQ(unused_when_polling(configuration, "phone"), std::vector<std::string>{});
}

}  // namespace
}  // namespace countersign::app::setup
