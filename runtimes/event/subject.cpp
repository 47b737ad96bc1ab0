// SPDX-License-Identifier: Apache-2.0
#include "runtimes/event/subject.hpp"

#include "core/command/danger.hpp"
#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "core/limits.hpp"
#include "core/path.hpp"
#include "runtimes/call_facts.hpp"
#include "security/args_hash.hpp"

namespace countersign::runtimes::event {

namespace {

constexpr std::initializer_list<std::string_view> shell_members{"kind", "argv", "cwd", "commandText",
                                                                "displayCommandText"};

json::Object only(const json::Object& object, std::initializer_list<std::string_view> names) {
    json::Object kept;
    for (const auto name : names) {
        if (const auto* value = object.find(name)) kept.add(std::string{name}, *value);
    }
    return kept;
}

void hash_into(ReadSubject& subject, Fields& fields, std::string_view name) {
    auto hash = security::args_hash(subject.tool, subject.raw_input);
    if (hash) {
        subject.hash = std::move(*hash);
    } else {
        fields.fail(name, "cannot be hashed", hash.error().code);
    }
}

ReadSubject read_tool_use(Fields& fields, const json::Object& object, std::string_view raw_subject) {
    ReadSubject subject;
    subject.tool = fields.exact_text("toolName", limits::tool_name_bytes_max);
    const auto tool_id = fields.text("toolId", limits::tool_id_bytes_max, 0);
    (void)fields.object("displayArgs");  // checked but never shown: the asker does not choose what people see
    if (fields.object("rawInput") == nullptr) return subject;

    const auto& input = *object.find("rawInput");
    subject.raw_input = fields.raw(input);
    hash_into(subject, fields, "rawInput");
    const bool exact = subject.hash.canonical;
    if (exact) subject.raw_input = json::canonical(input);
    subject.shown = ToolUse{fields.shown_line("toolName", subject.tool, limits::tool_name_bytes_max),
                            fields.shown_line("toolId", tool_id, limits::tool_id_bytes_max)};
    subject.facts = facts_of_tool(subject.tool, input, exact);
    subject.cwd = subject.facts.cwd;
    subject.display = display_of_tool(subject.tool, input, exact, fields.redactor());
    subject.printed = exact ? json::canonical(only(object, {"kind", "toolName", "toolId", "rawInput", "displayArgs"}))
                            : std::string{raw_subject};
    return subject;
}

// Agents print the same command in different ways: with quotes where a shell needs them, or the part after `sh -c`.
// Words that are only joined by blanks may be another command: ls "; rm -rf ~".
bool says_the_same(const std::string& command_text, const std::vector<std::string>& argv) {
    constexpr std::string_view shells = "sh bash zsh dash ksh mksh ash fish pwsh powershell";
    const bool shell = argv.size() == 3 && lists_word(shells, program_name(argv[0])) && argv[1].starts_with('-') &&
                       argv[1].ends_with('c');
    return command_text == command_line(argv) || (shell && command_text == argv[2]);
}

ReadSubject read_shell_exec(Fields& fields, const json::Object& object, std::string_view raw_subject) {
    ReadSubject subject;
    subject.tool = "shell";
    const auto argv = fields.texts("argv", limits::argv_max, limits::agent_line_bytes_max);
    if (argv.empty()) fields.fail("argv", "at least 1");
    subject.cwd = fields.optional_text("cwd", limits::cwd_bytes_max);
    const auto command_text = fields.text("commandText", limits::agent_line_bytes_max, 0);
    (void)fields.text("displayCommandText", limits::agent_line_bytes_max, 0);
    if (fields.failed()) return subject;

    const auto read = json::read(raw_subject);
    const bool exact = read && read->exact();
    subject.raw_input = exact ? json::canonical(only(object, {"argv", "cwd"})) : std::string{raw_subject};
    hash_into(subject, fields, "argv");
    subject.shown = ShellExec{};
    subject.facts = facts_of_shell(argv, subject.cwd);
    subject.facts.unknown_members = only(object, shell_members).members().size() != object.members().size();
    subject.display.text = display_of_shell(argv, fields.redactor());
    subject.contradicts_itself = !says_the_same(command_text, argv);
    if (subject.contradicts_itself) {
        subject.display.text += "\ncommandText says something else: " + shown_block(command_text, fields.redactor());
    }
    const bool told_whole = exact && !subject.facts.unknown_members;
    subject.printed = told_whole ? json::canonical(only(object, shell_members)) : std::string{raw_subject};
    return subject;
}

}  // namespace

ReadSubject read_subject(Fields& event, const std::string& cwd) {
    const auto* object = event.object("subject");
    if (object == nullptr) return {};
    auto fields = event.child("subject");
    const auto raw_subject = event.raw(*event.find("subject"));
    const auto kind = fields.text("kind", limits::agent_line_bytes_max);
    ReadSubject subject;
    if (kind == "tool_use") {
        subject = read_tool_use(fields, *object, raw_subject);
    } else if (kind == "shell_exec") {
        subject = read_shell_exec(fields, *object, raw_subject);
    } else {
        fields.fail("kind", "must be tool_use or shell_exec", Errc::unsupported);
    }
    if (subject.cwd.empty()) subject.cwd = subject.facts.cwd = cwd;
    subject.facts.elsewhere = resolved_path(subject.cwd, "") != resolved_path(cwd, "");
    return subject;
}

}  // namespace countersign::runtimes::event
