// SPDX-License-Identifier: Apache-2.0
#include "channels/slack/kind.hpp"

#include "channels/slack/ids.hpp"
#include "channels/webhook_secrets.hpp"

namespace countersign::channels::slack {
namespace {

using enum SettingType;

constexpr Setting settings[] = {{"token_file", secret_file, true},
                                {"app_token_file", secret_file},
                                {.name = "signing_secret_file", .type = secret_file, .reloadable = true},
                                {.name = "previous_signing_secret_file", .type = secret_file, .reloadable = true},
                                {.name = "previous_until", .type = moment, .reloadable = true},
                                {"team", text},
                                {"command", text},
                                {"mode", text},
                                {"base_url", url}};

using Complaints = std::vector<SettingComplaint>;

std::string_view value_of(const WrittenSettings& written, std::string_view name) {
    const auto found = written.find(name);
    return found == written.end() ? std::string_view{} : std::string_view{found->second};
}

// Without the one secret nothing comes in, without the other anyone could send what looks like a click (I2).
void check_mode(const WrittenSettings& written, Complaints& wrong) {
    const auto mode = value_of(written, "mode");
    const bool app = written.contains("app_token_file");
    const bool signing = written.contains("signing_secret_file");
    if (written.contains("mode") && mode != "socket" && mode != "webhook") {
        wrong.push_back({"mode", {"not a mode of this kind", "write \"socket\" or \"webhook\""}});
    } else if (mode == "socket" && !app) {
        wrong.push_back(
            {"mode", {"Socket Mode needs the app's token", write_file("app_token_file") + ", the xapp-… one"}});
    } else if (mode == "webhook" && !signing) {
        wrong.push_back({"mode",
                         {"a webhook needs the signing secret",
                          write_file("signing_secret_file") + ", from the page Basic Information of the app"}});
    } else if (mode.empty() && !app && !signing) {
        wrong.push_back({"token_file",
                         {"clicks have no way in", write_file("app_token_file") + " for Socket Mode, or " +
                                                       write_file("signing_secret_file") + " for a public address"}});
    }
}

Complaints check_settings(const WrittenSettings& written) {
    Complaints wrong;
    check_mode(written, wrong);
    check_previous_secret(written, "previous_signing_secret_file", wrong);
    if (written.contains("team") && !is_team(value_of(written, "team"))) {
        wrong.push_back(
            {"team", {"not the id of a workspace", "write team = \"T0123\", as in the workspace's address"}});
    }
    if (const auto command = value_of(written, "command"); written.contains("command") && !is_command(command)) {
        wrong.push_back({"command", {"not a slash command", "write command = \"/countersign\""}});
    }
    return wrong;
}

Complaint check_chat(std::string_view chat) {
    if (is_channel(chat)) return {};
    if (chat.starts_with('D')) {
        return {"a direct message is not a chat of its own", "write people = [\"alice\"] instead of chat"};
    }
    return {chat.starts_with('#') ? "a channel's name can pass to another channel" : "not the id of a Slack channel",
            "write chat = \"C0123ABCD\": it is the last line of the channel's details"};
}

// A user id is unique only in its workspace (T) or organisation (E).
std::optional<std::string> read_principal(const WrittenId& id) {
    return text_if(id, [](std::string_view text) {
        const auto slash = text.find('/');
        return slash != std::string_view::npos && is_team(text.substr(0, slash)) && is_user(text.substr(slash + 1));
    });
}

}  // namespace

constinit const ChannelKind kind{
    .name = "slack",
    .principal = {.name = "slack",
                  .what = "a Slack workspace and user id",
                  .read = read_principal,
                  .instead = "write slack = \"T0123/U061F7AUR\": the T… of the workspace's address, and the U… under "
                             "\"Copy member ID\" in the profile"},
    .assurance = Assurance::chat,
    .placing = Placing::chat_or_people,
    .settings = settings,
    .check = check_settings,
    .check_chat = check_chat};

}  // namespace countersign::channels::slack
