// SPDX-License-Identifier: Apache-2.0
// Between a call that Claude Code asks about and a request that people decide, both ways. Its only look at the disk is
// through Context::files; the adapter looks between begin() and finish(), on another thread.
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

// Who asks, as the start command and the CLI's own start message say, never the call itself (I15). Borrows the rules
// and the redactor for the call.
struct Context {
    Ulid id;  // the approvalId that the request gets
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
    std::string permission;  // the suggestion that goes back with it, byte for byte; empty: none
    friend bool operator==(const RawOption&, const RawOption&) = default;
};
struct RawQuestion {
    std::string question_id;
    std::string text;  // answers go back under it
    std::vector<RawChoice> choices;
    bool multiple = false;
    friend bool operator==(const RawQuestion&, const RawQuestion&) = default;
};

// The native side of a request. It stays in the runtime adapter (I6).
struct RawCall {
    Ulid id;
    std::string native_id;
    std::string tool;
    std::string tool_use_id;
    std::string raw_input;  // what is hashed, shown and sent back: the very bytes
    std::vector<RawOption> options;
    std::vector<RawQuestion> questions;  // empty: an approval
    friend bool operator==(const RawCall&, const RawCall&) = default;
};

struct Translated {
    Request request;
    RawCall raw;
    friend bool operator==(const Translated&, const Translated&) = default;
};

// True when no stored permission and no policy rule may answer the call.
[[nodiscard]] bool wants_person(const CanUseTool& call, const Context& context);

// A call that is read but for its files.
struct Draft {
    Translated made;
    std::optional<CallFacts> facts;  // of an approval
};
// Errc::malformed or too_large, with the member's name, for what cannot be shown to anybody: it is answered, not asked.
[[nodiscard]] Result<Draft> begin(const CanUseTool& call, const Context& context);
// Both are of the call and the context that it was begun with, but for the files, and for rules that changed since.
[[nodiscard]] Sought sought_of(const Draft& draft, const Context& context);
[[nodiscard]] Result<Translated> finish(const CanUseTool& call, Draft draft, const Context& context);
// Both in one step, where a look may take its time.
[[nodiscard]] Result<Translated> translate(const CanUseTool& call, const Context& context);

// The answer on one line, without its end. Hashes the call again and refuses with Errc::conflict when the decision was
// about another one (I9). An allow names the input that was shown, and so binds the CLI to it; it carries nothing that
// the CLI did not suggest (I14).
[[nodiscard]] Result<std::string> resolution(const RawCall& raw, const Verdict& verdict);

}  // namespace countersign::runtimes::claude
