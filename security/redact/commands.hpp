// SPDX-License-Identifier: Apache-2.0
// Commands that take a secret behind a short flag: mysql -psecret, curl -u bob:secret, docker login -p secret.
//
// The same -p is a port elsewhere, so the table goes by tool. Long flags need no table: their names say it
// (security/redact/pairs.hpp).
#pragma once

#include "security/redact/finding.hpp"

#include <span>
#include <string_view>

namespace countersign::security {

[[nodiscard]] Findings find_command_secrets(std::string_view text);

// Whether the flag text[begin, end) of the command around it takes no value, though its name says that it has a secret:
// psql --password DATABASE asks for one, and --no-password for none. Then the next word is what the command acts on.
[[nodiscard]] bool flag_without_value(std::string_view text, std::size_t begin, std::size_t end);

// Whether the program takes a secret after the option or attached to it: sshpass -p x, mysql -px.
[[nodiscard]] bool takes_secret(std::string_view program, std::string_view option);

// The first word of the command that the word at `at` belongs to, without folder; assignments, sudo, exec and env
// before it are passed over.
[[nodiscard]] std::string_view command_before(std::string_view text, std::size_t at);

// The tools' names: a text without any of them need not be looked through.
[[nodiscard]] std::span<const std::string_view> command_tools();

}  // namespace countersign::security
