// SPDX-License-Identifier: Apache-2.0
// What an approval is about: the call that is hashed, judged and shown, made from the agent's description alone.
//
// An agent that reports the raw input of a call has described it fully. Others send a title, a text, or a diff. All of
// that is then hashed and shown, but it may leave something out: the call is marked as partly reported, and no rule and
// no grant can allow it.
#pragma once

#include "core/request.hpp"
#include "core/result.hpp"
#include "core/risk.hpp"
#include "runtimes/acp/context.hpp"
#include "runtimes/acp/message.hpp"
#include "runtimes/subject_display.hpp"

#include <string>

namespace countersign::runtimes::acp {

struct ReadSubject {
    std::string tool;       // in the hash and in records
    std::string raw_input;  // JSON; it is hashed
    bool partial = false;   // the agent did not report all arguments
    Subject shown;
    CallFacts facts;
    SubjectDisplay display;
    std::string cwd;              // raw
    std::string words = {};       // what the agent says about the call; raw
    std::string why_person = {};  // why no stored permission and no policy rule may answer; empty: they may
};
[[nodiscard]] Result<ReadSubject> read_subject(const Ask& ask, const Context& context);

// What an elicitation is: a form with fields, a question without any, a page to open, or something that we cannot show.
enum class ElicitationKind { form, confirmation, page, unsupported };
[[nodiscard]] ElicitationKind elicitation_kind(const Ask& ask);

// The agent's name of the tool; else that of an MCP tool; else the kind of call, e.g. "execute".
[[nodiscard]] std::string tool_name_of(const ToolCall& call);
[[nodiscard]] SubjectDisplay display_of_call(const ToolCall& call, const security::Redactor& redactor);

}  // namespace countersign::runtimes::acp
