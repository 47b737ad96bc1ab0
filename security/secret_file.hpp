// SPDX-License-Identifier: Apache-2.0
// Where secrets come from: a file that only we can read, or a systemd credential. A channel whose secret does not pass
// here does not start (I2), and the error says what to do about it; it never holds a byte of the file.
#pragma once

#include "core/limits.hpp"
#include "core/result.hpp"
#include "security/secret.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <unistd.h>

namespace countersign::security {

struct SecretFileRules {
    std::size_t bytes_min = limits::secret_bytes_min;  // lower only where a platform's own secrets are shorter
    uid_t owner = ::geteuid();                         // root may own it as well
    bool group_may_read = false;                       // as systemd makes credentials, 0440 with an access list
    std::string what_to_replace = "the secret";        // when others could read it
};

// The whole file less one trailing newline. Errc::missing_secret if it is absent, no regular file, a symbolic link,
// somebody else's, open to others, in a directory where another user could replace it, empty, blank, too short, one
// character repeated, or padded with blanks; Errc::too_large over secret_bytes_max.
[[nodiscard]] Result<Secret> read_secret(const std::filesystem::path& path, const SecretFileRules& rules = {});

// A name without '/' is a credential in `credentials`; anything else is a path. A name is never tried as a path: what a
// start from another directory finds there would be chance.
[[nodiscard]] Result<Secret> find_secret(std::string_view name_or_path,
                                         const std::optional<std::filesystem::path>& credentials,
                                         SecretFileRules rules = {});

// $CREDENTIALS_DIRECTORY, as systemd sets it for a service.
[[nodiscard]] std::optional<std::filesystem::path> credentials_directory();

}  // namespace countersign::security
