// SPDX-License-Identifier: Apache-2.0
#include "runtimes/call_facts.hpp"

#include "core/path.hpp"

#include <algorithm>
#include <array>

namespace countersign::runtimes {

namespace {

constexpr auto command_names = std::to_array<std::string_view>({"command", "cmd", "script"});
constexpr auto cwd_names =
    std::to_array<std::string_view>({"cwd", "workdir", "workingdirectory", "directory", "dirpath"});
constexpr auto path_names = std::to_array<std::string_view>({
    "path",         "paths",   "file",      "files",      "filepath", "filename", "notebookpath",
    "absolutepath", "dirpath", "directory", "targetfile", "oldpath",  "newpath",  "source",
    "destination",  "src",     "dst",       "target",     "root",
});
constexpr auto patch_names = std::to_array<std::string_view>({"input", "patch", "patchtext", "diff"});
constexpr auto host_names = std::to_array<std::string_view>({"url", "urls", "uri", "host", "hostname", "domain"});
constexpr auto patch_marks = std::to_array<std::string_view>({
    "*** Update File: ",
    "*** Add File: ",
    "*** Delete File: ",
    "*** Move to: ",
    "+++ b/",
    "--- a/",
    "+++ ",
    "--- ",
    "rename from ",
    "rename to ",
    "Index: ",
});

template <class List> bool among(const List& list, std::string_view word) {
    return std::ranges::find(list, word) != list.end();
}

std::string folded(std::string_view name) {
    std::string out;
    for (const char c : name) {
        if (c == '_' || c == '-') continue;
        out += (c >= 'A' && c <= 'Z') ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return out;
}

void add_host(std::string_view text, std::vector<std::string>& hosts) {
    const bool bracketed = text.starts_with('[');
    const auto end = bracketed ? text.find(']') : text.find(':');
    auto host = std::string{text.substr(0, bracketed && end != text.npos ? end + 1 : end)};
    for (auto& c : host) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    while (host.ends_with('.')) host.pop_back();
    if (!host.empty()) hosts.push_back(std::move(host));
}

// Readers disagree on what "good@evil" and "good\@evil" name, so each part counts as a host: one that no rule knows.
void add_authority(std::string_view text, std::vector<std::string>& hosts) {
    auto authority = text.substr(0, text.find_first_of("/?# \t\r\n\"'<>`|;,)}"));
    while (true) {
        const auto end = authority.find_first_of("@\\");
        add_host(authority.substr(0, end), hosts);
        if (end == authority.npos) return;
        authority.remove_prefix(end + 1);
    }
}

void add_hosts_in(std::string_view text, std::vector<std::string>& hosts) {
    for (auto at = text.find("://"); at != text.npos; at = text.find("://", at + 3)) {
        add_authority(text.substr(at + 3), hosts);
    }
}

void add_patch_paths(std::string_view text, std::vector<std::string>& paths) {
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        const auto line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const auto mark =
            std::ranges::find_if(patch_marks, [line](std::string_view one) { return line.starts_with(one); });
        if (mark == patch_marks.end()) continue;
        auto path = line.substr(mark->size());
        path = path.substr(0, path.find('\t'));
        while (path.ends_with('\r') || path.ends_with(' ')) path.remove_suffix(1);
        if (path != "/dev/null" && !path.empty()) paths.emplace_back(path);
    }
}

// One string of the input, under the name of the nearest member above it.
void add_text(CallFacts& facts, std::string_view member, const std::string& text) {
    if (among(path_names, member)) facts.paths.push_back(text);
    if (facts.tool_class == ToolClass::edit) {
        if (among(patch_names, member)) add_patch_paths(text, facts.paths);
        return;  // the text of a file may speak of any host
    }
    if (folded(facts.tool_name) == "glob" && member == "pattern") facts.paths.push_back(text);
    add_hosts_in(text, facts.hosts);
    if (among(host_names, member) && text.find("://") == text.npos) add_authority(text, facts.hosts);
    // Nobody knows what an unknown tool does with its strings.
    const bool unknown = facts.tool_class == ToolClass::other;
    if (unknown && !facts.command && mentions_own_setting(text)) facts.command = text;
}

void walk(CallFacts& facts, const std::string& member, const json::Value& value) {
    if (const auto* text = value.string()) {
        add_text(facts, member, *text);
    } else if (const auto* array = value.array()) {
        for (const auto& element : *array) walk(facts, member, element);
    } else if (const auto* object = value.object()) {
        for (const auto& [name, inner] : object->members()) walk(facts, folded(name), inner);
    }
}

void add_strings(const json::Value& value, std::string& out) {
    if (const auto* text = value.string()) {
        out.append(*text).append(";");
    } else if (const auto* array = value.array()) {
        for (const auto& element : *array) add_strings(element, out);
    } else if (const auto* object = value.object()) {
        for (const auto& [name, inner] : object->members()) add_strings(inner, out);
    }
}

std::optional<std::string> command_in(const json::Value& value) {
    if (const auto* text = value.string()) return *text;
    const auto* array = value.array();
    if (array == nullptr) return std::nullopt;
    std::vector<std::string> argv;
    for (const auto& element : *array) {
        if (element.string() == nullptr) return std::nullopt;
        argv.push_back(*element.string());
    }
    return command_line(argv);
}

std::optional<std::string> command_of(const json::Object& input) {
    for (const auto& [name, value] : input.members()) {
        if (among(command_names, folded(name))) return command_in(value);
    }
    return std::nullopt;
}

bool needs_quotes(std::string_view word) {
    const auto plain = [](char c) {
        return static_cast<unsigned char>(c) >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               (c >= '0' && c <= '9') || std::string_view{"-_./,:=@%+^"}.find(c) != std::string_view::npos;
    };
    return word.empty() || !std::ranges::all_of(word, plain);
}

std::string in_shell_quotes(std::string_view word) {
    if (!needs_quotes(word)) return std::string{word};
    std::string out = "'";
    for (const char c : word) {
        if (c == '\'') {
            out += "'\\''";
        } else {
            out += c;
        }
    }
    return out + "'";
}

}  // namespace

std::string command_line(const std::vector<std::string>& argv) {
    if (argv.size() == 1) return argv.front();
    std::string line;
    for (const auto& word : argv) {
        if (!line.empty()) line += ' ';
        line += in_shell_quotes(word);
    }
    return line;
}

std::string cwd_of(const json::Object& input) {
    for (const auto& [name, value] : input.members()) {
        if (among(cwd_names, folded(name)) && value.string() != nullptr) return *value.string();
    }
    return {};
}

CallFacts facts_of_tool(std::string_view tool_name, const json::Value& input, bool exact) {
    CallFacts facts;
    facts.tool_name = tool_name;
    facts.tool_class = tool_class_of(tool_name);
    const auto* object = input.object();
    if (object == nullptr) return facts;
    if (facts.tool_class == ToolClass::execute) {
        facts.cwd = cwd_of(*object);
        // Of two readings none is a command to be parsed; what they mention still counts.
        facts.command = exact ? command_of(*object) : ";";
        if (!exact) add_strings(input, *facts.command);
    }
    walk(facts, "", input);
    return facts;
}

void ask_people(Judgement& judgement, std::string_view why) {
    if (judgement.policy.effect == PolicyEffect::allow) judgement.policy = {PolicyEffect::ask, std::string{why}};
    judgement.may_grant = false;
}

CallFacts facts_of_shell(const std::vector<std::string>& argv, std::string_view cwd) {
    CallFacts facts;
    facts.tool_name = "shell";
    facts.tool_class = ToolClass::execute;
    facts.command = command_line(argv);
    facts.cwd = cwd;
    add_hosts_in(*facts.command, facts.hosts);
    return facts;
}

}  // namespace countersign::runtimes
