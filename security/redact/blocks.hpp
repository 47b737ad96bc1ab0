// SPDX-License-Identifier: Apache-2.0
// Blocks: private keys in their armour, -----BEGIN … PRIVATE KEY-----, PGP and PuTTY.
//
// Each line of the body is a separate finding. The BEGIN and END lines and the headers stay visible, so that a reader
// sees what was there. A block without an end is masked as far as it looks like a key: a truncated key is still most of
// a key.
#pragma once

#include "security/redact/finding.hpp"

#include <string_view>

namespace countersign::security {

[[nodiscard]] Findings find_key_blocks(std::string_view text);

}  // namespace countersign::security
