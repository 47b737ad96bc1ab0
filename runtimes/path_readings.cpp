// SPDX-License-Identifier: Apache-2.0
#include "runtimes/path_readings.hpp"

#include "security/display/characters.hpp"

#include <algorithm>

namespace countersign::runtimes {

namespace {

bool is_blank(char32_t code) { return code == ' ' || security::hidden(code); }

std::string without_hidden(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const auto character = security::character_at(text, at);
        if (!security::hidden(character.code)) out += text.substr(at, character.bytes);
        at += character.bytes;
    }
    return out;
}

void add_new(std::vector<std::string>& list, std::string_view text) {
    if (std::ranges::find(list, text) == list.end()) list.emplace_back(text);
}

// Returns whether one of them has white space at an end.
bool add_readings(std::vector<std::string>& list) {
    bool blank = false;
    for (const auto& text : std::vector{list}) {
        const auto trimmed = trimmed_path(text);
        blank |= trimmed.size() != text.size();
        add_new(list, trimmed);
        add_new(list, without_hidden(trimmed));
    }
    return blank;
}

}  // namespace

std::string_view trimmed_path(std::string_view path) {
    std::size_t begin = path.size();
    std::size_t end = 0;
    for (std::size_t at = 0; at < path.size();) {
        const auto character = security::character_at(path, at);
        if (!is_blank(character.code)) {
            begin = std::min(begin, at);
            end = at + character.bytes;
        }
        at += character.bytes;
    }
    return begin < end ? path.substr(begin, end - begin) : std::string_view{};
}

std::optional<std::vector<std::string>> glob_alternatives(std::string_view glob) {
    std::vector<std::string> todo{std::string{glob}};
    std::vector<std::string> done;
    while (!todo.empty()) {
        const auto text = std::move(todo.back());
        todo.pop_back();
        const auto close = text.find('}');
        const auto open = close == text.npos ? text.npos : text.rfind('{', close);
        if (open == text.npos) {
            done.push_back(text);
            continue;
        }
        for (auto at = open; at < close;) {
            if (todo.size() + done.size() == glob_alternatives_max) return std::nullopt;
            const auto end = std::min(text.find(',', at + 1), close);
            todo.push_back(text.substr(0, open) + text.substr(at + 1, end - at - 1) + text.substr(close + 1));
            at = end;
        }
    }
    return done;
}

bool climbs_after_wildcard(std::string_view glob) {
    bool wild = false;
    while (!glob.empty()) {
        const auto part = glob.substr(0, glob.find('/'));
        glob.remove_prefix(std::min(part.size() + 1, glob.size()));
        if (wild && part.starts_with("..")) return true;
        wild |= part.find_first_of("*?[(") != part.npos;
        if (part.find('(') != part.npos && part.find("..") != part.npos) return true;  // @(..|x)
    }
    return false;
}

void add_readings(CallFacts& facts) {
    facts.odd_path |= add_readings(facts.paths);
    add_readings(facts.selectors);
    const auto cwd = trimmed_path(facts.cwd);
    if (cwd.size() == facts.cwd.size()) return;
    facts.odd_path = true;
    add_new(facts.paths, cwd);
}

}  // namespace countersign::runtimes
