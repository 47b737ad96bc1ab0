// SPDX-License-Identifier: Apache-2.0
#include "runtimes/codex/outgoing.hpp"

#include "core/json/write.hpp"

namespace countersign::runtimes::codex {

namespace {

std::string object(json::Object members) { return json::canonical(json::Value{std::move(members)}); }

// JSON-RPC messages are lines; a line break in Codex's own JSON can only be white space.
std::string on_one_line(std::string_view json) {
    std::string out{json};
    for (char& c : out) {
        if (c == '\r' || c == '\n') c = ' ';
    }
    return out;
}

}  // namespace

std::string initialize_params(std::string_view version) {
    return object(
        {{"clientInfo", json::Object{{"name", "countersign"}, {"title", "Countersign"}, {"version", version}}},
         {"capabilities",
          json::Object{{"experimentalApi", true}, {"requestAttestation", false}, {"requiredHumanApproval", true}}}});
}

std::string thread_start_params(const ThreadSettings& settings) {
    return object({{"cwd", settings.cwd},
                   {"approvalPolicy", settings.approval_policy},
                   {"approvalsReviewer", "user"},
                   {"sandbox", settings.sandbox}});
}

std::string turn_start_params(std::string_view thread_id, std::string_view prompt) {
    json::Array input;
    input.emplace_back(json::Object{{"type", "text"}, {"text", prompt}});
    return object({{"threadId", thread_id}, {"input", std::move(input)}});
}

std::string turn_interrupt_params(std::string_view thread_id, std::string_view turn_id) {
    return object({{"threadId", thread_id}, {"turnId", turn_id}});
}

std::string decision_result(std::string_view decision) {
    return on_one_line(R"({"decision":)" + std::string{decision} + "}");
}

std::string elicitation_result(std::string_view action, std::string_view content, std::string_view meta) {
    std::string result = R"({"action":")";
    result.append(action).append(R"(","content":)").append(content).append(R"(,"_meta":)").append(meta);
    return on_one_line(result.append("}"));
}

std::string permissions_result(std::string_view permissions) {
    return on_one_line(R"({"permissions":)" + std::string{permissions} + R"(,"scope":"turn"})");
}

std::string refusal_result(AskKind kind, std::string_view reason) {
    switch (kind) {
    case AskKind::command:
    case AskKind::file_change:
        return decision_result("\"decline\"");
    case AskKind::old_command:
    case AskKind::old_patch:
        return decision_result(object({{"denied", json::Object{{"rejection", reason}}}}));
    case AskKind::permissions:
        return permissions_result("{}");
    case AskKind::question:
        return R"({"answers":{}})";
    case AskKind::elicitation:
        break;
    }
    return elicitation_result("decline", "null", "null");
}

}  // namespace countersign::runtimes::codex
