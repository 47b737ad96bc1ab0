// SPDX-License-Identifier: Apache-2.0
#include "config/pattern_mistakes.hpp"

#include "core/command/line.hpp"
#include "core/command/table.hpp"
#include "core/path.hpp"
#include "security/ip_address.hpp"
#include "security/url.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace countersign::config {

namespace {

constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view name_characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
constexpr std::string_view digits = "0123456789";

bool is_wild(std::string_view text) { return text.find_first_of("*?") != text.npos; }
bool is_ascii(std::string_view text) {
    return std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}
bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }
bool only_of(std::string_view text, std::string_view characters) {
    return text.find_first_not_of(characters) == text.npos;
}

std::string lower(std::string_view text) {
    std::string out{text};
    std::ranges::transform(out, out.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    return out;
}

std::string write(std::string_view key, std::string_view value) { return fmt::format("write {} = \"{}\"", key, value); }

// Bash(git *), Read(docs/*): the syntax of rules in Claude Code's settings.
std::optional<std::string_view> inside_of_a_call(std::string_view pattern) {
    const auto open = std::min(pattern.find_first_not_of(letters), pattern.size());
    if (open == 0 || !pattern.substr(open).starts_with('(') || !pattern.ends_with(')')) return std::nullopt;
    return pattern.substr(open + 1, pattern.size() - open - 2);
}

// Hosts

// A call's host is a lower-case name, or an IPv6 address in brackets (security/url.hpp).
bool can_be_name(std::string_view text) {
    return !text.empty() && only_of(text, "abcdefghijklmnopqrstuvwxyz0123456789-_.*?") && !text.starts_with('.') &&
           !text.ends_with('.') && text.find("..") == text.npos;
}
bool can_be_ipv6(std::string_view text) {
    if (text.size() < 2 || !only_of(text, "0123456789abcdef:.[]*?")) return false;
    const auto inner = text.substr(1, text.size() - 2);
    const bool begins = text.front() == '[' || is_wild(text.substr(0, 1));
    const bool ends = text.back() == ']' || is_wild(text.substr(text.size() - 1));
    if (!begins || !ends || inner.find_first_of("[]") != inner.npos) return false;
    if (is_wild(text)) return true;
    return security::ipv6_canonical(inner) == inner;
}

std::string without_port(std::string_view text) {
    if (text.starts_with('[')) return std::string{text.substr(0, std::min(text.find(']'), text.size() - 1) + 1)};
    if (std::ranges::count(text, ':') < 2) return std::string{text.substr(0, text.find(':'))};
    const auto address = security::ipv6_canonical(text);
    return address ? "[" + *address + "]" : "[" + std::string{text} + (text.ends_with('*') ? "" : "]");
}

// Only the host in the text; empty if that is unclear.
std::string host_meant(std::string_view text) {
    if (const auto scheme = text.find("://"); scheme != text.npos) text.remove_prefix(scheme + 3);
    text = text.substr(0, text.find_first_of("/#"));
    if (const auto user = text.rfind('@'); user != text.npos) text.remove_prefix(user + 1);
    while (text.ends_with('.')) text.remove_suffix(1);
    if (text.empty()) return {};
    auto host = without_port(text);
    while (host.ends_with('.')) host.pop_back();
    if (host.starts_with('.')) host.insert(0, "*");
    if (host.starts_with('[') && host.ends_with(']')) {
        const auto address = security::ipv6_canonical(std::string_view{host}.substr(1, host.size() - 2));
        if (address) host = "[" + *address + "]";
    }
    const bool narrows = host.find_first_not_of("*?.") != host.npos;
    return narrows && (can_be_name(host) || can_be_ipv6(host)) ? host : std::string{};
}

// 10.0.0.0/8
std::optional<PatternMistake> network(std::string_view text) {
    const auto slash = text.find('/');
    const auto bits = slash == text.npos ? "" : text.substr(slash + 1);
    if (bits.empty() || !only_of(bits, digits) || !only_of(text.substr(0, slash), "0123456789abcdef.:[]")) return {};
    return PatternMistake{.what = "no host is called " + std::string{text} + ": networks aren't supported",
                          .instead = "write the addresses with wildcards, such as host = \"10.*\""};
}

PatternMistake in_another_script(std::string_view text) {
    const auto exact = is_wild(text) ? std::nullopt : security::idna_host(text);
    return {.what = "names in other scripts are compared in their IDNA form",
            .instead = exact ? write("host", *exact)
                             : "write the name as it is registered, such as host = \"xn--mnchen-3ya.de\""};
}

// Commands

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    while (true) {
        const auto begin = text.find_first_not_of(" \t");
        if (begin == text.npos) return words;
        const auto end = std::min(text.find_first_of(" \t", begin), text.size());
        words.emplace_back(text.substr(begin, end - begin));
        text.remove_prefix(end);
    }
}

bool is_assignment(std::string_view word) {
    const auto equals = word.find('=');
    if (equals == word.npos || equals == 0 || digits.find(word.front()) != digits.npos) return false;
    auto name = word.substr(0, equals);
    if (name.ends_with('+')) name.remove_suffix(1);
    return only_of(name, name_characters);
}

std::string without_assignments(std::string_view pattern) {
    std::string rest;
    bool leading = true;
    for (const auto& word : words_of(pattern)) {
        leading = leading && is_assignment(word);
        if (!leading) rest.append(rest.empty() ? "" : " ").append(word);
    }
    return rest;
}

// The pattern after a shell removed the quotes; a blank inside them becomes `?`.
std::string without_quotes(std::string_view pattern) {
    std::string out;
    char quote = 0;
    for (const char c : pattern) {
        if (quote == 0 && (c == '"' || c == '\'')) {
            quote = c;
        } else if (c == quote) {
            quote = 0;
        } else {
            out += quote != 0 && c == ' ' ? '?' : c;
        }
    }
    return quote == 0 ? out : std::string{};
}

bool expands(std::string_view text) {
    for (auto at = text.find('$'); at != text.npos; at = text.find('$', at + 1)) {
        const auto next = text.substr(at + 1, 1);
        if (!next.empty() && (next == "{" || next == "(" || next == "_" || letters.find(next) != letters.npos))
            return true;
    }
    return false;
}

// Another program's syntax: Bash(git:*) means git *.
PatternMistake call_of_a_command(std::string_view pattern, std::string_view inner) {
    std::string command{inner};
    if (command.ends_with(":*")) command.replace(command.size() - 2, 2, " *");
    const auto tool = pattern.substr(0, pattern.find('('));
    return {.what = fmt::format("no command begins with {}(", tool),
            .instead = fmt::format("write tool = \"{}\" and command = \"{}\"", tool, command)};
}

// Paths

// A list in braces: {env,pem}. But {{cookiecutter.name}} is a name.
bool has_alternatives(std::string_view pattern) {
    const auto open = pattern.find('{');
    if (open == pattern.npos) return false;
    const auto close = pattern.find('}', open);
    return close != pattern.npos && pattern.substr(open, close - open).find(',') != pattern.npos;
}

// *.env, *.pem
bool is_list(std::string_view pattern) {
    for (auto at = pattern.find(','); at != pattern.npos; at = pattern.find(',', at + 1)) {
        const auto next = pattern.find_first_not_of(' ', at + 1);
        if (next != pattern.npos && std::string_view{"*/~"}.find(pattern[next]) != std::string_view::npos) return true;
    }
    return false;
}

PatternMistake several_paths(std::string_view character) {
    return {.what = "one pattern names one path",
            .instead = fmt::format("write a rule for each; a {} in the name of a file is written ?", character)};
}

// $HOME/x, ${HOME}/x, $PWD/x
PatternMistake variable_in_path(std::string_view pattern) {
    const auto slash = std::min(pattern.find('/'), pattern.size());
    auto name = pattern.substr(1, slash - 1);
    if (name.starts_with('{') && name.ends_with('}')) name = name.substr(1, name.size() - 2);
    const auto rest = slash < pattern.size() ? pattern.substr(slash + 1) : std::string_view{"*"};
    const auto meant = name == "HOME"  ? write("path", fmt::format("~/{}", rest))
                       : name == "PWD" ? write("path", rest)
                                       : std::string{"write the place itself"};
    return {.what = "paths are compared without variables",
            .instead = fmt::format("{}; a file of that name is ./{}", meant, pattern)};
}

// Paths are compared without `.`, `..` and repeated slashes. A relative pattern loses them too.
std::optional<PatternMistake> unresolved(std::string_view pattern) {
    const bool rooted = pattern.starts_with('/');
    const bool anywhere = rooted || pattern.starts_with("~/") || pattern.starts_with('*');
    if (!anywhere || pattern == "/") return std::nullopt;
    if (pattern.ends_with('/')) {
        return PatternMistake{.what = "no path ends with a slash",
                              .instead = write("path", fmt::format("{}*", pattern))};
    }
    const auto closed = fmt::format("{}/", pattern);
    const bool dots = rooted && closed.find("/../") != closed.npos;
    if (!dots && closed.find("//") == closed.npos && closed.find("/./") == closed.npos) return std::nullopt;
    return PatternMistake{
        .what = "paths are compared without //, /./ and /../",
        .instead = write("path", rooted && is_wild(pattern) && dots ? "/srv/*" : resolved_path(pattern, ""))};
}

}  // namespace

bool is_tool_pattern(std::string_view pattern) { return pattern.find_first_of("|,()[]{}^$\\ ") == pattern.npos; }

std::optional<PatternMistake> mistake_in_host(std::string_view pattern, bool eases) {
    if (pattern.empty()) return std::nullopt;
    const auto text = lower(pattern);
    const auto address =
        is_wild(text) || !security::ends_in_number(text) ? std::nullopt : security::ipv4_canonical(text);
    // A command may spell an address as 0x7f.1, so a deny may name it like that.
    const bool other_spelling = eases && address && *address != text;
    if (can_be_ipv6(text) || (can_be_name(text) && !other_spelling)) return std::nullopt;
    if (other_spelling) {
        return PatternMistake{.what = "addresses are compared in their usual spelling",
                              .instead = write("host", *address)};
    }
    if (auto found = network(text)) return found;
    if (text.find_first_of("|, {}()") != text.npos) {
        return PatternMistake{.what = "one pattern names one host", .instead = "write a rule for each host"};
    }
    if (!is_ascii(text)) return in_another_script(text);
    const auto meant = host_meant(text);
    return PatternMistake{.what = "no host is written like this: it has no scheme, user name, port, path or final dot",
                          .instead = meant.empty()
                                         ? std::string{"write the host alone, such as host = \"*.example.org\""}
                                         : write("host", meant)};
}

std::optional<PatternMistake> mistake_in_command(std::string_view pattern) {
    const auto words = words_of(pattern);
    if (words.empty()) return std::nullopt;
    if (std::ranges::any_of(pattern, [](char c) { return is_control(c) && c != '\t'; })) {
        return PatternMistake{.what = "no command that is read has a line break",
                              .instead = "write a rule for each command"};
    }
    if (const auto inner = inside_of_a_call(pattern)) return call_of_a_command(pattern, *inner);
    if (pattern.find_first_of("\"'") != pattern.npos) {
        const auto bare = without_quotes(pattern);
        return PatternMistake{.what = "commands are compared without their quotes",
                              .instead = (bare.empty() ? std::string{"leave the quotes out"} : write("command", bare)) +
                                         "; a quote within a word is written ?"};
    }
    if (is_assignment(words.front())) {
        const auto rest = without_assignments(pattern);
        return PatternMistake{.what = words.front() + " never fits: a command with an assignment in front always asks",
                              .instead = rest.empty() ? std::string{"leave the rule out"} : write("command", rest)};
    }
    if (expands(pattern)) {
        return PatternMistake{.what = "a command with a variable or a substitution always asks",
                              .instead = "write what it stands for, ~/ for the home; a $ within quotes is written ?"};
    }
    const auto& program = words.front();
    const bool read = is_wild(program) || is_wrapper(program) || simple_command("'" + program + "'").has_value();
    // Operators that join commands are reported as another mistake.
    if (read || program.find_first_of("|&;<>`") != program.npos) return std::nullopt;
    return PatternMistake{.what = "no command that is read begins with " + program,
                          .instead = "begin with the name of a program, such as command = \"git status *\""};
}

std::optional<PatternMistake> mistake_in_path(std::string_view pattern) {
    if (pattern.empty()) return std::nullopt;
    if (const auto inner = inside_of_a_call(pattern)) {
        const auto tool = pattern.substr(0, pattern.find('('));
        return PatternMistake{.what = fmt::format("{}(…) isn't a path", tool),
                              .instead =
                                  fmt::format("write tool = \"{}\" and path = \"{}\"; a file of that name is ./{}",
                                              tool, *inner, pattern)};
    }
    const auto colon = pattern.find("://");
    if (colon != pattern.npos && colon != 0 && only_of(pattern.substr(0, colon), letters)) {
        const bool file = lower(pattern.substr(0, colon)) == "file";
        const auto place = pattern.substr(colon + 3);
        return PatternMistake{
            .what = "a path has no scheme",
            .instead = file ? write("path", place)
                            : write("host", host_meant(pattern).empty() ? "*.example.org" : host_meant(pattern))};
    }
    if (pattern.starts_with('$') && pattern.size() > 1) return variable_in_path(pattern);
    if (pattern.starts_with('~') && pattern != "~" && !pattern.starts_with("~/")) {
        return PatternMistake{.what = "~ is the home of the agent alone, and names no other user",
                              .instead =
                                  fmt::format("write the place itself, such as path = \"/home/bob/*\"; a file of "
                                              "that name is ./{}",
                                              pattern)};
    }
    if (pattern.find('|') != pattern.npos) return several_paths("|");
    if (has_alternatives(pattern)) return several_paths("{");
    if (is_list(pattern)) return several_paths("comma");
    return unresolved(pattern);
}

}  // namespace countersign::config
