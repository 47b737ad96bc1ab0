// SPDX-License-Identifier: Apache-2.0
// Runs: long unbroken strings of the letters and digits that encodings use.
//
// Digests stay visible: a card with masked commit ids and image digests isn't useful. So hexadecimal text with the
// length of a digest is kept, and so is text with a digest label (sha512-…, h1:…, SHA256:…). After a secret-sounding
// name it is masked all the same.
#pragma once

#include "security/redact/finding.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::security {

// True if the slashes in a run are those of a path: one of its parts is a word.
[[nodiscard]] bool is_path(std::string_view run);

// Runs that people don't type: base64 with thoroughly mixed case and digits, hexadecimal with a length no digest has.
[[nodiscard]] Findings find_random_runs(std::string_view text);

// Vendor tokens without a characteristic word, recognised by the structure of their runs and the dots between them.
[[nodiscard]] Findings find_built_tokens(std::string_view text);
// The rules that find_built_tokens uses.
[[nodiscard]] std::span<const std::string_view> built_token_rules();

// Runs that decode from base64 to text, possibly UTF-16, as in PowerShell's -EncodedCommand.
struct EncodedRun {
    std::size_t begin;
    std::size_t end;
    std::string text;
};
[[nodiscard]] std::vector<EncodedRun> find_encoded_runs(std::string_view text);

}  // namespace countersign::security
