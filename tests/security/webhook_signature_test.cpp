// SPDX-License-Identifier: Apache-2.0
// One table for all five platforms: every promise about one verifier is a promise about all of them.
#include "security/webhook_signature.hpp"

#include "core/limits.hpp"
#include "security/encoding.hpp"
#include "security/hmac.hpp"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <iterator>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <string>
#include <vector>

namespace countersign::security {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

struct Delivery {
    std::string secret;
    std::string timestamp;  // empty if the platform signs none
    std::string signature;
    std::string body;
};

struct Platform {
    std::string name;
    Delivery genuine;  // published by the vendor, or checked against the vendor's own library
    bool signs_body = true;
    bool signs_time = false;
    std::function<Result<void>(const Delivery&, const FreshnessWindow&)> verify;
};

FreshnessWindow window_at(const std::string& timestamp) {
    const WallTime signed_at{seconds{timestamp.empty() ? 1'700'000'000 : std::stoll(timestamp)}};
    return {.now = signed_at + seconds{2}, .started = signed_at - seconds{60}};
}

const std::string discord_key = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";

const std::vector<Platform>& platforms() {
    static const std::vector<Platform> all = {
        {.name = "Slack",
         .genuine = {.secret = "8f742231b10e8888abcd99yyyzzz85a5",
                     .timestamp = "1531420618",
                     .signature = "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
                     .body = "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id="
                             "G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-"
                             "collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%"
                             "2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121."
                             "803a0bc887a14d10d2c447fce8b6703c"},
         .signs_time = true,
         .verify =
             [](const Delivery& delivery, const FreshnessWindow& window) {
                 return verify_slack(Secret{delivery.secret}, {delivery.timestamp, delivery.signature, delivery.body},
                                     window);
             }},
        {.name = "Discord",
         .genuine = {.secret = discord_key,
                     .timestamp = "1700000000",
                     .signature =
                         "1695961a47c91a1ec033b819b7e87e3dbc583dd0cee6d1fd0216f58ac87b6228ae531ddbf91fb7bc28d7edf"
                         "7f08604da16f54624f38a6bc0614e4dc13cd47f0f",
                     .body = R"({"type":1})"},
         .signs_time = true,
         .verify = [](const Delivery& delivery, const FreshnessWindow& window) -> Result<void> {
             const auto key = Ed25519PublicKey::parse(delivery.secret);
             if (!key) return key.error();
             return verify_discord(*key, {delivery.timestamp, delivery.signature, delivery.body}, window);
         }},
        {.name = "Telegram",
         .genuine = {.secret = "7Ft2h_LkQ0-mXc9rVbN3",
                     .timestamp = "",
                     .signature = "7Ft2h_LkQ0-mXc9rVbN3",
                     .body = R"({"update_id":1})"},
         .signs_body = false,
         .verify = [](const Delivery& delivery,
                      const FreshnessWindow&) { return verify_telegram(Secret{delivery.secret}, delivery.signature); }},
        {.name = "Meta",
         .genuine = {.secret = "It's a Secret to Everybody",
                     .timestamp = "",
                     .signature = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
                     .body = "Hello, World!"},
         .verify =
             [](const Delivery& delivery, const FreshnessWindow&) {
                 return verify_meta(Secret{delivery.secret}, {delivery.signature, delivery.body});
             }},
        {.name = "Twilio",
         .genuine = {.secret = "12345",
                     .timestamp = "",
                     .signature = "RSOYDt4T1cUTdK1PDd93/VVr8B8=",
                     .body = "CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234&From=%2B14158675309&To=%"
                             "2B18005551212"},
         .verify =
             [](const Delivery& delivery, const FreshnessWindow&) {
                 return verify_twilio(Secret{delivery.secret}, {.url = "https://mycompany.com/myapp.php?foo=1&bar=2",
                                                                .content_type = "application/x-www-form-urlencoded",
                                                                .signature = delivery.signature,
                                                                .body = delivery.body});
             }},
    };
    return all;
}
std::vector<Platform> those_that(bool Platform::* sign) {
    std::vector<Platform> some;
    std::ranges::copy_if(platforms(), std::back_inserter(some), sign);
    return some;
}

class WebhookSignature : public testing::TestWithParam<Platform> {
protected:
    [[nodiscard]] Result<void> verify(const Delivery& delivery) const {
        return GetParam().verify(delivery, window_at(GetParam().genuine.timestamp));
    }
    // Refused, with one line that reveals nothing.
    void expect_refused(const Delivery& delivery, const std::string& what) const {
        const auto verified = verify(delivery);
        ASSERT_FALSE(verified) << what;
        const auto& [code, detail] = verified.error();
        EXPECT_FALSE(detail.empty()) << what;
        EXPECT_EQ(detail.find('\n'), std::string::npos);
        EXPECT_EQ(detail.find(genuine.secret), std::string::npos) << "the secret is in the error";
        EXPECT_EQ(detail.find(genuine.signature), std::string::npos) << "the right signature is in the error";
    }
    const Delivery& genuine = GetParam().genuine;
};

// Telegram's header is a bearer secret and doesn't cover the body. Only Slack and Discord sign a time.
class BodySignature : public WebhookSignature {};
class TimedSignature : public WebhookSignature {};

std::string name_of(const testing::TestParamInfo<Platform>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Platforms, WebhookSignature, testing::ValuesIn(platforms()), name_of);
INSTANTIATE_TEST_SUITE_P(Platforms, BodySignature, testing::ValuesIn(those_that(&Platform::signs_body)), name_of);
INSTANTIATE_TEST_SUITE_P(Platforms, TimedSignature, testing::ValuesIn(those_that(&Platform::signs_time)), name_of);

TEST_P(WebhookSignature, ThePublishedVectorVerifies) {
    const auto verified = verify(genuine);
    EXPECT_TRUE(verified) << verified.error().detail;
}

TEST_P(WebhookSignature, I5_WithoutAHeaderNothingVerifies) {
    auto delivery = genuine;
    delivery.signature.clear();
    EXPECT_EQ(verify(delivery).error().code, Errc::bad_signature);
    expect_refused(delivery, "no header");
}

TEST_P(WebhookSignature, I5_EveryChangedCharacterOfTheSignatureIsRefused) {
    for (std::size_t i = 0; i < genuine.signature.size(); ++i) {
        for (const char other : {'0', '1', 'A', 'f', '=', ' ', '\0', '\xff'}) {
            auto delivery = genuine;
            if (delivery.signature[i] == other) continue;
            delivery.signature[i] = other;
            expect_refused(delivery, "character " + std::to_string(i));
        }
    }
}

TEST_P(WebhookSignature, I5_ASignatureHasOneSpelling) {
    const auto& right = genuine.signature;
    auto upper = right;
    std::ranges::transform(upper, upper.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    auto url_safe = right;
    std::ranges::replace(url_safe, '/', '_');
    std::ranges::replace(url_safe, '+', '-');
    std::vector<std::string> spellings{" " + right,
                                       right + " ",
                                       right + "\n",
                                       right + '\0',
                                       right + right,
                                       right + "," + right,
                                       right.substr(1),
                                       right.substr(0, right.size() - 1),
                                       right + "=",
                                       right + "0",
                                       "\"" + right + "\"",
                                       upper,
                                       "v0=",
                                       "sha256=",
                                       "=",
                                       "v1=" + right,
                                       std::string(100'000, 'a')};
    if (url_safe != right) spellings.push_back(url_safe);
    for (const auto& spelling : spellings) {
        auto delivery = genuine;
        delivery.signature = spelling;
        expect_refused(delivery, spelling.substr(0, 200));
    }
}

TEST_P(BodySignature, I5_EveryChangedBitOfTheBodyIsRefused) {
    for (std::size_t i = 0; i < genuine.body.size(); ++i) {
        auto delivery = genuine;
        delivery.body[i] = static_cast<char>(delivery.body[i] ^ 1);
        expect_refused(delivery, "byte " + std::to_string(i));
    }
    for (const auto& body : {genuine.body + "\n", genuine.body.substr(1), std::string{}}) {
        auto delivery = genuine;
        delivery.body = body;
        expect_refused(delivery, body);
    }
}

TEST_P(WebhookSignature, I2_WithoutASecretNothingVerifies) {
    auto delivery = genuine;
    delivery.secret.clear();
    const auto verified = verify(delivery);
    ASSERT_FALSE(verified);
    EXPECT_EQ(verified.error().code, GetParam().name == "Discord" ? Errc::bad_config : Errc::missing_secret);
}

// A value that anyone can compute if an unset secret is used as an empty key.
std::string mac_under_the_empty_key(const EVP_MD* digest, const std::string& text) {
    std::string mac(EVP_MAX_MD_SIZE, '\0');
    unsigned size = 0;
    HMAC(digest, "", 0, reinterpret_cast<const unsigned char*>(text.data()), text.size(),
         reinterpret_cast<unsigned char*>(mac.data()), &size);
    mac.resize(size);
    return mac;
}

TEST(WebhookSignatures, I2_AMacUnderTheEmptyKeyNeverVerifies) {
    const Secret unset;
    const auto slack = "v0=" + hex(mac_under_the_empty_key(EVP_sha256(), "v0:1700000000:{}"));
    EXPECT_EQ(verify_slack(unset, {"1700000000", slack, "{}"}, window_at("1700000000")).error().code,
              Errc::missing_secret);
    const auto meta = "sha256=" + hex(mac_under_the_empty_key(EVP_sha256(), "{}"));
    EXPECT_EQ(verify_meta(unset, {meta, "{}"}).error().code, Errc::missing_secret);
    const auto twilio = base64(mac_under_the_empty_key(EVP_sha1(), "https://h.example/sms"));
    EXPECT_EQ(
        verify_twilio(unset, {"https://h.example/sms", "application/x-www-form-urlencoded", twilio, ""}).error().code,
        Errc::missing_secret);
    EXPECT_EQ(verify_telegram(unset, "").error().code, Errc::missing_secret);
}

TEST_P(WebhookSignature, AnotherSecretDoesNotVerify) {
    auto delivery = genuine;
    delivery.secret = GetParam().name == "Discord" ? "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
                                                   : delivery.secret + "x";
    EXPECT_EQ(verify(delivery).error().code, Errc::bad_signature);
}

TEST_P(BodySignature, ABodyOneByteOverTheBoundIsNotEvenHashed) {
    auto delivery = genuine;
    delivery.body.assign(limits::webhook_body_bytes_max + 1, 'a');
    EXPECT_EQ(verify(delivery).error().code, Errc::too_large);
    delivery.body.pop_back();
    EXPECT_EQ(verify(delivery).error().code, Errc::bad_signature);
}

TEST_P(TimedSignature, I5_ATimestampThatIsNotTheSignedOneIsRefused) {
    for (const auto& timestamp :
         {std::string{}, std::to_string(std::stoll(genuine.timestamp) + 1), "0" + genuine.timestamp,
          "+" + genuine.timestamp, "-" + genuine.timestamp, " " + genuine.timestamp, genuine.timestamp + " ",
          genuine.timestamp + ".0", genuine.timestamp + "\n", "0x" + genuine.timestamp, std::string{"now"},
          std::string(40, '9')}) {
        auto delivery = genuine;
        delivery.timestamp = timestamp;
        expect_refused(delivery, timestamp);
    }
}

TEST_P(TimedSignature, I5_AGenuineSignatureIsStaleOutsideItsWindow) {
    const WallTime signed_at{seconds{std::stoll(genuine.timestamp)}};
    const auto long_ago = signed_at - seconds{100'000};
    const auto at = [&](WallTime now, WallTime started) { return GetParam().verify(genuine, {now, started}); };
    EXPECT_TRUE(at(signed_at + limits::signature_age_max, long_ago));
    EXPECT_TRUE(at(signed_at - limits::signature_age_max, long_ago));
    EXPECT_EQ(at(signed_at + limits::signature_age_max + milliseconds{1}, long_ago).error().code, Errc::stale);
    EXPECT_EQ(at(signed_at - limits::signature_age_max - milliseconds{1}, long_ago).error().code, Errc::stale);
    EXPECT_TRUE(at(signed_at, signed_at));
    EXPECT_EQ(at(signed_at + seconds{1}, signed_at + milliseconds{1}).error().code, Errc::stale);
}

TEST_P(TimedSignature, I5_OnlyAValidSignatureIsReportedAsStale) {
    auto delivery = genuine;
    delivery.body += ' ';
    const WallTime signed_at{seconds{std::stoll(genuine.timestamp)}};
    const auto verified = GetParam().verify(delivery, {signed_at + seconds{1000}, signed_at});
    EXPECT_EQ(verified.error().code, Errc::bad_signature);
}

TEST(DiscordSignature, TheSecondVectorWithUnicodeVerifies) {
    const std::string body = "{\"id\":\"1\",\"type\":3,\"token\":\"t\",\"data\":{\"component_type\":2,\"custom_id\":"
                             "\"a:01HZX\"},\"member\":{"
                             "\"user\":{\"id\":\"7\",\"global_name\":\"\xc3\x85sa \xf0\x9f\x9a\x80\"}}}";
    const TimedDelivery delivery{.timestamp = "1700000001",
                                 .signature =
                                     "36ee985c3108733aab26e4a2455d7bb7aa65d1266efef80aee549b8862bd7cc18380cc8e0f1b"
                                     "65b9abddb7477854fef0c4ba6c3c0b5f81c8c8e7b38d2c27630d",
                                 .body = body};
    const auto verified = verify_discord(*Ed25519PublicKey::parse(discord_key), delivery, window_at("1700000001"));
    EXPECT_TRUE(verified) << verified.error().detail;
}

TEST(DiscordSignature, I5_AMovedBorderBetweenTimestampAndBodyIsRefused) {
    const auto key = *Ed25519SigningKey::from_seed(Secret{std::string(32, 's')});
    const auto signature = hex(key.sign("17000000001 is the body"));
    const auto window = window_at("1700000000");
    EXPECT_TRUE(verify_discord(key.public_key(), {"1700000000", signature, "1 is the body"}, window));
    EXPECT_FALSE(verify_discord(key.public_key(), {"170000000", signature, "01 is the body"}, window));
    EXPECT_FALSE(verify_discord(key.public_key(), {"17000000001", signature, " is the body"}, window));
}

TEST(MetaSignature, EscapesAreSignedAsTheyAreOnTheWire) {
    const Secret secret{"an app secret of ours"};
    const std::string wire = R"({"text":"\u00e4"})";
    const auto signature = "sha256=" + hex(hmac_sha256(secret, {wire}));
    EXPECT_TRUE(verify_meta(secret, {signature, wire}));
    EXPECT_FALSE(verify_meta(secret, {signature, "{\"text\":\"\xc3\xa4\"}"}));
}

TEST(TelegramSecret, I2_OnlyAStrongSecretThatTelegramAcceptsIsLoaded) {
    EXPECT_TRUE(check_telegram_secret(Secret{"abcDEF0123456_-x"}));
    EXPECT_TRUE(check_telegram_secret(Secret{std::string(telegram_secret_chars_max, 'a')}));
    for (const auto& weak : {std::string{}, std::string(limits::secret_bytes_min - 1, 'a'),
                             std::string(telegram_secret_chars_max + 1, 'a'), std::string{"abcdef0123456789+"},
                             std::string{"abcdef0123456789 "}, std::string{"abcdef0123456789\xc3\xa4"}}) {
        const auto checked = check_telegram_secret(Secret{weak});
        ASSERT_FALSE(checked) << weak;
        EXPECT_EQ(checked.error().code, Errc::missing_secret);
    }
}

TEST(TelegramSecret, AHeaderOneCharacterOverTheBoundIsMalformed) {
    const Secret secret{std::string(telegram_secret_chars_max, 'a')};
    EXPECT_TRUE(verify_telegram(secret, std::string(telegram_secret_chars_max, 'a')));
    EXPECT_EQ(verify_telegram(secret, std::string(telegram_secret_chars_max + 1, 'a')).error().code, Errc::malformed);
}

}  // namespace
}  // namespace countersign::security
