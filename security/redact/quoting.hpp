// SPDX-License-Identifier: Apache-2.0
// Quoting: which quote a shell would be inside at each place of a text.
//
// Whether a quote opens a value or closes the previous one decides whether the text after it is a secret or a command,
// and a mask over a command is worse than a visible secret. Text that isn't shell text also gets an answer; it matters
// only where the two could be confused.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace countersign::security {

class Quoting {
public:
    // Borrows the text.
    explicit Quoting(std::string_view text) : text_{text} {}

    // The quote that is open right before `at`: ' or ", or 0 for none. The first call scans the text once.
    [[nodiscard]] char open_before(std::size_t at) const;

private:
    std::string_view text_;
    mutable std::string open_;  // by place; empty until the first call
};

}  // namespace countersign::security
