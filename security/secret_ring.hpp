// SPDX-License-Identifier: Apache-2.0
// SecretRing: the secrets that a platform may prove itself with today. While one is being replaced there are two: the
// present one, and until a written moment the one before it, because what is under way still carries that.
//
// Immutable: whoever reloads a configuration makes another ring, and from then on the old one fits nothing, also on
// connections that are open already.
#pragma once

#include "core/result.hpp"
#include "core/time.hpp"
#include "security/secret.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::security {

class SecretRing {
public:
    struct Kept {
        std::string name;  // for the operator: "present", "previous"
        Secret secret;
        std::optional<WallTime> until = std::nullopt;  // it fits before this moment, and no more at it
    };
    SecretRing() = default;  // empty: nothing fits

    // Errc::missing_secret for an empty secret, Errc::bad_config for two that are the same (taking one away would
    // change nothing), Errc::too_large past webhook_secrets_max.
    [[nodiscard]] static Result<SecretRing> make(std::vector<Kept> entries);

    // The entry that was given, or null. All are compared whatever fits, each in constant time, so that the time tells
    // neither how much of a secret was right nor which one it was.
    [[nodiscard]] const Kept* match(std::string_view given, WallTime now) const;
    [[nodiscard]] const std::vector<Kept>& entries() const { return entries_; }

private:
    std::vector<Kept> entries_;
};

}  // namespace countersign::security
