// SPDX-License-Identifier: Apache-2.0
#include "tests/security/redactor_fixture.hpp"

#include "core/limits.hpp"
#include "security/digest.hpp"
#include "security/encoding.hpp"
#include "security/redact/commands.hpp"
#include "security/redact/values.hpp"

#include <set>
#include <vector>

namespace countersign::security {
namespace {

LexedValue lexed(const std::string& text) { return lex_value(text, 0, Quoting{text}); }

TEST(RedactorBounds, I13_OverTheBoundOnlySizeAndDigestAreLeft) {
    const std::string fits(limits::redact_bytes_max, 'a');
    EXPECT_EQ(redactor().text(fits), fits);
    const auto over = fits + "a";
    const auto redacted = redactor().text(over);
    EXPECT_EQ(redacted, "«withheld: 262145 bytes, sha256 " + hex(sha256(over)) + "»");
    EXPECT_EQ(redactor().text(redacted), redacted);
}

TEST(RedactorBounds, I13_TextThatItsMasksMakeTooLongIsWithheld) {
    std::string text;
    while (text.size() + 12 < limits::redact_bytes_max) text += "password=a1 ";
    const auto redacted = redactor().text(text);
    EXPECT_TRUE(redacted.starts_with("«withheld: ")) << redacted.substr(0, 100);
    EXPECT_EQ(redactor().text(redacted), redacted);
}

TEST(RedactorBounds, I13_AQuotedValueIsFollowedUpToTheBound) {
    const auto fits = "\"a " + std::string(limits::redact_value_bytes_max - 3, 'a') + "\"";
    EXPECT_EQ(lexed(fits).after, fits.size());
    const auto over = "\"a " + std::string(limits::redact_value_bytes_max - 2, 'a') + "\"";
    EXPECT_EQ(lexed(over).end, 2U);  // the quote is treated as open: only a word is left
    const std::string word(limits::redact_value_bytes_max, 'a');
    EXPECT_EQ(lexed(word).end, word.size());
    EXPECT_EQ(lexed(word + "a").end, word.size());
    // The bound isn't a leak: masking continues after the mask.
    EXPECT_FALSE(contains(redactor().text("password=" + word + "b" + word + "hunter2"), "hunter2"));
    EXPECT_FALSE(contains(redactor().text("password='" + word + "b" + word + "hunter2'"), "hunter2"));
}

// Every keyword of every rule, repeated up to the bound, alone and with text that starts a value: the time of each rule
// must be linear in the text. Otherwise this would not finish within the test's timeout.
TEST(RedactorBounds, I13_HostileRepeatsOfEveryKeywordFinishInTime) {
    std::set<std::string> words{"password",
                                "--password",
                                "Authorization",
                                "Cookie",
                                "name",
                                "value",
                                "-----BEGIN PRIVATE KEY-----",
                                "-----BEGIN",
                                "Private-Lines:",
                                "«redacted:",
                                "«redacted:token:0123abcd»",
                                "\\u0041",
                                "%41",
                                "\u200B",
                                "mnemonic",
                                "api_key",
                                "<password>",
                                "$(",
                                "password=$("};
    for (const auto& shapes : {token_shapes(), context_shapes()}) {
        for (const auto& shape : shapes) words.emplace(shape.keywords.substr(0, shape.keywords.find(',')));
    }
    for (const auto tool : command_tools()) words.emplace(tool);
    for (const auto& word : words) {
        for (const std::string_view joint : {"", "=\""}) {
            std::string text;
            const auto unit = word + std::string{joint};
            while (text.size() + unit.size() <= limits::redact_bytes_max / 8) text += unit;
            const auto redacted = redactor().text(text);
            EXPECT_LE(redacted.size(), limits::redact_bytes_max) << word;
        }
    }
}

TEST(RedactorBounds, I13_HostileTextOfFullLengthFinishesInTime) {
    for (const std::string_view unit : {"password=\"",
                                        "password='x\" ",
                                        "Authorization: Bearer ",
                                        "\"Authorization: ",
                                        "Cookie: a=b;",
                                        "eyJ",
                                        "ghp_",
                                        "://",
                                        "://a:b@",
                                        "aws ",
                                        "secret_",
                                        "key ",
                                        "\\\"password\\\":\\\"",
                                        "{\"name\":\"password\",",
                                        "-----BEGIN PRIVATE KEY-----",
                                        "$(",
                                        "`",
                                        "password=`",
                                        "a",
                                        "A1b",
                                        "=",
                                        "\\",
                                        "\"",
                                        "«redacted:token:"}) {
        std::string text;
        while (text.size() + unit.size() <= limits::redact_bytes_max) text += unit;
        EXPECT_LE(redactor().text(text).size(), limits::redact_bytes_max) << unit;
    }
}

TEST(RedactorBounds, I13_TextThatWouldBeReadRepeatedlyIsWithheld) {
    // The value of each name is the rest of the text, and none of them is a secret.
    std::string text;
    while (text.size() < limits::redact_bytes_max / 4) text += "pat=\"";
    EXPECT_TRUE(redactor().text(text).starts_with("«withheld: "));
    EXPECT_TRUE(redactor().text("pat=\"pat=\"pat=\"").starts_with("pat="));
}

// A bare value is masked one stretch per pass, and the last pass must find nothing.
TEST(RedactorBounds, I13_TextThatStillChangesAfterTheLastPassIsWithheld) {
    const auto masked = limits::redact_passes_max - 1;
    const std::string fits(limits::redact_value_bytes_max + (masked - 1) * (limits::redact_value_bytes_max - 1), 'a');
    EXPECT_TRUE(redactor().text("password=" + fits).starts_with("password=«redacted:password:"));
    EXPECT_TRUE(redactor().text("password=" + fits + "a").starts_with("«withheld: "));
}

// Found in a code review: each flag searched the whole rest of the text for the end of the command. That took minutes
// and would hit the test's timeout.
TEST(RedactorBounds, ManyFlagsInOneCommandTakeLinearTime) {
    std::string flags;
    while (flags.size() + 8 < limits::redact_bytes_max) flags += "curl -u ";
    EXPECT_FALSE(redactor().text(flags).empty());
}

}  // namespace
}  // namespace countersign::security
