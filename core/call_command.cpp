// SPDX-License-Identifier: Apache-2.0
#include "core/call_command.hpp"

#include "core/command/line.hpp"
#include "core/command/pattern.hpp"
#include "core/glob.hpp"
#include "core/path.hpp"

#include <algorithm>
#include <string>

namespace countersign {

namespace {

bool climbs(std::string_view word) {
    return word == ".." || word.starts_with("../") || word.ends_with("/..") || word.find("/../") != word.npos ||
           word.find("=../") != word.npos;
}

// The ways in which a pattern may name `place`: relative to the call's directory, relative to the home, and absolute.
std::vector<std::string> spellings_of(const std::string& place, const CallFacts& facts) {
    std::vector<std::string> spellings{place};
    const auto below = [&](const std::string& root) {
        const bool within = root.size() > 1 && place.size() > root.size() && inside(place, root);
        return within ? place.substr(root.size() + 1) : std::string{};
    };
    if (const auto rest = below(facts.files->cwd); !rest.empty()) {
        spellings.insert(spellings.end(), {rest, "./" + rest, facts.cwd + "/" + rest});
    }
    if (const auto rest = below(facts.files->real_home); !rest.empty()) {
        spellings.insert(spellings.end(), {"~/" + rest, facts.files->home + "/" + rest});
    }
    return spellings;
}

// True if the pattern also matches the word with the link replaced by its target.
bool fits_behind(const FileView::Link& link, std::string_view wanted, std::string_view word, const CallFacts& facts) {
    const auto fits = [&](std::string_view text) {
        if (text != link.written) return true;
        const auto begin = static_cast<std::size_t>(text.data() - word.data());
        const auto before = std::string{word.substr(0, begin)};
        const auto after = word.substr(begin + text.size());
        return std::ranges::any_of(spellings_of(link.place, facts), [&](const std::string& spelling) {
            return glob_fits(wanted, (before + spelling).append(after));
        });
    };
    return std::ranges::all_of(path_texts(word), fits);
}

bool word_is_allowed(std::string_view wanted, std::string_view word, const CallFacts& facts) {
    const auto texts = path_texts(word);
    const bool spelled_out = wanted == word;
    const auto secret = [&](std::string_view text) {
        const bool wild = text.find_first_of("*?[{") != text.npos;
        return bears_secrets(text, facts.cwd) || (wild && selects_secrets(text, facts.cwd));
    };
    if (!spelled_out && std::ranges::any_of(texts, secret)) return false;
    if (!spelled_out && wanted != "*" && !texts.empty()) {
        // Programs that expand patterns themselves would follow any link.
        if (!facts.files || word.find_first_of("*?[") != word.npos) return false;
    }
    if (!facts.files) return true;
    return facts.files->complete && std::ranges::all_of(facts.files->links, [&](const FileView::Link& link) {
               if (std::ranges::find(texts, link.written) == texts.end()) return true;
               return !bears_secrets(link.place, "") && (wanted == "*" || fits_behind(link, wanted, word, facts));
           });
}

}  // namespace

std::vector<std::string_view> path_texts(std::string_view word) {
    std::vector<std::size_t> begins;
    if (!word.starts_with('-')) begins.push_back(0);
    for (const auto value : glued_values(word)) begins.push_back(word.size() - value.size());
    for (auto at = word.find_first_of("=:,@"); at != word.npos; at = word.find_first_of("=:,@", at + 1)) {
        begins.push_back(at + 1);
    }
    std::vector<std::string_view> texts;
    const auto add = [&texts](std::string_view text) {
        if (!text.empty() && std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
    };
    for (const auto begin : begins) {
        if (begin >= word.size()) continue;
        const auto rest = word.substr(begin);
        add(rest);
        add(rest.substr(0, rest.find_first_of(":,")));
    }
    return texts;
}

bool command_is_allowed(std::string_view pattern, const CommandWords& words, const CallFacts& facts) {
    if (!command_is_covered(pattern, words, facts.elsewhere)) return false;
    // "src/*" must not match "src/../../etc".
    if (!pattern.empty() && std::ranges::any_of(words, climbs)) return false;
    const auto wanted = pattern_words(pattern, words.size());
    // A link below a directory can lead outside of any path that the pattern could match.
    const auto bounds = [](std::string_view word) { return word != "*" && word.find_first_of("*?") != word.npos; };
    if (reads_unnamed_files(words) && std::ranges::any_of(wanted, bounds)) return false;
    for (auto i = danger_of(words).name_words; i < words.size(); ++i) {
        if (!word_is_allowed(wanted[i], words[i], facts)) return false;
    }
    return true;
}

std::optional<std::vector<CommandWords>> parsed_commands(const CallFacts& facts) {
    if (!facts.command || !is_posix_shell(facts.tool_name)) return std::nullopt;
    return command_list(*facts.command);
}

std::optional<std::vector<CommandWords>> commands_with_wildcards(const CallFacts& facts) {
    if (!facts.command || !is_posix_shell(facts.tool_name)) return std::nullopt;
    return command_list(*facts.command, Wildcards::kept);
}

}  // namespace countersign
