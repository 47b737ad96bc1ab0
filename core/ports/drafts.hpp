// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/draft.hpp"
#include "core/ulid.hpp"

#include <optional>
#include <string>

namespace countersign {

// Drafts: answers that are being put together, until they are submitted. A person has one draft of a request, whatever
// channel they use; a principal that belongs to no person has its own. A draft is not a decision: it leaves no record
// and gives no right to decide. The hub implements it.
class Drafts {
public:
    virtual ~Drafts() = default;
    // Nothing if there is none yet.
    [[nodiscard]] virtual std::optional<Draft> draft_of(const Ulid& request, const std::string& principal) const = 0;
    // Replaces the one before. It is forgotten when the request ends; past chat_drafts_max the oldest is.
    virtual void keep(const Ulid& request, const std::string& principal, Draft draft) = 0;
};

}  // namespace countersign
