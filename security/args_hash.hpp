// SPDX-License-Identifier: Apache-2.0
// The hashes that bind a decision to what was asked (I9), a record to what was shown, and a request to the native call
// it came from (I12).
//
// All but the hash of what was shown have the layout SHA-256( tag 0x00 || u32be(length) || part || … ), so that no two
// of them, and no two ways to cut the same bytes into parts, can be confused. They are plain hashes: whoever can guess
// the arguments can check the guess.
#pragma once

#include "core/request.hpp"
#include "core/result.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::security {

// The hash of a call. Over the RFC 8785 form of the arguments, so that white space, member order and spelling do not
// matter; over the raw bytes, under another tag and with canonical = false, when that form would lose something or the
// arguments are too deep or too large to be read. Errc::malformed when they are no JSON: such a call is answered, not
// asked. Beyond the bounds nothing is read any more, so there the raw bytes may be anything.
[[nodiscard]] Result<ArgsHash> args_hash(std::string_view tool, std::string_view raw_json);

// The hash of a shell command: that of the object {argv, cwd, env} for the tool "shell", without the members that are
// absent (env when empty). Errc::malformed when a string is not UTF-8. If the strings were read with a loss, hash the
// raw bytes with args_hash("shell", …) instead.
[[nodiscard]] Result<ArgsHash> args_hash_shell(const std::vector<std::string>& argv,
                                               const std::optional<std::string>& cwd,
                                               const std::map<std::string, std::string>& env = {});

// The hash of the text that people were shown: its plain SHA-256, so that sha256sum gives the name of a text that is
// kept beside the log.
[[nodiscard]] std::string display_hash(std::string_view text);

// The name of a native call over restarts: 64 lower-case hexadecimal digits.
[[nodiscard]] std::string native_key(std::string_view runtime, std::string_view session, std::string_view native_id);

}  // namespace countersign::security
