// SPDX-License-Identifier: Apache-2.0
// Translates between a request of an ACP agent and a request for people, both ways. It accesses the disk only through
// Context::files; the adapter inspects files between begin() and finish(), on another thread.
#pragma once

#include "core/option.hpp"
#include "core/ports/runtime.hpp"
#include "core/request.hpp"
#include "core/result.hpp"
#include "runtimes/acp/context.hpp"
#include "runtimes/acp/message.hpp"
#include "runtimes/acp/subject.hpp"
#include "runtimes/file_looks.hpp"
#include "runtimes/raw_choice.hpp"

#include <optional>
#include <string>
#include <vector>

namespace countersign::runtimes::acp {

struct RawOption {
    std::string option_id;
    Effect effect = Effect::deny;
    std::string result;  // the whole JSON-RPC result, in it the agent's own optionId byte for byte
    friend bool operator==(const RawOption&, const RawOption&) = default;
};
struct RawQuestion {
    enum class Type { text, number, integer, boolean };
    std::string question_id;
    std::string name;       // of the form's field
    std::string free_name;  // of the field that takes the free text; empty: the same field
    Type type = Type::text;
    std::vector<RawChoice> choices;
    bool multiple = false;
    bool free_text = false;
    friend bool operator==(const RawQuestion&, const RawQuestion&) = default;
};

// The native side of a request. It never leaves the adapter (I6).
struct RawCall {
    Ulid id;
    AskKind kind = AskKind::permission;
    std::string native_id;
    std::string session_id;
    std::string call_id;
    std::string elicitation_id;
    std::string tool;
    std::string raw_input;  // what is hashed
    std::vector<RawOption> options;
    std::vector<RawQuestion> questions;  // empty: an approval
    friend bool operator==(const RawCall&, const RawCall&) = default;
};
// Of a request that has not been translated yet.
[[nodiscard]] RawCall raw_of(const Ask& ask);

struct Translated {
    Request request;
    RawCall raw;
    friend bool operator==(const Translated&, const Translated&) = default;
};

// False for an elicitation that no person can answer here. It is cancelled without asking.
[[nodiscard]] bool can_be_asked(const Ask& ask);

// A translated request whose files have not been inspected yet.
struct Draft {
    Translated made;
    std::optional<ReadSubject> subject;  // of an approval
};
// Errc::malformed or too_large, naming the member, if the request cannot be shown to people. It is then cancelled
// without asking.
[[nodiscard]] Result<Draft> begin(const Ask& ask, const Context& context);
[[nodiscard]] Sought sought_of(const Draft& draft, const Context& context);
// Pass the same request and context as to begin(). Only the files may differ, and rules that changed since.
[[nodiscard]] Result<Translated> finish(const Ask& ask, Draft draft, const Context& context);
// begin() and finish() in one step, for callers that may block on files.
[[nodiscard]] Result<Translated> translate(const Ask& ask, const Context& context);

// The JSON-RPC result to answer with. Hashes the call again; Errc::conflict if the decision was about another call
// (I9). An allow names an option that the agent offered, byte for byte (I14).
[[nodiscard]] Result<std::string> resolution(const RawCall& raw, const Verdict& verdict);

}  // namespace countersign::runtimes::acp
