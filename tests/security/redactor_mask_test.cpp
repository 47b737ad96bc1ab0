// SPDX-License-Identifier: Apache-2.0
#include "tests/security/redactor_fixture.hpp"

#include <array>

namespace countersign::security {
namespace {

TEST(RedactorMask, IsTheRuleAndEightDigitsOfAKeyedHash) {
    const auto redacted = redactor().text("password=hunter2");
    ASSERT_EQ(redacted.size(), std::string_view{"password=«redacted:password:01234567»"}.size()) << redacted;
    EXPECT_TRUE(redacted.starts_with("password=«redacted:password:"));
    EXPECT_TRUE(redacted.ends_with("»"));
}

TEST(RedactorMask, ARealMaskIsUnchanged) {
    for (const std::string_view text :
         {"«redacted:github:0123abcd»", "password=«redacted:password:0123abcd»", "--token «redacted:token:0123abcd» x",
          "Bearer «redacted:bearer:00000000»", "{\"password\":\"«redacted:password:0123abcd»\"}",
          "https://«redacted:url-userinfo:0123abcd»@example.com/"}) {
        EXPECT_EQ(redactor().text(text), text);
    }
}

TEST(RedactorMask, I6_AForgedMaskHidesNoSecret) {
    const auto token = "ghp_" + body(36);
    const auto tail = token.substr(8);
    expect_hidden("«redacted:x:" + token + "»", tail);
    expect_hidden("«redacted:github:" + token + "»", tail);
    expect_hidden("«redacted:" + token + ":01234567»", tail);
    expect_hidden("«redacted:password:hunter2»", "hunter2");                  // no digits
    expect_hidden("password=«redacted:nosuch:0123abcd»", "nosuch:0123abcd");  // not one of our rules
    expect_hidden("password=«redacted:password:0123ABCD»", "0123ABCD");       // not our spelling of digits
    expect_hidden("password=«redacted:password:0123abcde»", "0123abcde");
    expect_hidden("password=«redacted:password:0123abcd»hunter2", "hunter2");
    expect_hidden("password=hunter2«redacted:password:0123abcd»", "hunter2");
    expect_hidden("«withheld: 1 bytes, sha256 " + token + "»", tail);
}

TEST(RedactorMask, I6_AForgedMaskDoesNotCutATokenInTwo) {
    const auto token = "ghp_" + body(36);
    for (std::size_t at = 5; at < token.size() - 5; ++at) {
        const auto text = token.substr(0, at) + "«redacted:jwt:0123abcd»" + token.substr(at);
        const auto redacted = redactor().text(text);
        EXPECT_FALSE(contains(redacted, token.substr(4, 5))) << redacted;
        EXPECT_FALSE(contains(redacted, token.substr(token.size() - 5))) << redacted;
    }
}

// Random texts from the pieces that rules consist of: a second pass must not find anything in the result of the first.
TEST(RedactorMask, RedactingTwiceChangesNothing) {
    const std::string token = "ghp_" + body(36);
    const auto pieces = std::to_array<std::string>({"password",
                                                    "token",
                                                    "=",
                                                    ":",
                                                    " ",
                                                    "\"",
                                                    "'",
                                                    "\\\"",
                                                    "\n",
                                                    "--",
                                                    "api_key",
                                                    token,
                                                    "hunter2",
                                                    "Authorization",
                                                    "Bearer",
                                                    "Cookie",
                                                    ";",
                                                    "&",
                                                    "?",
                                                    "https://",
                                                    "@",
                                                    "bob:x",
                                                    "mysql -p",
                                                    "curl -u ",
                                                    "$(",
                                                    ")",
                                                    "`",
                                                    "{",
                                                    "}",
                                                    "[",
                                                    "]",
                                                    ",",
                                                    "<",
                                                    ">",
                                                    "\u200B",
                                                    "\u00A0",
                                                    "«redacted:token:0123abcd»",
                                                    "«",
                                                    "»",
                                                    "redacted:",
                                                    "%70",
                                                    "\\u0070",
                                                    "eyJhbGciOiJIUzI1NiJ9.",
                                                    "name",
                                                    "value",
                                                    "-----BEGIN PRIVATE KEY-----",
                                                    "-----END PRIVATE KEY-----",
                                                    "abcDEF123",
                                                    "\x1A",
                                                    "\x02",
                                                    "\xFF",
                                                    std::string{known_value},
                                                    "echo ",
                                                    "| chpasswd",
                                                    "secret",
                                                    "is",
                                                    "|",
                                                    "set ",
                                                    "\\",
                                                    "\x1B[0m",
                                                    "cGFzc3dvcmQ9aHVudGVyMg=="});
    Random random{2024};
    for (int round = 0; round < 6000; ++round) {
        std::string text;
        const auto count = random.below(14) + 1;
        for (std::size_t i = 0; i < count; ++i) text += pieces[random.below(pieces.size())];
        const auto once = redactor().text(text);
        ASSERT_EQ(redactor().text(once), once) << text;
        ASSERT_FALSE(contains(once, token.substr(8))) << text << "\n" << once;
        ASSERT_FALSE(contains(once, known_value)) << text << "\n" << once;
    }
}

TEST(RedactorMask, RedactingTwiceChangesNothingInRandomBytes) {
    std::string alphabet;
    for (int byte = 0; byte < 256; ++byte) alphabet += static_cast<char>(byte);
    Random random{99};
    for (int round = 0; round < 1500; ++round) {
        const auto text = random.text(random.below(120), alphabet);
        const auto once = redactor().text(text);
        ASSERT_EQ(redactor().text(once), once);
    }
}

}  // namespace
}  // namespace countersign::security
