// SPDX-License-Identifier: Apache-2.0
#include "runtimes/known_members.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace countersign::runtimes {

namespace {

using Known = std::pair<std::string_view, MemberKind>;
using enum MemberKind;

constexpr auto of_execute = std::to_array<Known>({
    {"command", command},
    {"cmd", command},
    {"script", command},
    {"cwd", cwd},
    {"workdir", cwd},
    {"workingdirectory", cwd},
    {"directory", cwd},
    {"dirpath", cwd},
    {"description", text},
    {"justification", text},
    {"timeout", text},
    {"timeoutms", text},
    {"yieldtimems", text},
    {"maxoutputtokens", text},
    {"runinbackground", text},
    {"isbackground", text},
    {"dangerouslydisablesandbox", off},
    {"withescalatedpermissions", off},
});

constexpr auto paths = std::to_array<std::string_view>({
    "path",         "paths",      "file",       "files",        "filepath", "filepaths",       "filename",
    "filenames",    "folder",     "notebook",   "notebookpath", "dirpath",  "directory",       "absolutepath",
    "targetfile",   "targetpath", "target",     "oldpath",      "newpath",  "oldfilepath",     "newfilepath",
    "source",       "sourcepath", "sourcefile", "src",          "from",     "destination",     "destinationpath",
    "destpath",     "dest",       "dst",        "to",           "into",     "destinationfile", "movepath",
    "relativepath", "root",       "include",
});

constexpr auto of_read = std::to_array<Known>({
    {"pattern", text},
    {"query", text},
    {"regex", text},
    {"glob", filter},
    {"exclude", filter},
    {"ignore", filter},
    {"type", text},
    {"outputmode", text},
    {"headlimit", text},
    {"multiline", text},
    {"i", text},
    {"n", text},
    {"a", text},
    {"b", text},
    {"c", text},
    {"o", text},
    {"context", text},
    {"offset", text},
    {"limit", text},
    {"pages", text},
    {"startline", text},
    {"endline", text},
    {"viewrange", text},
    {"recursive", text},
    {"casesensitive", text},
    {"description", text},
    {"respectgitignore", text},
});

constexpr auto of_edit = std::to_array<Known>({
    {"input", patch},
    {"patch", patch},
    {"patchtext", patch},
    {"diff", patch},
    {"unifieddiff", patch},
    {"content", text},
    {"contents", text},
    {"filetext", text},
    {"oldstring", text},
    {"newstring", text},
    {"oldstr", text},
    {"newstr", text},
    {"oldtext", text},
    {"newtext", text},
    {"newsource", text},
    {"replaceall", text},
    {"expectedreplacements", text},
    {"allowmultiple", text},
    {"cellid", text},
    {"cellnumber", text},
    {"celltype", text},
    {"editmode", text},
    {"insertline", text},
    {"inserttext", text},
    {"description", text},
    {"instruction", text},
    {"type", text},
    {"edits", parts},
    {"changes", parts},
    {"kind", parts},
});

constexpr auto of_fetch = std::to_array<Known>({
    {"url", url},
    {"urls", url},
    {"uri", url},
    {"host", host},
    {"hostname", host},
    {"domain", host},
    {"prompt", text},
    {"query", text},
    {"description", text},
    {"format", text},
    {"timeout", text},
    {"maxlength", text},
    {"startindex", text},
    {"alloweddomains", text},
    {"blockeddomains", text},
});

// We don't know what an unknown tool does with its arguments; anything that looks like a path or a host is treated as
// one.
constexpr auto of_other = std::to_array<Known>({
    {"url", url},
    {"urls", url},
    {"uri", url},
    {"host", host},
    {"hostname", host},
    {"domain", host},
});

std::span<const Known> known_of(ToolClass tool_class) {
    switch (tool_class) {
    case ToolClass::execute:
        return of_execute;
    case ToolClass::read:
        return of_read;
    case ToolClass::edit:
        return of_edit;
    case ToolClass::fetch:
        return of_fetch;
    case ToolClass::other:
        break;
    }
    return of_other;
}

bool is_scalar(const json::Value& value) { return value.array() == nullptr && value.object() == nullptr; }

bool is_list_of_scalars(const json::Value& value) {
    return value.array() != nullptr && std::ranges::all_of(*value.array(), is_scalar);
}

bool is_text(const json::Value& value) { return value.string() != nullptr; }

bool is_texts(const json::Value& value) {
    return is_text(value) || (value.array() != nullptr && std::ranges::all_of(*value.array(), is_text));
}

bool parts_known(ToolClass tool_class, const json::Value& value) {
    if (const auto* object = value.object()) return all_known(tool_class, *object);
    if (const auto* array = value.array()) {
        return std::ranges::all_of(*array, [&](const json::Value& one) { return parts_known(tool_class, one); });
    }
    return is_text(value);
}

bool is_known(ToolClass tool_class, const json::Object::Member& member) {
    const auto& [name, value] = member;
    switch (member_kind(tool_class, folded_name(name))) {
    case unknown:
        return false;
    case command:
    case path:
    case url:
    case host:
        return is_texts(value) || value.is_null();
    case cwd:
    case patch:
        return is_text(value) || value.is_null();
    case filter:
    case text:
        return is_scalar(value) || is_list_of_scalars(value);
    case off:
        return value.is_null() || (value.boolean() != nullptr && !*value.boolean());
    case parts:
        return parts_known(tool_class, value);
    }
    return false;
}

auto commands_in(const json::Object& input) {
    std::vector<const json::Object::Member*> found;
    for (const auto& member : input.members()) {
        if (member_kind(ToolClass::execute, folded_name(member.first)) == command) found.push_back(&member);
    }
    return found;
}

}  // namespace

std::string folded_name(std::string_view name) {
    std::string out;
    for (const char c : name) {
        if (c == '_' || c == '-') continue;
        out += (c >= 'A' && c <= 'Z') ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return out;
}

MemberKind member_kind(ToolClass tool_class, std::string_view folded) {
    const auto known = known_of(tool_class);
    const auto found = std::ranges::find(known, folded, &Known::first);
    if (found != known.end()) return found->second;
    const bool takes_paths = tool_class != ToolClass::execute && tool_class != ToolClass::fetch;
    return takes_paths && std::ranges::find(paths, folded) != paths.end() ? path : unknown;
}

const json::Object::Member* command_member(const json::Object& input) {
    const auto found = commands_in(input);
    return found.size() == 1 ? found.front() : nullptr;
}

bool has_several_commands(const json::Object& input) { return commands_in(input).size() > 1; }

bool all_known(ToolClass tool_class, const json::Object& input) {
    if (tool_class == ToolClass::other) return input.empty();
    const auto directories = std::ranges::count_if(input.members(), [&](const json::Object::Member& member) {
        return member_kind(tool_class, folded_name(member.first)) == cwd;
    });
    return directories <= 1 && std::ranges::all_of(input.members(), [&](const json::Object::Member& member) {
               return is_known(tool_class, member);
           });
}

}  // namespace countersign::runtimes
