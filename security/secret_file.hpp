// SPDX-License-Identifier: Apache-2.0
// Reads secrets from a file that only we can read, or from a systemd credential. A channel whose secret is refused here
// doesn't start (I2). The error says what to do about it and never contains a byte of the file.
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
    std::size_t bytes_min = limits::secret_bytes_min;  // lower it only if a platform's own secrets are shorter
    uid_t owner = ::geteuid();                         // root may also own it
    bool group_may_read = false;                       // systemd creates credentials with mode 0440 and an access list
    std::string what_to_replace = "the secret";        // what to replace if others could read it
};

// The whole file without one trailing newline. Errc::missing_secret if it is absent, not a regular file, a symbolic
// link, owned by another user, open to others, in a directory where another user could replace it, empty, blank, too
// short, one character repeated, or padded with blanks; Errc::too_large over secret_bytes_max.
[[nodiscard]] Result<Secret> read_secret(const std::filesystem::path& path, const SecretFileRules& rules = {});

// A name without '/' is a credential in `credentials`; anything else is a path. A name is never tried as a path,
// because the result would depend on the directory in which the program was started.
[[nodiscard]] Result<Secret> find_secret(std::string_view name_or_path,
                                         const std::optional<std::filesystem::path>& credentials,
                                         SecretFileRules rules = {});

// $CREDENTIALS_DIRECTORY, as systemd sets it for a service.
[[nodiscard]] std::optional<std::filesystem::path> credentials_directory();

}  // namespace countersign::security
