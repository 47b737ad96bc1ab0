// SPDX-License-Identifier: Apache-2.0
// The one gate (I4): an attempt passes only if today's configuration says that this person may do this.
//
// It looks at the verified principal and at nothing else the attempt brought along about its sender: no display name,
// no membership of a chat, no claim in the message.
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
