// SPDX-License-Identifier: Apache-2.0
#include "security/hmac.hpp"

#include "security/encoding.hpp"

#include <gtest/gtest.h>
#include <string>

namespace countersign::security {
namespace {

std::string with_sha256(std::string_view key, std::string_view text) { return hex(hmac_sha256(Secret{key}, {text})); }
std::string with_sha1(std::string_view key, std::string_view text) { return hex(hmac_sha1(Secret{key}, {text})); }

// RFC 4231, cases 1, 2, 3, 6 and 7.
TEST(Hmac, Sha256MatchesThePublishedVectors) {
    EXPECT_EQ(with_sha256(std::string(20, '\x0b'), "Hi There"),
              "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    EXPECT_EQ(with_sha256("Jefe", "what do ya want for nothing?"),
              "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    EXPECT_EQ(with_sha256(std::string(20, '\xaa'), std::string(50, '\xdd')),
              "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
    EXPECT_EQ(with_sha256(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First"),
              "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
    EXPECT_EQ(
        with_sha256(std::string(131, '\xaa'),
                    "This is a test using a larger than block-size key and a larger than block-size data. The key "
                    "needs to be hashed before being used by the HMAC algorithm."),
        "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2");
}

// RFC 2202, cases 1, 2, 3 and 6.
TEST(Hmac, Sha1MatchesThePublishedVectors) {
    EXPECT_EQ(with_sha1(std::string(20, '\x0b'), "Hi There"), "b617318655057264e28bc0b6fb378c8ef146be00");
    EXPECT_EQ(with_sha1("Jefe", "what do ya want for nothing?"), "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79");
    EXPECT_EQ(with_sha1(std::string(20, '\xaa'), std::string(50, '\xdd')), "125d7342b9ac11cd91a39af48aa17b4f63f175d3");
    EXPECT_EQ(with_sha1(std::string(80, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First"),
              "aa4ae5e15272d00e95705637ce8a3b55ed402112");
}

TEST(Hmac, PartsAreHashedAsOne) {
    const Secret key{"Jefe"};
    EXPECT_EQ(hmac_sha256(key, {"what do ya ", "", "want for nothing?"}),
              hmac_sha256(key, {"what do ya want for nothing?"}));
    EXPECT_EQ(hmac_sha256(key, {}), hmac_sha256(key, {""}));
}

TEST(HmacDeathTest, I2_AMacUnderAnEmptyKeyIsNeverMade) {
    EXPECT_DEATH((void)hmac_sha256(Secret{}, {"text"}), "");
    EXPECT_DEATH((void)hmac_sha1(Secret{}, {"text"}), "");
}

TEST(Hmac, ComparisonChecksEveryByteAndTheLength) {
    EXPECT_TRUE(equal_in_constant_time("abcd", "abcd"));
    EXPECT_TRUE(equal_in_constant_time("", ""));
    for (const auto* other : {"abce", "bbcd", "abc", "abcde", "", "ABCD"}) {
        EXPECT_FALSE(equal_in_constant_time("abcd", other)) << other;
    }
    const std::string with_nul{"ab\0d", 4};
    EXPECT_FALSE(equal_in_constant_time("abcd", with_nul));
    const Bytes one{1, 2, 3};
    EXPECT_TRUE(equal_in_constant_time(one, Bytes{1, 2, 3}));
    for (const auto& other : {Bytes{1, 2, 4}, Bytes{0, 2, 3}, Bytes{1, 2}, Bytes{1, 2, 3, 0}, Bytes{}}) {
        EXPECT_FALSE(equal_in_constant_time(one, other));
        EXPECT_FALSE(equal_in_constant_time(other, one));
    }
}

TEST(Hmac, ASecretMatchesOnlyItself) {
    const Secret secret{"0123456789abcdef"};
    EXPECT_TRUE(is_secret(secret, "0123456789abcdef"));
    for (const auto* other : {"", "0123456789abcde", "0123456789abcdef0", "0123456789abcdeF", "x"}) {
        EXPECT_FALSE(is_secret(secret, other)) << other;
    }
    // HMAC pads keys with zeros. The comparison hashes the secret as the message and not as the key, so a padded text
    // doesn't match.
    EXPECT_FALSE(is_secret(secret, std::string_view{"0123456789abcdef\0", 17}));
}

TEST(Hmac, I2_AnEmptySecretMatchesNothing) {
    EXPECT_FALSE(is_secret(Secret{}, ""));
    EXPECT_FALSE(is_secret(Secret{}, "anything"));
}

}  // namespace
}  // namespace countersign::security
