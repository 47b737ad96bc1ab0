// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "security/redact/redactor.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace countersign::security {

// The active redactor. A reload replaces it, so callers must get it when they need it, and again after each co_await. A
// redactor that a caller got stays alive for that caller. Owner thread only.
class CurrentRedactor {
public:
    CurrentRedactor(Secret key, const std::vector<KnownSecret>& known) { replace(std::move(key), known); }
    [[nodiscard]] std::shared_ptr<const Redactor> now() const { return redactor_; }
    void replace(Secret key, const std::vector<KnownSecret>& known) {
        redactor_ = std::make_shared<const Redactor>(std::move(key), known);
    }

private:
    std::shared_ptr<const Redactor> redactor_;
};

}  // namespace countersign::security
