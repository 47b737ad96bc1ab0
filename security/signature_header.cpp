// SPDX-License-Identifier: Apache-2.0
#include "security/signature_header.hpp"

#include "core/limits.hpp"

#include <algorithm>
#include <string>

namespace countersign::security {
namespace {

bool is_lower_hex(char symbol) { return (symbol >= '0' && symbol <= '9') || (symbol >= 'a' && symbol <= 'f'); }

}  // namespace

Result<Bytes> parse_hex_signature(std::string_view header, std::string_view prefix, std::size_t bytes) {
    if (header.empty()) return Error{Errc::bad_signature, "no signature header"};
    const bool shaped = header.size() == prefix.size() + 2 * bytes && header.starts_with(prefix) &&
                        std::ranges::all_of(header.substr(prefix.size()), is_lower_hex);
    if (!shaped) {
        return Error{Errc::malformed, "the signature header is not " + std::string{prefix} + " and " +
                                          std::to_string(2 * bytes) + " lower-case hexadecimal digits"};
    }
    return hex_decode(header.substr(prefix.size()));
}

Result<void> check_secret_present(const Secret& secret) {
    if (secret.empty()) return Error{Errc::missing_secret, "no secret is configured, so nothing can be verified"};
    return {};
}

Result<void> check_body_bound(std::string_view body) {
    if (body.size() <= limits::webhook_body_bytes_max) return {};
    return Error{Errc::too_large, "the body has " + std::to_string(body.size()) + " bytes, at most " +
                                      std::to_string(limits::webhook_body_bytes_max)};
}

Error signature_does_not_fit() {
    return {Errc::bad_signature, "the signature does not fit: another secret signed it, or the bytes were changed"};
}

}  // namespace countersign::security
