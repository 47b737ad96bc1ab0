// SPDX-License-Identifier: Apache-2.0
#include "security/ed25519.hpp"

#include "security/encoding.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <openssl/evp.h>
#include <sodium.h>
#include <string>
#include <vector>

namespace countersign::security {
namespace {

// Every encoding of the eight points of low order that a decoder can get: canonical or not, with either sign bit.
const std::vector<std::string> low_order = {
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000080",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
};

struct Vector {
    std::string seed, public_key, message, signature;
};
// RFC 8032, section 7.1, tests 1 to 3.
const std::vector<Vector> published = {
    {"9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
     "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
     "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
     "d25bf5f0595bbe24655141438e7a100b"},
    {"4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
     "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
     "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
     "387b2eaeb4302aeeb00d291612bb0c00"},
    {"c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
     "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
     "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
     "4a7c15e9716ed28dc027beceea1ec40a"},
};

std::string text_of(std::string_view hex_text) {
    const auto bytes = hex_decode(hex_text);
    return {bytes->begin(), bytes->end()};
}
Ed25519Signature signature_of(std::string_view hex_text) {
    Ed25519Signature signature{};
    std::ranges::copy(*hex_decode(hex_text), signature.begin());
    return signature;
}
Ed25519SigningKey key_of(std::string_view seed) { return *Ed25519SigningKey::from_seed(Secret{*hex_decode(seed)}); }

TEST(Ed25519, MatchesThePublishedVectors) {
    for (const auto& vector : published) {
        const auto key = key_of(vector.seed);
        EXPECT_EQ(hex(key.public_key().bytes()), vector.public_key);
        EXPECT_EQ(hex(key.sign(text_of(vector.message))), vector.signature);
        const auto public_key = Ed25519PublicKey::parse(vector.public_key);
        ASSERT_TRUE(public_key) << public_key.error().detail;
        EXPECT_TRUE(public_key->verify(signature_of(vector.signature), text_of(vector.message)));
    }
}

TEST(Ed25519, AChangedByteOfSignatureOrMessageIsRefused) {
    const auto& vector = published[2];
    const auto key = *Ed25519PublicKey::parse(vector.public_key);
    for (std::size_t bit = 0; bit < 512; ++bit) {
        auto signature = signature_of(vector.signature);
        signature[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
        EXPECT_FALSE(key.verify(signature, text_of(vector.message))) << bit;
    }
    EXPECT_FALSE(key.verify(signature_of(vector.signature), text_of("af83")));
    EXPECT_FALSE(key.verify(signature_of(vector.signature), text_of("af8200")));
    EXPECT_FALSE(Ed25519PublicKey::parse(published[0].public_key)
                     ->verify(signature_of(vector.signature), text_of(vector.message)));
}

TEST(Ed25519, I5_ASignatureHasNoSecondSpelling) {
    // S + L is the same scalar for a verifier that doesn't check the range.
    const auto order = *hex_decode("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010");
    const auto& vector = published[1];
    auto signature = signature_of(vector.signature);
    unsigned carry = 0;
    for (std::size_t i = 0; i < 32; ++i) {
        carry += signature[32 + i] + order[i];
        signature[32 + i] = static_cast<std::uint8_t>(carry);
        carry >>= 8U;
    }
    EXPECT_FALSE(Ed25519PublicKey::parse(vector.public_key)->verify(signature, text_of(vector.message)));
}

TEST(Ed25519, I2_EveryLowOrderKeyIsRefused) {
    ASSERT_EQ(low_order.size(), 14U);
    for (const auto& encoding : low_order) {
        const auto key = Ed25519PublicKey::parse(encoding);
        ASSERT_FALSE(key) << encoding;
        EXPECT_EQ(key.error().code, Errc::bad_config);
        EXPECT_NE(key.error().detail.find("forgeries"), std::string::npos);
    }
    EXPECT_NE(Ed25519PublicKey::parse(low_order[0]).error().detail.find("never set"), std::string::npos);
}

TEST(Ed25519, I2_ANonCanonicalKeyIsRefused) {
    // y from p to 2^255 - 1 means y - p for a decoder that doesn't check the range.
    for (unsigned last = 0xed; last <= 0xff; ++last) {
        for (const char* top : {"7f", "ff"}) {
            std::string encoding = hex(std::vector{static_cast<std::uint8_t>(last)}) + std::string(60, 'f') + top;
            EXPECT_FALSE(Ed25519PublicKey::parse(encoding)) << encoding;
        }
    }
}

TEST(Ed25519, I2_AKeyWithALowOrderPartIsRefused) {
    const auto genuine = *hex_decode(published[0].public_key);
    for (const std::size_t index : {0U, 4U, 6U, 8U}) {
        std::array<std::uint8_t, 32> mixed{};
        ASSERT_EQ(crypto_core_ed25519_add(mixed.data(), genuine.data(), hex_decode(low_order[index])->data()), 0);
        EXPECT_FALSE(Ed25519PublicKey::from_bytes(mixed)) << low_order[index];
    }
}

TEST(Ed25519, I2_OtherLengthsAndCharactersAreRefused) {
    const auto& good = published[0].public_key;
    for (const auto& bad : {std::string{}, good.substr(1), good + "0", good.substr(2), good + "00",
                            "g" + good.substr(1), " " + good.substr(1), "0x" + good.substr(2), std::string(64, '\0')}) {
        const auto key = Ed25519PublicKey::parse(bad);
        ASSERT_FALSE(key) << bad;
        EXPECT_EQ(key.error().code, Errc::bad_config);
    }
    EXPECT_FALSE(Ed25519PublicKey::parse("02" + std::string(62, '0'))) << "no point of the curve has this y";
    EXPECT_FALSE(Ed25519PublicKey::from_bytes(std::vector<std::uint8_t>(31)));
    EXPECT_TRUE(Ed25519PublicKey::parse(good));
    std::string upper = good;
    std::ranges::transform(upper, upper.begin(), [](char c) { return static_cast<char>(std::toupper(c)); });
    EXPECT_TRUE(Ed25519PublicKey::parse(upper)) << "people copy it in either case";
}

TEST(Ed25519, ASeedHas32Bytes) {
    for (const std::size_t size : {0U, 31U, 33U, 64U}) {
        EXPECT_EQ(Ed25519SigningKey::from_seed(Secret{std::string(size, 's')}).error().code, Errc::missing_secret);
    }
}

bool openssl_accepts(std::string_view key_hex, const Ed25519Signature& signature, std::string_view message) {
    const auto raw = *hex_decode(key_hex);
    const std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)> key{
        EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, raw.data(), raw.size()), EVP_PKEY_free};
    const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context{EVP_MD_CTX_new(), EVP_MD_CTX_free};
    return key && EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
           EVP_DigestVerify(context.get(), signature.data(), signature.size(),
                            reinterpret_cast<const unsigned char*>(message.data()), message.size()) == 1;
}

// R of low order and S = 0: no key is needed to write this signature.
bool somebody_can_forge(std::string_view key_hex, std::string_view message) {
    return std::ranges::any_of(low_order, [&](const std::string& point) {
        return openssl_accepts(key_hex, signature_of(point + std::string(64, '0')), message);
    });
}

// Why these keys are refused when they are loaded: a common verifier accepts forgeries under them. The attacker changes
// a blank in the body until a signature fits.
TEST(Ed25519, I2_WithoutTheCheckAForgeryUnderTheAllZeroKeyWouldBeAccepted) {
    int forged = 0;
    for (int i = 0; i < 100; ++i)
        forged += somebody_can_forge(low_order[0], "1700000000{\"type\":" + std::to_string(i) + "}");
    EXPECT_GT(forged, 0);
    int forged_genuine = 0;
    for (int i = 0; i < 20; ++i) forged_genuine += somebody_can_forge(published[0].public_key, std::to_string(i));
    EXPECT_EQ(forged_genuine, 0);
}

}  // namespace
}  // namespace countersign::security
