// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ports/text_guard.hpp"
#include "security/redactor.hpp"

namespace countersign::security {

// The hub's TextGuard: redactor first, then sanitiser. Borrows the redactor.
class RedactingGuard final : public TextGuard {
public:
    explicit RedactingGuard(const Redactor& redactor) : redactor_{redactor} {}
    [[nodiscard]] std::string clean(std::string_view text) const override;
    [[nodiscard]] std::string digest(std::string_view text) const override;

private:
    const Redactor& redactor_;
};

}  // namespace countersign::security
