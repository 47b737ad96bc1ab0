// SPDX-License-Identifier: Apache-2.0
// The secrets that a platform proves itself with at our webhook: the present one and, while it is being replaced, the
// one before it.
#pragma once

#include "channels/platform.hpp"
#include "core/channel_kind.hpp"
#include "core/result.hpp"
#include "core/time.hpp"
#include "security/secret.hpp"
#include "security/secret_ring.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::channels {

struct WebhookSecrets {
    std::optional<security::Secret> present = std::nullopt;
    // The one before it, and when it ends: both or neither.
    std::optional<security::Secret> previous = std::nullopt;
    std::optional<WallTime> previous_until = std::nullopt;
};

// The rules of three settings: the present secret, `previous` (the same name after "previous_") and previous_until.
// While a secret is replaced two are valid, and until when is written down: an old one must not stay valid for ever
// because it was forgotten.
void check_previous_secret(const WrittenSettings& written, std::string_view previous,
                           std::vector<SettingComplaint>& wrong);
// The same three, with the secrets in their files. Errc::missing_secret with what to do; Errc::bad_config for a
// previous secret that would be valid for longer than secret_overlap_max from now.
[[nodiscard]] Result<WebhookSecrets> read_webhook_secrets(const Settings& settings, const std::string& present,
                                                          WallTime now);
// Errc::missing_secret if a previous one has no end; else the error of `check`, which refuses a weak one.
[[nodiscard]] Result<security::SecretRing> ring_of(const WebhookSecrets& secrets,
                                                   Result<void> (*check)(const security::Secret& secret));

}  // namespace countersign::channels
