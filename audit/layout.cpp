// SPDX-License-Identifier: Apache-2.0
#include "audit/layout.hpp"

#include "security/digest.hpp"
#include "security/encoding.hpp"

namespace countersign::audit {

std::string file_name_of(std::string_view name) { return security::hex(security::sha256(name)); }

}  // namespace countersign::audit
