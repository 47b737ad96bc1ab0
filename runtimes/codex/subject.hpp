// SPDX-License-Identifier: Apache-2.0
// What an approval is about: the call that is hashed, judged and shown, made from Codex's parameters alone.
#pragma once

#include "core/request.hpp"
#include "core/result.hpp"
#include "core/risk.hpp"
#include "runtimes/codex/context.hpp"
#include "runtimes/codex/message.hpp"
#include "runtimes/subject_display.hpp"

#include <optional>
#include <string>
#include <vector>

namespace countersign::runtimes::codex {

struct ReadSubject {
    std::string tool;       // in the hash and in records
    std::string raw_input;  // JSON; it is hashed
    Subject shown;
    CallFacts facts;
    SubjectDisplay display;
    std::string cwd;                           // raw
    std::string words = {};                    // the agent's reason; raw
    std::optional<Risk> least = std::nullopt;  // the lowest risk that the call can have
    std::string why_person = {};  // why no stored permission and no policy rule may answer; empty: they may
};
[[nodiscard]] Result<ReadSubject> read_subject(const Ask& ask, const Context& context);

// Answered by a person, once, whatever rules and grants say (I8).
[[nodiscard]] bool demands_person(const Ask& ask);

// What an elicitation is: Codex's own question whether an MCP tool may run, a server's yes-or-no question, a server's
// form, or something that cannot be answered here.
enum class ElicitationKind { tool_approval, confirmation, form, unsupported };
[[nodiscard]] ElicitationKind elicitation_kind(const Ask& ask);

// Of an item: its tool, and all that people and reviewers should see of it.
struct ItemDisplay {
    std::string tool;
    SubjectDisplay display;
};
// Empty for items that are not calls, such as the agent's text.
[[nodiscard]] std::optional<ItemDisplay> display_of_item(const Item& item, const security::Redactor& redactor);

[[nodiscard]] std::string mcp_tool_name(std::string_view server, std::string_view tool);

}  // namespace countersign::runtimes::codex
