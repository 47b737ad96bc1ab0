// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/bounds.hpp"
#include "channels/telegram/client.hpp"

#include "tests/channels/telegram_fakes.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <gtest/gtest.h>

namespace countersign::channels::telegram {
namespace {

using namespace std::chrono_literals;
using fakes::FakeTelegram;
using fakes::Json;
using Kind = Refusal::Kind;

Refusal refusal(const HttpResponse& response) {
    const auto reply = read_reply(response);
    const auto* refused = std::get_if<Refusal>(&reply);
    EXPECT_NE(refused, nullptr);
    return refused == nullptr ? Refusal{} : *refused;
}

TEST(TelegramClient, AResultIsTheResult) {
    const auto reply = read_reply(FakeTelegram::ok({{"message_id", 42}}));
    const auto* value = std::get_if<json::Value>(&reply);
    ASSERT_NE(value, nullptr);
    EXPECT_EQ(value->object()->find("message_id")->number()->lexeme, "42");
}

TEST(TelegramClient, I13_ABatchThatStrangersFilledIsReadAsLongAsAnAnswerMayBe) {
    const auto reply = read_reply(FakeTelegram::ok(std::string(limits::json_bytes_max, 'x')));
    EXPECT_NE(std::get_if<json::Value>(&reply), nullptr) << "more than the JSON of an agent, less than an answer";
    const auto most = read_reply(FakeTelegram::ok(std::string(limits::http_answer_body_bytes_max, 'x')));
    EXPECT_EQ(std::get_if<json::Value>(&most), nullptr);
}

TEST(TelegramClient, ARefusalSaysWhatIsToBeDone) {
    const std::vector<std::tuple<int, std::string, Kind>> known{
        {429, "Too Many Requests: retry after 7", Kind::flood},
        {400,
         "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as "
         "a current content and reply markup of the message",
         Kind::nothing_to_do},
        {400, "Bad Request: message to edit not found", Kind::nothing_to_do},
        {400, "Bad Request: message can't be edited", Kind::nothing_to_do},
        {400, "Bad Request: query is too old and response timeout expired or query ID is invalid", Kind::nothing_to_do},
        {400, "Bad Request: chat not found", Kind::unreachable},
        {400, "Bad Request: have no rights to send a message", Kind::unreachable},
        {403, "Forbidden: bot was blocked by the user", Kind::unreachable},
        {403, "Forbidden: bot was kicked from the supergroup chat", Kind::unreachable},
        {403, "Forbidden: bot can't initiate conversation with a user", Kind::unreachable},
        {401, "Unauthorized", Kind::bad_token},
        {404, "Not Found", Kind::bad_token},
        {409, "Conflict: terminated by other getUpdates request", Kind::conflict},
        {500, "Internal Server Error", Kind::retry},
        {502, "Bad Gateway", Kind::retry},
        {400, "Bad Request: message is too long", Kind::rejected},
    };
    for (const auto& [code, description, kind] : known) {
        EXPECT_EQ(refusal(FakeTelegram::refused(code, description)).kind, kind) << description;
    }
}

TEST(TelegramClient, WaitsAndMovesAreValues) {
    const auto flood = refusal(FakeTelegram::refused(429, "Too Many Requests", {{"retry_after", 7}}));
    EXPECT_EQ(flood.retry_after, 7s);
    const auto moved = refusal(
        FakeTelegram::refused(400, "Bad Request: group chat was upgraded", {{"migrate_to_chat_id", -1001234567890}}));
    EXPECT_EQ(moved.kind, Kind::moved);
    EXPECT_EQ(moved.moved_to, "-1001234567890");
    for (const auto to : {0, 666}) {
        const auto astray = refusal(FakeTelegram::refused(400, "Bad Request", {{"migrate_to_chat_id", to}}));
        EXPECT_EQ(astray.kind, Kind::rejected) << "a group becomes a group, not " << to;
        EXPECT_EQ(astray.moved_to, "");
    }
    EXPECT_EQ(refusal(FakeTelegram::refused(429, "x", {{"retry_after", 999'999'999'999}})).retry_after,
              limits::http_retry_after_max);
    EXPECT_EQ(refusal(FakeTelegram::refused(429, "x", {{"retry_after", -5}})).retry_after, std::nullopt);
}

TEST(TelegramClient, WhatIsNoAnswerOfTheBotApiIsTriedAgain) {
    for (const int status : {200, 400, 401, 403, 404, 409, 502}) {
        for (const auto* text : {"", "<html>captive portal</html>", "[]", "{", "null", "{\"ok\":true}",
                                 "{\"ok\":false}", "{\"error_code\":401}", "{\"ok\":\"false\",\"error_code\":404}"}) {
            const auto refused = refusal({.status = status, .body = text});
            EXPECT_EQ(refused.kind, Kind::retry) << status << " " << text;
            EXPECT_NE(refused.why, "");
        }
    }
    EXPECT_EQ(refusal({.status = 502, .body = "<html>"}).kind, Kind::retry);
    EXPECT_EQ(refusal({.status = 429, .headers = {{"retry-after", "3"}}, .body = "<html>"}).retry_after, 3s);
}

TEST(TelegramClient, I13_ADescriptionIsOneBoundedCleanLine) {
    const auto refused = refusal(FakeTelegram::refused(400, std::string(1000, 'a') + "\x1b[2J\n"));
    EXPECT_EQ(refused.why.size(), limits::api_reason_bytes_max);
    EXPECT_EQ(refusal(FakeTelegram::refused(400, "a\nb\x1b")).why, "a⏎b\\u{1B}");
}

class TelegramClientCalls : public ::testing::Test {
protected:
    BotReply call(Call what) {
        BotReply got;
        boost::asio::co_spawn(io, client.call(std::move(what)),
                              [&](const std::exception_ptr&, BotReply reply) { got = std::move(reply); });
        io.restart();
        io.poll();
        return got;
    }
    boost::asio::io_context io;
    FakeTelegram http;
    TelegramClient client{http, "https://api.telegram.org/", security::Secret{fakes::token}};
};

TEST_F(TelegramClientCalls, TheAddressHoldsTheTokenAndTheMethod) {
    call(send_message("1", StyledText{}.plain("hello"), {}));
    ASSERT_EQ(http.calls.size(), 1U);
    EXPECT_EQ(http.calls[0].url, "https://api.telegram.org/bot" + std::string{fakes::token} + "/sendMessage");
    EXPECT_EQ(http.calls[0].body["text"], "hello");
}

TEST_F(TelegramClientCalls, NoErrorTellsTheToken) {
    const std::string secret{fakes::token};
    http.will("getMe", FakeTelegram::refused(400, "no method /bot" + secret + "/getMe for " + secret));
    http.will("getMe", Error{Errc::unavailable, "cannot reach https://api.telegram.org/bot" + secret + "/getMe"});
    http.will("getMe", FakeTelegram::refused(400, std::string(240, 'a') + secret));
    for (int i = 0; i < 3; ++i) {
        const auto reply = call(get_me());
        const auto& why = std::get<Refusal>(reply).why;
        EXPECT_NE(why, "");
        EXPECT_EQ(why.find("AAF"), std::string::npos) << why;
    }
}

TEST(TelegramClient, OnlyACallThatMadeNoConnectionIsUnsent) {
    for (const auto code : {Errc::away, Errc::busy, Errc::unsupported, Errc::malformed, Errc::bad_signature}) {
        EXPECT_TRUE(read_failure({code, "no"}).unsent) << name(code);
    }
    for (const auto code : {Errc::timeout, Errc::unavailable, Errc::too_large, Errc::internal}) {
        EXPECT_FALSE(read_failure({code, "no"}).unsent) << name(code);
    }
    EXPECT_FALSE(std::get<Refusal>(read_reply({.status = 502, .body = "<html>"})).unsent);
}

TEST_F(TelegramClientCalls, ANetworkFailureIsTriedAgain) {
    http.will("getMe", Error{Errc::timeout, "no answer"});
    EXPECT_EQ(std::get<Refusal>(call(get_me())).kind, Kind::retry);
}

}  // namespace
}  // namespace countersign::channels::telegram
