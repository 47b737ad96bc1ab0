// SPDX-License-Identifier: Apache-2.0
// The one gate (I4): an attempt passes only if the current configuration says that this person may do this.
//
// It looks only at the verified principal. A display name, a chat membership or a claim in the message changes nothing.
#pragma once

#include "core/ports/authoriser.hpp"

namespace countersign::security {

class ConfiguredAuthoriser final : public Authoriser {
public:
    [[nodiscard]] Result<Permit> permit(const Attempt& attempt, const Request& request, const Route& route,
                                        const std::vector<Option>& offered,
                                        const Configuration& configuration) const override;
};

}  // namespace countersign::security
