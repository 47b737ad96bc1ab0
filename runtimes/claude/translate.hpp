// SPDX-License-Identifier: Apache-2.0
// Translates between a Claude Code call and a request for people, both ways. It accesses the disk only through
// Context::files; the adapter inspects files between begin() and finish(), on another thread.
#pragma once

#include "core/option.hpp"
#include "core/policy.hpp"
#include "core/ports/runtime.hpp"
#include "core/request.hpp"
#include "core/result.hpp"
#include "runtimes/claude/message.hpp"
#include "runtimes/file_looks.hpp"
#include "runtimes/raw_choice.hpp"
#include "security/redact/redactor.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace countersign::runtimes::claude {

// Identifies the asker by the start command and the CLI's own start message, never by the call (I15). Borrows the rules
// and the redactor for the call.
struct Context {
    Ulid id;  // the request's approvalId
    std::string agent_id;
    std::string session_key;
    std::string requester;
    std::string cwd;
    AlwaysMode always = AlwaysMode::grant;
    bool asks_everything = false;  // we passed the rule that makes the CLI ask about each call
    const Rules& rules;
    std::reference_wrapper<const security::Redactor> redactor;
    AgentFiles files = {};
};

struct RawOption {
    std::string option_id;
    Effect effect = Effect::deny;
    std::string permission;  // the suggestion to return with it, byte for byte; empty: none
    friend bool operator==(const RawOption&, const RawOption&) = default;
};
struct RawQuestion {
    std::string question_id;
    std::string text;  // answers refer to it
    std::vector<RawChoice> choices;
    bool multiple = false;
    friend bool operator==(const RawQuestion&, const RawQuestion&) = default;
};

// The native side of a request. It never leaves the adapter (I6).
struct RawCall {
    Ulid id;
    std::string native_id;
    std::string tool;
    std::string tool_use_id;
    std::string raw_input;  // hashed, shown and sent back byte for byte
    std::vector<RawOption> options;
    std::vector<RawQuestion> questions;  // empty: an approval
    friend bool operator==(const RawCall&, const RawCall&) = default;
};

struct Translated {
    Request request;
    RawCall raw;
    friend bool operator==(const Translated&, const Translated&) = default;
};

// True if no stored permission and no policy rule may answer the call.
[[nodiscard]] bool wants_person(const CanUseTool& call, const Context& context);

// A translated call whose files have not been inspected yet.
struct Draft {
    Translated made;
    std::optional<CallFacts> facts;  // for approvals
};
// Errc::malformed or too_large, naming the member, if the call cannot be shown to people. It then gets an answer
// without being asked.
[[nodiscard]] Result<Draft> begin(const CanUseTool& call, const Context& context);
// Pass the same call and context as to begin(). Only the files may differ, and rules that changed since.
[[nodiscard]] Sought sought_of(const Draft& draft, const Context& context);
[[nodiscard]] Result<Translated> finish(const CanUseTool& call, Draft draft, const Context& context);
// begin() and finish() in one step, for callers that may block on files.
[[nodiscard]] Result<Translated> translate(const CanUseTool& call, const Context& context);

// The answer as one line, without the line end. Hashes the call again; Errc::conflict if the decision was about another
// call (I9). An allow returns the input that was shown, which the CLI must then run. It contains nothing that the CLI
// did not suggest (I14).
[[nodiscard]] Result<std::string> resolution(const RawCall& raw, const Verdict& verdict);

// The same answer without its envelope: {"behavior":…}.
[[nodiscard]] Result<std::string> decision_body(const RawCall& raw, const Verdict& verdict);

// The same answer as a PermissionRequest hook prints it. Empty if no one decided (expired, undeliverable, no log, hub
// gone): the dialog in the terminal stays. With `unattended` there is no one at the terminal, and those are a deny.
[[nodiscard]] Result<std::string> hook_output(const RawCall& raw, const Verdict& verdict, bool unattended);

}  // namespace countersign::runtimes::claude
