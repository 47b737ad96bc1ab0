// SPDX-License-Identifier: Apache-2.0
// SecretRing: the secrets with which a platform may authenticate now. While one is being replaced there are two: the
// current one and, until a given time, the previous one, because messages in transit still carry it.
//
// Immutable: a configuration reload creates a new ring. From then on the old secrets are refused, even on open
// connections.
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
        std::optional<WallTime> until = std::nullopt;  // valid before this time
    };
    SecretRing() = default;  // empty: nothing matches

    // Errc::missing_secret for an empty secret, Errc::bad_config for two equal ones (removing one would change
    // nothing), Errc::too_large past webhook_secrets_max.
    [[nodiscard]] static Result<SecretRing> make(std::vector<Kept> entries);

    // The matching entry, or null. Always compares all entries, each in constant time, so that the time reveals neither
    // how much of a secret was right nor which one matched.
    [[nodiscard]] const Kept* match(std::string_view given, WallTime now) const;
    [[nodiscard]] const std::vector<Kept>& entries() const { return entries_; }

private:
    std::vector<Kept> entries_;
};

}  // namespace countersign::security
