// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/option.hpp"
#include "core/policy.hpp"
#include "core/ulid.hpp"
#include "runtimes/file_view.hpp"
#include "security/redact/redactor.hpp"

#include <functional>
#include <string>

namespace countersign::runtimes::codex {

// Identifies the asker by the start command and Codex's own thread, never by the call (I15). Borrows the rules and the
// redactor for the call.
struct Context {
    Ulid id;  // the request's approvalId
    std::string agent_id;
    std::string session_key;
    std::string requester;
    std::string cwd;  // of the thread
    AlwaysMode always = AlwaysMode::grant;
    const Rules& rules;
    std::reference_wrapper<const security::Redactor> redactor;
    AgentFiles files = {};
};

}  // namespace countersign::runtimes::codex
