// SPDX-License-Identifier: Apache-2.0
// What stands in the place of a secret: «redacted:rule:8 hex».
//
// The digits are of an HMAC, so that equal secrets are seen to be equal, in this daemon's texts and in nobody else's,
// and cannot be guessed by hashing a list of words.
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
    // `rules` are the only names a mask may carry; they are literals. The key is not empty.
    Masks(Secret key, std::vector<std::string_view> rules);

    // Invisible characters in the secret do not count: spliced in, they change neither the secret nor its mask.
    [[nodiscard]] std::string mask(std::string_view rule, std::string_view secret) const;

    // The masks in a text, in order. One that does not fit the format to the letter, with a rule of ours and exactly
    // eight digits, is no mask but text: an agent must not hide a token by writing «redacted:…» around it.
    [[nodiscard]] std::vector<MaskSpan> find(std::string_view text) const;

private:
    [[nodiscard]] std::size_t length_at(std::string_view text) const;

    Secret key_;
    std::vector<std::string_view> rules_;  // sorted
};

// All that is shown of a text that is too large to look through: «withheld: N bytes, sha256 …».
[[nodiscard]] std::string withheld(std::string_view text);

}  // namespace countersign::security
