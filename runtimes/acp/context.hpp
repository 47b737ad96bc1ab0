// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/option.hpp"
#include "core/policy.hpp"
#include "core/ulid.hpp"
#include "runtimes/file_view.hpp"
#include "security/redact/redactor.hpp"

#include <functional>
#include <string>

namespace countersign::runtimes::acp {

// Identifies the asker by the start command and the agent's own session, never by the call (I15). Borrows the rules and
// the redactor for the call.
struct Context {
    Ulid id;  // the request's approvalId
    std::string agent_id;
    std::string runtime = "acp";
    std::string session_key;
    std::string requester;
    std::string cwd;                // of the session
    bool cancel_ends_turn = false;  // this agent ends its turn for its reject option "cancel"
    AlwaysMode always = AlwaysMode::grant;
    const Rules& rules;
    std::reference_wrapper<const security::Redactor> redactor;
    AgentFiles files = {};
};

}  // namespace countersign::runtimes::acp
