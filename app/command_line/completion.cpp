// SPDX-License-Identifier: Apache-2.0
#include "app/command_line/completion.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace countersign::app {
namespace {

using Words = std::vector<std::string>;

// In single quotes, where bash and zsh change nothing.
std::string in_quotes(std::string_view text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? std::string{"'\\''"} : std::string{c};
    return out + "'";
}

Words each_quoted(const Words& words) {
    Words out;
    for (const auto& word : words) out.push_back(in_quotes(word));
    return out;
}

// A pattern of `case` for any of these, or one that nothing matches.
std::string any_of(const Words& words) {
    return words.empty() ? "''" : fmt::format("{}", fmt::join(each_quoted(words), " |\\\n            "));
}

Words option_names(const TableCommand& command) {
    Words names;
    for (const auto& option : command.options) names.insert(names.end(), option.names.begin(), option.names.end());
    return names;
}

Words subcommand_names(const TableCommand& command) {
    Words names;
    for (const auto& below : command.subcommands) names.push_back(below.name);
    return names;
}

// "countersign audit", "countersign audit list", …: all paths but the program's own.
Words command_paths(const std::vector<TableEntry>& entries) {
    Words paths;
    for (const auto& entry : entries) {
        if (entry.path.find(' ') != std::string::npos) paths.push_back(entry.path);
    }
    return paths;
}

// "countersign audit list --state": what takes a value.
Words value_option_paths(const std::vector<TableEntry>& entries) {
    Words paths;
    for (const auto& entry : entries) {
        for (const auto& option : entry.command->options) {
            if (option.value.empty()) continue;
            for (const auto& name : option.names) paths.push_back(entry.path + " " + name);
        }
    }
    return paths;
}

// How a shell offers what can stand for a value.
struct Offers {
    std::string_view files;
    std::string_view directories;
    std::string (*choices)(const Words& choices);

    [[nodiscard]] std::string of(const TableOption& option) const {
        switch (offer_for(option)) {
        case Offer::choices:
            return choices(option.choices);
        case Offer::files:
            return std::string{files};
        case Offer::directories:
            return std::string{directories};
        case Offer::nothing:
            break;
        }
        return ":";
    }
};

// One branch of `case` for each option with a value.
std::string value_branches(const std::vector<TableEntry>& entries, const Offers& offers) {
    std::string branches;
    for (const auto& entry : entries) {
        for (const auto& option : entry.command->options) {
            if (option.value.empty()) continue;
            Words paths;
            for (const auto& name : option.names) paths.push_back(entry.path + " " + name);
            branches +=
                fmt::format("        {}) {}; return ;;\n", fmt::join(each_quoted(paths), " | "), offers.of(option));
        }
    }
    return branches;
}

std::string bash_choices(const Words& choices) {
    return fmt::format("COMPREPLY=($(compgen -W {} -- \"$cur\"))",
                       in_quotes(fmt::format("{}", fmt::join(choices, " "))));
}
constexpr Offers bash_offers{
    .files = "compopt -o default", .directories = "compopt -o dirnames", .choices = bash_choices};

std::string bash_branch(const TableEntry& entry) {
    const auto options = fmt::format("{}", fmt::join(option_names(*entry.command), " "));
    std::string branch =
        fmt::format("        {})\n            options={}\n", in_quotes(entry.path), in_quotes(options));
    if (const auto names = subcommand_names(*entry.command); !names.empty()) {
        branch += fmt::format("            words={}\n", in_quotes(fmt::format("{}", fmt::join(names, " "))));
    }
    for (const auto& argument : entry.command->arguments) {
        branch += fmt::format("            [[ $cur == -* ]] || {{ {}; return; }}\n", bash_offers.of(argument));
    }
    return branch + "            ;;\n";
}

std::string zsh_choices(const Words& choices) {
    return fmt::format("compadd -- {}", fmt::join(each_quoted(choices), " "));
}
constexpr Offers zsh_offers{.files = "_files", .directories = "_directories", .choices = zsh_choices};

// For _describe: NAME:DESCRIPTION.
std::string described(std::string_view name, std::string_view help) {
    return in_quotes(fmt::format("{}:{}", name, summary(help)));
}

std::string zsh_branch(const TableEntry& entry) {
    Words options;
    Words commands;
    for (const auto& option : entry.command->options) {
        for (const auto& name : option.names) options.push_back(described(name, option.help));
    }
    for (const auto& below : entry.command->subcommands) commands.push_back(described(below.name, below.help));
    constexpr auto between = "\n                ";
    std::string branch = fmt::format("        {})\n            options=({}{})\n", in_quotes(entry.path), between,
                                     fmt::join(options, between));
    if (!commands.empty()) {
        branch += fmt::format("            commands=({}{})\n", between, fmt::join(commands, between));
    }
    for (const auto& argument : entry.command->arguments) {
        branch += fmt::format("            [[ $PREFIX == -* ]] || {{ {}; return; }}\n", zsh_offers.of(argument));
    }
    return branch + "            ;;\n";
}

std::string fish_quoted(std::string_view text) {
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\') out += '\\';
        out += c;
    }
    return out + "'";
}

std::string fish_choices(const Words& choices) {
    return " -x -a " + fish_quoted(fmt::format("{}", fmt::join(choices, " ")));
}
std::string fish_value(const TableOption& option) {
    switch (offer_for(option)) {
    case Offer::choices:
        return fish_choices(option.choices);
    case Offer::files:
        return " -r -F";
    case Offer::directories:
        return " -x -a '(__fish_complete_directories)'";
    case Offer::nothing:
        break;
    }
    return " -x";
}

std::string fish_option(const TableOption& option) {
    std::string words;
    for (const auto& name : option.names) {
        words += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    }
    if (!option.value.empty()) words += fish_value(option);
    return words + " -d " + fish_quoted(summary(option.help));
}

std::string fish_lines(const TableEntry& entry) {
    const auto begin =
        fmt::format("complete -c countersign -n {}", fish_quoted("__countersign_at " + fish_quoted(entry.path)));
    std::string lines;
    for (const auto& below : entry.command->subcommands) {
        lines += fmt::format("{} -a {} -d {}\n", begin, below.name, fish_quoted(summary(below.help)));
    }
    for (const auto& option : entry.command->options) lines += begin + fish_option(option) + "\n";
    for (const auto& argument : entry.command->arguments) {
        const auto offer = offer_for(argument);
        if (offer == Offer::files) lines += begin + " -F\n";
        if (offer == Offer::choices) {
            lines += fmt::format("{} -a {}\n", begin, fish_quoted(fmt::format("{}", fmt::join(argument.choices, " "))));
        }
    }
    return lines;
}

std::string fish_case(const Words& words) {
    std::string line;
    for (const auto& word : words) line += " \\\n                " + fish_quoted(word);
    return line;
}

using Script = std::string (*)(const TableCommand& program);
constexpr std::array<std::pair<std::string_view, Script>, 3> scripts{
    {{"bash", bash_completion}, {"zsh", zsh_completion}, {"fish", fish_completion}}};

}  // namespace

std::string bash_completion(const TableCommand& program) {
    const auto entries = each_command(program);
    std::string script = fmt::format(R"(# bash completion for countersign, made by: countersign completion bash
_countersign() {{
    local at=countersign option= words= options= word i
    local cur=${{COMP_WORDS[COMP_CWORD]}}
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${{COMP_WORDS[i]}}
        # bash splits --state=DIR into three words.
        [[ $word == = ]] && continue
        [[ -n $option ]] && {{ option=; continue; }}
        [[ $word == -- ]] && {{ compopt -o default; return; }}
        case "$at $word" in
            {})
                at="$at $word" ;;
            {})
                option="$at $word" ;;
        esac
    done
    [[ $cur == = ]] && cur=
    case $option in
)",
                                     any_of(command_paths(entries)), any_of(value_option_paths(entries)));
    script += value_branches(entries, bash_offers) + "    esac\n    case $at in\n";
    for (const auto& entry : entries) script += bash_branch(entry);
    return script + R"(    esac
    if [[ $cur == -* || -z $words ]]; then words=$options; fi
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F _countersign countersign
)";
}

std::string zsh_completion(const TableCommand& program) {
    const auto entries = each_command(program);
    std::string script = fmt::format(R"(#compdef countersign
# zsh completion for countersign, made by: countersign completion zsh
compdef _countersign countersign
_countersign() {{
    local at=countersign option= word i
    local -a options commands
    for ((i = 2; i < CURRENT; i++)); do
        word=${{words[i]}}
        [[ -n $option ]] && {{ option=; continue }}
        [[ $word == -- ]] && {{ _files; return }}
        case "$at $word" in
            {})
                at="$at $word" ;;
            {})
                option="$at $word" ;;
        esac
    done
    if [[ -z $option && $PREFIX == --*=* ]]; then
        option="$at ${{PREFIX%%=*}}"
        compset -P '*='
    fi
    case $option in
)",
                                     any_of(command_paths(entries)), any_of(value_option_paths(entries)));
    script += value_branches(entries, zsh_offers) + "    esac\n    case $at in\n";
    for (const auto& entry : entries) script += zsh_branch(entry);
    return script + R"(    esac
    if [[ $PREFIX == -* || ${#commands} == 0 ]]; then
        _describe -o option options
    else
        _describe command commands
    fi
}
# Not when the file is sourced: only when zsh has loaded it as this function.
if [[ $funcstack[1] == _countersign ]]; then _countersign "$@"; fi
)";
}

std::string fish_completion(const TableCommand& program) {
    const auto entries = each_command(program);
    std::string script = fmt::format(R"(# fish completion for countersign, made by: countersign completion fish
function __countersign_at
    set -l at countersign
    set -l skip 0
    set -l words (commandline -opc)
    set -e words[1]
    for word in $words
        if test $skip = 1
            set skip 0
            continue
        end
        if test "$word" = --
            return 1
        end
        switch "$at $word"
            case{}
                set at "$at $word"
            case{}
                set skip 1
        end
    end
    test "$at" = "$argv[1]"
end
complete -c countersign -f
)",
                                     fish_case(command_paths(entries)), fish_case(value_option_paths(entries)));
    for (const auto& entry : entries) script += fish_lines(entry);
    // After -- comes another program's command line.
    return script + "complete -c countersign -n '__fish_seen_subcommand_from --' -F\n";
}

std::vector<std::string> completion_shells() {
    std::vector<std::string> shells;
    for (const auto& [shell, script] : scripts) shells.emplace_back(shell);
    return shells;
}

std::optional<std::string> completion_for(std::string_view shell, const TableCommand& program) {
    for (const auto& [name, script] : scripts) {
        if (name == shell) return script(program);
    }
    return std::nullopt;
}

}  // namespace countersign::app
