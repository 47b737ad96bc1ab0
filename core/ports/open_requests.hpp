// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attempt.hpp"
#include "core/grant.hpp"
#include "core/halts.hpp"
#include "core/ports/ledger.hpp"
#include "core/ports/offered.hpp"
#include "core/request.hpp"
#include "core/result.hpp"
#include "core/ulid.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace countersign {

// One request that can be decided now, as people were shown it.
struct OpenRequest {
    std::shared_ptr<const Request> request;
    Offered offered;
    std::uint32_t generation = 0;  // of the buttons shown last
    std::uint32_t asked = 1;       // identical requests that its card stands for, itself among them
    std::uint32_t waiting = 0;     // others of its session that wait behind it
};

// OpenRequests: what a channel looks up when somebody clicks or types an id. The hub implements it. Being found here
// gives no right to decide.
class OpenRequests {
public:
    virtual ~OpenRequests() = default;
    [[nodiscard]] virtual std::optional<OpenRequest> open_request(const Ulid& id) const = 0;
    [[nodiscard]] virtual std::vector<OpenRequest> open_requests() const = 0;  // by id, which is by age

    // What this principal may be told of: what the gate would let it refuse today (I4). A stranger is told nothing.
    [[nodiscard]] virtual std::vector<OpenRequest> open_requests_for(const std::string& principal) const = 0;
    [[nodiscard]] virtual std::vector<Halt> halts_for(const std::string& principal) const = 0;
    [[nodiscard]] virtual std::vector<Grant> grants_for(const std::string& principal) const = 0;
    // What the gate would say of this attempt now. For what people are asked before they try, such as their reason: who
    // may not decide is not asked (I4). Nothing is recorded.
    [[nodiscard]] virtual Result<void> check(const Attempt& attempt) const = 0;
    // How a request ended, as long as that is remembered.
    [[nodiscard]] virtual std::optional<Winner> ended(const Ulid& id) const = 0;
};

}  // namespace countersign
