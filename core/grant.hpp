// SPDX-License-Identifier: Apache-2.0
// Grant: a standing permission for exactly one call, minted by a session or always decision (I8).
#pragma once

#include "core/asker.hpp"
#include "core/option.hpp"
#include "core/request.hpp"
#include "core/time.hpp"
#include "core/ulid.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace countersign {

struct Grant {
    Ulid id;
    std::string agent_id;
    std::string runtime;
    std::string tool_name;
    std::string args_hash;
    std::string cwd;
    std::string script_hash = {};  // of the files that the command runs; a changed file is a different call
    std::string summary = {};      // of the call, for lists; doesn't affect what is covered
    std::string session_key;       // set for Scope::session: only this session is covered
    std::string granted_by;
    BootTime expires;
    std::uint32_t uses_left = 0;
};

// The active grants. Passive, without clock or log: the hub passes in the time and writes the records.
class GrantBook {
public:
    // Returns nullopt if the decision may not mint a grant: the option is unknown, `once` or not an allow, the
    // arguments aren't canonical or complete, the judgement forbids it, or the request is a question. Doesn't check
    // room().
    [[nodiscard]] static std::optional<Grant> mint(const Request& request, const Option& chosen, Ulid id,
                                                   std::string granted_by, BootTime now);
    // How many more grants fit, after expired ones are dropped.
    [[nodiscard]] std::size_t room(BootTime now);
    // Drops expired grants first. Fails with Errc::busy if there are already grants_max.
    Result<void> add(Grant grant, BootTime now);
    // Takes one use of the grant that covers this request, and returns the grant; nullopt if there is none.
    [[nodiscard]] std::optional<Grant> use(const Request& request, BootTime now);
    bool revoke(const Ulid& id);
    // Revokes all grants of this agent or session. Revoking one session leaves grants that cover all sessions in place.
    std::vector<Grant> revoke_all_of(const Asker& who);
    [[nodiscard]] const std::vector<Grant>& all() const { return grants_; }

private:
    std::vector<Grant> grants_;
};

}  // namespace countersign
