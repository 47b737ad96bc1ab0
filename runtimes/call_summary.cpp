// SPDX-License-Identifier: Apache-2.0
#include "runtimes/call_summary.hpp"

#include "core/limits.hpp"
#include "core/risk.hpp"
#include "core/utf8.hpp"
#include "runtimes/call_facts.hpp"
#include "runtimes/known_members.hpp"
#include "runtimes/patch_paths.hpp"
#include "security/display/display.hpp"

#include <vector>

namespace countersign::runtimes {

namespace {

constexpr std::size_t paths_max = 8;  // more don't fit on a line

// The texts of the arguments, by kind.
struct Texts {
    std::vector<std::string> paths;
    std::string url;
    std::string pattern;
    std::string first;
};

bool is_pattern(std::string_view member) { return member == "pattern" || member == "query" || member == "regex"; }

void keep_first(std::string& kept, const std::string& text) {
    if (kept.empty()) kept = text;
}

void take(Texts& texts, ToolClass tool_class, std::string_view member, const std::string& text) {
    if (text.empty()) return;
    keep_first(texts.first, text);
    const auto kind = member_kind(tool_class, member);
    if (kind == MemberKind::path && texts.paths.size() < paths_max) texts.paths.push_back(text);
    if (kind == MemberKind::patch) (void)add_patch_paths(text, texts.paths);
    if (kind == MemberKind::host || kind == MemberKind::url) keep_first(texts.url, text);
    if (is_pattern(member)) keep_first(texts.pattern, text);
}

void collect(Texts& texts, ToolClass tool_class, const std::string& member, const json::Value& value) {
    if (const auto* text = value.string()) {
        take(texts, tool_class, member, *text);
    } else if (const auto* array = value.array()) {
        for (const auto& element : *array) collect(texts, tool_class, member, element);
    } else if (const auto* object = value.object()) {
        for (const auto& [name, inner] : object->members()) collect(texts, tool_class, folded_name(name), inner);
    }
}

std::string joined(const std::vector<std::string>& paths) {
    std::string all;
    for (const auto& path : paths) all += (all.empty() ? "" : ", ") + path;
    return all;
}

std::string command_of(const json::Object& input) {
    const auto* member = command_member(input);
    return member == nullptr ? std::string{} : command_in(member->second).value_or("");
}

std::string words_of(ToolClass tool_class, const json::Object& input) {
    if (tool_class == ToolClass::execute) {
        if (auto command = command_of(input); !command.empty()) return command;
    }
    Texts texts;
    collect(texts, tool_class, "", input);
    const auto paths = joined(texts.paths);
    if (tool_class == ToolClass::read && !texts.pattern.empty())
        return texts.pattern + (paths.empty() ? "" : " in " + paths);
    if (!texts.url.empty()) return texts.url;
    if (!paths.empty()) return paths;
    return texts.pattern.empty() ? texts.first : texts.pattern;
}

}  // namespace

std::string call_summary(std::string_view tool_name, const json::Value& redacted, bool exact) {
    if (!exact || redacted.object() == nullptr) return {};
    const auto words = words_of(tool_class_of(tool_name), *redacted.object());
    // Keep enough that the final cut can still tell that there was more.
    const auto head = utf8::head(words, 2 * limits::record_summary_bytes_max);
    return security::display(head, security::DisplayMode::line);
}

}  // namespace countersign::runtimes
