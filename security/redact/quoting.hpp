// SPDX-License-Identifier: Apache-2.0
// Quoting: inside which quotes a shell would be, at each place of a text.
//
// Whether a quote opens a value or closes what came before decides whether the text behind it is a secret or a command,
// and a mask over a command is worse than a secret shown. Text that is no shell's gets some answer too: it matters only
// where the two could be confused.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace countersign::security {

class Quoting {
public:
    // Borrows the text.
    explicit Quoting(std::string_view text) : text_{text} {}

    // The quote that is open right before `at`: ' or ", or 0 for none. The first question reads the text once.
    [[nodiscard]] char open_before(std::size_t at) const;

private:
    std::string_view text_;
    mutable std::string open_;  // by place; empty until somebody asks
};

}  // namespace countersign::security
