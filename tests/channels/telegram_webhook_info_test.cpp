// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/bounds.hpp"
#include "channels/telegram/webhook_info.hpp"

#include "channels/telegram/message.hpp"
#include "core/json/read.hpp"
#include "core/limits.hpp"
#include "tests/channels/telegram_world.hpp"

#include <gmock/gmock.h>

namespace countersign::channels::telegram::fakes {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using namespace std::chrono_literals;

constexpr WallTime now{std::chrono::sys_days{std::chrono::year{2026} / 11 / 16} + 12h};
const WebhookWanted wanted{.url = "https://a.example/webhooks/telegram/chat", .path = {}};

Result<WebhookInfo> info_of(const Json& answer) {
    const auto document = json::read(answer.dump());
    return document ? read_webhook_info(document->value) : Result<WebhookInfo>{document.error()};
}
Json answer(const std::string& url) {
    return {{"url", url}, {"has_custom_certificate", false}, {"pending_update_count", 2}};
}
std::vector<std::string> wrong(const Json& answer, const WebhookWanted& with = wanted) {
    return webhook_problems(*info_of(answer), with, now);
}

TEST(TelegramWebhookInfo, WhatIsNoAnswerIsSaidSo) {
    for (const auto& bad : {Json(true), Json::array(), Json::object(), Json{{"url", 7}}}) {
        EXPECT_FALSE(info_of(bad)) << bad;
    }
}

TEST(TelegramWebhookInfo, TheRightAddressIsNoProblem) {
    EXPECT_THAT(wrong(answer(wanted.url)), IsEmpty());
    EXPECT_THAT(
        wrong(answer("https://b.example/x/webhooks/telegram/chat"), {.url = {}, .path = "/webhooks/telegram/chat"}),
        IsEmpty());
}

TEST(TelegramWebhookInfo, AnotherAddressOrNoneIsNamed) {
    EXPECT_THAT(wrong(answer("https://b.example/hook")),
                ElementsAre(AllOf(HasSubstr("https://b.example/hook"), HasSubstr(wanted.url))));
    EXPECT_THAT(wrong(answer("https://b.example/hook"), {.url = {}, .path = "/webhooks/telegram/chat"}),
                ElementsAre(HasSubstr("ends with /webhooks/telegram/chat")));
    EXPECT_THAT(wrong(answer("")), ElementsAre(HasSubstr("no webhook is set")));
}

TEST(TelegramWebhookInfo, KindsOfUpdatesThatDoNotComeAreNamed) {
    auto without = answer(wanted.url);
    without["allowed_updates"] = {"message", "edited_message"};
    EXPECT_THAT(wrong(without), ElementsAre(HasSubstr("callback_query")));
    without["allowed_updates"] = {"message", "callback_query"};
    EXPECT_THAT(wrong(without), ElementsAre(HasSubstr("edited_message")));
    without["allowed_updates"] = Json::array();
    EXPECT_THAT(wrong(without), IsEmpty());
}

TEST(TelegramWebhookInfo, ALateFailureIsExplainedAndAnOldOneForgotten) {
    auto failed = answer(wanted.url);
    const auto at = std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count();
    failed["last_error_date"] = at - 599;
    failed["last_error_message"] = "Wrong response from the webhook: 401 Unauthorized";
    EXPECT_THAT(wrong(failed), ElementsAre(AllOf(HasSubstr("updates wait"), HasSubstr("another secret"))));
    failed["last_error_date"] = at - 600;
    EXPECT_THAT(wrong(failed), IsEmpty());
    failed["last_error_date"] = at;
    failed["pending_update_count"] = 0;
    EXPECT_THAT(wrong(failed), IsEmpty()) << "what failed has arrived since";
}

TEST(TelegramWebhookInfo, EachOfTelegramsWordsHasItsCause) {
    EXPECT_THAT(explain_failure("Connection refused"), HasSubstr("nothing listens"));
    EXPECT_THAT(explain_failure("Connection timed out"), HasSubstr("firewall"));
    EXPECT_THAT(explain_failure("SSL error {error:0A000086:SSL routines::certificate verify failed}"),
                HasSubstr("fullchain"));
    EXPECT_THAT(explain_failure("Failed to resolve host: Name or service not known"), HasSubstr("DNS"));
    EXPECT_EQ(explain_failure("Something new"), "");
}

TEST(TelegramWebhookInfo, WhatOthersWroteIsShownSanitisedAndCut) {
    auto hostile = answer("https://b.example/\x1b[31m" + std::string(10'000, 'x'));
    hostile["last_error_message"] = std::string(10'000, 'y');
    const auto info = info_of(hostile);
    ASSERT_TRUE(info);
    EXPECT_EQ(info->url.find('\x1b'), std::string::npos);
    EXPECT_LE(info->failure.size(), limits::api_reason_bytes_max);
}

TEST(TelegramWebhookInfo, TheCallsKeepWhatWaits) {
    const auto set = Json::parse(std::get<std::string>(set_webhook({.url = "https://a.example", .secret = "s"}).body));
    EXPECT_EQ(set, (Json{{"url", "https://a.example"},
                         {"secret_token", "s"},
                         {"allowed_updates", {"message", "edited_message", "callback_query"}},
                         {"max_connections", 40}}));
    EXPECT_EQ(std::get<std::string>(delete_webhook().body), "{}");
}

class TelegramByWebhook : public TelegramWorld {
protected:
    void adjust(TelegramOptions& options) override { options.webhook_url = wanted.url; }
    void says(const Json& result) { http.will("getWebhookInfo", FakeTelegram::ok(result)); }
};

TEST_F(TelegramByWebhook, ADeliveryThatFailsLaterIsSaidOnce) {
    says(answer(wanted.url));
    begin(telegram_configuration(), Mode::webhook);
    EXPECT_EQ(http.of("getWebhookInfo").size(), 1U);
    EXPECT_THAT(problems, IsEmpty());
    EXPECT_THAT(telegram->unready(), IsEmpty());

    auto failed = answer(wanted.url);
    failed["last_error_message"] = "Connection refused";
    for (const int waiting : {1, 2}) {
        const auto at = world->clock.wall().time_since_epoch();
        failed["last_error_date"] = std::chrono::duration_cast<std::chrono::seconds>(at).count();
        failed["pending_update_count"] = waiting;
        says(failed);
        world->advance(limits::webhook_look_idle);
        EXPECT_THAT(problems, ElementsAre(HasSubstr("nothing listens"))) << waiting;
        EXPECT_THAT(telegram->unready(), ElementsAre(HasSubstr("Connection refused")));
    }
    says(answer(wanted.url));
    world->advance(limits::webhook_look_idle);
    EXPECT_THAT(telegram->unready(), IsEmpty());
}

TEST_F(TelegramByWebhook, AnAddressThatIsNotOursIsSaidOnceAndMakesItUnreadyUntilItIs) {
    says(answer("https://b.example/hook"));
    says(answer("https://b.example/hook"));
    says(answer(wanted.url));
    begin(telegram_configuration(), Mode::webhook);
    EXPECT_THAT(problems, ElementsAre(HasSubstr("https://b.example/hook")));
    EXPECT_THAT(telegram->unready(), ElementsAre(HasSubstr("https://b.example/hook")));
    world->advance(limits::outbox_backoff_max);
    EXPECT_EQ(problems.size(), 1U);
    world->advance(limits::outbox_backoff_max);
    EXPECT_THAT(telegram->unready(), IsEmpty());
    EXPECT_THAT(http.of("setWebhook"), IsEmpty()) << "somebody may rely on it";
}

}  // namespace
}  // namespace countersign::channels::telegram::fakes
