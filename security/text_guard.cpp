// SPDX-License-Identifier: Apache-2.0
#include "security/text_guard.hpp"

#include "security/args_hash.hpp"
#include "security/display/display.hpp"

namespace countersign::security {

std::string RedactingGuard::clean(std::string_view text) const {
    return display(redactor_.now()->text(text), DisplayMode::block);
}

std::string RedactingGuard::digest(std::string_view text) const { return display_hash(text); }

}  // namespace countersign::security
