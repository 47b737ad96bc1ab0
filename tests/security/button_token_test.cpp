// SPDX-License-Identifier: Apache-2.0
#include "security/button_token.hpp"

#include "core/limits.hpp"
#include "security/encoding.hpp"
#include "security/hmac.hpp"

#include <gtest/gtest.h>
#include <set>
#include <span>
#include <string>

namespace countersign::security {
namespace {

const Ulid request = *Ulid::parse("01JCQ7Z8XJ5V3K2M4N6P8R0S1T");
const Button allow{.verb = ButtonVerb::decide, .request_id = request, .option = 2, .question = 0, .generation = 1};
const ButtonPlace here{.channel = "ops", .chat = "-100123"};

Secret key(char fill = 'k') { return Secret{std::string(32, fill)}; }

Errc refusal(const Result<Button>& result) { return result ? Errc::internal : result.error().code; }

TEST(ButtonToken, Is47BytesInTheOrderOnThePage) {
    const ButtonTokens tokens{key()};
    const auto token = *tokens.mint(allow, here);
    EXPECT_EQ(token.size(), button_token_bytes);
    EXPECT_EQ(token.substr(0, 31), "1d01JCQ7Z8XJ5V3K2M4N6P8R0S1T201");
    // Written out by hand, so that another program can create and check tokens from the description alone.
    const std::string message =
        "button/v1" + token.substr(0, 31) + std::string{"\0\0\0\3", 4} + "ops" + std::string{"\0\0\0\7", 4} + "-100123";
    const auto mac = hmac_sha256(key(), {message});
    EXPECT_EQ(token.substr(31), base64url(std::span{mac}.first(12)));
}

TEST(ButtonToken, EveryFieldIsReadBack) {
    const ButtonTokens tokens{key()};
    for (const auto verb : {ButtonVerb::decide, ButtonVerb::answer, ButtonVerb::submit, ButtonVerb::more}) {
        for (std::uint8_t index = 0; index <= limits::button_index_max; ++index) {
            const Button button{verb, request, index, static_cast<std::uint8_t>(31 - index),
                                static_cast<std::uint8_t>(index / 2)};
            const auto verified = tokens.verify(*tokens.mint(button, here), here);
            ASSERT_TRUE(verified) << verified.error().detail;
            EXPECT_EQ(*verified, button);
        }
    }
}

TEST(ButtonToken, AnIndexOneOverTheBoundIsRefused) {
    const ButtonTokens tokens{key()};
    for (const auto index : {&Button::option, &Button::question, &Button::generation}) {
        auto button = allow;
        button.*index = limits::button_index_max;
        EXPECT_TRUE(tokens.mint(button, here));
        button.*index = limits::button_index_max + 1;
        EXPECT_EQ(tokens.mint(button, here).error().code, Errc::too_large);
    }
}

TEST(ButtonToken, I10_EveryChangedCharacterFails) {
    const ButtonTokens tokens{key()};
    const auto token = *tokens.mint(allow, here);
    for (std::size_t i = 0; i < token.size(); ++i) {
        for (int other = 0; other < 256; ++other) {
            auto changed = token;
            changed[i] = static_cast<char>(other);
            if (changed != token) EXPECT_FALSE(tokens.verify(changed, here)) << i << ' ' << other;
        }
    }
}

TEST(ButtonToken, I10_AForwardedButtonFailsInEveryOtherPlace) {
    const ButtonTokens tokens{key()};
    const auto token = *tokens.mint(allow, here);
    for (const auto& [channel, chat] :
         {ButtonPlace{"ops", "-100124"}, ButtonPlace{"ops2", "-100123"}, ButtonPlace{"ops", ""},
          ButtonPlace{"", "-100123"}, ButtonPlace{"ops-", "100123"}, ButtonPlace{"op", "s-100123"},
          ButtonPlace{"-100123", "ops"}, ButtonPlace{"", ""}}) {
        EXPECT_EQ(refusal(tokens.verify(token, {channel, chat})), Errc::bad_signature) << channel << ' ' << chat;
    }
}

TEST(ButtonToken, I10_ABorderBetweenChannelAndChatCannotMove) {
    const ButtonTokens tokens{key()};
    std::set<std::string> made;
    const std::string text{"\0\0\0\1a\0\0\0\1b", 10};
    for (std::size_t cut = 0; cut <= text.size(); ++cut) {
        made.insert(*tokens.mint(allow, {std::string_view{text}.substr(0, cut), std::string_view{text}.substr(cut)}));
    }
    EXPECT_EQ(made.size(), text.size() + 1);
}

TEST(ButtonToken, I10_AnInventedButtonFails) {
    const ButtonTokens tokens{key()};
    const auto foreign = *ButtonTokens{key('x')}.mint(allow, here);
    EXPECT_EQ(refusal(tokens.verify(foreign, here)), Errc::bad_signature);
    EXPECT_EQ(refusal(tokens.verify("1d01JCQ7Z8XJ5V3K2M4N6P8R0S1T201AAAAAAAAAAAAAAAA", here)), Errc::bad_signature);
}

TEST(ButtonToken, I10_ThePreviousKeyOnlySaysExpired) {
    const auto old = *ButtonTokens{key('o')}.mint(allow, here);
    const ButtonTokens tokens{key('n'), key('o')};
    EXPECT_EQ(refusal(tokens.verify(old, here)), Errc::stale);
    EXPECT_EQ(tokens.verify(old, here).error().detail, "this button has expired");
    EXPECT_EQ(refusal(tokens.verify(old, {"ops", "elsewhere"})), Errc::bad_signature);
    EXPECT_TRUE(tokens.verify(*tokens.mint(allow, here), here));
    EXPECT_EQ(refusal(ButtonTokens{key('n')}.verify(old, here)), Errc::bad_signature);
}

TEST(ButtonToken, I10_ATokenOfAnotherShapeIsMalformed) {
    const ButtonTokens tokens{key()};
    const auto token = *tokens.mint(allow, here);
    auto version = token, verb = token, ulid = token, lower = token, letter = token;
    version[0] = '2';
    verb[1] = 'x';
    ulid[2] = '8';  // over 128 bits
    lower[5] = 'q';
    letter[28] = 'U';  // not a Crockford digit
    for (const auto& bad : {std::string{}, token.substr(1), token + "A", token + "=", " " + token, version, verb, ulid,
                            lower, letter, std::string(47, '\0'), std::string(1000, '1')}) {
        EXPECT_EQ(refusal(tokens.verify(bad, here)), Errc::malformed) << bad;
    }
}

}  // namespace
}  // namespace countersign::security
