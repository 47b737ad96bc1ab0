// SPDX-License-Identifier: Apache-2.0
// git runs programs that the repository's configuration names. So its subcommands are less harmless than they look, and
// its options before the subcommand can select or change that configuration.
#include "core/command/danger.hpp"

#include <algorithm>
#include <cstddef>

namespace countersign {

namespace {

constexpr std::string_view harmless_globals =
    "--no-pager -P --no-optional-locks --no-lazy-fetch --no-replace-objects --literal-pathspecs --glob-pathspecs "
    "--noglob-pathspecs --icase-pathspecs --no-advice --version -v --help -h";
// Settings that only switch something off.
constexpr std::string_view harmless_settings =
    "core.fsmonitor=false core.fsmonitor= core.hooksPath=/dev/null core.pager=cat log.showSignature=false "
    "safe.bareRepository=explicit core.quotePath=false core.quotePath=true color.ui=false color.ui=never "
    "color.ui=always advice.detachedHead=false diff.ignoreSubmodules=all";
constexpr std::string_view globals_with_value = "-C -c --git-dir --work-tree --namespace --config-env --attr-source "
                                                "--exec-path --super-prefix";

// ip -f inet addr
constexpr std::string_view ip_options_with_value = "-f -fa -fam -fami -famil -family -n -ne -net -netn -netns -l -lo "
                                                   "-loo -loop -loops -rc -rcvbuf";

bool is_global(std::string_view word) { return word.starts_with('-'); }

bool has(const CommandWords& words, std::size_t end, std::string_view wanted) {
    return std::find(words.begin() + 1, words.begin() + static_cast<std::ptrdiff_t>(end), wanted) !=
           words.begin() + static_cast<std::ptrdiff_t>(end);
}
bool sets(const CommandWords& words, std::size_t end, std::string_view setting) {
    for (std::size_t i = 1; i + 1 < end; ++i) {
        if (words[i] == "-c" && words[i + 1] == setting) return true;
    }
    return false;
}

// After rev-parse these only ask where the repository is.
bool only_asks(std::string_view subcommand, std::string_view word) {
    return subcommand == "rev-parse" && lists_word("--git-dir --absolute-git-dir --show-toplevel", word);
}

// Matches %G? and `% G?`, `%+G?` and `%-G?`, which also print a blank or a line break, and %(signature) and
// %(*signature).
bool mentions_signature(std::string_view word) {
    for (auto at = word.find('%'); at != word.npos; at = word.find('%', at + 1)) {
        const auto placeholder = word.find_first_not_of(word.starts_with('-') ? " +-" : "", at + 1);
        if (placeholder != word.npos && word[placeholder] == 'G') return true;
        if (word.substr(at).starts_with("%(") && word.find("signature", at) != word.npos) return true;
    }
    return false;
}

Danger danger_of_argument(std::string_view word, const ProgramRow& row, const SubcommandRow* below) {
    // A remote helper (ext::, fd::) runs a command; %G and %(signature) run the program that checks signatures.
    const auto mentions = [word](std::string_view text) { return word.find(text) != word.npos; };
    if (mentions("::") || mentions_signature(word)) return Danger::runs;
    const auto listed = [word](std::string_view options) { return spells_any(options, word, ""); };
    if (listed(row.runs) || (below != nullptr && listed(below->runs))) return Danger::runs;
    return listed(row.writes) || (below != nullptr && listed(below->writes)) ? Danger::writes : Danger::none;
}

}  // namespace

std::size_t subcommand_index(const CommandWords& words) {
    const auto program = known_name(program_name(words.front()));
    const auto valued = [&program](std::string_view word) {
        if (program == "ip") return lists_word(ip_options_with_value, word.substr(word.starts_with("--") ? 1 : 0));
        return program == "git" && lists_word(globals_with_value, word) && word != "--exec-path";
    };
    std::size_t index = 1;
    while (index < words.size() && is_global(words[index])) index += valued(words[index]) ? 2 : 1;
    return std::min(index, words.size());
}

Danger danger_of_git_globals(const CommandWords& words) {
    const auto end = subcommand_index(words);
    for (std::size_t i = 1; i < end; ++i) {
        if (words[i] == "-c" && i + 1 < end && lists_word(harmless_settings, words[i + 1])) {
            ++i;
        } else if (!lists_word(harmless_globals, words[i])) {
            return Danger::runs;
        }
    }
    return Danger::none;
}

CommandDanger git_danger(const CommandWords& words) {
    const auto index = subcommand_index(words);
    CommandDanger danger{.arguments = danger_of_git_globals(words), .nature = Danger::repository, .name_words = index};
    if (index == words.size()) return danger;
    danger.name_words = index + 1;
    const auto* below = subcommand_row("git", words[index]);
    if (below != nullptr) danger.nature = below->nature;
    for (auto i = index + 1; i < words.size(); ++i) {
        if (only_asks(words[index], words[i])) continue;
        danger.arguments = std::max(danger.arguments, danger_of_argument(words[i], *program_row("git"), below));
    }
    if (danger.nature == Danger::repository && git_is_guarded(words)) danger.nature = Danger::none;
    return danger;
}

bool git_is_guarded(const CommandWords& words) {
    constexpr std::string_view readers = "rev-parse ls-files ls-tree show-ref merge-base";
    const auto index = subcommand_index(words);
    if (index == words.size() || danger_of_git_globals(words) != Danger::none) return false;
    const bool off = has(words, index, "--no-optional-locks") && has(words, index, "--no-lazy-fetch") &&
                     has(words, index, "--no-pager") && sets(words, index, "core.fsmonitor=false") &&
                     sets(words, index, "core.hooksPath=/dev/null");
    // -m compares contents, which runs filters; submodules have their own configuration.
    const auto compares = [](std::string_view word) {
        const bool cluster = word.starts_with('-') && !word.starts_with("--");
        return (cluster && word.find('m') != word.npos) || word.starts_with("--m") || word.starts_with("--r");
    };
    const bool plain = words[index] != "ls-files" || std::none_of(words.begin() + 1, words.end(), compares);
    return off && plain && lists_word(readers, words[index]);
}

}  // namespace countersign
