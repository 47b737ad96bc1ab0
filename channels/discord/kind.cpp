// SPDX-License-Identifier: Apache-2.0
#include "channels/discord/kind.hpp"

#include "channels/discord/ids.hpp"

namespace countersign::channels::discord {
namespace {

using enum SettingType;

constexpr Setting settings[] = {{"token_file", secret_file, true},
                                {.name = "public_key", .type = public_key, .reloadable = true},
                                {"application_id", digits},
                                {"guild", digits},
                                {"mode", text},
                                {"base_url", url}};

using Complaints = std::vector<SettingComplaint>;

std::string_view value_of(const WrittenSettings& written, std::string_view name) {
    const auto found = written.find(name);
    return found == written.end() ? std::string_view{} : std::string_view{found->second};
}

// Without the key anyone could send what looks like a click (I2). With it, and without a word, clicks still come over
// the Gateway: it needs no public address.
Complaints check_settings(const WrittenSettings& written) {
    Complaints wrong;
    const auto mode = value_of(written, "mode");
    if (written.contains("mode") && mode != "gateway" && mode != "webhook") {
        wrong.push_back({"mode", {"not a mode of this kind", "write \"gateway\" or \"webhook\""}});
    } else if (mode == "webhook" && !written.contains("public_key")) {
        wrong.push_back(
            {"mode",
             {"a webhook needs the public key",
              "write public_key = \"…\", the 64 hex digits of the application's page General Information"}});
    }
    if (const auto id = value_of(written, "application_id"); is_digits(id, 1, 20) && !is_snowflake(id)) {
        wrong.push_back({"application_id",
                         {"not the id of an application",
                          "write application_id = \"539000000000000001\", the Application ID of its page General "
                          "Information, or leave it out"}});
    }
    if (const auto id = value_of(written, "guild"); is_digits(id, 1, 20) && !is_snowflake(id)) {
        wrong.push_back({"guild",
                         {"not the id of a server",
                          "write guild = \"539000000000000001\": turn on Developer Mode, then \"Copy Server ID\"; "
                          "without it the slash commands are everywhere"}});
    }
    return wrong;
}

Complaint check_chat(std::string_view chat) {
    if (is_snowflake(chat)) return {};
    return {chat.starts_with('#') ? "a channel's name can pass to another channel" : "not the id of a Discord channel",
            "write chat = \"539000000000000001\", in quotes: turn on Developer Mode, then \"Copy Channel ID\""};
}

std::optional<std::string> read_principal(const WrittenId& id) { return text_if(id, is_snowflake); }

}  // namespace

constinit const ChannelKind kind{
    .name = "discord",
    .principal = {.name = "discord",
                  .what = "a Discord user id",
                  .read = read_principal,
                  .instead = "write discord = \"539000000000000001\", in quotes: turn on Developer Mode, then \"Copy "
                             "User ID\"",
                  .is_long_number = true},
    .assurance = Assurance::chat,
    .placing = Placing::chat_or_people,
    .settings = settings,
    .check = check_settings,
    .check_chat = check_chat};

}  // namespace countersign::channels::discord
