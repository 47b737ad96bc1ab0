// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/ports/text_guard.hpp"
#include "security/redact/current_redactor.hpp"

namespace countersign::security {

// The hub's TextGuard: redacts first, then sanitises. Borrows the redactor.
class RedactingGuard final : public TextGuard {
public:
    explicit RedactingGuard(const CurrentRedactor& redactor) : redactor_{redactor} {}
    [[nodiscard]] std::string clean(std::string_view text) const override;
    [[nodiscard]] std::string digest(std::string_view text) const override;

private:
    const CurrentRedactor& redactor_;
};

}  // namespace countersign::security
