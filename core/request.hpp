// SPDX-License-Identifier: Apache-2.0
// Request: what an agent is waiting for, an approval or a question.
//
// It holds display fields only: every string that came from the agent went through redactor and sanitiser in runtimes/
// before it got here, and the raw call never does (I6).
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
    bool canonical = false;  // false: hashed over the raw bytes, because the canonical form would lose something
    bool partial = false;    // true: the agent did not tell all of its arguments
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

// A host of the call that may not be the one it looks like. Every member went through the redactor and the sanitiser.
struct SuspectHost {
    enum class Kind { punycode, looks_alike, mixed_scripts, unreadable };  // the first only says what a name stands for
    Kind kind = Kind::punycode;
    std::string shown;       // as people read it
    std::string ascii;       // as the network knows it; empty where it has no such form
    std::string looks_like;  // what an eye takes it for, if that is another name
    friend bool operator==(const SuspectHost&, const SuspectHost&) = default;
};
[[nodiscard]] std::string_view name(SuspectHost::Kind kind);
[[nodiscard]] std::optional<SuspectHost::Kind> suspect_host_named(std::string_view text);

struct Approval {
    Subject subject;
    std::string display_text;      // the whole call, redacted: the command, or the arguments in canonical JSON
    std::string diff;              // for an edit; redacted, empty if none
    std::string untrusted_reason;  // the model's own words; shown apart and labelled
    std::vector<Option> options;   // frozen
    std::vector<SuspectHost> suspect_hosts = {};
    std::string summary = {};  // the path, URL, pattern or command, for lists; empty: the display text says it
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
    bool secret = false;  // the answer is recorded as "given" and shown to nobody
    bool required = true;
    friend bool operator==(const Question&, const Question&) = default;
};
struct Questionnaire {
    std::vector<Question> questions;
    friend bool operator==(const Questionnaire&, const Questionnaire&) = default;
};

// Where the call would run, as our own code found it (I15), redacted and sanitised. What is not known is empty.
struct Workplace {
    std::string host;
    std::string repository;  // "github.com/acme/shop", or the directory's name
    std::string branch;      // "main"; of a detached HEAD "HEAD 0123456789ab"
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
    std::string script_hash = {};  // of the files that the command runs, as they were when it asked; empty: none known
    std::string grant_note = {};  // ours, in plain words: what a grant of this call does not cover, or why it gets none
    Judgement judgement;
    bool takes_edits = false;  // its adapter can send another input than the one that was asked about
    std::variant<Approval, Questionnaire> body;
    std::optional<std::chrono::milliseconds> timeout;
    std::optional<std::vector<std::string>> authorized_senders;  // principals; can only narrow the deciders

    [[nodiscard]] const Approval* approval() const { return std::get_if<Approval>(&body); }
    [[nodiscard]] const Questionnaire* questionnaire() const { return std::get_if<Questionnaire>(&body); }
    friend bool operator==(const Request&, const Request&) = default;
};

// The name that a question has in records, where a call has its tool's.
inline constexpr std::string_view question_tool = "question";
// The name a tool has in records: its own, "shell" for a shell command, question_tool for a question.
[[nodiscard]] std::string tool_name_of(const Request& request);

// The call in one line of at most record_summary_bytes_max and a mark, as a list shows it. Newlines appear as ⏎. Of a
// summary: itself.
[[nodiscard]] std::string summary_of(std::string_view display_text);
[[nodiscard]] std::string summary_of(const Request& request);
// The head of a display text, at most unasked_text_bytes_max and a mark. Of what it returned: itself.
[[nodiscard]] std::string unasked_text_of(std::string_view display_text);

// One text with everything a person is shown of the call: what displayHash covers and the record keeps.
[[nodiscard]] std::string shown_text(const Request& request);

}  // namespace countersign
