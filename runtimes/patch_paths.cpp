// SPDX-License-Identifier: Apache-2.0
#include "runtimes/patch_paths.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace countersign::runtimes {

namespace {

constexpr auto marks = std::to_array<std::string_view>({
    "*** Update File: ",
    "*** Add File: ",
    "*** Delete File: ",
    "*** Move to: ",
    "+++ ",
    "--- ",
    "rename from ",
    "rename to ",
    "copy from ",
    "copy to ",
    "Index: ",
});
constexpr auto harmless = std::to_array<std::string_view>({"*** Begin Patch", "*** End Patch", "*** End of File"});

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r";
    const auto begin = std::min(text.find_first_not_of(blanks), text.size());
    text.remove_prefix(begin);
    return text.substr(0, text.find_last_not_of(blanks) + 1);
}

bool is_octal(char c) { return c >= '0' && c <= '7'; }

// Decodes one escape of git's quoted names; the backslash has been removed.
char unescaped(std::string_view& rest) {
    constexpr std::string_view names = "abtnvfr";
    constexpr std::string_view meanings = "\a\b\t\n\v\f\r";
    if (rest.size() >= 3 && std::ranges::all_of(rest.substr(0, 3), is_octal)) {
        const int code = (rest[0] - '0') * 64 + (rest[1] - '0') * 8 + (rest[2] - '0');
        rest.remove_prefix(3);
        return static_cast<char>(code);
    }
    const char letter = rest.front();
    rest.remove_prefix(1);
    const auto at = names.find(letter);
    return at == names.npos ? letter : meanings[at];
}

// Takes a name in git's quotes off the front. Empty if the quote is not closed.
std::optional<std::string> take_quoted(std::string_view& rest) {
    std::string name;
    rest.remove_prefix(1);
    while (!rest.empty()) {
        const char c = rest.front();
        rest.remove_prefix(1);
        if (c == '"') return name;
        if (c == '\\' && rest.empty()) return std::nullopt;
        name += c == '\\' ? unescaped(rest) : c;
    }
    return std::nullopt;
}

void add_path(std::string_view path, std::vector<std::string>& paths) {
    if (path.starts_with("a/") || path.starts_with("b/")) path.remove_prefix(2);
    if (path != "/dev/null" && !path.empty()) paths.emplace_back(path);
}

bool add_named(std::string_view name, std::vector<std::string>& paths) {
    if (!name.starts_with('"')) {
        add_path(trimmed(name.substr(0, name.find('\t'))), paths);
        return true;
    }
    const auto quoted = take_quoted(name);
    if (quoted) add_path(*quoted, paths);
    return quoted.has_value();
}

// Both names of a file on one line. Unquoted names can only be separated if " b/" occurs exactly once.
bool add_pair(std::string_view names, std::vector<std::string>& paths) {
    if (names.starts_with('"')) {
        const auto first = take_quoted(names);
        if (!first) return false;
        add_path(*first, paths);
        return add_named(trimmed(names), paths);
    }
    const auto middle = names.find(" b/") == names.npos ? names.find(" \"b/") : names.find(" b/");
    if (middle == names.npos || names.find(" b/", middle + 1) != names.npos) {
        add_path(names, paths);
        return false;
    }
    add_path(names.substr(0, middle), paths);
    return add_named(names.substr(middle + 1), paths);
}

// Some readers skip blanks before a mark. A line of file text that looks like a mark only adds a name, which is
// harmless.
bool add_line(std::string_view line, std::vector<std::string>& paths) {
    constexpr std::string_view git = "diff --git ";
    if (line.starts_with(git)) return add_pair(line.substr(git.size()), paths);
    const auto* mark = std::ranges::find_if(marks, [line](std::string_view one) { return line.starts_with(one); });
    if (mark != marks.end()) return add_named(trimmed(line.substr(mark->size())), paths);
    return !line.starts_with("*** ") || std::ranges::find(harmless, line) != harmless.end();
}

}  // namespace

bool add_patch_paths(std::string_view patch, std::vector<std::string>& paths) {
    bool all_known = true;
    while (!patch.empty()) {
        const auto end = std::min(patch.find('\n'), patch.size());
        all_known &= add_line(trimmed(patch.substr(0, end)), paths);
        patch.remove_prefix(std::min(end + 1, patch.size()));
    }
    return all_known;
}

}  // namespace countersign::runtimes
