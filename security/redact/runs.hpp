// SPDX-License-Identifier: Apache-2.0
// Runs: long unbroken strings of the letters and digits that encodings use.
//
// Digests survive: a card whose commit ids and image digests are masked helps nobody. So hexadecimal of a digest's
// length is left alone, as is what is labelled as a digest (sha512-…, h1:…, SHA256:…); a name that says "secret" before
// it masks it all the same.
#pragma once

#include "security/redact/finding.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::security {

// Whether the slashes in a run are a path's: one of its parts is a word.
[[nodiscard]] bool is_path(std::string_view run);

// Runs that nobody types: base64 with its cases and digits thoroughly mixed, hexadecimal that is no digest's length.
[[nodiscard]] Findings find_random_runs(std::string_view text);

// Makers' tokens that have no telling word in them, and are known by how their runs are built and joined by dots.
[[nodiscard]] Findings find_built_tokens(std::string_view text);
// Their rules.
[[nodiscard]] std::span<const std::string_view> built_token_rules();

// Runs that decode from base64 to text, maybe in UTF-16, as PowerShell's -EncodedCommand takes it.
struct EncodedRun {
    std::size_t begin;
    std::size_t end;
    std::string text;
};
[[nodiscard]] std::vector<EncodedRun> find_encoded_runs(std::string_view text);

}  // namespace countersign::security
