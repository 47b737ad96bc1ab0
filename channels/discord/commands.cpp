// SPDX-License-Identifier: Apache-2.0
#include "channels/discord/commands.hpp"

#include "core/json/members.hpp"
#include "core/limits.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace countersign::channels::discord {

namespace {

struct CommandOption {
    std::string_view name;
    std::string_view description;
    bool required = false;
};
struct CommandEntry {
    std::string_view name;
    std::string_view description;
    std::array<CommandOption, 2> options = {};  // in the order of the words; an empty name: none
};

// Descriptions have at most 100 characters: the platform's own bound.
constexpr std::string_view code = "The code on the card, or the whole id";
constexpr std::array commands{
    CommandEntry{"approve",
                 "Allow a waiting call",
                 {{{"code", code, true}, {"option", "The label of one option, where several allow"}}}},
    CommandEntry{"deny", "Deny a waiting call", {{{"code", code, true}, {"reason", "What the agent is told"}}}},
    CommandEntry{"pending", "List what waits for you"},
    CommandEntry{"halt",
                 "Stop an agent: deny all its calls until it is resumed",
                 {{{"name", "The agent or its session", true}}}},
    CommandEntry{"countersign",
                 "Any other command; without words it lists them all",
                 {{{"words", "For example: always CODE, session CODE, answer CODE TEXT, resume NAME, grants"}}}},
};

Json body_of(const CommandEntry& command, const CommandPlace& place) {
    constexpr int string_option = 3;
    auto options = Json::array();
    for (const auto& option : command.options) {
        if (option.name.empty()) continue;
        options.push_back({{"type", string_option},
                           {"name", option.name},
                           {"description", option.description},
                           {"required", option.required}});
    }
    Json body{
        {"type", 1}, {"name", command.name}, {"description", command.description}, {"options", std::move(options)}};
    if (!place.server.empty()) return body;
    // In servers and in direct messages with the bot, and nowhere else.
    body["contexts"] = {0, 1};
    body["integration_types"] = Json::array({0});
    return body;
}

bool same_option(const json::Value& registered, const CommandOption& option) {
    const auto* object = registered.object();
    return object != nullptr && text_of(*object, "name") == option.name &&
           text_of(*object, "description") == option.description && truth_of(*object, "required") == option.required;
}

bool is_registered(const json::Value& registered, const CommandEntry& command) {
    const auto* object = registered.object();
    if (object == nullptr || integer_of(*object, "type").value_or(1) != 1) return false;
    if (text_of(*object, "name") != command.name || text_of(*object, "description") != command.description)
        return false;
    const auto& options = array_in(*object, "options");
    const auto wanted = static_cast<std::size_t>(
        std::ranges::count_if(command.options, [](const auto& one) { return !one.name.empty(); }));
    return options.size() == wanted &&
           std::ranges::equal(options.begin(), options.end(), command.options.begin(),
                              command.options.begin() + static_cast<std::ptrdiff_t>(wanted), same_option);
}

std::string path_of(const CommandPlace& place) {
    return "applications/" + place.application + (place.server.empty() ? "" : "/guilds/" + place.server) + "/commands";
}

}  // namespace

std::vector<Json> missing_commands(const json::Array& registered, const CommandPlace& place) {
    std::vector<Json> missing;
    for (const auto& command : commands) {
        const bool there =
            std::ranges::any_of(registered, [&](const auto& one) { return is_registered(one, command); });
        if (!there) missing.push_back(body_of(command, place));
    }
    return missing;
}

std::vector<std::string> own_commands(const json::Array& registered) {
    std::vector<std::string> own;
    for (const auto& one : registered) {
        const bool is_ours =
            std::ranges::any_of(commands, [&](const auto& command) { return is_registered(one, command); });
        auto id = is_ours ? text_of(*one.object(), "id") : std::string{};
        if (is_snowflake(id)) own.push_back(std::move(id));
    }
    return own;
}

Call list_commands(const CommandPlace& place) { return {.path = path_of(place), .verb = HttpMethod::get}; }

Call register_command(const CommandPlace& place, const Json& command) {
    return {.path = path_of(place), .body = dumped(command)};
}

Call delete_command(const CommandPlace& place, std::string_view id) {
    return {.path = path_of(place) + "/" + std::string{id}, .verb = HttpMethod::remove, .content_type = ""};
}

// The options in the order of the words, whatever order they came in; one that we do not know is left out.
std::string command_text(const Slash& slash) {
    const auto* const known = std::ranges::find(commands, slash.name, &CommandEntry::name);
    if (known == commands.end()) return "/" + slash.name;
    const bool any = known == &commands.back();
    auto text = any ? std::string{"/"} : "/" + slash.name + " ";
    for (const auto& option : known->options) {
        if (option.name.empty()) continue;
        auto value = slash.option(option.name);
        if (any && value.starts_with('/')) value.erase(0, 1);
        text += value + (any ? "" : " ");
    }
    const auto words = text.find_first_not_of("/ \t\r\n");
    return words == std::string::npos ? "/help" : text;
}

}  // namespace countersign::channels::discord
