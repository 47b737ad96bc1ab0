// SPDX-License-Identifier: Apache-2.0
// The persistent keys of a hub: four separate credentials, so that losing one affects only its own purpose.
#pragma once

#include "core/configuration.hpp"
#include "core/result.hpp"
#include "security/redact/redactor.hpp"
#include "security/secret.hpp"

#include <string>
#include <vector>

namespace countersign::app {

struct Keys {
    security::Secret log;          // signs the audit log
    security::Secret button;       // authenticates buttons, each usable once on this hub
    security::Secret code;         // derives short codes
    security::Secret fingerprint;  // lets equal secrets look equal in masks
};

// Each from $CREDENTIALS_DIRECTORY if it is there, else from <state>/keys/, created on the first start.
[[nodiscard]] Result<Keys> load_keys(const std::string& state);

// Loads only the log's key, which must exist: an operator who changes a log must have the key that signs it.
[[nodiscard]] Result<security::Secret> load_log_key(const std::string& state);
// The path of the log's key file, if it is ours: a credential can only be changed where it comes from.
[[nodiscard]] Result<std::string> log_key_file(const std::string& state);

// Our own keys and our channels' secrets, which must never appear in any text (I6).
[[nodiscard]] std::vector<security::KnownSecret> own_secrets(const Keys& keys, const Configuration& configuration);

}  // namespace countersign::app
