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

// One request that can be decided now, as people saw it.
struct OpenRequest {
    std::shared_ptr<const Request> request;
    Offered offered;
    std::uint32_t generation = 0;  // of the buttons shown last
    std::uint32_t asked = 1;       // identical requests that its card covers, including this one
    std::uint32_t waiting = 0;     // other requests of its session that wait behind it
};

// OpenRequests: what a channel looks up when a person clicks a button or types an id. The hub implements it. Finding a
// request here gives no right to decide it.
class OpenRequests {
public:
    virtual ~OpenRequests() = default;
    [[nodiscard]] virtual std::optional<OpenRequest> open_request(const Ulid& id) const = 0;
    [[nodiscard]] virtual std::vector<OpenRequest> open_requests() const = 0;  // sorted by id, and so by age

    // What this principal may see: the requests that the gate would let it refuse today (I4). A stranger sees nothing.
    [[nodiscard]] virtual std::vector<OpenRequest> open_requests_for(const std::string& principal) const = 0;
    [[nodiscard]] virtual std::vector<Halt> halts_for(const std::string& principal) const = 0;
    [[nodiscard]] virtual std::vector<Grant> grants_for(const std::string& principal) const = 0;
    // What the gate would say about this attempt now. Used before asking a person for input such as a reason: a person
    // who may not decide isn't asked (I4). Nothing is recorded.
    [[nodiscard]] virtual Result<void> check(const Attempt& attempt) const = 0;
    // How a request ended, as long as the hub remembers it.
    [[nodiscard]] virtual std::optional<Winner> ended(const Ulid& id) const = 0;
};

}  // namespace countersign
