// SPDX-License-Identifier: Apache-2.0
// The name of a request that a person can type: 8 Crockford characters, different in every chat and for every
// recipient.
//
// 40 bits of HMAC-SHA256(code key, "code/v1", approvalId, chat or recipient): nothing is stored, and nobody who was not
// sent the code can compute it. It is short enough to guess with enough tries, so the caller counts the wrong ones.
#pragma once

#include "core/result.hpp"
#include "core/ulid.hpp"
#include "security/secret.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace countersign::security {

inline constexpr std::size_t short_code_chars = 8;

// As it was typed, in the form it was sent in: case does not matter, O is 0, I and L are 1. Errc::malformed otherwise.
[[nodiscard]] Result<std::string> parse_short_code(std::string_view typed);

class ShortCodes {
public:
    explicit ShortCodes(Secret key) : key_{std::move(key)} {}

    // `audience` is the chat the code is shown in, or the one recipient it is sent to.
    [[nodiscard]] std::string code(const Ulid& approval_id, std::string_view audience) const;

    // Whether what was typed is this request's code for this audience.
    [[nodiscard]] bool fits(std::string_view typed, const Ulid& approval_id, std::string_view audience) const;

private:
    Secret key_;
};

}  // namespace countersign::security
