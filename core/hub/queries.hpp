// SPDX-License-Identifier: Apache-2.0
// Queries: what people and operators see when they list requests. A person sees only what the gate would let them
// refuse (I4). Changes nothing.
#pragma once

#include "core/hub/card_sharing.hpp"
#include "core/hub/context.hpp"
#include "core/hub/ended_requests.hpp"
#include "core/hub/gate.hpp"
#include "core/hub/grants.hpp"
#include "core/hub/orders.hpp"
#include "core/ports/open_requests.hpp"

#include <optional>
#include <string>
#include <vector>

namespace countersign {

class Queries final : public OpenRequests {
public:
    // Borrowed.
    struct Borrowed {
        const HubContext& context;
        const Gate& gate;
        const Grants& grants;
        const Orders& orders;
        const CardSharing& sharing;
        const EndedRequests& ended;
    };
    explicit Queries(Borrowed borrowed) : borrowed_{borrowed}, context_{borrowed.context} {}

    [[nodiscard]] std::optional<OpenRequest> open_request(const Ulid& id) const override;
    [[nodiscard]] std::vector<OpenRequest> open_requests() const override;
    [[nodiscard]] std::vector<OpenRequest> open_requests_for(const std::string& principal) const override;
    [[nodiscard]] std::vector<Halt> halts_for(const std::string& principal) const override;
    [[nodiscard]] std::vector<Grant> grants_for(const std::string& principal) const override;
    [[nodiscard]] Result<void> check(const Attempt& attempt) const override;
    [[nodiscard]] std::optional<Winner> ended(const Ulid& id) const override;

    // When a request was asked, and the channels that show its card. nullopt if it isn't open.
    struct Standing {
        BootTime asked;
        std::vector<std::string> shown_on;
    };
    [[nodiscard]] std::optional<Standing> standing_of(const Ulid& id) const;

private:
    Borrowed borrowed_;
    const HubContext& context_;
};

}  // namespace countersign
