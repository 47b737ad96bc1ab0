// SPDX-License-Identifier: Apache-2.0
// A redactor, and a secret that it must always mask.
#pragma once

#include "security/redact/redactor.hpp"

#include <string>
#include <string_view>

namespace countersign::runtimes {

inline const std::string canary = "ghp_"
                                  "4fT9sKq2LmZx7VbN1cRw8YhJ3dPgE6uAo5Qi";

inline security::Secret test_key() { return security::Secret{std::string_view{"a key of the tests alone"}}; }

inline const security::Redactor& test_redactor() {
    static const security::Redactor redactor{test_key(), {}};
    return redactor;
}

}  // namespace countersign::runtimes
