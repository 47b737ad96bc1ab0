// SPDX-License-Identifier: Apache-2.0
#include "app/setup/telegram_additions.hpp"
#include "app/channels/registry.hpp"

#include "app/config/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace countersign::app::setup {

namespace {

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t\r");
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// A header without its comment; a name in it may be quoted.
bool is_header(std::string_view line, std::string_view header) {
    std::string bare{trimmed(line.substr(0, line.find('#')))};
    std::erase(bare, '"');
    return bare == header;
}

// Where the line after the last one with this header begins.
std::optional<std::size_t> after_last_header(std::string_view toml, std::string_view header) {
    std::optional<std::size_t> found;
    for (std::size_t at = 0; at < toml.size();) {
        const auto end = std::min(toml.find('\n', at), toml.size());
        if (is_header(toml.substr(at, end - at), header)) found = std::min(end + 1, toml.size());
        at = end + 1;
    }
    return found;
}

// One past a string that begins at `at`; its end if the string has none. Multi-line strings are not read as such, which
// the last check of the whole text notices.
std::size_t after_string(std::string_view toml, std::size_t at) {
    const char quote = toml[at];
    for (++at; at < toml.size() && toml[at] != quote; ++at) {
        if (toml[at] == '\\' && quote == '"') ++at;
    }
    return std::min(at + 1, toml.size());
}

// In the array that begins at `open`: one past its last character that is neither blank nor comment.
std::optional<std::size_t> end_of_elements(std::string_view toml, std::size_t open) {
    std::size_t depth = 0;
    std::size_t last = open + 1;
    for (auto at = open; at < toml.size();) {
        const char c = toml[at];
        if (c == '#') {
            at = std::min(toml.find('\n', at), toml.size());
            continue;
        }
        if (c == '"' || c == '\'') {
            last = at = after_string(toml, at);
            continue;
        }
        if (c == '[' || c == '{') ++depth;
        if ((c == ']' || c == '}') && --depth == 0) return last;
        ++at;
        if (c != ' ' && c != '\t' && c != '\r' && c != '\n') last = at;
    }
    return std::nullopt;
}

// Adds an element to the array that `key` has in the table whose body begins at `body`.
bool add_element(std::string& toml, std::size_t body, std::string_view key, const std::string& element) {
    for (auto at = body; at < toml.size();) {
        const auto end = std::min(toml.find('\n', at), toml.size());
        const auto line = std::string_view{toml}.substr(at, end - at);
        if (trimmed(line).starts_with('[')) return false;  // the next table
        const auto equals = line.find('=');
        if (equals != line.npos && trimmed(line.substr(0, equals)) == key) {
            const auto open = toml.find_first_not_of(" \t", at + equals + 1);
            if (open == toml.npos || toml[open] != '[') return false;
            const auto place = end_of_elements(toml, open);
            if (!place) return false;
            const char before = toml[*place - 1];
            const bool first = *place == open + 1;
            toml.insert(*place, (first || before == ',' ? " " : ", ") + element);
            return true;
        }
        at = end + 1;
    }
    return false;
}

std::string principal_of(const TelegramSetup& setup) { return "telegram:" + std::to_string(setup.telegram_id); }

Result<void> check_free(const Configuration& now, const TelegramSetup& setup) {
    const auto principal = principal_of(setup);
    if (const auto* other = now.person_of(principal); other != nullptr && other->name != setup.person) {
        return Error{Errc::conflict,
                     principal + " is " + other->name + " in the configuration: use --person " + other->name};
    }
    const auto person = now.people.find(setup.person);
    if (person == now.people.end()) return {};
    for (const auto& bound : person->second.principals) {
        if (!bound.starts_with("telegram:") || bound == principal) continue;
        return Error{Errc::conflict, setup.person + " has another Telegram account, " + bound +
                                         ": choose another name with --person, or change it in the configuration"};
    }
    return {};
}

// What was wanted, and nothing that was there is gone.
bool reads_as_wanted(const std::string& text, const Configuration& now, const TelegramSetup& setup) {
    auto parsed = parse_config(text, "the new configuration", known_kinds());
    const auto* made = std::get_if<Configuration>(&parsed);
    if (made == nullptr || !made->channels.contains(setup.channel)) return false;
    const auto* person = made->person_of(principal_of(setup));
    const auto& last = made->routes.back();
    return person != nullptr && person->name == setup.person && made->channels.size() == now.channels.size() + 1 &&
           made->routes.size() == now.routes.size() && last.steps.size() == now.routes.back().steps.size() + 1 &&
           std::ranges::find(last.deciders, setup.person) != last.deciders.end();
}

}  // namespace

std::string free_channel_name(const Configuration& now) {
    std::string name = "phone";
    for (int number = 2; now.channels.contains(name) && number < 100; ++number) name = fmt::format("phone{}", number);
    return name;
}

Result<Additions> with_telegram(std::string_view toml, const Configuration& now, const TelegramSetup& setup) {
    if (const auto free = check_free(now, setup); !free) return free.error();
    Additions made{.text = std::string{toml}, .lines = {}};
    if (!made.text.empty() && !made.text.ends_with('\n')) made.text += '\n';
    const auto step = fmt::format(R"({{ channel = "{}", people = ["{}"] }})", setup.channel, setup.person);

    // From the end to the beginning, so that a place that was found stays where it is.
    const auto route = after_last_header(made.text, "[[routes]]");
    bool changed = route && add_element(made.text, *route, "ask", step);
    made.lines.push_back("in the last [[routes]], ask: " + step);
    const auto& deciders = now.routes.back().deciders;
    if (std::ranges::find(deciders, setup.person) == deciders.end()) {
        changed = changed && add_element(made.text, *route, "deciders", '"' + setup.person + '"');
        made.lines.push_back("in the last [[routes]], deciders: \"" + setup.person + '"');
    }
    const auto id = fmt::format("telegram = {}\n", setup.telegram_id);
    if (!now.people.contains(setup.person)) {
        const auto table = person_toml(setup);
        made.text += "\n" + table;
        made.lines.push_back(table);
    } else if (now.person_of(principal_of(setup)) == nullptr) {
        const auto person = after_last_header(made.text, "[people." + setup.person + "]");
        changed = changed && person.has_value();
        if (person) made.text.insert(*person, id);
        made.lines.push_back("in [people." + setup.person + "]: " + id);
    }
    const auto channel = channel_toml(setup);
    made.text += "\n" + channel;
    made.lines.push_back(channel);
    if (changed && reads_as_wanted(made.text, now, setup)) return made;
    std::string by_hand;
    for (const auto& line : made.lines) by_hand += "\n" + line;
    return Error{Errc::unsupported, "the configuration can't be changed safely; write into it:" + by_hand};
}

}  // namespace countersign::app::setup
