// SPDX-License-Identifier: Apache-2.0
#include "security/redact/quoting.hpp"

namespace countersign::security {

char Quoting::open_before(std::size_t at) const {
    if (open_.empty()) {
        open_.reserve(text_.size() + 1);
        char open = 0;
        bool escaped = false;
        for (const char byte : text_) {
            open_ += open;
            if (escaped) {
                escaped = false;
            } else if (byte == '\\' && open != '\'') {
                escaped = true;
            } else if (byte == open) {
                open = 0;
            } else if (open == 0 && (byte == '\'' || byte == '"')) {
                open = byte;
            }
        }
        open_ += open;
    }
    return open_[at];
}

}  // namespace countersign::security
