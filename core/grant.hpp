// SPDX-License-Identifier: Apache-2.0
// Grant: a standing permission that a session or always decision minted, for exactly one call (I8).
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
    std::string script_hash = {};  // of the files that the command runs; a changed one is another call
    std::string summary = {};      // of the call, for lists; says nothing about what is covered
    std::string session_key;       // set for Scope::session: only this conversation
    std::string granted_by;
    BootTime expires;
    std::uint32_t uses_left = 0;
};

// The grants in force. Passive: no clock, no log; the hub brings the time and writes the records.
class GrantBook {
public:
    // Nothing if the decision may not mint one: option unknown or once or no allow, arguments not canonical or partial,
    // judgement says no, or a question. Whether the book has room for it is room()'s to say.
    [[nodiscard]] static std::optional<Grant> mint(const Request& request, const Option& chosen, Ulid id,
                                                   std::string granted_by, BootTime now);
    // How many more it takes, after dropping what expired.
    [[nodiscard]] std::size_t room(BootTime now);
    // Errc::busy past grants_max, after dropping what expired.
    Result<void> add(Grant grant, BootTime now);
    // The grant that covers this request, one use taken; nothing if there is none.
    [[nodiscard]] std::optional<Grant> use(const Request& request, BootTime now);
    bool revoke(const Ulid& id);
    // All of the agent's, or of that session; what holds in all sessions is not one session's.
    std::vector<Grant> revoke_all_of(const Asker& who);
    [[nodiscard]] const std::vector<Grant>& all() const { return grants_; }

private:
    std::vector<Grant> grants_;
};

}  // namespace countersign
