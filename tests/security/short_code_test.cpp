// SPDX-License-Identifier: Apache-2.0
#include "security/short_code.hpp"

#include "security/encoding.hpp"
#include "security/hmac.hpp"

#include <algorithm>
#include <cctype>
#include <gtest/gtest.h>
#include <set>
#include <string>

namespace countersign::security {
namespace {

const Ulid request = *Ulid::parse("01JCQ7Z8XJ5V3K2M4N6P8R0S1T");
const Ulid other_request = *Ulid::parse("01JCQ7Z8XJ5V3K2M4N6P8R0S1V");

ShortCodes codes(char fill = 'k') { return ShortCodes{Secret{std::string(32, fill)}}; }

TEST(ShortCode, IsTheFirst40BitsOfTheDocumentedMac) {
    const auto mac = hmac_sha256(Secret{std::string(32, 'k')}, {"code/v1"
                                                                "01JCQ7Z8XJ5V3K2M4N6P8R0S1T"
                                                                "+447700900123"});
    std::string bits;
    for (std::size_t i = 0; i < 5; ++i) {
        for (int bit = 7; bit >= 0; --bit) bits += (mac[i] >> bit & 1) != 0 ? '1' : '0';
    }
    std::string expected;
    for (std::size_t i = 0; i < 40; i += 5) {
        expected += "0123456789ABCDEFGHJKMNPQRSTVWXYZ"[std::stoul(bits.substr(i, 5), nullptr, 2)];
    }
    EXPECT_EQ(codes().code(request, "+447700900123"), expected);
}

TEST(ShortCode, I10_DiffersForEveryRequestAudienceAndKey) {
    const std::set<std::string> made{codes().code(request, "+447700900123"), codes().code(request, "+447700900124"),
                                     codes().code(other_request, "+447700900123"),
                                     codes('x').code(request, "+447700900123"), codes().code(request, "")};
    EXPECT_EQ(made.size(), 5U);
    for (const auto& code : made) EXPECT_EQ(code.size(), short_code_chars);
}

TEST(ShortCode, CaseAndLookAlikesAreIgnoredWhenTyping) {
    EXPECT_EQ(*parse_short_code("0O1ILoil"), "00111011");
    EXPECT_EQ(*parse_short_code("abcdefgh"), "ABCDEFGH");
    const auto code = codes().code(request, "chat");
    auto typed = code;
    std::ranges::transform(typed, typed.begin(), [](char c) { return static_cast<char>(std::tolower(c)); });
    std::ranges::replace(typed, '0', 'o');
    std::ranges::replace(typed, '1', 'l');
    EXPECT_TRUE(codes().fits(typed, request, "chat"));
}

TEST(ShortCode, AnyOtherTextIsMalformed) {
    using namespace std::string_literals;
    for (const auto& bad : {""s, "ABCDEFG"s, "ABCDEFGHJ"s, "ABCDEFGU"s, "ABCD-EFG"s, "ABCDEFG "s, "ABCDEFG\0"s,
                            "\xc3\x84\xc3\x84\xc3\x84\xc3\x84"s, "ABCDEFG?"s, std::string(1000, 'A')}) {
        const auto parsed = parse_short_code(bad);
        ASSERT_FALSE(parsed) << bad;
        EXPECT_EQ(parsed.error().code, Errc::malformed);
        EXPECT_FALSE(codes().fits(bad, request, "chat"));
    }
}

TEST(ShortCode, I10_FitsOneRequestForOneAudience) {
    const auto code = codes().code(request, "+447700900123");
    EXPECT_TRUE(codes().fits(code, request, "+447700900123"));
    EXPECT_FALSE(codes().fits(code, request, "+447700900124"));
    EXPECT_FALSE(codes().fits(code, other_request, "+447700900123"));
    EXPECT_FALSE(codes('x').fits(code, request, "+447700900123"));
}

}  // namespace
}  // namespace countersign::security
