// SPDX-License-Identifier: Apache-2.0
// Translates between a request of Codex and a request for people, both ways. It accesses the disk only through
// Context::files; the adapter inspects files between begin() and finish(), on another thread.
#pragma once

#include "core/option.hpp"
#include "core/ports/runtime.hpp"
#include "core/request.hpp"
#include "core/result.hpp"
#include "runtimes/codex/context.hpp"
#include "runtimes/codex/message.hpp"
#include "runtimes/codex/subject.hpp"
#include "runtimes/file_looks.hpp"
#include "runtimes/raw_choice.hpp"

#include <optional>
#include <string>
#include <vector>

namespace countersign::runtimes::codex {

struct RawOption {
    std::string option_id;
    Effect effect = Effect::deny;
    std::string result;  // the whole JSON-RPC result, in it Codex's own decision byte for byte
    friend bool operator==(const RawOption&, const RawOption&) = default;
};
struct RawQuestion {
    enum class Type { text, number, integer, boolean };
    std::string question_id;
    std::string name;  // Codex's own id for it
    Type type = Type::text;
    std::vector<RawChoice> choices;
    bool multiple = false;
    bool free_text = false;
    friend bool operator==(const RawQuestion&, const RawQuestion&) = default;
};

// The native side of a request. It never leaves the adapter (I6).
struct RawCall {
    Ulid id;
    AskKind kind = AskKind::command;
    std::string native_id;
    std::string thread_id;
    std::string turn_id;
    std::string item_id;
    bool outlives_turn = false;
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

// An elicitation that no person can answer here, e.g. one that opens a page, is answered without asking.
[[nodiscard]] bool can_be_asked(const Ask& ask);

// A translated request whose files have not been inspected yet.
struct Draft {
    Translated made;
    std::optional<ReadSubject> subject;  // of an approval
};
// Errc::malformed or too_large, naming the member, if the request cannot be shown to people. It then gets an answer
// without being asked.
[[nodiscard]] Result<Draft> begin(const Ask& ask, const Context& context);
[[nodiscard]] Sought sought_of(const Draft& draft, const Context& context);
// Pass the same request and context as to begin(). Only the files may differ, and rules that changed since.
[[nodiscard]] Result<Translated> finish(const Ask& ask, Draft draft, const Context& context);
// begin() and finish() in one step, for callers that may block on files.
[[nodiscard]] Result<Translated> translate(const Ask& ask, const Context& context);

// The JSON-RPC result to answer with. Hashes the call again; Errc::conflict if the decision was about another call
// (I9). An allow is byte for byte one of the decisions that Codex offered or documents (I14).
[[nodiscard]] Result<std::string> resolution(const RawCall& raw, const Verdict& verdict);

}  // namespace countersign::runtimes::codex
