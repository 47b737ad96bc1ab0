// SPDX-License-Identifier: Apache-2.0
// Shared by the redactor's tests: one redactor, and token bodies that are generated at run time, so that no repository
// scanner mistakes this repository for a leak.
#pragma once

#include "security/redact/redactor.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <string_view>

namespace countersign::security {

inline const std::string_view known_value = "kn0wn\"Value/with+odd=bytes";

inline const Redactor& redactor() {
    static const Redactor one{Secret{std::string_view{"the key of the masks' fingerprints"}},
                              {{std::string{known_value}}, {"tiny"}}};
    return one;
}

inline constexpr std::string_view alnum = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
inline constexpr std::string_view lower_alnum = "abcdefghijklmnopqrstuvwxyz0123456789";
inline constexpr std::string_view upper_alnum = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
inline constexpr std::string_view hex_digits = "0123456789abcdef";

// The same sequence in every run.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_{seed * 2 + 1} {}
    std::size_t below(std::size_t bound) {
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return static_cast<std::size_t>(state_ >> 33U) % bound;
    }
    std::string text(std::size_t length, std::string_view alphabet) {
        std::string text;
        while (text.size() < length) text += alphabet[below(alphabet.size())];
        return text;
    }

private:
    std::uint64_t state_;
};

inline std::string body(std::size_t length, std::string_view alphabet = alnum, std::uint64_t seed = 7) {
    return Random{seed}.text(length, alphabet);
}

inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// The promise for every text: the secret is gone, there is a mask, and redacting again changes nothing.
inline void expect_hidden(std::string_view text, std::string_view secret) {
    ASSERT_TRUE(contains(text, secret)) << "the example does not have its secret: " << text;
    const auto redacted = redactor().text(text);
    EXPECT_FALSE(contains(redacted, secret)) << redacted;
    EXPECT_TRUE(contains(redacted, "«redacted:")) << redacted;
    EXPECT_EQ(redactor().text(redacted), redacted);
}

}  // namespace countersign::security
