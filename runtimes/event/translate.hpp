// SPDX-License-Identifier: Apache-2.0
// The codec of the approval event, both ways. Its only look at the disk is through Context::files; the adapter looks
// between the two steps of a Draft, on another thread.
//
// One line in is an AgentApprovalRequestEvent, field for field, with optional members of ours beside it, or a
// question_request. Members that nobody knows are passed over, so that the event can grow; a known one that does not
// hold is refused by its full name. displayArgs and displayCommandText are checked and then ignored: what people see is
// made here from the raw input (I15).
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

// Who asks, as the token or the start command says. Borrows the rules and the redactor for the call.
struct Context {
    std::string agent_id;  // empty only where an event is checked and never asked
    std::string runtime = "event";
    std::string session_key;  // for an event that names none
    std::string requester;
    std::string cwd;  // where the agent was started: for a call that names no directory of its own
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

// The native side of a request. It stays in the runtime adapter (I6).
struct RawCall {
    Ulid id;
    std::string tool;       // what the hash calls the tool
    std::string raw_input;  // what is hashed: canonical where that loses nothing, else the very bytes
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

// The type of a line that asks for nothing: "message" or "approval_withdrawn".
[[nodiscard]] std::optional<std::string> other_line(std::string_view line);

// A line that is read but for the files that it speaks of. Borrows the line and the context; the files and rules that
// the context has when it is finished count.
class Draft {
public:
    Draft(std::string_view line, const Context& context);
    ~Draft();
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;

    // Nothing where finish() refuses the line whatever is seen.
    [[nodiscard]] std::optional<Sought> sought() const;
    // As translate; once.
    [[nodiscard]] Result<Translated> finish();

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

// Both steps at once, where a look may take its time.
// Errc::malformed, too_large, unsupported or conflict; the detail begins with the member's name: "options[1].label: 23
// characters, at most 20".
[[nodiscard]] Result<Translated> translate(std::string_view line, const Context& context);

// The event on one line, without its end; translate(print_event(x)) is x. Raw: for the agent's side only.
[[nodiscard]] std::string print_event(const Translated& translated);

// The answer on one line, without its end: a resolvedApprovals or resolvedQuestions entry. Hashes the call again and
// refuses with Errc::conflict when the decision was about another one (I9); never names an option or a choice that the
// event did not offer (I14).
[[nodiscard]] Result<std::string> resolution(const RawCall& raw, const Verdict& verdict);

}  // namespace countersign::runtimes::event
