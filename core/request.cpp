// SPDX-License-Identifier: Apache-2.0
#include "core/request.hpp"

#include "core/utf8.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace countersign {

namespace {

constexpr std::array<std::pair<SuspectHost::Kind, std::string_view>, 4> suspect_kinds{
    {{SuspectHost::Kind::punycode, "punycode"},
     {SuspectHost::Kind::looks_alike, "looks-alike"},
     {SuspectHost::Kind::mixed_scripts, "mixed-scripts"},
     {SuspectHost::Kind::unreadable, "unreadable"}}};

// A title with the text indented below it, so that no line of an agent's text can look like one of our titles.
void section(std::string& out, std::string_view title, std::string_view text) {
    if (text.empty()) return;
    out.append(title).append(":\n");
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const auto end = std::min(text.find('\n', begin), text.size());
        out.append("    ").append(text.substr(begin, end - begin)).append("\n");
        begin = end + 1;
    }
}

std::string shown_text(const Request& request, const Approval& approval) {
    const bool shell = std::holds_alternative<ShellExec>(approval.subject);
    std::string out;
    section(out, "tool", shell ? "shell command" : tool_name_of(request));
    section(out, "working directory", request.cwd);
    section(out, shell ? "command" : "call", approval.display_text);
    section(out, "change", approval.diff);
    section(out, "the agent's own words, not verified", approval.untrusted_reason);
    return out;
}

constexpr std::string_view cut_mark = " …";

std::string cut(std::string_view text, std::size_t bytes_max) {
    const bool was_cut = text.size() <= bytes_max + cut_mark.size() && text.ends_with(cut_mark);
    if (text.size() <= bytes_max || was_cut) return std::string{text};
    return std::string{utf8::head(text, bytes_max)}.append(cut_mark);
}

std::string kind_of(const Question& question) {
    std::string kind = question.required ? "required" : "optional";
    if (!question.choices.empty()) kind += question.multiple ? ", any number of choices" : ", one choice";
    if (question.free_text) kind += ", free text";
    if (question.secret) kind += ", secret";
    return kind;
}

std::string shown_text(const Questionnaire& questionnaire) {
    std::string out;
    std::size_t number = 0;
    for (const auto& question : questionnaire.questions) {
        section(out, "question " + std::to_string(++number) + " (" + kind_of(question) + ")", question.text);
        std::size_t choice_number = 0;
        for (const auto& choice : question.choices) {
            section(out, "choice " + std::to_string(++choice_number), choice.label);
            section(out, "choice " + std::to_string(choice_number) + " explained", choice.description);
        }
    }
    return out;
}

}  // namespace

std::string_view name(SuspectHost::Kind kind) {
    const auto* found = std::ranges::find(suspect_kinds, kind, &decltype(suspect_kinds)::value_type::first);
    return found == suspect_kinds.end() ? std::string_view{"unreadable"} : found->second;
}

std::optional<SuspectHost::Kind> suspect_host_named(std::string_view text) {
    const auto* found = std::ranges::find(suspect_kinds, text, &decltype(suspect_kinds)::value_type::second);
    if (found == suspect_kinds.end()) return std::nullopt;
    return found->first;
}

std::string summary_of(std::string_view display_text) {
    // A longer prefix can't be shown: replacing newlines only makes the text longer.
    std::string line{utf8::head(display_text, limits::record_summary_bytes_max + cut_mark.size() + 1)};
    for (auto at = line.find('\n'); at != std::string::npos; at = line.find('\n', at)) line.replace(at, 1, "⏎");
    return cut(line, limits::record_summary_bytes_max);
}

std::string summary_of(const Request& request) {
    if (const auto* approval = request.approval()) {
        return summary_of(approval->summary.empty() ? approval->display_text : approval->summary);
    }
    const auto& questions = request.questionnaire()->questions;
    return questions.empty() ? std::string{} : summary_of(questions.front().text);
}

std::string unasked_text_of(std::string_view display_text) { return cut(display_text, limits::unasked_text_bytes_max); }

std::string tool_name_of(const Request& request) {
    const auto* approval = request.approval();
    if (approval == nullptr) return std::string{question_tool};
    const auto* tool = std::get_if<ToolUse>(&approval->subject);
    return tool == nullptr ? "shell" : tool->tool_name;
}

std::string shown_text(const Request& request) {
    if (const auto* approval = request.approval()) return shown_text(request, *approval);
    return shown_text(*request.questionnaire());
}

}  // namespace countersign
