// SPDX-License-Identifier: Apache-2.0
// What reaches the public address and what does not: the signature is checked on the raw bytes before anything is read.
#include "channels/discord/webhook.hpp"

#include "channels/discord/bounds.hpp"
#include "core/limits.hpp"
#include "tests/channels/discord_fakes.hpp"
#include "tests/fakes/fake_clock.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

namespace countersign::channels::discord {
namespace {

using namespace fakes;
using namespace std::chrono_literals;

// The body that the group order is added to: S + L is the same number modulo L, and the same signature in another
// spelling (RFC 8032, 5.1.7 has it refused).
std::string with_group_order(std::string signature) {
    constexpr std::array<std::uint8_t, 32> order{0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7,
                                                 0xa2, 0xde, 0xf9, 0xde, 0x14, 0,    0,    0,    0,    0,    0,
                                                 0,    0,    0,    0,    0,    0,    0,    0,    0,    0x10};
    auto bytes = *security::hex_decode(signature);
    unsigned carry = 0;
    for (std::size_t at = 0; at < order.size(); ++at) {
        carry += bytes[32 + at] + order[at];
        bytes[32 + at] = static_cast<std::uint8_t>(carry & 0xffU);
        carry >>= 8U;
    }
    return security::hex(bytes);
}

class DiscordWebhookTest : public ::testing::Test {
protected:
    Reply bring(const std::string& body, std::vector<HttpHeader> headers) {
        Reply answer{.status = 0};
        InboundMessage message{.method = "POST",
                               .path = "/webhooks/discord/desk",
                               .query = {},
                               .parameters = {},
                               .headers = std::move(headers),
                               .body = body,
                               .arrived = clock.boot()};
        boost::asio::co_spawn(io, webhook.handle(std::move(message)),
                              [&](const std::exception_ptr&, Reply reply) { answer = std::move(reply); });
        io.restart();
        io.run();
        return answer;
    }
    // It was refused with nothing said and nothing read.
    bool refuses(const std::string& body, std::vector<HttpHeader> headers) {
        const auto before = taken;
        const auto refusals = refused.size();
        const auto answer = bring(body, std::move(headers));
        return answer.status == 401 && answer.body.empty() && taken == before && refused.size() == refusals + 1;
    }
    std::vector<HttpHeader> headers(const std::string& body) { return signed_headers(body, clock.wall()); }

    boost::asio::io_context io;
    countersign::fakes::FakeClock clock;
    std::size_t taken = 0;
    std::vector<Errc> refused;
    std::vector<std::string> problems;
    DiscordWebhook webhook{*security::Ed25519PublicKey::parse(public_key),
                           clock,
                           {.take = [this](Payload) -> boost::asio::awaitable<Reply> {
                                ++taken;
                                co_return json_reply(deferred_update());
                            },
                            .on_problem = [this](const std::string& line) { problems.push_back(line); },
                            .on_refused = [this](const Error& why) { refused.push_back(why.code); }}};
    const std::string press = button_press({.id = snowflake(clock.wall()), .data = "token"}).dump();
};

TEST_F(DiscordWebhookTest, APingIsAnsweredWithAPong) {
    const std::string ping = R"({"type":1})";
    const auto answer = bring(ping, headers(ping));
    EXPECT_EQ(answer.status, 200U);
    EXPECT_EQ(answer.content_type, "application/json") << "Discord takes no other";
    EXPECT_EQ(answer.body, R"({"type":1})");
    EXPECT_EQ(taken, 0U);
}

TEST_F(DiscordWebhookTest, TheVectorsOfAnotherImplementationFit) {
    // Made and checked with discord-interactions 4.4.
    struct Vector {
        std::string timestamp;
        std::string body;
        std::string signature;
    };
    const std::vector<Vector> vectors{
        {"1700000000", R"({"type":1})",
         "1695961a47c91a1ec033b819b7e87e3dbc583dd0cee6d1fd0216f58ac87b6228"
         "ae531ddbf91fb7bc28d7edf7f08604da16f54624f38a6bc0614e4dc13cd47f0f"},
        {"1700000001",
         R"({"id":"1","type":3,"token":"t","data":{"component_type":2,"custom_id":"a:01HZX"},)"
         R"("member":{"user":{"id":"7","global_name":"Åsa 🚀"}}})",
         "36ee985c3108733aab26e4a2455d7bb7aa65d1266efef80aee549b8862bd7cc1"
         "8380cc8e0f1b65b9abddb7477854fef0c4ba6c3c0b5f81c8c8e7b38d2c27630d"}};
    clock.set_wall(WallTime{1'700'000'000s});
    DiscordWebhook then{*security::Ed25519PublicKey::parse(public_key),
                        clock,
                        {.take = [this](Payload) -> boost::asio::awaitable<Reply> {
                            ++taken;
                            co_return Reply{};
                        }}};
    for (const auto& [timestamp, body, signature] : vectors) {
        unsigned status = 0;
        InboundMessage message{.method = "POST",
                               .path = {},
                               .query = {},
                               .parameters = {},
                               .headers = {},
                               .body = body,
                               .arrived = clock.boot()};
        message.headers = {{"x-signature-ed25519", signature}, {"x-signature-timestamp", timestamp}};
        boost::asio::co_spawn(io, then.handle(std::move(message)),
                              [&](const std::exception_ptr&, const Reply& reply) { status = reply.status; });
        io.restart();
        io.run();
        EXPECT_EQ(status, 200U) << timestamp;
    }
}

TEST_F(DiscordWebhookTest, I5_EachHeaderIsThereOnceOrNothingIsRead) {
    ASSERT_EQ(bring(press, headers(press)).status, 200U);
    EXPECT_EQ(taken, 1U);
    EXPECT_TRUE(refuses(press, {}));
    const auto both = headers(press);
    EXPECT_TRUE(refuses(press, {both[0]}));
    EXPECT_TRUE(refuses(press, {both[1]}));
    EXPECT_TRUE(refuses(press, {both[0], both[1], both[0]}));
    EXPECT_TRUE(refuses(press, {both[0], both[1], both[1]}));
    auto other = both[0];
    other.value = std::string(128, '0');
    EXPECT_TRUE(refuses(press, {both[0], other, both[1]})) << "which of the two would be believed?";
    EXPECT_TRUE(refuses(press, {{both[0].name, ""}, both[1]}));
    EXPECT_TRUE(refuses(press, {both[0], {both[1].name, ""}}));
}

TEST_F(DiscordWebhookTest, I5_ASignatureHasOneSpelling) {
    const auto good = headers(press);
    const auto with = [&](const std::string& signature) {
        return std::vector<HttpHeader>{{good[0].name, signature}, good[1]};
    };
    const auto& signature = good[0].value;
    ASSERT_EQ(signature.size(), 128U);
    auto upper = signature;
    std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    EXPECT_TRUE(refuses(press, with(upper)));
    EXPECT_TRUE(refuses(press, with(signature.substr(0, 127))));
    EXPECT_TRUE(refuses(press, with(signature.substr(0, 126))));
    EXPECT_TRUE(refuses(press, with(signature + "0")));
    EXPECT_TRUE(refuses(press, with(signature + "00")));
    EXPECT_TRUE(refuses(press, with(" " + signature)));
    EXPECT_TRUE(refuses(press, with(signature + "\n")));
    EXPECT_TRUE(refuses(press, with("0x" + signature)));
    EXPECT_TRUE(refuses(press, with(signature.substr(0, 127) + "g")));
    EXPECT_TRUE(refuses(press, with(std::string(128, '0'))));
    EXPECT_TRUE(refuses(press, with(with_group_order(signature)))) << "S + L";
    auto flipped = signature;
    flipped[64] = flipped[64] == '0' ? '1' : '0';
    EXPECT_TRUE(refuses(press, with(flipped)));
    EXPECT_EQ(bring(press, good).status, 200U);
}

TEST_F(DiscordWebhookTest, I5_TheBytesAreThoseThatWereSigned) {
    const auto good = headers(press);
    EXPECT_TRUE(refuses(press + " ", good));
    EXPECT_TRUE(refuses(press.substr(1), good));
    EXPECT_TRUE(refuses("", good));
    // The same JSON in other bytes.
    const auto spaced = Json::parse(press).dump(1);
    ASSERT_EQ(Json::parse(spaced), Json::parse(press));
    EXPECT_TRUE(refuses(spaced, good));
    EXPECT_TRUE(refuses(
        press, signed_headers(press, clock.wall(), "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")))
        << "another key";
    // The border between timestamp and body is not signed.
    auto moved = good;
    moved[1].value.pop_back();
    EXPECT_TRUE(refuses(good[1].value.back() + press, moved));
}

TEST_F(DiscordWebhookTest, I5_ADeliveryIsFreshAndNotOlderThanTheProcess) {
    EXPECT_EQ(bring(press, signed_headers(press, clock.wall() + 300s)).status, 200U);
    EXPECT_TRUE(refuses(press, signed_headers(press, clock.wall() + 301s)));
    EXPECT_EQ(refused.back(), Errc::stale);
    EXPECT_TRUE(refuses(press, signed_headers(press, clock.wall() - 1s))) << "before this process";
    const auto captured = headers(press);
    clock.advance(300s);
    EXPECT_EQ(bring(press, captured).status, 200U) << "what comes twice is the channel's to tell";
    clock.advance(1s);
    EXPECT_TRUE(refuses(press, captured));
    for (const auto* timestamp : {"0", "-1", "+1763258701", "1763258701.0", " 1763258701", "01763258701", "17632587010",
                                  "2025-11-16T02:05:01Z", "1763258701\n"}) {
        const auto odd = std::vector<HttpHeader>{{"X-Signature-Ed25519", signature_of(timestamp + press)},
                                                 {"X-Signature-Timestamp", timestamp}};
        EXPECT_TRUE(refuses(press, odd)) << timestamp;
    }
}

TEST_F(DiscordWebhookTest, WhatDiscordSignedAndNobodyCanReadIsNotTaken) {
    for (const std::string body : {"", "[]", "{", R"({"type":1,"type":3})"}) {
        EXPECT_EQ(bring(body, headers(body)).status, 400U) << body;
    }
    EXPECT_EQ(taken, 0U);
    EXPECT_EQ(problems.size(), 4U);
    EXPECT_TRUE(refused.empty());
}

TEST_F(DiscordWebhookTest, I13_ABodyPastTheBoundIsNotVerified) {
    std::string body = R"({"type":1)" + std::string(limits::webhook_body_bytes_max - 10, ' ') + "}";
    ASSERT_EQ(body.size(), limits::webhook_body_bytes_max);
    EXPECT_EQ(bring(body, headers(body)).status, 200U);
    body += ' ';
    EXPECT_EQ(bring(body, headers(body)).status, 413U);
}

TEST_F(DiscordWebhookTest, AnotherKeyIsTrustedFromTheNextDeliveryOn) {
    constexpr std::string_view seed = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb";
    constexpr std::string_view key = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
    EXPECT_TRUE(refuses(press, signed_headers(press, clock.wall(), seed)));
    webhook.trust(*security::Ed25519PublicKey::parse(key));
    EXPECT_EQ(bring(press, signed_headers(press, clock.wall(), seed)).status, 200U);
    EXPECT_TRUE(refuses(press, headers(press)));
}

TEST_F(DiscordWebhookTest, TheReplyIsThereBeforeTheGatewayWouldGiveUp) {
    EXPECT_LT(limits::discord_reply_max, webhook.reply_max());
    EXPECT_LT(webhook.reply_max(), 3s) << "Discord's own bound";
}

}  // namespace
}  // namespace countersign::channels::discord
