// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "security/redact/redactor.hpp"

#include <string>
#include <string_view>

namespace countersign::runtimes {

// The text with this sign before each of its lines; the last line gets a line end, too.
[[nodiscard]] std::string with_sign(char sign, std::string_view text);

// The lines of a diff, redacted without their signs, which could split a secret of several lines. Lines with the same
// sign are redacted together. `kind`: of the file; lines without a sign are not of the file.
[[nodiscard]] std::string redacted_diff(std::string_view diff, security::TextKind kind,
                                        const security::Redactor& redactor);

}  // namespace countersign::runtimes
