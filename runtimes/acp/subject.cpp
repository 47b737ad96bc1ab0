// SPDX-License-Identifier: Apache-2.0
#include "runtimes/acp/subject.hpp"

#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "core/limits.hpp"
#include "core/path.hpp"
#include "runtimes/call_facts.hpp"
#include "runtimes/diff.hpp"
#include "runtimes/path_readings.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace countersign::runtimes::acp {

namespace {

// A call as it is hashed and judged.
struct ReadCall {
    std::string tool;
    std::string raw_input;
    json::Value input;  // of raw_input
    bool exact = true;  // false: it can be read in two ways
    bool partial = false;
    std::string kind;
    json::Value described;  // the whole description
};

json::Value value_of(std::string_view bytes) {
    auto read = bytes.empty() ? Result<json::Document>{} : json::read(bytes);
    return read ? std::move(read->value) : json::Value{};
}

// The type of an element of `content`, and its members.
struct Part {
    std::string type;
    const json::Object* object = nullptr;
};

std::vector<Part> parts_of(const json::Value& described) {
    std::vector<Part> parts;
    if (described.object() == nullptr) return parts;
    for (const auto& part : array_in(*described.object(), "content")) {
        const auto* object = part.object();
        parts.push_back({object == nullptr ? std::string{} : text_of(*object, "type"), object});
    }
    return parts;
}

bool has_diff(const json::Value& described) {
    const auto parts = parts_of(described);
    return std::ranges::any_of(parts, [](const Part& part) { return part.type == "diff"; });
}

// Whether the raw input alone says what the call does. A switch of the agent's mode is described in prose, and an
// agent may report the text of an edit only as a diff.
bool says_all(const json::Value& raw_input, const std::string& tool, const ReadCall& call) {
    const auto* object = raw_input.object();
    if (object == nullptr || object->empty() || call.kind == "switch_mode") return false;
    if (!has_diff(call.described)) return true;
    constexpr auto texts =
        std::to_array<std::string_view>({"content", "new_source", "new_string", "newString", "new_str", "newText",
                                         "patch", "patchText", "diff", "edits"});
    return tool_class_of(tool) == ToolClass::edit &&
           std::ranges::any_of(texts, [&](std::string_view name) { return object->find(name) != nullptr; });
}

ReadCall read_call(const ToolCall& call) {
    ReadCall read;
    read.tool = tool_name_of(call);
    read.kind = call.text("kind");
    const auto whole = call.described();
    const auto document = json::read(whole);
    if (document) read.described = document->value;
    const auto raw = call.member("rawInput");
    auto raw_input = value_of(raw);
    read.partial = !document || !says_all(raw_input, read.tool, read);
    read.raw_input = read.partial ? whole : std::string{raw};
    read.input = read.partial ? read.described : std::move(raw_input);
    const auto hashed = json::read(read.raw_input);
    read.exact = hashed && hashed->exact();
    return read;
}

bool are_known_and_differ(ToolClass one, ToolClass other) {
    return one != ToolClass::other && other != ToolClass::other && one != other;
}

void append_line(std::string& text, const std::string& line) {
    if (line.empty()) return;
    text += (text.empty() ? "" : "\n") + line;
}

std::string text_in(const Part& part) {
    if (part.type != "content") return {};
    const auto& block = object_in(*part.object, "content");
    return text_of(block, "type") == "text" ? text_of(block, "text") : std::string{};
}

std::vector<std::string> paths_in(const json::Value& described) {
    std::vector<std::string> paths;
    const auto add = [&paths](std::string path) {
        if (!path.empty() && std::ranges::find(paths, path) == paths.end()) paths.push_back(std::move(path));
    };
    for (const auto& part : parts_of(described)) {
        if (part.type == "diff") add(text_of(*part.object, "path"));
    }
    if (described.object() == nullptr) return paths;
    for (const auto& location : array_in(*described.object(), "locations")) {
        if (location.object() != nullptr) add(text_of(*location.object(), "path"));
    }
    return paths;
}

// The text of the files that a call changes. Its kind is known only if all paths agree on it.
security::FileMembers file_members(const json::Value& described) {
    static constexpr auto names = std::to_array<std::string_view>({"oldText", "newText"});
    const auto paths = paths_in(described);
    if (paths.empty()) return {};
    const auto kind = security::kind_of_file(paths.front());
    const bool agree =
        std::ranges::all_of(paths, [kind](const auto& one) { return security::kind_of_file(one) == kind; });
    if (!agree) return {};
    return {.kind = kind, .names = names};
}

// Members that are shown in another way, or only repeat the tool's name.
constexpr auto shown_elsewhere =
    std::to_array<std::string_view>({"_meta", "content", "kind", "locations", "name", "title"});

// Collects what a partly reported call says, from values that are redacted already.
struct Collected {
    std::string text;
    std::string diff;
    json::Array other;  // content that is neither a text nor a diff
};

void add_part(Collected& shown, const Part& part, bool several) {
    if (part.type == "diff") {
        if (several) append_line(shown.diff, text_of(*part.object, "path") + ":");
        append_line(shown.diff, line_diff(text_of(*part.object, "oldText"), text_of(*part.object, "newText")));
        return;
    }
    auto text = part.object == nullptr ? std::string{} : text_in(part);
    if (!text.empty()) return append_line(shown.text, text);
    if (part.object != nullptr && part.type != "terminal") shown.other.emplace_back(*part.object);
}

SubjectDisplay display_of_partial(const ReadCall& call, const security::Redactor& redactor) {
    if (!call.exact || call.input.object() == nullptr) {
        return display_of_tool("other", call.input, call.exact, redactor);
    }
    const auto redacted = redactor.value(call.input, file_members(call.input));
    const auto& members = *redacted.object();
    Collected shown{.text = text_of(members, "title"), .diff = {}, .other = {}};
    const auto parts = parts_of(redacted);
    const auto diffs = std::ranges::count(parts, std::string{"diff"}, &Part::type);
    for (const auto& part : parts) add_part(shown, part, diffs > 1);
    const auto paths = paths_in(redacted);
    for (const auto& path : paths) append_line(shown.text, "file: " + path);
    json::Object other;
    for (const auto& [name, value] : members.members()) {
        if (std::ranges::find(shown_elsewhere, name) == shown_elsewhere.end()) other.add(name, value);
    }
    if (!shown.other.empty()) other.add("content", std::move(shown.other));
    if (!other.empty()) {
        append_line(shown.text,
                    "other arguments: " + display_of_tool("other", json::Value{other}, true, redactor).text);
    }
    const bool of_file = tool_class_of(call.tool) == ToolClass::edit && !paths.empty();
    SubjectDisplay display{.text = shown_block(shown.text, redactor),
                           .diff = shown_block(shown.diff, redactor),
                           .reason = {},
                           .summary = shown_line(of_file ? paths.front() : text_of(members, "title"), redactor)};
    return display;
}

SubjectDisplay display_of(const ReadCall& call, const security::Redactor& redactor) {
    return call.partial ? display_of_partial(call, redactor)
                        : display_of_tool(call.tool, call.input, call.exact, redactor);
}

// Of a partly reported call, the arguments that rules look at; they can only make the rules stricter here. A title is
// often the command, and never a path.
json::Value judged_part(const ReadCall& call) {
    const auto* described = call.input.object();
    const auto tool_class = tool_class_of(call.tool);
    const bool of_title = tool_class == ToolClass::fetch || tool_class == ToolClass::other;
    if (described == nullptr || !call.exact || of_title) return call.input;
    if (tool_class == ToolClass::execute) return json::Value{json::Object{{"command", text_of(*described, "title")}}};
    json::Object rest;
    for (const auto& [name, value] : described->members()) {
        if (name != "title") rest.add(name, value);
    }
    return json::Value{std::move(rest)};
}

CallFacts facts_of(const ReadCall& call) {
    auto facts = facts_of_tool(call.tool, call.partial ? judged_part(call) : call.input, call.exact);
    if (facts.tool_class != ToolClass::execute) {
        for (auto& path : paths_in(call.described)) {
            if (std::ranges::find(facts.paths, path) == facts.paths.end()) facts.paths.push_back(std::move(path));
        }
        add_readings(facts);
    }
    facts.unknown_members |= call.partial;
    return facts;
}

// The agent's title and texts, unless they repeat the arguments.
std::string words_about(const ReadCall& call, const SubjectDisplay& display, const security::Redactor& redactor) {
    std::string words;
    const auto add = [&](const std::string& text) {
        const auto shown = shown_block(text, redactor);
        if (shown.empty()) return;
        for (const auto* said : {&display.text, &display.reason, &display.summary}) {
            if (said->find(shown) != std::string::npos) return;
        }
        append_line(words, text);
    };
    if (call.partial || call.described.object() == nullptr) return {};
    add(text_of(*call.described.object(), "title"));
    for (const auto& part : parts_of(call.described)) {
        if (part.object != nullptr) add(text_in(part));
    }
    return words;
}

void set_place(ReadSubject& subject, const Context& context) {
    subject.cwd = subject.facts.cwd.empty() ? context.cwd : subject.facts.cwd;
    subject.facts.agent_id = context.agent_id;
    subject.facts.cwd = subject.cwd;
    subject.facts.elsewhere = resolved_path(subject.cwd, "") != resolved_path(context.cwd, "");
}

ReadSubject read_permission(const Ask& ask, const Context& context) {
    auto call = read_call(ask.call);
    ReadSubject subject{.tool = call.tool,
                        .raw_input = call.raw_input,
                        .partial = call.partial,
                        .shown =
                            ToolUse{shown_line(call.tool, context.redactor), shown_line(ask.call_id, context.redactor)},
                        .facts = facts_of(call),
                        .display = display_of(call, context.redactor),
                        .cwd = {}};
    subject.words = words_about(call, subject.display, context.redactor);
    if (call.partial) subject.why_person = "arguments reported in part";
    if (are_known_and_differ(tool_class_of(call.tool), tool_class_of(call.kind))) {
        subject.why_person = "the tool's name and kind differ";
        subject.facts.unknown_members = true;
    }
    set_place(subject, context);
    return subject;
}

// A question with yes or no, or a page to open. A person answers it, whatever rules and grants say.
Result<ReadSubject> read_elicitation(const Ask& ask, const Context& context) {
    const auto& params = *ask.value.object();
    const bool page = elicitation_kind(ask) == ElicitationKind::page;
    const auto message = text_of(params, "message");
    if (message.empty()) return Error{Errc::malformed, "message: is missing"};
    json::Object input{{"message", message}};
    if (page) input.add("url", text_of(params, "url"));
    const json::Value value{std::move(input)};
    ReadSubject subject{.tool = page ? "open_page" : "elicitation",
                        .raw_input = json::canonical(value),
                        .partial = false,
                        .shown = {},
                        .facts = {},
                        .display = {.text = shown_block(message, context.redactor), .diff = {}, .reason = {}},
                        .cwd = {}};
    subject.shown = ToolUse{subject.tool, shown_line(ask.call_id, context.redactor)};
    subject.facts = facts_of_tool(subject.tool, value, true);
    if (page) append_line(subject.display.text, "to open: " + shown_line(text_of(params, "url"), context.redactor));
    subject.why_person = "the agent asks a person";
    set_place(subject, context);
    return subject;
}

}  // namespace

std::string tool_name_of(const ToolCall& call) {
    if (auto name = call.text("name"); !name.empty()) return name;
    const auto raw_input = value_of(call.member("rawInput"));
    if (const auto* input = raw_input.object(); input != nullptr && input->members().size() == 3) {
        const auto server = text_of(*input, "server");
        const auto tool = text_of(*input, "tool");
        const bool of_mcp = !server.empty() && !tool.empty() && input->find("arguments") != nullptr;
        if (of_mcp) return "mcp__" + server + "__" + tool;
    }
    auto kind = call.text("kind");
    return kind.empty() ? "other" : kind;
}

SubjectDisplay display_of_call(const ToolCall& call, const security::Redactor& redactor) {
    return display_of(read_call(call), redactor);
}

ElicitationKind elicitation_kind(const Ask& ask) {
    const auto& params = *ask.value.object();
    const auto mode = text_of(params, "mode");
    if (mode == "url") return text_of(params, "url").empty() ? ElicitationKind::unsupported : ElicitationKind::page;
    const auto* schema = find_object(params, "requestedSchema");
    if (mode != "form" || schema == nullptr) return ElicitationKind::unsupported;
    return object_in(*schema, "properties").empty() ? ElicitationKind::confirmation : ElicitationKind::form;
}

Result<ReadSubject> read_subject(const Ask& ask, const Context& context) {
    auto subject = ask.kind == AskKind::permission ? Result<ReadSubject>{read_permission(ask, context)}
                                                   : read_elicitation(ask, context);
    if (!subject) return subject;
    if (subject->tool.size() > limits::tool_name_bytes_max) return Error{Errc::too_large, "toolCall.name"};
    if (subject->cwd.size() > limits::cwd_bytes_max) return Error{Errc::too_large, "cwd"};
    return subject;
}

}  // namespace countersign::runtimes::acp
