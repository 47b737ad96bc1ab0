// SPDX-License-Identifier: Apache-2.0
#include "security/secret_ring.hpp"

#include "core/limits.hpp"
#include "security/hmac.hpp"

#include <utility>

namespace countersign::security {

Result<SecretRing> SecretRing::make(std::vector<Kept> entries) {
    if (entries.size() > limits::webhook_secrets_max) {
        return Error{Errc::too_large, "at most " + std::to_string(limits::webhook_secrets_max) +
                                          " secrets count at a time: the present one and the one before"};
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (entries[i].secret.empty())
            return Error{Errc::missing_secret, "the " + entries[i].name + " secret is empty"};
        for (std::size_t k = 0; k < i; ++k) {
            if (!is_secret(entries[k].secret, entries[i].secret.reveal())) continue;
            return Error{Errc::bad_config, "the " + entries[i].name + " secret is the " + entries[k].name +
                                               " one: put a new secret into one of the two files"};
        }
    }
    SecretRing ring;
    ring.entries_ = std::move(entries);
    return ring;
}

const SecretRing::Kept* SecretRing::match(std::string_view given, WallTime now) const {
    const Kept* found = nullptr;
    for (const auto& entry : entries_) {
        const bool fits = is_secret(entry.secret, given);
        const bool in_time = !entry.until || now < *entry.until;
        if (fits && in_time) found = &entry;
    }
    return found;
}

}  // namespace countersign::security
