// SPDX-License-Identifier: Apache-2.0
// The persistent keys of one hub: four separate credentials, so that losing one loses one thing.
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
    security::Secret button;       // makes buttons work once, here
    security::Secret code;         // makes short codes
    security::Secret fingerprint;  // makes equal secrets look equal in masks
};

// Each from $CREDENTIALS_DIRECTORY if it is there, else from <state>/keys/, where it is made on the first start.
[[nodiscard]] Result<Keys> load_keys(const std::string& state);

// The log's key alone, which must be there: who changes something about a log has to have the key that it is signed
// with.
[[nodiscard]] Result<security::Secret> load_log_key(const std::string& state);
// Its file, where it comes from a file of ours: a credential is somebody else's to change.
[[nodiscard]] Result<std::string> log_key_file(const std::string& state);

// Our own keys and our channels' secrets must leave in no text at all (I6).
[[nodiscard]] std::vector<security::KnownSecret> own_secrets(const Keys& keys, const Configuration& configuration);

}  // namespace countersign::app
