// SPDX-License-Identifier: Apache-2.0
#include "app/setup/additions.hpp"
#include "app/channels/registry.hpp"

#include "config/config.hpp"

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

// Compares headers without comments and quotes.
bool is_header(std::string_view line, std::string_view header) {
    std::string bare{trimmed(line.substr(0, line.find('#')))};
    std::erase(bare, '"');
    return bare == header;
}

// The position after the last line with this header.
std::optional<std::size_t> after_last_header(std::string_view toml, std::string_view header) {
    std::optional<std::size_t> found;
    for (std::size_t at = 0; at < toml.size();) {
        const auto end = std::min(toml.find('\n', at), toml.size());
        if (is_header(toml.substr(at, end - at), header)) found = std::min(end + 1, toml.size());
        at = end + 1;
    }
    return found;
}

// The position after the string that begins at `at`, or the end of the text. Does not understand multi-line strings;
// the final check of the whole text catches any mistake.
std::size_t after_string(std::string_view toml, std::size_t at) {
    const char quote = toml[at];
    for (++at; at < toml.size() && toml[at] != quote; ++at) {
        if (toml[at] == '\\' && quote == '"') ++at;
    }
    return std::min(at + 1, toml.size());
}

// In the array that begins at `open`: the position after its last character that is neither blank nor comment.
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

// Adds an element to the array `key` of the table whose body begins at `body`.
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

Result<void> check_free(const Configuration& now, const NewChannel& made) {
    const auto principal = principal_of(made);
    if (const auto* other = now.person_of(principal); other != nullptr && other->name != made.person) {
        return Error{Errc::conflict,
                     principal + " is " + other->name + " in the configuration: use --person " + other->name};
    }
    const auto person = now.people.find(made.person);
    if (person == now.people.end()) return {};
    const auto of_this_kind = std::string{made.kind->principal.name} + ":";
    for (const auto& bound : person->second.principals) {
        if (!bound.starts_with(of_this_kind) || bound == principal) continue;
        return Error{Errc::conflict, made.person + " has another " + made.title + " account, " + bound +
                                         ": choose another name with --person, or change it in the configuration"};
    }
    return {};
}

// Checks that the text parses as the intended configuration and that nothing was lost.
bool reads_as_wanted(const std::string& text, const Configuration& now, const NewChannel& made) {
    auto parsed = config::parse_config(text, "the new configuration", known_kinds());
    const auto* read = std::get_if<Configuration>(&parsed);
    if (read == nullptr || !read->channels.contains(made.channel)) return false;
    const auto* person = read->person_of(principal_of(made));
    const auto& last = read->routes.back();
    return person != nullptr && person->name == made.person && read->channels.size() == now.channels.size() + 1 &&
           read->routes.size() == now.routes.size() && last.steps.size() == now.routes.back().steps.size() + 1 &&
           std::ranges::find(last.deciders, made.person) != last.deciders.end();
}

}  // namespace

std::string free_channel_name(const Configuration& now, const std::string& usual) {
    auto name = usual;
    for (int number = 2; now.channels.contains(name) && number < 100; ++number)
        name = fmt::format("{}{}", usual, number);
    return name;
}

Result<Additions> with_channel(std::string_view toml, const Configuration& now, const NewChannel& made) {
    if (const auto free = check_free(now, made); !free) return free.error();
    Additions added{.text = std::string{toml}, .lines = {}};
    if (!added.text.empty() && !added.text.ends_with('\n')) added.text += '\n';
    const auto step = step_toml(made);

    // From the end to the beginning, so that earlier positions stay valid.
    const auto route = after_last_header(added.text, "[[routes]]");
    bool changed = route && add_element(added.text, *route, "ask", step);
    added.lines.push_back("in the last [[routes]], ask: " + step);
    const auto& deciders = now.routes.back().deciders;
    if (std::ranges::find(deciders, made.person) == deciders.end()) {
        changed = changed && add_element(added.text, *route, "deciders", '"' + made.person + '"');
        added.lines.push_back("in the last [[routes]], deciders: \"" + made.person + '"');
    }
    const auto id = id_toml(made);
    if (!now.people.contains(made.person)) {
        const auto table = person_toml(made);
        added.text += "\n" + table;
        added.lines.push_back(table);
    } else if (now.person_of(principal_of(made)) == nullptr) {
        const auto person = after_last_header(added.text, "[people." + made.person + "]");
        changed = changed && person.has_value();
        if (person) added.text.insert(*person, id);
        added.lines.push_back("in [people." + made.person + "]: " + id);
    }
    const auto channel = channel_toml(made);
    added.text += "\n" + channel;
    added.lines.push_back(channel);
    if (changed && reads_as_wanted(added.text, now, made)) return added;
    std::string by_hand;
    for (const auto& line : added.lines) by_hand += "\n" + line;
    return Error{Errc::unsupported, "the configuration can't be changed safely; write into it:" + by_hand};
}

}  // namespace countersign::app::setup
