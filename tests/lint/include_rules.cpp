// SPDX-License-Identifier: Apache-2.0
#include "tests/lint/include_rules.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

namespace countersign::lint {
namespace {

using Names = std::set<std::string, std::less<>>;

// The table of the architecture: a folder may include itself and these folders.
const std::map<std::string, Names, std::less<>> edges{
    {"core", {}},
    {"security", {"core"}},
    {"audit", {"core", "security"}},
    {"net", {"core", "security"}},
    {"runtimes", {"core", "security", "net"}},
    {"channels", {"core", "security", "net"}},
    {"gateway", {"core", "security"}},
    {"sidecar", {"core", "security", "net"}},
    {"config", {"core", "security"}},
    {"app", {"core", "security", "audit", "net", "runtimes", "channels", "gateway", "sidecar", "config", "console"}},
};

// The same for the folders inside app/. All of them may include the files directly in app/, which join the parts and
// may include all of them.
const std::map<std::string, Names, std::less<>> app_edges{
    {"anchoring", {}},
    {"channels", {"command_line", "runtimes"}},
    {"command_line", {}},
    {"commands", {"anchoring", "channels", "command_line", "demo", "runtimes", "setup"}},
    {"demo", {}},
    {"runtimes", {}},
    {"setup", {"channels", "command_line", "runtimes"}},
};

// A library, how its headers start, and where they may be included. "core/ports" and similar folders have their own
// entries.
struct Library {
    std::string_view name;
    std::vector<std::string_view> prefixes;
    Names folders;
};
const std::vector<Library> libraries{
    {"Beast", {"boost/beast"}, {"net", "gateway"}},
    {"libcurl", {"curl/"}, {"net"}},
    {"OpenSSL", {"openssl/"}, {"security", "net", "gateway"}},
    {"libsodium", {"sodium"}, {"security"}},
    {"RE2", {"re2/"}, {"security"}},
    {"Asio",
     {"boost/asio", "boost/system"},
     {"core/ports", "core/hub", "audit", "net", "runtimes", "channels", "gateway", "sidecar", "app"}},
    {"simdjson", {"simdjson"}, {"runtimes", "channels"}},
    {"nlohmann_json", {"nlohmann/"}, {"channels"}},
    {"CLI11", {"CLI/"}, {"app/command_line"}},
    {"toml++", {"toml++/"}, {"config"}},
    {"spdlog", {"spdlog/"}, {"app"}},
    {"fmt", {"fmt/"}, {"config", "app"}},
};
// Other headers of Boost would be a new dependency that no one has reviewed.
constexpr std::string_view boost = "boost/";

std::string_view first_part(std::string_view path) { return path.substr(0, path.find('/')); }

// "channels/telegram" for "channels/telegram/render.hpp"; the folder itself for a file directly in it.
std::string_view first_two_parts(std::string_view path) {
    const auto first = path.find('/');
    const auto second = first == std::string_view::npos ? first : path.find('/', first + 1);
    return second == std::string_view::npos ? first_part(path) : path.substr(0, second);
}

struct Include {
    std::string header;
    bool ours = false;
};

std::vector<Include> includes_of(std::string_view text) {
    std::vector<Include> found;
    std::istringstream lines{std::string{text}};
    for (std::string line; std::getline(lines, line);) {
        const auto hash = line.find_first_not_of(" \t");
        if (hash == std::string::npos || line[hash] != '#') continue;
        const auto word = line.find_first_not_of(" \t", hash + 1);
        if (word == std::string::npos || line.compare(word, 7, "include") != 0) continue;
        const auto open = line.find_first_of("\"<", word);
        if (open == std::string::npos) continue;
        const bool ours = line[open] == '"';
        const auto close = line.find(ours ? '"' : '>', open + 1);
        if (close == std::string::npos) continue;
        found.push_back({line.substr(open + 1, close - open - 1), ours});
    }
    return found;
}

// "commands" for "app/commands/audit/show.cpp"; empty for a file directly in app/.
std::string_view app_folder(std::string_view path) {
    const auto inside = path.substr(first_part(path).size() + 1);
    return inside.find('/') == std::string_view::npos ? std::string_view{} : first_part(inside);
}

std::string check_in_app(std::string_view path, std::string_view header) {
    const auto from = app_folder(path);
    const auto to = app_folder(header);
    for (const auto folder : {from, to}) {
        if (!folder.empty() && !app_edges.contains(folder)) return "a folder of app/ that the table does not know";
    }
    if (from.empty() || to.empty() || from == to || app_edges.find(from)->second.contains(to)) return {};
    return "app/" + std::string{from} + " may not include app/" + std::string{to};
}

std::string check_ours(std::string_view path, const std::string& header) {
    const auto from = first_part(path);
    const auto to = first_part(header);
    const auto rule = edges.find(from);
    if (rule == edges.end()) return "a folder that the architecture does not know";
    if (!edges.contains(to)) return "not a path from the root, or tests included by the program";
    if (from != to) return rule->second.contains(to) ? "" : std::string{from} + " may not include " + std::string{to};
    if (from == "app") return check_in_app(path, header);
    // No channel includes another and no runtime includes another: they meet as ports.
    const bool siblings = from == "channels" || from == "runtimes";
    const auto from_part = first_two_parts(path);
    const auto to_part = first_two_parts(header);
    const bool shared = to_part == to || from_part == from;
    if (siblings && !shared && from_part != to_part)
        return std::string{from_part} + " may not include " + std::string{to_part};
    return {};
}

std::string check_library(std::string_view path, const std::string& header) {
    for (const auto& library : libraries) {
        const bool is_it =
            std::ranges::any_of(library.prefixes, [&](auto prefix) { return header.starts_with(prefix); });
        if (!is_it) continue;
        const bool allowed =
            library.folders.contains(first_part(path)) || library.folders.contains(first_two_parts(path));
        return allowed ? "" : std::string{library.name} + " does not belong into " + std::string{first_two_parts(path)};
    }
    if (header.starts_with(boost)) return "a part of Boost that no decision record weighs";
    return {};
}

}  // namespace

bool app_folders_have_a_cycle() {
    // A folder that depends only on sorted folders can be sorted too. Folders left at the end are in a cycle.
    Names sorted;
    const auto is_ready = [&](const auto& rule) {
        return !sorted.contains(rule.first) &&
               std::ranges::all_of(rule.second, [&](const auto& to) { return sorted.contains(to); });
    };
    for (;;) {
        const auto next = std::ranges::find_if(app_edges, is_ready);
        if (next == app_edges.end()) break;
        sorted.insert(next->first);
    }
    return sorted.size() < app_edges.size();
}

std::vector<std::string> include_violations(std::string_view path, std::string_view text) {
    std::vector<std::string> violations;
    for (const auto& include : includes_of(text)) {
        const auto why = include.ours ? check_ours(path, include.header) : check_library(path, include.header);
        if (!why.empty()) violations.push_back(std::string{path} + ": #include " + include.header + ": " + why);
    }
    return violations;
}

}  // namespace countersign::lint
