// SPDX-License-Identifier: Apache-2.0
#include "channels/slack/bounds.hpp"
#include "channels/slack/client.hpp"
#include "channels/slack/messenger.hpp"

#include "tests/channels/slack_fakes.hpp"
#include "tests/channels/slack_samples.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::channels::slack {
namespace {

using namespace std::chrono_literals;
using fakes::FakeSlack;
using Kind = Refusal::Kind;
using testing::HasSubstr;
using testing::StartsWith;

Refusal refusal(const HttpResponse& response) {
    const auto reply = read_reply(response);
    const auto* refused = std::get_if<Refusal>(&reply);
    EXPECT_NE(refused, nullptr);
    return refused == nullptr ? Refusal{} : *refused;
}

TEST(SlackClient, ARefusalSaysWhatIsToBeDone) {
    const std::vector<std::pair<std::string, Kind>> known{{"channel_not_found", Kind::unreachable},
                                                          {"not_in_channel", Kind::unreachable},
                                                          {"is_archived", Kind::unreachable},
                                                          {"message_not_found", Kind::nothing_to_do},
                                                          {"thread_not_found", Kind::no_thread},
                                                          {"token_revoked", Kind::bad_token},
                                                          {"account_inactive", Kind::bad_token},
                                                          {"internal_error", Kind::retry},
                                                          {"ratelimited", Kind::flood},
                                                          {"invalid_blocks", Kind::rejected},
                                                          {"msg_too_long", Kind::rejected}};
    for (const auto& [error, kind] : known) EXPECT_EQ(refusal(FakeSlack::refused(error)).kind, kind) << error;
    EXPECT_THAT(refusal(FakeSlack::refused("missing_scope", {{"needed", "files:write"}})).why,
                HasSubstr("files:write"));
}

TEST(SlackClient, WhatIsNotAnAnswerOfTheWebApiIsTriedAgain) {
    for (const int status : {200, 400, 401, 403, 404, 502}) {
        for (const auto* text :
             {"", "<html>captive portal</html>", "[]", "{", "null", "{\"ok\":false}", "{\"error\":\"x\"}"}) {
            EXPECT_EQ(refusal({.status = status, .body = text}).kind, Kind::retry) << status << " " << text;
        }
    }
    const auto flood =
        refusal({.status = 429, .headers = {{"retry-after", "30"}}, .body = R"({"ok":false,"error":"ratelimited"})"});
    EXPECT_EQ(flood.kind, Kind::flood);
    EXPECT_EQ(flood.retry_after, 30s);
}

TEST(SlackClient, I13_ADescriptionIsOneBoundedCleanLine) {
    EXPECT_EQ(refusal(FakeSlack::refused(std::string(1000, 'a'))).why.size(), limits::api_reason_bytes_max);
    EXPECT_EQ(refusal(FakeSlack::refused("a\nb\x1b")).why, "a⏎b\\u{1B}");
}

TEST(SlackClient, I2_AnythingElseIsNotAToken) {
    EXPECT_TRUE(check_token(security::Secret{fakes::token}, "xoxb-"));
    EXPECT_TRUE(check_token(security::Secret{fakes::app_token}, "xapp-"));
    for (const std::string_view text :
         {"", "xoxb-", "xoxb-1", "xapp-1-2-abcdefghijklmnop", "xoxb-1-2-abcdefghij klmn"}) {
        const auto checked = check_token(security::Secret{text}, "xoxb-");
        ASSERT_FALSE(checked) << text;
        EXPECT_EQ(checked.error().code, Errc::missing_secret);
    }
}

TEST(SlackClient, AnotherKindOfTokenIsKnownByItsBeginning) {
    const auto said = [](std::string_view text, std::string_view prefix) {
        return check_token(security::Secret{text}, prefix).error().detail;
    };
    EXPECT_EQ(
        said("xoxp-1-2-abcdefghijklmnop", "xoxb-"),
        "this is a user's token, which would post in that person's name: copy the one that begins with xoxb- from "
        "the app's page, OAuth & Permissions, Bot User OAuth Token");
    EXPECT_EQ(said(fakes::token, "xapp-"),
              "this is the bot's token: copy the one that begins with xapp- from the app's "
              "page, Basic Information, App-Level Tokens");
    EXPECT_THAT(said(fakes::app_token, "xoxb-"), StartsWith("this is an app-level token: "));
    EXPECT_THAT(said(fakes::signing_secret, "xoxb-"), StartsWith("this looks like the signing secret"));
    EXPECT_THAT(said("xoxe.xoxb-1-abcdefghijklmnop", "xoxb-"), HasSubstr("token rotation"));
    EXPECT_THAT(said("xoxb-1", "xoxb-"), StartsWith("this is not such a token, or not all of it"));
    EXPECT_THAT(said("", "xoxb-"), StartsWith("the token is empty"));
}

TEST(SlackMessenger, ALimitOnOneMethodHoldsBackNoOther) {
    const Refusal flood{.kind = Kind::flood, .why = "ratelimited", .retry_after = 30s};
    EXPECT_EQ(tried_of(flood, "chat.update").scope, Tried::Scope::bucket);
    EXPECT_EQ(tried_of(flood, "chat.postMessage").scope, Tried::Scope::bucket);
    const auto bucket_of = [](const std::string& chat) { return post_message({.chat = chat}, {}).bucket; };
    EXPECT_NE(bucket_of("C0OPS"), bucket_of("C0NIGHT")) << "new messages are counted for each channel";
    EXPECT_NE(bucket_of("C0OPS"), update_message({.chat = "C0OPS", .message = "1.2"}, {}).bucket);
    const Refusal gone{.kind = Kind::unreachable, .why = "user_not_in_channel"};
    EXPECT_EQ(tried_of(gone, "chat.postMessage").kind, Tried::Kind::unreachable);
    EXPECT_EQ(tried_of(gone, "chat.postEphemeral").kind, Tried::Kind::rejected);
}

TEST(SlackMessenger, APressIsNamedByWhereItsAnswerGoes) {
    for (const bool quiet : {false, true}) {
        const auto name = query_name({.chat = "C0OPS", .to = {.user = "U1", .thread = "1.2"}, .quiet = quiet});
        const auto query = query_of(name);
        ASSERT_TRUE(query) << name;
        EXPECT_EQ(query->chat, "C0OPS");
        EXPECT_EQ(query->to.user, "U1");
        EXPECT_EQ(query->to.thread, "1.2");
        EXPECT_EQ(query->quiet, quiet);
    }
    for (const auto* name : {"", "C0", "C0 quiet", "C0 quiet U1", "C0 quiet @alice"})
        EXPECT_FALSE(query_of(name)) << name;
}

class SlackCalls : public ::testing::Test {
protected:
    template <class Value> Value run(boost::asio::awaitable<Value> task) {
        std::optional<Value> got;
        boost::asio::co_spawn(io, std::move(task),
                              [&](const std::exception_ptr&, Value value) { got = std::move(value); });
        io.restart();
        io.poll();
        return std::move(*got);
    }
    Tried send(Call call) { return run(messenger.send(std::move(call))); }

    boost::asio::io_context io;
    FakeSlack http;
    fakes::TestKeys keys;
    SlackClient client{http, "https://slack.com/api/", security::Secret{fakes::token}};
    SlackMessenger messenger{client, {keys.tokens, keys.codes}, [] { return false; }};
};

TEST_F(SlackCalls, TheTokenIsInAHeaderAndInNoError) {
    const std::string secret{fakes::token};
    http.will("auth.test", FakeSlack::refused("no such " + secret));
    http.will("auth.test", Error{Errc::unavailable, "cannot reach " + secret});
    for (int i = 0; i < 2; ++i) {
        const auto reply = run(client.call(auth_test()));
        EXPECT_EQ(std::get<Refusal>(reply).why.find("xoxb"), std::string::npos);
    }
    const auto& request = http.calls.front().request;
    EXPECT_EQ(request.url, "https://slack.com/api/auth.test");
    EXPECT_EQ(request.headers.front().value, "Bearer " + secret);
}

TEST_F(SlackCalls, APostedMessageIsNamedByItsTime) {
    const auto tried = send(post_message({.chat = "C0OPS"}, {.notice = "hello"}));
    EXPECT_EQ(tried.kind, Tried::Kind::done);
    EXPECT_EQ(tried.message, "1763258400.000001");
    http.will("chat.postMessage", FakeSlack::ok({{"channel", "C0OPS"}}));
    EXPECT_EQ(send(post_message({.chat = "C0OPS"}, {.notice = "hello"})).kind, Tried::Kind::rejected);
}

TEST_F(SlackCalls, APersonsDirectMessagesAreOpenedOnce) {
    send(post_message({.chat = "U77"}, {.notice = "one"}));
    send(post_message({.chat = "U77"}, {.notice = "two"}));
    EXPECT_EQ(http.of("conversations.open").size(), 1U);
    for (const auto& body : http.of("chat.postMessage")) EXPECT_EQ(body["channel"], "DU77");
    http.will("conversations.open", FakeSlack::refused("user_disabled"));
    EXPECT_EQ(send(post_message({.chat = "U78"}, {.notice = "x"})).kind, Tried::Kind::unreachable);
}

TEST_F(SlackCalls, AThreadThatIsGoneCostsNoMessage) {
    http.will("chat.postMessage", FakeSlack::refused("thread_not_found"));
    const auto tried = send(post_message({.chat = "C0OPS", .thread = "1.2"}, {.notice = "x"}));
    EXPECT_EQ(tried.kind, Tried::Kind::done);
    EXPECT_FALSE(http.of("chat.postMessage").back().contains("thread_ts"));
}

TEST_F(SlackCalls, AFileTakesThreeCallsAndOnlyTheLastShowsIt) {
    const auto file = upload({.chat = "C0OPS", .thread = "1.2"}, {"a.txt", "rm -rf <build>", "whole <text>"});
    const auto tried = send(file);
    EXPECT_EQ(tried.kind, Tried::Kind::done);
    EXPECT_EQ(tried.message, "F1");
    ASSERT_EQ(http.calls.size(), 3U);
    EXPECT_EQ(http.calls[0].body["length"], "14");
    EXPECT_EQ(std::get<std::string>(http.calls[1].request.body), "rm -rf <build>");
    for (const auto& header : http.calls[1].request.headers) EXPECT_NE(header.name, "authorization");
    EXPECT_EQ(http.calls[2].body["channel_id"], "C0OPS");
    EXPECT_EQ(http.calls[2].body["thread_ts"], "1.2");
    EXPECT_EQ(http.calls[2].body["initial_comment"], "whole &lt;text&gt;");
}

TEST_F(SlackCalls, I6_AFileGoesToSlackAndNowhereElse) {
    for (const auto* url :
         {"https://evil.example/upload", "http://files.slack.com/x", "https://slack.com.evil.example/x",
          "https://a@files.slack.com/x", "https://127.0.0.1:8443?.slack.com/up", "https://evil.example#.slack.com/up",
          "https://evil.example\\.slack.com/up", "https://evil.example%2f.slack.com/up",
          "https://files.slack.com:8443/up", "https://files.slack.com:443/up",
          "https:/evil.example://files.slack.com/x", "https://evil.example,.slack.com/", "https://files.slack.com\t/up",
          "https://slackb.com/x", "https://.slack.com/x", "https://slack.com:8443/x",
          "https://slack.com@evil.example/x", "https://", ""}) {
        http.calls.clear();
        http.will("files.getUploadURLExternal", FakeSlack::ok({{"upload_url", url}, {"file_id", "F1"}}));
        EXPECT_EQ(send(upload({.chat = "C0OPS"}, {"a.txt", "x", "y"})).kind, Tried::Kind::rejected) << url;
        EXPECT_EQ(http.calls.size(), 1U) << url;
    }
}

TEST_F(SlackCalls, I6_ASocketConnectsToSlackAndNowhereElse) {
    const auto may = [this](const std::string& base, std::string_view url) {
        return SlackClient{http, base, security::Secret{fakes::token}}.may_connect_to(url);
    };
    for (const auto* url : {"wss://wss-primary.slack.com/link/?ticket=1&app_id=2", "wss://wss.slack-gov.com/link",
                            "wss://wss.slack.com", "wss://slack.com/link"}) {
        EXPECT_TRUE(may("https://slack.com/api", url)) << url;
    }
    for (const auto* url :
         {"wss://evil.example/link", "ws://wss.slack.com/link", "https://wss.slack.com/link",
          "wss://evil.example?.slack.com/link", "wss://evil.example#.slack.com/link",
          "wss://evil.example\\.slack.com/link", "wss://wss.slack.com:8443/link",
          "wss://wss.slack.com.evil.example/link", "wss://a@wss.slack.com/link", "wss.slack.com", "wss://", ""}) {
        EXPECT_FALSE(may("https://slack.com/api", url)) << url;
    }
    // A server of the tests, or a proxy in front of Slack.
    EXPECT_TRUE(may("http://127.0.0.1:8080/api", "ws://127.0.0.1:8081/link"));
    EXPECT_FALSE(may("https://proxy.example/api", "ws://proxy.example/link"));
    EXPECT_FALSE(may("http://127.0.0.1:8080/api", "ws://127.0.0.2:8080/link"));
}

TEST_F(SlackCalls, AnAnswerToAPressThatTheCardTellsIsNotSent) {
    const auto quiet = query_name({.chat = "C0OPS", .to = {.user = "U1"}, .quiet = true});
    EXPECT_EQ(send(messenger.renderer().answer(quiet, Phrase{"recorded"}, false)).kind, Tried::Kind::done);
    EXPECT_TRUE(http.calls.empty());
    send(messenger.renderer().answer(quiet, Phrase{"you may not"}, true));
    EXPECT_EQ(http.of("chat.postEphemeral").size(), 1U);
}

}  // namespace
}  // namespace countersign::channels::slack
