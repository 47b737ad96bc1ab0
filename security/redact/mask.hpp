// SPDX-License-Identifier: Apache-2.0
// The replacement for a secret: «redacted:rule:8 hex».
//
// The digits are from an HMAC, so that equal secrets have equal masks in this daemon's texts, but not in those of
// another one, and can't be guessed by hashing a word list.
#pragma once

#include "security/secret.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::security {

struct MaskSpan {
    std::size_t begin;
    std::size_t end;
};

class Masks {
public:
    // `rules` are the only names that a mask may have; they must be string literals. The key must not be empty.
    Masks(Secret key, std::vector<std::string_view> rules);

    // Ignores invisible characters in the secret: inserting them changes neither the secret nor its mask.
    [[nodiscard]] std::string mask(std::string_view rule, std::string_view secret) const;

    // The masks in a text, in order. Text that doesn't match the format exactly, with a known rule and eight digits,
    // isn't a mask: an agent must not be able to hide a token by writing «redacted:…» around it.
    [[nodiscard]] std::vector<MaskSpan> find(std::string_view text) const;

private:
    [[nodiscard]] std::size_t length_at(std::string_view text) const;

    Secret key_;
    std::vector<std::string_view> rules_;  // sorted
};

// Replaces a text that is too large to scan: «withheld: N bytes, sha256 …».
[[nodiscard]] std::string withheld(std::string_view text);

}  // namespace countersign::security
