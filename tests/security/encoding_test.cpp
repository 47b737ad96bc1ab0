// SPDX-License-Identifier: Apache-2.0
#include "security/encoding.hpp"

#include <gtest/gtest.h>
#include <random>

namespace countersign::security {
namespace {

Bytes bytes_of(std::string_view text) { return {text.begin(), text.end()}; }

TEST(Encoding, PrintsAndReadsHexadecimal) {
    EXPECT_EQ(hex(Bytes{0x00, 0x0f, 0xa5, 0xff}), "000fa5ff");
    EXPECT_EQ(hex("Az"), "417a");
    EXPECT_EQ(*hex_decode("000fa5FF"), (Bytes{0x00, 0x0f, 0xa5, 0xff}));
    EXPECT_EQ(*hex_decode(""), Bytes{});
    for (const auto* text : {"0", "000", "0g", "g0", " 00", "00 ", "0x00", "0-", "@0", "`0", "G0", "00\n"}) {
        EXPECT_EQ(hex_decode(text).error().code, Errc::malformed) << text;
    }
    EXPECT_FALSE(hex_decode(std::string_view{"0\0", 2}));
}

// RFC 4648 section 10.
TEST(Encoding, PrintsTheVectorsOfRfc4648) {
    const std::pair<std::string_view, std::string_view> vectors[] = {
        {"", ""},
        {"f", "Zg=="},
        {"fo", "Zm8="},
        {"foo", "Zm9v"},
        {"foob", "Zm9vYg=="},
        {"fooba", "Zm9vYmE="},
        {"foobar", "Zm9vYmFy"},
    };
    for (const auto& [plain, encoded] : vectors) {
        EXPECT_EQ(base64(plain), encoded);
        EXPECT_EQ(*base64_decode(encoded), bytes_of(plain));
        const auto bare = encoded.substr(0, encoded.find('='));
        EXPECT_EQ(base64url(plain), bare);
        EXPECT_EQ(*base64url_decode(bare), bytes_of(plain));
    }
}

TEST(Encoding, TheAlphabetsDifferInTwoCharacters) {
    const Bytes bytes{0xfb, 0xff, 0xfe};
    EXPECT_EQ(base64(bytes), "+//+");
    EXPECT_EQ(base64url(bytes), "-__-");
    EXPECT_FALSE(base64_decode("-__-"));
    EXPECT_FALSE(base64url_decode("+//+"));
}

TEST(Encoding, BytesHaveOneBase64Form) {
    for (const auto* text : {"Zg",   "Zg=",   "Zg===",  "A===",   "A",    "Zm9v=", "Zm9v====", "=",
                             "==",   "===",   "====",   "Z===",   "Z",    "Zh==",  "Zm9=",     "Zg==Zg==",
                             "Zm=v", " Zg==", "Zg==\n", "Zm9v\n", "Zm 9", "Zg*=",  "Zm8=Zg==", "Zm\x80v"}) {
        EXPECT_EQ(base64_decode(text).error().code, Errc::malformed) << text;
    }
    for (const auto* text : {"Zg==", "Zm8=", "Z", "A", "AAAAA", "Zh", "Zm9", "Zm9vZ", "Zg\n", "Z g", "Zm9v="}) {
        EXPECT_EQ(base64url_decode(text).error().code, Errc::malformed) << text;
    }
    EXPECT_FALSE(base64_decode(std::string_view{"Zm8\0", 4}));
}

TEST(Encoding, RandomBytesAreReadBack) {
    std::mt19937_64 random{1};
    for (std::size_t size = 0; size < 300; ++size) {
        Bytes bytes(size);
        for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
        EXPECT_EQ(*hex_decode(hex(bytes)), bytes);
        EXPECT_EQ(*base64_decode(base64(bytes)), bytes);
        EXPECT_EQ(*base64url_decode(base64url(bytes)), bytes);
    }
}

// Of all texts of four characters, as many can be decoded as there are byte strings to encode: none has two spellings.
TEST(Encoding, DecodedTextEncodesToTheSameText) {
    const std::string_view symbols = "AQgw09+/=-_";
    std::string text(4, ' ');
    for (const char a : symbols) {
        for (const char b : symbols) {
            for (const char c : symbols) {
                for (const char d : symbols) {
                    text = {a, b, c, d};
                    if (const auto read = base64_decode(text)) EXPECT_EQ(base64(*read), text);
                    if (const auto read = base64url_decode(text)) EXPECT_EQ(base64url(*read), text);
                }
            }
        }
    }
}

}  // namespace
}  // namespace countersign::security
