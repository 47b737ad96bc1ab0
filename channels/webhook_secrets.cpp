// SPDX-License-Identifier: Apache-2.0
#include "channels/webhook_secrets.hpp"

#include "core/limits.hpp"

#include <utility>

namespace countersign::channels {

void check_previous_secret(const WrittenSettings& written, std::string_view previous,
                           std::vector<SettingComplaint>& wrong) {
    const auto present = previous.substr(std::string_view{"previous_"}.size());
    const bool secret = written.contains(previous);
    const bool until = written.contains("previous_until");
    if (secret && !until) {
        wrong.push_back({previous,
                         {"a previous secret needs its end",
                          "write previous_until = \"2026-12-01T12:00:00Z\", at most 30 days ahead"}});
    }
    if (until && !secret) {
        wrong.push_back({"previous_until",
                         {"there is no previous secret that could end", write_file(previous) + ", or leave both out"}});
    }
    if (secret && !written.contains(present)) {
        wrong.push_back({previous, {"there is no present secret", write_file(present) + ", the new one"}});
    }
}

Result<WebhookSecrets> read_webhook_secrets(const Settings& settings, const std::string& present, WallTime now) {
    WebhookSecrets secrets;
    auto given = settings.optional_secret(present);
    if (!given) return given.error();
    secrets.present = std::move(*given);
    auto previous = settings.optional_secret("previous_" + present);
    if (!previous) return previous.error();
    if (!*previous) return secrets;
    secrets.previous = std::move(*previous);
    secrets.previous_until = settings.moment("previous_until");
    if (secrets.previous_until && *secrets.previous_until > now + limits::secret_overlap_max) {
        return Error{Errc::bad_config,
                     "previous_until is more than 30 days ahead: a secret that was replaced ends soon"};
    }
    return secrets;
}

Result<security::SecretRing> ring_of(const WebhookSecrets& secrets,
                                     Result<void> (*check)(const security::Secret& secret)) {
    std::vector<security::SecretRing::Kept> entries;
    if (secrets.present) {
        if (const auto fits = check(*secrets.present); !fits) return fits.error();
        entries.push_back({.name = "present", .secret = secrets.present->duplicate()});
    }
    if (secrets.previous) {
        if (const auto fits = check(*secrets.previous); !fits) return fits.error();
        if (!secrets.previous_until) return Error{Errc::missing_secret, "a previous secret needs its previous_until"};
        entries.push_back(
            {.name = "previous", .secret = secrets.previous->duplicate(), .until = secrets.previous_until});
    }
    return security::SecretRing::make(std::move(entries));
}

}  // namespace countersign::channels
