// SPDX-License-Identifier: Apache-2.0
#include "runtimes/codex/subject.hpp"

#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "core/limits.hpp"
#include "core/path.hpp"
#include "runtimes/call_facts.hpp"
#include "runtimes/codex/file_changes.hpp"
#include "runtimes/codex/shell_script.hpp"

#include <algorithm>
#include <array>

namespace countersign::runtimes::codex {

namespace {

// Members that do not change what happens: ids, times, what Codex offers, and what is read by name.
constexpr auto read_elsewhere = std::to_array<std::string_view>(
    {"approvalId", "availableDecisions", "callId", "command", "commandActions", "conversationId", "cwd",
     "environmentId", "fileChanges", "itemId", "kind", "parsedCmd", "permissions", "proposedExecpolicyAmendment",
     "proposedNetworkPolicyAmendments", "reason", "startedAtMs", "threadId", "turnId"});

// All other members. They are hashed and shown, because they may widen what is asked, e.g. by additional permissions.
json::Object further_members(const json::Object& params) {
    json::Object further;
    for (const auto& [name, value] : params.members()) {
        if (value.is_null() || std::ranges::find(read_elsewhere, name) != read_elsewhere.end()) continue;
        further.add(name, value);
    }
    if (is_given(params, "environmentId") && text_of(params, "environmentId") != "local")
        further.add("environmentId", *params.find("environmentId"));
    return further;
}

void append_further(std::string& text, const json::Object& further, const security::Redactor& redactor) {
    if (further.empty()) return;
    text += "\nother arguments: " + display_of_tool("other", json::Value{further}, true, redactor).text;
}

void set_place(ReadSubject& subject, const Context& context, std::string cwd) {
    if (cwd.empty()) cwd = context.cwd;
    subject.cwd = std::move(cwd);
    subject.facts.agent_id = context.agent_id;
    subject.facts.cwd = subject.cwd;
    subject.facts.elsewhere = resolved_path(subject.cwd, "") != resolved_path(context.cwd, "");
}

ReadSubject shell_subject(const std::vector<std::string>& argv, const json::Object& params, json::Object further,
                          const Context& context) {
    json::Array words;
    for (const auto& word : argv) words.emplace_back(word);
    json::Object input{{"argv", std::move(words)}};
    if (is_given(params, "cwd")) input.add("cwd", text_of(params, "cwd"));
    for (const auto& [name, value] : further.members()) input.add(name, value);

    const auto script = argv.size() == 1 ? script_in(argv.front()) : script_in(argv);
    ReadSubject subject{.tool = "shell",
                        .raw_input = json::canonical(json::Value{std::move(input)}),
                        .shown = ShellExec{},
                        .facts = facts_of_shell(script ? std::vector{*script} : argv, text_of(params, "cwd")),
                        .display = {.text = display_of_shell(argv, context.redactor), .diff = {}, .reason = {}},
                        .cwd = {}};
    subject.display.summary = script ? shown_line(*script, context.redactor) : std::string{};
    subject.facts.unknown_members = !further.empty();
    append_further(subject.display.text, further, context.redactor);
    set_place(subject, context, text_of(params, "cwd"));
    return subject;
}

// A call with these arguments, in our own form: Codex did not send it as one.
ReadSubject tool_subject(std::string tool, const std::string& tool_id, std::string raw_input, const json::Value& input,
                         bool exact, const Context& context) {
    ReadSubject subject{
        .tool = std::move(tool), .raw_input = std::move(raw_input), .shown = {}, .facts = {}, .display = {}, .cwd = {}};
    subject.shown = ToolUse{shown_line(subject.tool, context.redactor), shown_line(tool_id, context.redactor)};
    subject.facts = facts_of_tool(subject.tool, input, exact);
    subject.display = display_of_tool(subject.tool, input, exact, context.redactor);
    set_place(subject, context, {});
    return subject;
}

Result<ReadSubject> read_command(const Ask& ask, const Context& context) {
    const auto& params = *ask.value.object();
    auto further = further_members(params);
    const auto kind = is_given(params, "kind") ? text_of(params, "kind") : "command";
    const auto* command = params.find("command");
    const bool has_command = command != nullptr && command->string() != nullptr && !command->string()->empty();
    const bool person = kind == "humanCommand";
    const bool of_network = is_given(params, "networkApprovalContext");
    if ((kind == "command" || person) && !of_network) {
        if (!has_command) return Error{Errc::malformed, "command: is missing"};
        auto subject = shell_subject({*command->string()}, params, further, context);
        if (!person) return subject;
        // Unique, so that not even another request for the same command can share its answer.
        further.add("kind", kind);
        further.add("approvalId", is_given(params, "approvalId") ? text_of(params, "approvalId") : ask.item_id);
        subject.raw_input = shell_subject({*command->string()}, params, std::move(further), context).raw_input;
        subject.why_person = "Codex requires a person";
        return subject;
    }
    // Access to the network, input for a running command, or a later kind: all that was sent, as a tool of its own.
    if (has_command) further.add("command", *command);
    if (is_given(params, "cwd")) further.add("cwd", *params.find("cwd"));
    const json::Value input{std::move(further)};
    auto subject =
        tool_subject(of_network ? "network_access" : kind, ask.item_id, json::canonical(input), input, true, context);
    if (person || !of_network) subject.why_person = "Codex asks for more than a command";
    return subject;
}

Result<ReadSubject> read_old_command(const Ask& ask, const Context& context) {
    const auto& params = *ask.value.object();
    const auto* words = find_array(params, "command");
    if (words == nullptr || words->empty()) return Error{Errc::malformed, "command: is missing"};
    if (words->size() > limits::argv_max) return Error{Errc::too_large, "command: too many words"};
    std::vector<std::string> argv;
    for (const auto& word : *words) {
        if (word.string() == nullptr) return Error{Errc::malformed, "command: must be a list of texts"};
        argv.push_back(*word.string());
    }
    return shell_subject(argv, params, further_members(params), context);
}

Result<ReadSubject> read_changes(const Ask& ask, const Context& context) {
    const auto& params = *ask.value.object();
    const bool old = ask.kind == AskKind::old_patch;
    const auto* given = params.find("fileChanges");
    const auto text = old ? std::string{given == nullptr ? "" : bytes_of(ask.params, *given)} : ask.changes;
    auto changes = old ? old_file_changes(text) : file_changes(text);
    if (!changes) return changes.error();
    const auto further = further_members(params);
    ReadSubject subject{.tool = "apply_patch",
                        .raw_input = {},
                        .shown = {},
                        .facts = facts_of_changes(*changes),
                        .display = display_of_changes(*changes, context.redactor),
                        .cwd = {}};
    subject.raw_input = R"({"changes":)" + text;
    for (const auto& [name, value] : further.members())
        subject.raw_input += "," + json::canonical(json::Value{name}) + ":" + json::canonical(value);
    subject.raw_input += "}";
    subject.shown = ToolUse{"apply_patch", shown_line(ask.item_id, context.redactor)};
    subject.facts.unknown_members |= !further.empty();
    append_further(subject.display.text, further, context.redactor);
    if (is_given(params, "grantRoot")) subject.why_person = "Codex asks to write below a directory from now on";
    set_place(subject, context, {});
    return subject;
}

Result<ReadSubject> read_permissions(const Ask& ask, const Context& context) {
    const auto& params = *ask.value.object();
    const auto* permissions = find_object(params, "permissions");
    if (permissions == nullptr) return Error{Errc::malformed, "permissions: must be an object"};
    auto further = further_members(params);
    json::Object input{{"permissions", *params.find("permissions")}};
    for (const auto& [name, value] : further.members()) input.add(name, value);
    const json::Value shown{std::move(input)};
    auto subject = tool_subject("request_permissions", ask.item_id, json::canonical(shown), shown, true, context);
    subject.least = Risk{RiskLevel::high, "wider permissions"};
    subject.why_person = "Codex asks for wider permissions";
    set_place(subject, context, text_of(params, "cwd"));
    return subject;
}

Result<ReadSubject> read_tool_approval(const Ask& ask, const Context& context) {
    const auto& params = *ask.value.object();
    const auto& meta = *find_object(params, "_meta");
    const auto server = text_of(params, "serverName");
    if (server.empty()) return Error{Errc::malformed, "serverName: is missing"};
    const auto* given = meta.find("tool_params");
    const auto bytes = given == nullptr ? std::string{"{}"} : std::string{bytes_of(ask.params, *given)};
    const auto read = json::read(bytes);
    if (!read) return read.error();
    if (!ask.mcp_tool.empty()) {
        return tool_subject(mcp_tool_name(server, ask.mcp_tool), ask.item_id, bytes, read->value, read->exact(),
                            context);
    }
    // Only Codex's sentence says which tool it is.
    json::Object input{{"message", text_of(params, "message")}, {"tool_params", read->value}};
    const json::Value shown{std::move(input)};
    auto subject = tool_subject("mcp__" + server, ask.item_id,
                                R"({"message":)" + json::canonical(json::Value{text_of(params, "message")}) +
                                    R"(,"tool_params":)" + bytes + "}",
                                shown, read->exact(), context);
    subject.why_person = "Codex did not name the tool";
    return subject;
}

Result<ReadSubject> read_confirmation(const Ask& ask, const Context& context) {
    const auto& params = *ask.value.object();
    const auto server = text_of(params, "serverName");
    const auto message = text_of(params, "message");
    if (server.empty()) return Error{Errc::malformed, "serverName: is missing"};
    if (message.empty()) return Error{Errc::malformed, "message: is missing"};
    const json::Value input{json::Object{{"message", message}}};
    auto subject =
        tool_subject("mcp__" + server + "__elicitation", ask.item_id, json::canonical(input), input, true, context);
    subject.display = {.text = shown_block(message, context.redactor), .diff = {}, .reason = {}};
    subject.why_person = "an MCP server asks a person";
    return subject;
}

Result<ReadSubject> read_kind(const Ask& ask, const Context& context) {
    switch (ask.kind) {
    case AskKind::command:
        return read_command(ask, context);
    case AskKind::old_command:
        return read_old_command(ask, context);
    case AskKind::file_change:
    case AskKind::old_patch:
        return read_changes(ask, context);
    case AskKind::permissions:
        return read_permissions(ask, context);
    case AskKind::elicitation:
        return elicitation_kind(ask) == ElicitationKind::tool_approval ? read_tool_approval(ask, context)
                                                                       : read_confirmation(ask, context);
    case AskKind::question:
        break;
    }
    return Error{Errc::internal, "a question is not an approval"};
}

}  // namespace

std::string mcp_tool_name(std::string_view server, std::string_view tool) {
    return "mcp__" + std::string{server} + "__" + std::string{tool};
}

bool demands_person(const Ask& ask) {
    return ask.kind == AskKind::command && text_of(*ask.value.object(), "kind") == "humanCommand";
}

ElicitationKind elicitation_kind(const Ask& ask) {
    const auto& params = *ask.value.object();
    if (text_of(params, "mode") != "form") return ElicitationKind::unsupported;
    const auto* meta = find_object(params, "_meta");
    const auto* schema = find_object(params, "requestedSchema");
    if (schema == nullptr) return ElicitationKind::unsupported;
    const auto* properties = find_object(*schema, "properties");
    const bool empty = properties == nullptr || properties->empty();
    if (meta != nullptr && meta->find("codex_approval_kind") != nullptr) {
        const bool of_tool = text_of(*meta, "codex_approval_kind") == "mcp_tool_call";
        return of_tool && empty ? ElicitationKind::tool_approval : ElicitationKind::unsupported;
    }
    return empty ? ElicitationKind::confirmation : ElicitationKind::form;
}

Result<ReadSubject> read_subject(const Ask& ask, const Context& context) {
    auto subject = read_kind(ask, context);
    if (!subject) return subject;
    if (subject->tool.size() > limits::tool_name_bytes_max) return Error{Errc::too_large, "the tool's name"};
    if (subject->cwd.size() > limits::cwd_bytes_max) return Error{Errc::too_large, "cwd"};
    const auto& params = *ask.value.object();
    const bool of_server = ask.kind == AskKind::elicitation && !ask.mcp_tool.empty();
    subject->words = of_server ? text_of(params, "message") : text_of(params, "reason");
    return subject;
}

std::optional<ItemDisplay> display_of_item(const Item& item, const security::Redactor& redactor) {
    const auto* object = item.value.object();
    if (object == nullptr) return std::nullopt;
    const auto as_tool = [&](std::string tool, const json::Value& input) {
        auto display = display_of_tool(tool, input, item.exact, redactor);
        return ItemDisplay{std::move(tool), std::move(display)};
    };
    const auto only = [&](std::string_view name) {
        const auto* value = object->find(name);
        return json::Value{json::Object{{std::string{name}, value == nullptr ? json::Value{} : *value}}};
    };
    if (item.type == "commandExecution") {
        const auto command = text_of(*object, "command");
        const auto script = script_in(command);
        return ItemDisplay{"shell",
                           {.text = display_of_shell({command}, redactor),
                            .diff = {},
                            .reason = {},
                            .summary = shown_line(script ? *script : command, redactor)}};
    }
    if (item.type == "fileChange") {
        const auto* given = object->find("changes");
        const auto changes = file_changes(given == nullptr ? "" : bytes_of(item.text, *given));
        return changes ? ItemDisplay{"apply_patch", display_of_changes(*changes, redactor)}
                       : as_tool("apply_patch", only("changes"));
    }
    if (item.type == "mcpToolCall") {
        const auto* arguments = object->find("arguments");
        return as_tool(mcp_tool_name(text_of(*object, "server"), text_of(*object, "tool")),
                       arguments == nullptr ? json::Value{json::Object{}} : *arguments);
    }
    if (item.type == "webSearch") return as_tool("web_search", only("query"));
    if (item.type == "imageView") return as_tool("view_image", only("path"));
    if (item.type == "dynamicToolCall") return as_tool(text_of(*object, "tool"), only("arguments"));
    if (item.type == "collabAgentToolCall") return as_tool(text_of(*object, "tool"), only("prompt"));
    return std::nullopt;
}

}  // namespace countersign::runtimes::codex
