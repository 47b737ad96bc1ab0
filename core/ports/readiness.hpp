// SPDX-License-Identifier: Apache-2.0
// Readiness: what keeps the program from doing its work now. Whoever joins the parts implements it; the health page and
// the service manager ask.
#pragma once

#include <string>
#include <vector>

namespace countersign {

class Readiness {
public:
    virtual ~Readiness() = default;
    // One line a reason, for the operator, without a secret. Empty: ready. Answers at once, from what is known.
    [[nodiscard]] virtual std::vector<std::string> unready() const = 0;
};

}  // namespace countersign
