// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/draft.hpp"
#include "core/ulid.hpp"

#include <optional>
#include <string>

namespace countersign {

// Drafts: answers that a person is still putting together, until they submit them. A person has one draft per request
// on all their channels; a principal that isn't in the configuration has a draft of its own. A draft isn't a decision:
// it leaves no record and gives no right to decide. The hub implements it.
class Drafts {
public:
    virtual ~Drafts() = default;
    // Returns nullopt if there is no draft yet.
    [[nodiscard]] virtual std::optional<Draft> draft_of(const Ulid& request, const std::string& principal) const = 0;
    // Replaces the previous draft. A draft is deleted when its request ends; above chat_drafts_max the oldest is
    // deleted.
    virtual void keep(const Ulid& request, const std::string& principal, Draft draft) = 0;
};

}  // namespace countersign
