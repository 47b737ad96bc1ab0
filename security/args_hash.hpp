// SPDX-License-Identifier: Apache-2.0
// The hashes that bind a decision to the call that was asked (I9), a record to the text that was shown, and a request
// to its native call (I12).
//
// All of them except the hash of the shown text have the layout SHA-256( tag 0x00 || u32be(length) || part || … ). So
// different kinds of hash, and different ways to split the same bytes into parts, can't be confused. They are plain
// hashes: an attacker who can guess the arguments can verify the guess.
#pragma once

#include "core/request.hpp"
#include "core/result.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::security {

// The hash of a call. It covers the RFC 8785 form of the arguments, so white space, member order and spelling don't
// matter. If that form would lose something, or the arguments are too deep or too large to parse, it covers the raw
// bytes, with another tag and canonical = false. Errc::malformed if the arguments aren't JSON: such a call must be
// answered without asking. Arguments beyond the bounds aren't parsed, so they needn't be JSON.
[[nodiscard]] Result<ArgsHash> args_hash(std::string_view tool, std::string_view raw_json);

// The hash of a shell command: that of the object {argv, cwd, env} for the tool "shell", without absent members (or an
// empty env). Errc::malformed if a string isn't UTF-8. If the strings were read with a loss, hash the raw bytes with
// args_hash("shell", …) instead.
[[nodiscard]] Result<ArgsHash> args_hash_shell(const std::vector<std::string>& argv,
                                               const std::optional<std::string>& cwd,
                                               const std::map<std::string, std::string>& env = {});

// The hash of the text that people saw: its plain SHA-256, so that sha256sum prints the name of a text kept next to the
// log.
[[nodiscard]] std::string display_hash(std::string_view text);

// Identifies a native call across restarts: 64 lower-case hexadecimal digits.
[[nodiscard]] std::string native_key(std::string_view runtime, std::string_view session, std::string_view native_id);

}  // namespace countersign::security
