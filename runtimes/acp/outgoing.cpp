// SPDX-License-Identifier: Apache-2.0
#include "runtimes/acp/outgoing.hpp"

#include "core/json/write.hpp"

#include <algorithm>

namespace countersign::runtimes::acp {

namespace {

std::string object(json::Object members) { return json::canonical(json::Value{std::move(members)}); }

// JSON-RPC messages are lines; a line break in the agent's own JSON can only be white space.
std::string on_one_line(std::string json) {
    std::ranges::replace_if(json, [](char c) { return c == '\r' || c == '\n'; }, ' ');
    return json;
}

}  // namespace

std::string initialize_params(std::string_view version) {
    const json::Object capabilities{
        {"fs", json::Object{{"readTextFile", false}, {"writeTextFile", false}}},
        {"terminal", false},
        {"elicitation", json::Object{{"form", json::Object{}}, {"url", json::Object{}}}},
    };
    return object(
        {{"protocolVersion", protocol_version},
         {"clientCapabilities", capabilities},
         {"clientInfo", json::Object{{"name", "countersign"}, {"title", "Countersign"}, {"version", version}}}});
}

std::string authenticate_params(std::string_view method_id) { return object({{"methodId", method_id}}); }

std::string new_session_params(std::string_view cwd) { return object({{"cwd", cwd}, {"mcpServers", json::Array{}}}); }

std::string prompt_params(std::string_view session_id, std::string_view prompt) {
    json::Array blocks;
    blocks.emplace_back(json::Object{{"type", "text"}, {"text", prompt}});
    return object({{"sessionId", session_id}, {"prompt", std::move(blocks)}});
}

std::string cancel_params(std::string_view session_id) { return object({{"sessionId", session_id}}); }

std::string selected_result(std::string_view option_id) {
    return on_one_line(R"({"outcome":{"outcome":"selected","optionId":)" + std::string{option_id} + "}}");
}

std::string accept_result(std::string_view content) {
    if (content.empty()) return R"({"action":"accept"})";
    return on_one_line(R"({"action":"accept","content":)" + std::string{content} + "}");
}

std::string decline_result() { return R"({"action":"decline"})"; }

std::string cancelled_result(AskKind kind) {
    if (kind == AskKind::elicitation) return R"({"action":"cancel"})";
    return R"({"outcome":{"outcome":"cancelled"}})";
}

}  // namespace countersign::runtimes::acp
