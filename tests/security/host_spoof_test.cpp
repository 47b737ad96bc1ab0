// SPDX-License-Identifier: Apache-2.0
#include "security/display/host_spoof.hpp"

#include "core/limits.hpp"
#include "core/utf8.hpp"
#include "security/display/look_alikes.hpp"
#include "security/punycode.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

namespace countersign::security {
namespace {

using Kind = SuspectHost::Kind;

std::u32string wide(std::string_view text) {
    std::u32string out;
    while (!text.empty()) {
        const auto next = utf8::decode(text);
        out += next->value;
        text.remove_prefix(next->length);
    }
    return out;
}

// Registered names in their usual spelling; the ASCII side was made by Python's own codec.
TEST(Punycode, KnownNamesAreEncodedAndDecoded) {
    const std::vector<std::pair<std::string_view, std::string_view>> known{
        {"bücher", "bcher-kva"},   {"münchen", "mnchen-3ya"},
        {"пример", "e1afmkfd"},    {"аррӏе", "80ak6aa92e"},
        {"例え", "r8jz45g"},       {"παράδειγμα", "hxajbheg2az3al"},
        {"faß-x", "fa-x-wna"},     {"ü", "tda"},
        {"你好", "6qq79v"},        {"🎉", "dk8h"},
        {"ab-ü-cd", "ab--cd-5ya"}, {"भारत", "h2brj9c"}};
    for (const auto& [text, code] : known) {
        EXPECT_EQ(punycode_encoded(wide(text)), code) << text;
        EXPECT_EQ(punycode_decoded(code), wide(text)) << code;
    }
}

TEST(Punycode, InvalidPunycodeIsRefused) {
    for (const auto* code :
         {"", "-", "abc-", "a_b", "kva!", "99999999999999999999", "bcher-kv", "\xC3\xBC", "bücher-kva"}) {
        EXPECT_EQ(punycode_decoded(code), std::nullopt) << code;
    }
}

TEST(Punycode, RandomLabelsAreReadBack) {
    std::mt19937 random{3};
    for (int round = 0; round < 2'000; ++round) {
        std::u32string label;
        for (auto left = 1 + random() % 12; left > 0; --left) {
            char32_t code = random() % 3 == 0 ? 'a' + random() % 26 : 0x80 + random() % 0x10FF7F;
            if (code >= 0xD800 && code <= 0xDFFF) code = 'x';
            label += code;
        }
        label += U'ü';
        const auto code = punycode_encoded(label);
        if (code) EXPECT_EQ(punycode_decoded(*code), label) << *code;
    }
}

TEST(Punycode, I13_ALabelIsAsLongAsDnsAllows) {
    // The letters that fit after "xn--" and the encoding of one ü.
    std::u32string label = U"ü";
    while (punycode_encoded(U"a" + label)) label.insert(0, 1, U'a');
    const auto longest = punycode_encoded(label);
    EXPECT_EQ(longest->size() + 4, limits::host_label_chars_max);
    EXPECT_EQ(punycode_decoded(*longest), label);
    EXPECT_EQ(punycode_decoded(std::string(limits::host_label_chars_max - 3, 'a') + "-tda"), std::nullopt);
    EXPECT_EQ(punycode_encoded(std::u32string(limits::host_label_chars_max + 1, U'ü')), std::nullopt);
}

TEST(LookAlikes, AnAsciiCharacterIsNotALookAlike) {
    for (char32_t code = 0; code < 0x80; ++code) EXPECT_EQ(ascii_look_alike(code), '\0');
    EXPECT_EQ(ascii_look_alike(U'а'), 'a');
    EXPECT_EQ(ascii_look_alike(U'ｚ'), 'z');
    EXPECT_EQ(ascii_look_alike(U'𝐚'), 'a');
    EXPECT_EQ(ascii_look_alike(U'𝒛'), 'z');
    EXPECT_EQ(ascii_look_alike(U'９'), '9');
    EXPECT_EQ(ascii_look_alike(U'ж'), '\0');
    EXPECT_EQ(ascii_look_alike(U'ü'), '\0');
}

// Homoglyphs and punycode went unnoticed there.
TEST(HostSpoof, Incident_deepagents_1694_AHostThatOnlyLooksLikeAnotherIsReported) {
    const auto apple = suspect_host("аррӏе.com");
    ASSERT_TRUE(apple);
    EXPECT_EQ(*apple, (SuspectHost{Kind::looks_alike, "аррӏе.com", "xn--80ak6aa92e.com", "apple.com"}));
    EXPECT_TRUE(deceives(*apple));
    EXPECT_EQ(suspect_host("xn--80ak6aa92e.com"), apple) << "however it is written";
    EXPECT_EQ(suspect_host("XN--80ak6aa92e.com")->looks_like, "apple.com");
    EXPECT_EQ(suspect_host("%D0%B0%D1%80%D1%80%D3%8F%D0%B5.com"), apple);

    const std::vector<std::pair<std::string_view, std::string_view>> deceiving{
        {"gооgle.com", "google.com"},
        {"gіthub.com", "github.com"},
        {"api.раураl.com", "api.paypal.com"},
        {"ｇoogle.com", "google.com"},
        {"αpple.com", "apple.com"},
        {"𝐠𝐨𝐨𝐠𝐥𝐞.com", "google.com"},
        {"ɡithub.com", "github.com"},
        {"github。com", "github.com"},
        {"github.com∕login.evil.example", "github.com/login.evil.example"},
        {"xn--pypal-4ve.com", "paypal.com"},
        {"ρaypal.com", "paypal.com"}};
    for (const auto& [host, like] : deceiving) {
        const auto found = suspect_host(host);
        ASSERT_TRUE(found) << host;
        EXPECT_EQ(found->kind, Kind::looks_alike) << host;
        EXPECT_EQ(found->looks_like, like) << host;
    }
}

TEST(HostSpoof, LettersOfTwoScriptsInOneNameAreReported) {
    for (const auto* host : {"gжogle.com", "aбв.example", "xn--gogle-5we.com"}) {
        const auto found = suspect_host(host);
        ASSERT_TRUE(found) << host;
        EXPECT_EQ(found->kind, Kind::mixed_scripts) << host << found->shown;
        EXPECT_EQ(found->looks_like, "");
    }
}

TEST(HostSpoof, APunycodeNameIsDecodedForReading) {
    const auto found = suspect_host("www.xn--mnchen-3ya.de");
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, (SuspectHost{Kind::punycode, "www.münchen.de", "www.xn--mnchen-3ya.de", ""}));
    EXPECT_FALSE(deceives(*found)) << "it only wants to be read";
    EXPECT_EQ(suspect_host("xn--e1afmkfd.xn--p1ai")->shown, "пример.рф");
}

TEST(HostSpoof, AnUnreadableHostIsReportedAsUnreadable) {
    for (const auto* host : {"xn--.com", "xn--a.com", "xn--99999999999.com", "goo\u200Bgle.com", "a\u202Eb.com",
                             "\xD0\xFF.com", "goo%E2%80%8Bgle.com"}) {
        const auto found = suspect_host(host);
        ASSERT_TRUE(found) << host;
        EXPECT_EQ(found->kind, Kind::unreadable) << host << found->shown;
        EXPECT_TRUE(deceives(*found));
    }
}

TEST(HostSpoof, HonestNamesAreNotReported) {
    for (const auto* host :
         {"", "localhost", "example.com", "a--b.example.com", "127.0.0.1", "[::1]", "münchen.de", "пример.рф", "сор.рф",
          "пример.com", "例え.テスト", "한국.kr", "ελλάδα.gr", "x_y.example", "a%20b", "%zz", "%"}) {
        EXPECT_EQ(suspect_host(host), std::nullopt) << host;
    }
}

}  // namespace
}  // namespace countersign::security
