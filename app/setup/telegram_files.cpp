// SPDX-License-Identifier: Apache-2.0
#include "app/setup/telegram_files.hpp"

#include "app/commands/input.hpp"
#include "audit/file_system.hpp"
#include "core/limits.hpp"
#include "security/display/display.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace countersign::app::setup {

namespace {

constexpr unsigned copies_max = 9;  // beside the first

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

}  // namespace

std::string toml_string(std::string_view text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
    }
    return quoted + "\"";
}

std::string person_toml(const TelegramSetup& setup) {
    return fmt::format("[people.{}]\ntelegram = {}\nroles    = [\"approve\", \"approve-always\"]\n", setup.person,
                       setup.telegram_id);
}

std::string channel_toml(const TelegramSetup& setup) {
    auto text = fmt::format("[channels.{}]\nkind       = \"telegram\"\ntoken_file = {}\n", setup.channel,
                            toml_string(setup.token_file));
    if (!setup.base_url.empty()) text += fmt::format("base_url   = {}\n", toml_string(setup.base_url));
    return text;
}

std::string telegram_toml(const TelegramSetup& setup) {
    auto text = "# Written by `countersign setup telegram`. docs/CONFIGURATION.md describes every key.\n\n" +
                person_toml(setup) + "\n" + channel_toml(setup);
    text += fmt::format(R"(
# Everything is asked in your private chat with the bot, and waits until you answer.
[[routes]]
ask      = [ {{ channel = "phone", people = ["{0}"] }} ]
deciders = ["{0}"]
)",
                        setup.person);
    for (const auto& [id, title] : setup.groups) {
        text += fmt::format("\n# To ask in the group {}:\n# ask = [ {{ channel = \"phone\", chat = {} }} ]\n",
                            security::display(title, security::DisplayMode::line), id);
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
