// SPDX-License-Identifier: Apache-2.0
// Commands that take a secret in a short option: mysql -psecret, curl -u bob:secret, docker login -p secret.
//
// Elsewhere the same -p is a port, so the table is organised by tool. Long options need no table: their names tell
// (security/redact/pairs.hpp).
#pragma once

#include "security/redact/finding.hpp"

#include <span>
#include <string_view>

namespace countersign::security {

[[nodiscard]] Findings find_command_secrets(std::string_view text);

// True if the option text[begin, end) takes no value in its command, although its name suggests a secret: psql
// --password DATABASE prompts for it, and --no-password doesn't. Then the next word is an operand of the command.
[[nodiscard]] bool flag_without_value(std::string_view text, std::size_t begin, std::size_t end);

// True if the single-dash option text[begin, end) contains its value, so that the next word is an operand of the
// command: sshpass -psecret reboot, cryptsetup -dsecret luksErase.
[[nodiscard]] bool flag_with_glued_value(std::string_view text, std::size_t begin, std::size_t end);

// True if the option text[begin, end) names a secret that is kept elsewhere: docker build --secret id=x,src=FILE.
[[nodiscard]] bool flag_refers_to_secret(std::string_view text, std::size_t begin, std::size_t end);

// True if the program takes a secret in the option or after it: sshpass -p x, mysql -px.
[[nodiscard]] bool takes_secret(std::string_view program, std::string_view option);

// The first word of the command that contains the word at `at`, without its folder. Skips assignments, sudo, exec and
// env.
[[nodiscard]] std::string_view command_before(std::string_view text, std::size_t at);

// The names of the tools: a text that contains none of them needn't be scanned.
[[nodiscard]] std::span<const std::string_view> command_tools();

}  // namespace countersign::security
