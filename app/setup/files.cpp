// SPDX-License-Identifier: Apache-2.0
#include "app/setup/files.hpp"

#include "app/input.hpp"
#include "audit/file_system.hpp"
#include "core/limits.hpp"
#include "security/display/display.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace countersign::app::setup {

namespace {

constexpr unsigned copies_max = 9;  // besides the first

Result<std::string> free_copy(audit::FileSystem& files, const std::string& file) {
    auto copy = file + ".bak";
    for (unsigned number = 1; number <= copies_max; ++number) {
        const auto taken = files.exists(copy);
        if (!taken) return taken.error();
        if (!*taken) break;
        copy = fmt::format("{}.bak.{}", file, number);
    }
    return copy;
}

// Aligns the values.
std::string aligned(const std::vector<std::pair<std::string, std::string>>& lines) {
    std::size_t width = 0;
    for (const auto& [key, value] : lines) width = std::max(width, key.size());
    std::string text;
    for (const auto& [key, value] : lines) text += fmt::format("{:<{}} = {}\n", key, width, value);
    return text;
}

// Where requests are shown, in words.
std::string place_of(const NewChannel& made) {
    if (made.chat.empty()) return "your private chat with the bot";
    const auto group = made.groups.find(made.chat);
    return group == made.groups.end() ? made.chat : security::display(group->second, security::DisplayMode::line);
}

// As a number if the kind's ids are numbers.
std::string written_id(const ChannelKind& kind, const std::string& id) {
    std::int64_t number = 0;
    const auto* end = id.data() + id.size();
    const auto [rest, failed] = std::from_chars(id.data(), end, number);
    constexpr std::int64_t any = 1;
    const bool takes_numbers = kind.principal.read({.text = nullptr, .integer = &any}).has_value();
    return takes_numbers && failed == std::errc{} && rest == end ? id : toml_string(id);
}

}  // namespace

std::string toml_string(std::string_view text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
    }
    return quoted + "\"";
}

std::string principal_of(const NewChannel& made) { return std::string{made.kind->principal.name} + ":" + made.id; }

std::string id_toml(const NewChannel& made) {
    return fmt::format("{} = {}\n", made.kind->principal.name, written_id(*made.kind, made.id));
}

std::string person_toml(const NewChannel& made) {
    return fmt::format("[people.{}]\n", made.person) +
           aligned({{std::string{made.kind->principal.name}, written_id(*made.kind, made.id)},
                    {"roles", R"(["approve", "approve-always"])"}});
}

std::string channel_toml(const NewChannel& made) {
    std::vector<std::pair<std::string, std::string>> lines{{"kind", toml_string(made.kind->name)}};
    for (const auto& [key, text] : made.settings) lines.emplace_back(key, toml_string(text));
    return fmt::format("[channels.{}]\n", made.channel) + aligned(lines);
}

std::string step_toml(const NewChannel& made) {
    const auto place = made.chat.empty() ? fmt::format(R"(people = ["{}"])", made.person)
                                         : fmt::format("chat = {}", written_id(*made.kind, made.chat));
    return fmt::format(R"({{ channel = "{}", {} }})", made.channel, place);
}

std::string configuration_toml(const NewChannel& made) {
    auto text = fmt::format("# Written by `countersign setup {}`. docs/CONFIGURATION.md describes every key.\n\n{}\n{}",
                            made.kind->name, person_toml(made), channel_toml(made));
    text += fmt::format(R"(
# Everything is asked in {}, and waits until you answer.
[[routes]]
ask      = [ {} ]
deciders = ["{}"]
)",
                        place_of(made), step_toml(made), made.person);
    for (const auto& [id, title] : made.groups) {
        if (id == made.chat) continue;
        auto other = made;
        other.chat = id;
        text += fmt::format("\n# To ask in the group {}:\n# ask = [ {} ]\n",
                            security::display(title, security::DisplayMode::line), step_toml(other));
    }
    return text;
}

Result<void> write_private(const std::string& path, std::string_view text, bool replace) {
    auto& files = audit::posix_file_system();
    const auto directory = std::filesystem::path{path}.parent_path().string();
    std::error_code failed;
    std::filesystem::create_directories(std::filesystem::path{directory}.parent_path(), failed);
    if (const auto made = files.make_directory(directory); !made) return made;
    const auto there = files.exists(path);
    if (!there) return there.error();
    if (*there && !replace) return Error{Errc::conflict, path + " is there already; --force replaces it"};
    return audit::replace(files, directory, std::filesystem::path{path}.filename().string(), text);
}

Result<std::string> keep_copy(const std::string& file) {
    auto& files = audit::posix_file_system();
    const auto there = files.exists(file);
    if (!there) return there.error();
    if (!*there) return std::string{};
    const auto text = read_file(file);
    if (!text) return text.error();
    const auto copy = free_copy(files, file);
    if (!copy) return copy.error();
    if (const auto kept = write_private(*copy, *text, true); !kept) return kept.error();
    return *copy;
}

std::string name_from(std::string_view first_name) {
    std::string name;
    for (const char c : first_name) {
        const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        const bool fits =
            (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9') || lower == '-' || lower == '_';
        if (fits && name.size() < limits::config_name_bytes_max) name += lower;
    }
    return name.empty() ? "me" : name;
}

}  // namespace countersign::app::setup
