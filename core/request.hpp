// SPDX-License-Identifier: Apache-2.0
// Request: what an agent is waiting for, an approval or a question.
//
// It contains only display fields: every string from the agent has passed the redactor and the sanitiser in runtimes/.
// The raw call never gets here (I6).
#pragma once

#include "core/limits.hpp"
#include "core/option.hpp"
#include "core/policy.hpp"
#include "core/ulid.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace countersign {

// The digest that a decision is bound to (I9).
struct ArgsHash {
    std::string hex;         // 64 lower-case digits
    bool canonical = false;  // false: hashed over the raw bytes, because the canonical form would lose information
    bool partial = false;    // true: the agent didn't report all of its arguments
    friend bool operator==(const ArgsHash&, const ArgsHash&) = default;
};

struct ToolUse {
    std::string tool_name;
    std::string tool_id;
    friend bool operator==(const ToolUse&, const ToolUse&) = default;
};
struct ShellExec {
    friend bool operator==(const ShellExec&, const ShellExec&) = default;
};
using Subject = std::variant<ToolUse, ShellExec>;

// A host in the call that may not be what it looks like. Every member has passed the redactor and the sanitiser.
struct SuspectHost {
    enum class Kind { punycode, looks_alike, mixed_scripts, unreadable };  // punycode only shows the decoded name
    Kind kind = Kind::punycode;
    std::string shown;       // as people read it
    std::string ascii;       // as the network uses it; empty if it has no such form
    std::string looks_like;  // the name it can be mistaken for, if it is a different one
    friend bool operator==(const SuspectHost&, const SuspectHost&) = default;
};
[[nodiscard]] std::string_view name(SuspectHost::Kind kind);
[[nodiscard]] std::optional<SuspectHost::Kind> suspect_host_named(std::string_view text);

struct Approval {
    Subject subject;
    std::string display_text;      // the whole call, redacted: the command, or the arguments in canonical JSON
    std::string diff;              // for an edit; redacted, empty if none
    std::string untrusted_reason;  // the model's own words; shown separately and labelled
    std::vector<Option> options;   // frozen
    std::vector<SuspectHost> suspect_hosts = {};
    std::string summary = {};  // the path, URL, pattern or command, for lists; empty: use the display text
    friend bool operator==(const Approval&, const Approval&) = default;
};

struct Choice {
    std::string label;
    std::string description;
    friend bool operator==(const Choice&, const Choice&) = default;
};
struct Question {
    std::string question_id;
    std::string text;
    std::vector<Choice> choices;
    bool multiple = false;
    bool free_text = false;
    bool secret = false;  // the answer is recorded as "given" and never shown
    bool required = true;
    friend bool operator==(const Question&, const Question&) = default;
};
struct Questionnaire {
    std::vector<Question> questions;
    friend bool operator==(const Questionnaire&, const Questionnaire&) = default;
};

// Where the call would run, determined by our own code (I15), redacted and sanitised. Unknown fields are empty.
struct Workplace {
    std::string host;
    std::string repository;  // "github.com/acme/shop", or the directory's name
    std::string branch;      // "main"; for a detached HEAD "HEAD 0123456789ab"
    friend bool operator==(const Workplace&, const Workplace&) = default;
};

struct Request {
    Ulid id;
    std::string agent_id;  // from the token or the start command, never from the event (I15)
    std::string runtime;   // "event", "claude" …
    std::string session_key;
    std::string requester;   // the person it runs for; empty if unknown
    std::string native_key;  // hash of runtime, session and native id (I12)
    std::string cwd;
    Workplace workplace = {};
    ArgsHash args_hash;
    std::string script_hash = {};  // of the files that the command runs, when it asked; empty: none known
    std::string grant_note = {};   // our own text: what a grant of this call doesn't cover, or why there can be none
    Judgement judgement;
    bool takes_edits = false;  // its adapter can send a different input from the one that was asked about
    std::variant<Approval, Questionnaire> body;
    std::optional<std::chrono::milliseconds> timeout;
    std::optional<std::vector<std::string>> authorized_senders;  // principals; can only narrow the deciders

    [[nodiscard]] const Approval* approval() const { return std::get_if<Approval>(&body); }
    [[nodiscard]] const Questionnaire* questionnaire() const { return std::get_if<Questionnaire>(&body); }
    friend bool operator==(const Request&, const Request&) = default;
};

// Used in records in place of a tool name for a question.
inline constexpr std::string_view question_tool = "question";
// The tool name in records: the tool's own, "shell" for a shell command, question_tool for a question.
[[nodiscard]] std::string tool_name_of(const Request& request);

// The call in one line for lists: at most record_summary_bytes_max plus a cut mark. Newlines become ⏎. Idempotent.
[[nodiscard]] std::string summary_of(std::string_view display_text);
[[nodiscard]] std::string summary_of(const Request& request);
// The start of a display text: at most unasked_text_bytes_max plus a cut mark. Idempotent.
[[nodiscard]] std::string unasked_text_of(std::string_view display_text);

// One text with everything that people see of the call. The record keeps it, and displayHash covers it.
[[nodiscard]] std::string shown_text(const Request& request);

}  // namespace countersign
