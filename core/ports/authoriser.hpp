// SPDX-License-Identifier: Apache-2.0
// Authoriser: the one gate (I4). Every way in asks it, on immutable platform ids, with today's configuration.
#pragma once

#include "core/attempt.hpp"
#include "core/configuration.hpp"
#include "core/request.hpp"
#include "core/result.hpp"

#include <string>

namespace countersign {

struct Permit {
    std::string person;  // who it was, by the name in the configuration
};

class Authoriser {
public:
    virtual ~Authoriser() = default;
    // Errc::not_authorised with the reason; Errc::unknown_option if the attempt names an option that is not offered.
    // `offered` are the options people were shown; for a question it is empty.
    [[nodiscard]] virtual Result<Permit> permit(const Attempt& attempt, const Request& request, const Route& route,
                                                const std::vector<Option>& offered,
                                                const Configuration& configuration) const = 0;
};

}  // namespace countersign
