// SPDX-License-Identifier: Apache-2.0
#include "core/limits.hpp"
#include "security/hmac.hpp"
#include "security/signature_header.hpp"
#include "security/webhook_signature.hpp"

#include <algorithm>
#include <string>

namespace countersign::security {
namespace {

bool is_token_symbol(char symbol) {
    return (symbol >= 'a' && symbol <= 'z') || (symbol >= 'A' && symbol <= 'Z') || (symbol >= '0' && symbol <= '9') ||
           symbol == '_' || symbol == '-';
}

}  // namespace

Result<void> check_telegram_secret(const Secret& secret_token) {
    if (const auto present = check_secret_present(secret_token); !present) return present;
    if (secret_token.size() < limits::secret_bytes_min) {
        return Error{Errc::missing_secret, "the Telegram secret token is too short: take at least " +
                                               std::to_string(limits::secret_bytes_min) +
                                               " characters, for example of openssl rand -hex 32"};
    }
    if (secret_token.size() > telegram_secret_chars_max) {
        return Error{Errc::missing_secret, "Telegram accepts a secret token of at most 256 characters"};
    }
    if (!std::ranges::all_of(secret_token.reveal(), is_token_symbol)) {
        return Error{Errc::missing_secret, "Telegram accepts only A-Z a-z 0-9 _ and - in a secret token"};
    }
    return {};
}

Result<void> verify_telegram(const Secret& secret_token, std::string_view header) {
    if (const auto present = check_secret_present(secret_token); !present) return present;
    if (header.empty()) return Error{Errc::bad_signature, "no secret token header: was the webhook set without one?"};
    if (header.size() > telegram_secret_chars_max || !std::ranges::all_of(header, is_token_symbol)) {
        return Error{Errc::malformed, "the secret token header is not 1 to 256 characters of A-Z a-z 0-9 _ -"};
    }
    if (!is_secret(secret_token, header)) {
        return Error{Errc::bad_signature, "the secret token is not the one that the webhook was set with"};
    }
    return {};
}

}  // namespace countersign::security
