// SPDX-License-Identifier: Apache-2.0
// Authoriser: the one gate (I4). Every entry point asks it, with immutable platform ids and the current configuration.
#pragma once

#include "core/attempt.hpp"
#include "core/configuration.hpp"
#include "core/request.hpp"
#include "core/result.hpp"

#include <string>

namespace countersign {

struct Permit {
    std::string person;  // the name in the configuration
};

class Authoriser {
public:
    virtual ~Authoriser() = default;
    // Fails with Errc::not_authorised and the reason, or with Errc::unknown_option if the attempt names an option that
    // wasn't offered. `offered` contains the options that people saw; for a question it is empty.
    [[nodiscard]] virtual Result<Permit> permit(const Attempt& attempt, const Request& request, const Route& route,
                                                const std::vector<Option>& offered,
                                                const Configuration& configuration) const = 0;
};

}  // namespace countersign
