// SPDX-License-Identifier: Apache-2.0
// The code of a request that a person can type: 8 Crockford characters, different for every chat and every recipient.
//
// 40 bits of HMAC-SHA256(code key, "code/v1", approvalId, chat or recipient). Nothing is stored, and only people who
// received the code know it. It is short enough to guess with many tries, so the caller must count the wrong ones.
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

// Converts typed text to the form that was sent: ignores case, and reads O as 0, I and L as 1. Errc::malformed
// otherwise.
[[nodiscard]] Result<std::string> parse_short_code(std::string_view typed);

class ShortCodes {
public:
    explicit ShortCodes(Secret key) : key_{std::move(key)} {}

    // `audience` is the chat in which the code is shown, or the one recipient it is sent to.
    [[nodiscard]] std::string code(const Ulid& approval_id, std::string_view audience) const;

    // True if the typed text is this request's code for this audience.
    [[nodiscard]] bool fits(std::string_view typed, const Ulid& approval_id, std::string_view audience) const;

private:
    Secret key_;
};

}  // namespace countersign::security
