// SPDX-License-Identifier: Apache-2.0
#include "core/limits.hpp"
#include "security/digest.hpp"
#include "security/encoding.hpp"
#include "security/hmac.hpp"
#include "security/webhook_signature.hpp"

#include <gtest/gtest.h>
#include <string>

namespace countersign::security {
namespace {

const std::string form_type = "application/x-www-form-urlencoded";
const std::string call =
    "CallSid=CA1234567890ABCDE&Caller=%2B14158675309&Digits=1234&From=%2B14158675309&To=%2B18005551212";
const std::string url = "https://mycompany.com/myapp.php?foo=1&bar=2";

Result<void> verify(const std::string& at, const std::string& body, const std::string& signature,
                    const std::string& type = form_type) {
    return verify_twilio(Secret{"12345"}, {.url = at, .content_type = type, .signature = signature, .body = body});
}

std::string sign(const std::string& text) { return base64(hmac_sha1(Secret{"12345"}, {text})); }

// The vendor's own test vectors.
TEST(TwilioSignature, EveryVectorOfTheVendorVerifies) {
    EXPECT_TRUE(verify(url, call, "RSOYDt4T1cUTdK1PDd93/VVr8B8="));
    EXPECT_TRUE(verify(url, call, "kvajT1Ptam85bY51eRf/AJRuM3w=")) << "signed with :443";
    EXPECT_TRUE(verify("http://mycompany.com:1234/myapp.php?foo=1&bar=2", call, "Zmvh+3yNM1Phv2jhDCwEM3q5ebU="));
    EXPECT_TRUE(verify(url, "MessagingBinding.Address=%2B1325xxxxxxx&MessagingBinding.Address=%2B1415xxxxxxx",
                       "83O6e2vORAoJHUNzJjDWN1jz+BA="));
    EXPECT_TRUE(
        verify(url, "Sid=CA123&SidAccount=AC123&Digits=5678&Digits=1234&Digits=1234", "IK+Dwps556ElfBT0I3Rgjkr1wJU="))
        << "values sorted, equal ones once";
    EXPECT_TRUE(verify(url + "&Body=It's+amazing", call, "TfZzewPq8wqrGlMfyAud8+/IvJ0="));
    EXPECT_TRUE(verify(url + "&bodySHA256=0a1ff7634d9ab3b95db5c9a2dfe9416e41502b283a80c7cf19632632f96e6620",
                       R"({"property": "value", "boolean": true})",
                       "a9nBmqA0ju/hNViExpshrM61xv4=", "application/json"));
}

TEST(TwilioSignature, ThePortMayBeSignedOrNot) {
    EXPECT_TRUE(verify("https://mycompany.com:443/myapp.php?foo=1&bar=2", call, "RSOYDt4T1cUTdK1PDd93/VVr8B8="));
    EXPECT_TRUE(verify("https://h.example/sms", "", sign("https://h.example:443/sms")));
    EXPECT_TRUE(verify("http://h.example/sms", "", sign("http://h.example:80/sms")));
    EXPECT_TRUE(verify("https://h.example:8443/sms", "", sign("https://h.example/sms")));
    EXPECT_TRUE(verify("https://user:123@h.example/sms", "", sign("https://user:123@h.example:443/sms")));
    EXPECT_TRUE(verify("https://[::1]/sms", "", sign("https://[::1]:443/sms")));
    EXPECT_FALSE(verify("https://h.example/sms", "", sign("https://h.example:80/sms")));
    EXPECT_FALSE(verify("https://h.example:8443/sms", "", sign("https://h.example:443/sms")));
    EXPECT_FALSE(verify("https://h.example/sms", "", sign("http://h.example/sms")));
}

TEST(TwilioSignature, TheQueryMayBeSignedInTheLegacyEncoding) {
    EXPECT_TRUE(verify("https://h.example/sms?a=It's+so&b", "", sign("https://h.example/sms?a=It's%20so&b=")));
    EXPECT_TRUE(verify("https://h.example/sms?a=It's+so", "", sign("https://h.example/sms?a=It%27s+so")));
    EXPECT_FALSE(verify("https://h.example/sms?a=1&b=2", "", sign("https://h.example/sms?b=2&a=1")));
}

TEST(TwilioSignature, TheFragmentIsNotSigned) {
    EXPECT_TRUE(verify("https://h.example/sms#rc=4", "", sign("https://h.example/sms")));
    EXPECT_FALSE(verify("https://h.example/sms#rc=4", "", sign("https://h.example/sms#rc=4")));
}

TEST(TwilioSignature, OnlyAWebUrlIsAccepted) {
    for (const auto* bad :
         {"", "mycompany.com/myapp.php", "ftp://mycompany.com", "//mycompany.com", "HTTPS://mycompany.com"}) {
        EXPECT_EQ(verify(bad, "", sign(bad)).error().code, Errc::bad_config) << bad;
    }
}

TEST(TwilioSignature, I5_AnotherHostPathOrQueryIsRefused) {
    const auto signature = sign("https://h.example/sms?x=1");
    EXPECT_TRUE(verify("https://h.example/sms?x=1", "", signature));
    for (const auto* other : {"https://h.example./sms?x=1", "https://H.example/sms?x=1",
                              "https://h.example.evil/sms?x=1", "https://h.example/sms/?x=1",
                              "https://h.example/sms?x=2", "https://h.example/sms", "https://h.example/sms?x=1&y=2"}) {
        EXPECT_FALSE(verify(other, "", signature)) << other;
    }
}

// The scheme allows this, so a replay in another order must be caught by MessageSid (this was CVE-2026-41395).
TEST(TwilioSignature, ReorderedAndRepeatedFieldsStillVerify) {
    const auto signature = sign(url + "Body" + "approve" + "MessageSid" + "SM1");
    EXPECT_TRUE(verify(url, "MessageSid=SM1&Body=approve", signature));
    EXPECT_TRUE(verify(url, "Body=approve&MessageSid=SM1&Body=approve", signature));
    EXPECT_TRUE(verify(url, "B%6Fdy=%61pprove&MessageSid=SM1", signature));
    EXPECT_FALSE(verify(url, "Body=deny&MessageSid=SM1", signature));
    EXPECT_FALSE(verify(url, "Body=approve&MessageSid=SM1&Body=deny", signature));
}

TEST(TwilioSignature, I5_AFormThatDoesNotParseIsRefused) {
    for (const auto* body : {"a=%", "a=%4", "a=%4g", "a=%+1", "a=1&&b=2", "&a=1", "a=1&", "=1", "a=1&=2"}) {
        EXPECT_EQ(verify(url, body, sign(url)).error().code, Errc::malformed) << body;
    }
}

TEST(TwilioSignature, I5_ABodyThatIsNotAFormNeedsItsDigestInTheUrl) {
    const std::string body = R"({"a":1})";
    const auto with_digest = url + "&bodySHA256=" + hex(sha256(body));
    EXPECT_TRUE(verify(with_digest, body, sign(with_digest), "application/json"));
    EXPECT_TRUE(verify(with_digest, body, sign(with_digest), "")) << "a missing type is no form";
    EXPECT_EQ(verify(with_digest, body + " ", sign(with_digest), "application/json").error().code, Errc::bad_signature);
    EXPECT_EQ(verify(url, body, sign(url), "application/json").error().code, Errc::bad_signature);
    const auto empty_digest = url + "&bodySHA256=";
    EXPECT_FALSE(verify(empty_digest, body, sign(empty_digest), "application/json"));
    const auto twice = with_digest + "&bodySHA256=" + hex(sha256("other"));
    EXPECT_EQ(verify(twice, body, sign(twice), "application/json").error().code, Errc::malformed);
}

TEST(TwilioSignature, I5_ASignedJsonDeliveryCannotBeTurnedIntoAnEmptyForm) {
    const std::string body = R"({"a":1})";
    const auto with_digest = url + "&bodySHA256=" + hex(sha256(body));
    EXPECT_EQ(verify(with_digest, "", sign(with_digest), form_type).error().code, Errc::bad_signature);
}

TEST(TwilioSignature, ASignatureIsTheBase64Of20Bytes) {
    const auto right = sign(url);
    EXPECT_TRUE(verify(url, "", right));
    // The last character before the padding has two unused bits: the other spellings are refused.
    ASSERT_EQ(right.back(), '=');
    int spellings = 0;
    for (const char symbol : std::string{"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"}) {
        auto other = right;
        other[other.size() - 2] = symbol;
        spellings += verify(url, "", other) ? 1 : 0;
    }
    EXPECT_EQ(spellings, 1);
    EXPECT_EQ(verify(url, "", right.substr(0, 27)).error().code, Errc::malformed);
    EXPECT_EQ(verify(url, "", base64(sha256(url))).error().code, Errc::malformed);
}

}  // namespace
}  // namespace countersign::security
