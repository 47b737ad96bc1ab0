// SPDX-License-Identifier: Apache-2.0
#include "tests/security/redactor_fixture.hpp"

#include "core/limits.hpp"
#include "security/encoding.hpp"

#include <algorithm>

namespace countersign::security {
namespace {

std::string percent_encoded(std::string_view text, bool all) {
    std::string encoded;
    for (const char byte : text) {
        const bool plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9');
        if (plain && !all) {
            encoded += byte;
        } else {
            encoded += "%" + hex(std::string_view{&byte, 1});
        }
    }
    return encoded;
}

TEST(RedactorKnown, I6_AKnownSecretIsFoundInItsLikelyEncodings) {
    const std::string value{known_value};
    expect_hidden("x " + value + " y", value);
    expect_hidden("x" + value + "y", value);
    expect_hidden("{\"x\":\"kn0wn\\\"Value/with+odd=bytes\"}", "Value/with+odd");
    expect_hidden("{\"x\":\"kn0wn\\\"Value\\/with+odd=bytes\"}", "Value\\/with+odd");
    expect_hidden("x " + hex(value) + " y", hex(value));
    auto upper = hex(value);
    std::ranges::transform(upper, upper.begin(),
                           [](char byte) { return byte >= 'a' ? static_cast<char>(byte - 32) : byte; });
    expect_hidden("x " + upper + " y", upper);
    expect_hidden("x " + base64(value) + " y", base64(value).substr(0, 20));
    expect_hidden("x " + base64url(value) + " y", base64url(value).substr(0, 20));
    expect_hidden("?q=" + percent_encoded(value, false), percent_encoded(value, false));
    expect_hidden("?q=" + percent_encoded(value, true), percent_encoded(value, true));
    auto spliced = value;
    spliced.insert(4, "\u200B");
    EXPECT_FALSE(contains(redactor().text(spliced), "Value"));
}

// With any neighbours in the same base64 text, even if they aren't text.
TEST(RedactorKnown, I6_AKnownSecretInsideALongerBase64TextIsFound) {
    const std::string value{known_value};
    for (std::size_t before = 0; before < 7; ++before) {
        for (std::size_t after = 0; after < 4; ++after) {
            const auto bytes = std::string(before, '\xF1') + value + std::string(after, '\xF2');
            for (const auto& encoded : {base64(bytes), base64url(bytes)}) {
                const auto redacted = redactor().text("data " + encoded + " end");
                const auto middle = encoded.substr(encoded.size() / 2 - 5, 10);
                EXPECT_FALSE(contains(redacted, middle)) << before << " " << after << " " << redacted;
            }
        }
    }
}

// So short that only the secret itself gives it away.
TEST(RedactorKnown, I6_AKnownSecretInsideAShortBase64TextIsFound) {
    const Redactor one{Secret{std::string_view{"key"}}, {{"correcthorse"}}};
    for (std::size_t before = 0; before < 4; ++before) {
        for (std::size_t after = 0; after < 4; ++after) {
            const auto encoded = base64(std::string(before, '\xF1') + "correcthorse" + std::string(after, '\xF2'));
            EXPECT_TRUE(contains(one.text("data " + encoded), "«redacted:known:")) << before << " " << after;
        }
    }
}

TEST(RedactorKnown, ASecretBelowTheMinimumLengthIsNotSearchedFor) {
    EXPECT_EQ(redactor().text("a tiny step"), "a tiny step");
    const std::string shorter(limits::known_secret_bytes_min - 1, 'q');
    const std::string least(limits::known_secret_bytes_min, 'z');
    const Redactor one{Secret{std::string_view{"key"}}, {{shorter}, {least}}};
    EXPECT_EQ(one.text("x " + shorter + " y"), "x " + shorter + " y");
    EXPECT_FALSE(contains(one.text("x " + least + " y"), least));
}

TEST(RedactorKnown, OfSecretsWithACommonPrefixTheLongestIsMasked) {
    const Redactor one{Secret{std::string_view{"key"}}, {{"prefix-one"}, {"prefix-one-and-more"}}};
    EXPECT_FALSE(contains(one.text("prefix-one-and-more"), "more"));
}

// Canaries in many encodings at once: none may appear in any of them.
TEST(RedactorKnown, I6_NoCanaryAppearsInAnyEncoding) {
    const std::string canary = "Canary-7f3Q-zX91-kLm2";
    const Redactor one{Secret{std::string_view{"key"}}, {{canary}}};
    Random random{5};
    const auto forms =
        std::to_array<std::string>({canary, base64(canary), base64url(canary), hex(canary),
                                    percent_encoded(canary, true), base64("u:" + canary), hex("x" + canary)});
    const auto frames =
        std::to_array<std::string>({"echo §", "x=§", "{\"a\":\"§\"}", "https://h/§?q=§", "§§", "\n§\n", "'§'",
                                    "--flag=§", "-d @- <<< §", "a\u200B§", "«§»", "«redacted:x:§»"});
    for (int round = 0; round < 500; ++round) {
        std::string text;
        for (int i = 0; i < 4; ++i) {
            auto frame = frames[random.below(frames.size())];
            const auto& form = forms[random.below(forms.size())];
            for (auto at = frame.find("§"); at != std::string::npos; at = frame.find("§")) {
                frame.replace(at, std::string_view{"§"}.size(), form);
            }
            text += frame + " ";
        }
        const auto redacted = one.text(text);
        for (const auto& form : forms) {
            if (form == forms[5] || form == forms[6]) continue;  // their own first bytes aren't secret
            ASSERT_FALSE(contains(redacted, form.substr(4, 12))) << text << "\n" << redacted;
        }
    }
}

}  // namespace
}  // namespace countersign::security
