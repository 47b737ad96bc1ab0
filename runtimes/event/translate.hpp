// SPDX-License-Identifier: Apache-2.0
// The codec of the approval event, both ways. It accesses the disk only through Context::files; the adapter inspects
// files between the two steps of a Draft, on another thread.
//
// An input line is an AgentApprovalRequestEvent, field for field, with optional members of our own, or a
// question_request. Unknown members are ignored, so that the event can evolve; an invalid known member is reported by
// its full name. displayArgs and displayCommandText are checked and then ignored: we build what people see from the raw
// input (I15).
#pragma once

#include "core/policy.hpp"
#include "core/ports/runtime.hpp"
#include "core/request.hpp"
#include "core/result.hpp"
#include "runtimes/file_looks.hpp"
#include "runtimes/raw_choice.hpp"
#include "security/redact/redactor.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::runtimes::event {

// Identifies the asker by its token or start command. Borrows the rules and the redactor for the call.
struct Context {
    std::string agent_id;  // empty only if the event is checked but never asked
    std::string runtime = "event";
    std::string session_key;  // for an event without one
    std::string requester;
    std::string cwd;  // where the agent was started; used for calls that name no directory
    const Rules& rules;
    std::reference_wrapper<const security::Redactor> redactor;
    AgentFiles files = {};
};

struct RawOption {
    std::string option_id;
    std::string native_decision;
    Effect effect = Effect::deny;
    friend bool operator==(const RawOption&, const RawOption&) = default;
};
struct RawQuestion {
    std::string question_id;
    std::vector<RawChoice> choices;
    bool multiple = false;
    bool free_text = false;
    friend bool operator==(const RawQuestion&, const RawQuestion&) = default;
};

// The native side of a request. It never leaves the adapter (I6).
struct RawCall {
    Ulid id;
    std::string tool;       // the tool's name in the hash
    std::string raw_input;  // the hashed bytes: canonical if that loses nothing, else as received
    std::vector<RawOption> options;
    std::vector<RawQuestion> questions;
    std::string event;  // the known members, printed
    friend bool operator==(const RawCall&, const RawCall&) = default;
};

struct Translated {
    Request request;
    RawCall raw;
    friend bool operator==(const Translated&, const Translated&) = default;
};

// The type of a line that is not a request: "message" or "approval_withdrawn".
[[nodiscard]] std::optional<std::string> other_line(std::string_view line);

// A parsed line whose files have not been inspected yet. Borrows the line and the context; finish() uses the files and
// rules that the context has then.
class Draft {
public:
    Draft(std::string_view line, const Context& context);
    ~Draft();
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;

    // Empty if finish() will refuse the line anyway.
    [[nodiscard]] std::optional<Sought> sought() const;
    // Like translate(). Call it once.
    [[nodiscard]] Result<Translated> finish();

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

// Both steps in one call, for callers that may block on files. Errc::malformed, too_large, unsupported or conflict; the
// detail begins with the member's name: "options[1].label: 23 characters, at most 20".
[[nodiscard]] Result<Translated> translate(std::string_view line, const Context& context);

// The event as one line, without the line end; translate(print_event(x)) is x. Raw, so for the agent's side only.
[[nodiscard]] std::string print_event(const Translated& translated);

// The answer as one line, without the line end: a resolvedApprovals or resolvedQuestions entry. Hashes the call again;
// Errc::conflict if the decision was about another call (I9). Never names an option or a choice that the event did not
// offer (I14).
[[nodiscard]] Result<std::string> resolution(const RawCall& raw, const Verdict& verdict);

}  // namespace countersign::runtimes::event
