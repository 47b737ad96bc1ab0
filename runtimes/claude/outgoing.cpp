// SPDX-License-Identifier: Apache-2.0
#include "runtimes/claude/outgoing.hpp"

#include "core/json/write.hpp"

namespace countersign::runtimes::claude {

namespace {

std::string quoted(std::string_view text) { return json::canonical(json::Value{text}); }

// Some readers also end a line at CR, U+2028 or U+2029. In JSON a raw CR can only be white space, and the other two
// only occur in strings, where escapes mean the same.
std::string on_one_line(std::string_view json) {
    std::string out;
    out.reserve(json.size());
    for (std::size_t i = 0; i < json.size(); ++i) {
        const auto rest = json.substr(i);
        if (rest.starts_with("\u2028") || rest.starts_with("\u2029")) {
            out += rest.starts_with("\u2028") ? "\\u2028" : "\\u2029";
            i += 2;
        } else {
            out += json[i] == '\r' || json[i] == '\n' ? ' ' : json[i];
        }
    }
    return out;
}

std::string response_line(std::string_view subtype, std::string_view native_id, std::string_view name,
                          std::string_view value) {
    std::string line = R"({"type":"control_response","response":{"subtype":")";
    line.append(subtype).append(R"(","request_id":)").append(native_id).append(R"(,")").append(name).append(R"(":)");
    return on_one_line(line.append(value).append("}}"));
}

}  // namespace

std::string success_line(std::string_view native_id, std::string_view body) {
    return response_line("success", native_id, "response", body);
}

std::string error_line(std::string_view native_id, std::string_view text) {
    return response_line("error", native_id, "error", quoted(text));
}

std::string deny_body(std::string_view message) { return R"({"behavior":"deny","message":)" + quoted(message) + "}"; }

std::string deny_line(std::string_view native_id, std::string_view message) {
    return success_line(native_id, deny_body(message));
}

std::string hook_line(std::string_view body) {
    return on_one_line(R"({"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":)" + std::string{body} +
                       "}}");
}

std::string request_line(std::string_view request_id, std::string_view body) {
    return on_one_line(R"({"type":"control_request","request_id":)" + quoted(request_id) + R"(,"request":)" +
                       std::string{body} + "}");
}

std::string prompt_line(std::string_view prompt) {
    return on_one_line(R"({"type":"user","message":{"role":"user","content":[{"type":"text","text":)" + quoted(prompt) +
                       R"(}]},"parent_tool_use_id":null,"session_id":""})");
}

}  // namespace countersign::runtimes::claude
