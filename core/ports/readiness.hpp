// SPDX-License-Identifier: Apache-2.0
// Readiness: the reasons why the program can't do its work now. The composition root implements it; the health page and
// the service manager read it.
#pragma once

#include <string>
#include <vector>

namespace countersign {

class Readiness {
public:
    virtual ~Readiness() = default;
    // One line per reason, for the operator, without secrets. Empty means ready. Returns at once, from known values.
    [[nodiscard]] virtual std::vector<std::string> unready() const = 0;
};

}  // namespace countersign
