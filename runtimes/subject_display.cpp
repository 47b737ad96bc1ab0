// SPDX-License-Identifier: Apache-2.0
#include "runtimes/subject_display.hpp"

#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "core/limits.hpp"
#include "core/risk.hpp"
#include "core/utf8.hpp"
#include "runtimes/call_facts.hpp"
#include "runtimes/call_summary.hpp"
#include "runtimes/diff.hpp"
#include "runtimes/known_members.hpp"
#include "runtimes/redacted_diff.hpp"
#include "security/display/display.hpp"
#include "security/display/scripts.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>

namespace countersign::runtimes {

namespace {

using Names = std::initializer_list<std::string_view>;

// Prints members in their original order and numbers as written. Nothing is left out, not even the first of two members
// with one name.
void print(std::string& out, const json::Value& value, std::size_t depth) {
    const std::string indent(2 * depth, ' ');
    if (const auto* object = value.object(); object != nullptr && !object->empty()) {
        out += "{\n";
        for (const auto& member : object->members()) {
            out.append(indent).append("  ").append(json::canonical(member.first)).append(": ");
            print(out, member.second, depth + 1);
            out += &member == &object->members().back() ? "\n" : ",\n";
        }
        out.append(indent).append("}");
    } else if (const auto* array = value.array(); array != nullptr && !array->empty()) {
        out += "[\n";
        for (const auto& element : *array) {
            out.append(indent).append("  ");
            print(out, element, depth + 1);
            out += &element == &array->back() ? "\n" : ",\n";
        }
        out.append(indent).append("]");
    } else if (const auto* number = value.number()) {
        out += number->lexeme;
    } else {
        out += json::canonical(value);
    }
}

std::string pretty(const json::Value& value) {
    std::string out;
    print(out, value, 0);
    return out;
}

// Sorts members and normalises numbers, so that equal arguments look equal.
json::Value in_canonical_order(const json::Value& value) {
    auto read = json::read(json::canonical(value));
    return read ? std::move(read->value) : value;
}

// The arguments that have not been shown yet.
class Rest {
public:
    explicit Rest(json::Object object) : object_{std::move(object)} {}

    std::optional<std::string> take_text(Names names) {
        for (const auto name : names) {
            auto& members = object_.members();
            const auto found = std::ranges::find(members, name, &json::Object::Member::first);
            if (found == members.end() || found->second.string() == nullptr) continue;
            auto text = std::move(*found->second.string());
            members.erase(found);
            return text;
        }
        return std::nullopt;
    }
    std::optional<json::Value> take(std::string_view name) {
        auto& members = object_.members();
        const auto found = std::ranges::find(members, name, &json::Object::Member::first);
        if (found == members.end()) return std::nullopt;
        auto value = std::move(found->second);
        members.erase(found);
        return value;
    }
    [[nodiscard]] bool empty() const { return object_.empty(); }
    // With a title, so that it cannot be mistaken for more of the text above.
    void append_to(std::string& out) const {
        if (!object_.empty()) out.append("\nother arguments: ").append(pretty(object_));
    }

private:
    json::Object object_;
};

// Takes exactly the member that is judged as the command.
std::optional<std::string> take_command(Rest& rest, const json::Object& input) {
    const auto* member = command_member(input);
    auto command = member == nullptr ? std::nullopt : command_in(member->second);
    if (command) rest.take(member->first);
    return command;
}

std::optional<SubjectDisplay> display_of_command(const json::Object& input) {
    Rest rest{input};
    auto command = take_command(rest, input);
    if (!command) return std::nullopt;
    SubjectDisplay shown{
        .text = std::move(*command), .diff = {}, .reason = rest.take_text({"description"}).value_or("")};
    rest.append_to(shown.text);
    return shown;
}

struct Change {
    std::string before;
    std::string after;
};

std::optional<Change> take_change(Rest& rest) {
    auto before = rest.take_text({"old_string", "oldString", "old_str", "oldText"});
    auto after = rest.take_text({"new_string", "newString", "new_str", "newText"});
    if (!before && !after) return std::nullopt;
    return Change{before.value_or(""), after.value_or("")};
}

// The diffs of a list of edits. Empty unless every member of each edit is understood; flags are shown as they are.
std::optional<std::string> diff_of_edits(const json::Value& edits) {
    const auto* array = edits.array();
    if (array == nullptr) return std::nullopt;
    std::string diff;
    for (const auto& edit : *array) {
        if (edit.object() == nullptr) return std::nullopt;
        Rest rest{*edit.object()};
        const auto change = take_change(rest);
        if (!change) return std::nullopt;
        diff += "@@\n" + line_diff(change->before, change->after);
        if (!rest.empty()) {
            std::string flags;
            rest.append_to(flags);
            diff.append(flags.substr(1)).append("\n");
        }
    }
    return diff;
}

std::optional<SubjectDisplay> display_of_edit(const json::Object& input) {
    Rest rest{input};
    SubjectDisplay shown;
    shown.text = rest.take_text({"file_path", "filePath", "path", "notebook_path"}).value_or("");
    if (const auto change = take_change(rest)) {
        shown.diff = line_diff(change->before, change->after);
    } else if (const auto content = rest.take_text({"content", "new_source"})) {
        shown.diff = line_diff("", *content);
    } else if (const auto patch = rest.take_text({"patch", "patchText", "input", "diff"})) {
        shown.diff = *patch;
    } else if (const auto edits = rest.take("edits")) {
        auto diff = diff_of_edits(*edits);
        if (!diff) return std::nullopt;
        shown.diff = std::move(*diff);
    } else {
        return std::nullopt;
    }
    rest.append_to(shown.text);
    if (shown.text.starts_with('\n')) shown.text.erase(0, 1);
    return shown;
}

constexpr auto path_members = std::to_array<std::string_view>({"file_path", "filePath", "path", "notebook_path"});
constexpr auto file_text_members =
    std::to_array<std::string_view>({"content", "new_source", "old_string", "oldString", "old_str", "oldText",
                                     "new_string", "newString", "new_str", "newText"});

// The members that contain the text of the edited file. Their kind is known only if all paths agree on it; otherwise a
// second path could make a script of it.
security::FileMembers file_members(ToolClass tool_class, const json::Value& input) {
    if (tool_class != ToolClass::edit || input.object() == nullptr) return {};
    std::optional<security::TextKind> kind;
    for (const auto name : path_members) {
        const auto* path = input.object()->find(name);
        if (path == nullptr || path->string() == nullptr) continue;
        const auto of_this = security::kind_of_file(*path->string());
        if (kind.value_or(of_this) != of_this) return {};
        kind = of_this;
    }
    return {.kind = kind.value_or(security::TextKind::any), .names = file_text_members};
}

void drop_allows(Approval& approval) {
    std::erase_if(approval.options, [](const Option& option) { return option.effect == Effect::allow; });
}

SubjectDisplay rendered(ToolClass tool_class, const json::Value& input, bool exact) {
    if (!exact || input.object() == nullptr) return {.text = pretty(input), .diff = {}, .reason = {}};
    const auto ordered = in_canonical_order(input);
    std::optional<SubjectDisplay> shown;
    if (tool_class == ToolClass::execute) shown = display_of_command(*ordered.object());
    if (tool_class == ToolClass::edit) shown = display_of_edit(*ordered.object());
    if (shown) return std::move(*shown);
    return {.text = pretty(ordered), .diff = {}, .reason = {}};
}

// Arguments on one line. In printed JSON every newline is layout, because newlines in texts are escaped.
std::string without_layout(std::string_view text) {
    const auto head = utf8::head(text, 4 * limits::record_summary_bytes_max);
    std::string line;
    for (std::size_t at = 0; at < head.size();) {
        if (head[at] != '\n') {
            line += head[at++];
            continue;
        }
        line += ' ';
        at = std::min(head.find_first_not_of(' ', at + 1), head.size());
    }
    return line;
}

}  // namespace

SubjectDisplay display_of_tool(std::string_view tool_name, const json::Value& input, bool exact,
                               const security::Redactor& redactor) {
    const auto tool_class = tool_class_of(tool_name);
    const auto file = exact ? file_members(tool_class, input) : security::FileMembers{};
    const auto redacted = redactor.value(input, file);
    const auto made = rendered(tool_class, redacted, exact);
    SubjectDisplay shown{.text = shown_block(made.text, redactor),
                         .diff = shown_block(redacted_diff(made.diff, file.kind, redactor), redactor),
                         .reason = shown_block(made.reason, redactor),
                         .summary = call_summary(tool_name, redacted, exact)};
    if (shown.summary.empty()) shown.summary = without_layout(shown.text);
    return shown;
}

std::string display_of_shell(const std::vector<std::string>& argv, const security::Redactor& redactor) {
    // Redacts each word by itself first: quoting could split a secret in two.
    std::vector<std::string> words;
    words.reserve(argv.size());
    for (const auto& word : argv) words.push_back(redactor.text(word));
    return shown_block(command_line(words), redactor);
}

std::string shown_block(std::string_view text, const security::Redactor& redactor) {
    return security::display(redactor.text(text), security::DisplayMode::block);
}

std::string shown_line(std::string_view text, const security::Redactor& redactor) {
    return security::display(redactor.text(text), security::DisplayMode::line);
}

void show(SubjectDisplay display, const ArgsHash& hash, Approval& approval) {
    auto& [text, diff, reason, summary] = display;
    approval.summary = std::move(summary);
    if (approval.untrusted_reason.size() + reason.size() >= limits::untrusted_reason_bytes_max && !reason.empty()) {
        text += "\ndescription: " + reason;
    } else if (!reason.empty()) {
        approval.untrusted_reason += (approval.untrusted_reason.empty() ? "" : "\n") + reason;
    }
    if (security::mixed_script(text)) text += "\nmixed scripts: letters that look alike may stand in one word";
    if (!is_whole(text) || !is_whole(diff)) drop_allows(approval);
    const auto bytes = text.size() + diff.size();
    if (bytes <= limits::display_text_bytes_max) {
        approval.display_text = std::move(text);
        approval.diff = std::move(diff);
        return;
    }
    approval.display_text = std::to_string(bytes) + " bytes, too large to show and to allow; argsHash " + hash.hex;
    drop_allows(approval);
}

bool is_whole(std::string_view shown) { return shown.find("«withheld: ") == std::string_view::npos; }

}  // namespace countersign::runtimes
