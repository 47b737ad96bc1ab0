// SPDX-License-Identifier: Apache-2.0
#include "runtimes/call_facts.hpp"

#include "core/path.hpp"
#include "runtimes/known_members.hpp"
#include "runtimes/patch_paths.hpp"
#include "runtimes/path_readings.hpp"
#include "security/url.hpp"

#include <algorithm>
#include <array>

namespace countersign::runtimes {

namespace {

void add_all(std::vector<std::string>& list, std::vector<std::string> more) {
    for (auto& one : more) {
        if (std::ranges::find(list, one) == list.end()) list.push_back(std::move(one));
    }
}

void add_hosts(CallFacts& facts, security::FoundHosts found) {
    facts.odd_url |= found.odd;
    add_all(facts.hosts, std::move(found.hosts));
    add_all(facts.possible_hosts, std::move(found.possible));
    const bool too_many = facts.hosts.size() > call_hosts_max || facts.possible_hosts.size() > call_hosts_max;
    facts.odd_url |= too_many;
    if (facts.hosts.size() > call_hosts_max) facts.hosts.resize(call_hosts_max);
    if (facts.possible_hosts.size() > call_hosts_max) facts.possible_hosts.resize(call_hosts_max);
}

security::FoundHosts hosts_in(MemberKind kind, std::string_view text) {
    if (kind == MemberKind::url) return security::hosts_of_url(text);
    if (kind == MemberKind::host) return security::hosts_of_host(text);
    return security::hosts_in_text(text);
}

// Whether a glob can match something outside the directory where it searches.
bool climbs_out(std::string_view glob) {
    return glob.starts_with('/') || glob.starts_with('~') || glob.find("..") != glob.npos;
}

// The patterns of files that a search includes; exclusion patterns don't matter.
bool selects_files(const CallFacts& facts, std::string_view member) {
    constexpr auto selecting = std::to_array<std::string_view>(
        {"fileglob", "filepattern", "filepatterns", "glob", "globs", "include", "includepattern", "includes"});
    const auto tool = folded_name(facts.tool_name);
    const bool finds_files = tool.ends_with("glob") || tool.ends_with("searchfiles") || tool.ends_with("findfiles");
    if (finds_files && (member == "pattern" || member == "patterns")) return true;
    const bool searches = facts.tool_class == ToolClass::read || facts.tool_class == ToolClass::other;
    return searches && std::ranges::find(selecting, member) != selecting.end();
}

// Adds each expansion of the braces that leads out of the directory.
void add_glob(CallFacts& facts, const std::string& glob) {
    const auto alternatives = glob_alternatives(glob);
    if (!alternatives) {
        facts.odd_path = true;
        return;
    }
    for (const auto& one : *alternatives) {
        if (climbs_out(one)) add_all(facts.paths, {one});
        facts.odd_path |= climbs_after_wildcard(one);
    }
}

void add_place(CallFacts& facts, MemberKind kind, std::string_view member, const std::string& text) {
    const bool selector = selects_files(facts, member);
    if (selector) facts.selectors.push_back(text);
    if (selector || kind == MemberKind::filter) add_glob(facts, text);
    const bool pattern = member == "pattern" && folded_name(facts.tool_name) == "glob";
    if (kind == MemberKind::path || pattern) {
        add_all(facts.paths, {text});
    } else if (kind == MemberKind::patch) {
        facts.unknown_members |= !add_patch_paths(text, facts.paths);
    } else if (kind == MemberKind::unknown && facts.tool_class != ToolClass::other) {
        facts.paths.push_back(text);  // it may be another file
    }
}

// Takes one string of the input, under the name of the nearest member above it.
void add_text(CallFacts& facts, std::string_view member, const std::string& text) {
    const auto kind = member_kind(facts.tool_class, member);
    add_place(facts, kind, member, text);
    if (facts.tool_class == ToolClass::edit) return;  // a file's text may mention any host
    add_hosts(facts, hosts_in(kind, text));
    // We don't know what an unknown tool does with its strings.
    const bool unknown = facts.tool_class == ToolClass::other;
    if (unknown && !facts.command && mentions_own_setting(text)) facts.command = text;
}

void walk(CallFacts& facts, const std::string& member, const json::Value& value) {
    if (const auto* text = value.string()) {
        add_text(facts, member, *text);
    } else if (const auto* array = value.array()) {
        for (const auto& element : *array) walk(facts, member, element);
    } else if (const auto* object = value.object()) {
        for (const auto& [name, inner] : object->members()) walk(facts, folded_name(name), inner);
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

// The tool of that name takes a text. What it would do with a list isn't known.
bool is_list_for_bash(const CallFacts& facts, const json::Object& input) {
    const auto* member = command_member(input);
    return member != nullptr && member->second.array() != nullptr && folded_name(facts.tool_name) == "bash";
}

// An ambiguous input, or one with two commands, must not be parsed as a command; rules still see what it mentions.
void read_command(CallFacts& facts, const json::Object& input, bool exact) {
    facts.cwd = cwd_of(input);
    if (exact && !has_several_commands(input) && !is_list_for_bash(facts, input)) {
        const auto* member = command_member(input);
        facts.command = member == nullptr ? std::nullopt : command_in(member->second);
    } else {
        facts.command = ";";
        add_strings(input, *facts.command);
    }
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

std::optional<std::string> command_in(const json::Value& value) {
    if (const auto* text = value.string()) return *text;
    const auto* array = value.array();
    if (array == nullptr || array->empty()) return std::nullopt;
    std::vector<std::string> argv;
    for (const auto& element : *array) {
        if (element.string() == nullptr) return std::nullopt;
        argv.push_back(*element.string());
    }
    return command_line(argv);
}

std::string cwd_of(const json::Object& input) {
    for (const auto& [name, value] : input.members()) {
        const bool directory = member_kind(ToolClass::execute, folded_name(name)) == MemberKind::cwd;
        if (directory && value.string() != nullptr) return *value.string();
    }
    return {};
}

CallFacts facts_of_tool(std::string_view tool_name, const json::Value& input, bool exact) {
    CallFacts facts;
    facts.tool_name = tool_name;
    facts.tool_class = tool_class_of(tool_name);
    const auto* object = input.object();
    if (object == nullptr) return facts;
    facts.unknown_members = !all_known(facts.tool_class, *object);
    if (facts.tool_class == ToolClass::execute) read_command(facts, *object, exact);
    walk(facts, "", input);
    add_readings(facts);
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
    add_hosts(facts, security::hosts_in_text(*facts.command));
    add_readings(facts);
    return facts;
}

}  // namespace countersign::runtimes
