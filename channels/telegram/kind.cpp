// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/kind.hpp"

#include "channels/webhook_secrets.hpp"
#include "core/decimal.hpp"

#include <limits>

namespace countersign::channels::telegram {
namespace {

using enum SettingType;

constexpr Setting settings[] = {{"token_file", secret_file, true},
                                {.name = "webhook_secret_file", .type = secret_file, .reloadable = true},
                                {.name = "previous_webhook_secret_file", .type = secret_file, .reloadable = true},
                                {.name = "previous_until", .type = moment, .reloadable = true},
                                {.name = "webhook_url", .type = url, .reloadable = true},
                                {"base_url", url},
                                {"mode", mode}};

// Without it anyone who finds the address could send what looks like a tap (I2).
void check_webhook_secret(const WrittenSettings& written, std::vector<SettingComplaint>& wrong) {
    const auto mode = written.find("mode");
    if (mode == written.end() || mode->second != "webhook" || written.contains("webhook_secret_file")) return;
    wrong.push_back(
        {"mode",
         {"a webhook needs its secret", write_file("webhook_secret_file") + ", made with openssl rand -hex 32"}});
}

std::vector<SettingComplaint> check_secrets(const WrittenSettings& written) {
    std::vector<SettingComplaint> wrong;
    check_webhook_secret(written, wrong);
    check_previous_secret(written, "previous_webhook_secret_file", wrong);
    return wrong;
}

// As Telegram writes it, because it is compared as text. Buttons come back with the number, even if the card was sent
// to a name.
Complaint check_chat(std::string_view chat) {
    const auto number = parse_decimal<std::int64_t>(chat).value_or(0);
    if (number != 0 && std::to_string(number) == chat) return {};
    return {chat.starts_with('@') ? "a @name is not a chat's id, and taps come with the id"
                                  : "this is not the id of a Telegram chat",
            "write its number, as in chat = -1001234567890; the bot says it to who writes /help there, and "
            "`countersign setup telegram` lists its groups"};
}

// The first topic of a group is the group itself to Telegram, which takes no number for it.
Complaint check_topic(std::int64_t topic) {
    if (topic != 1) return {};
    return {"1 is the group's General topic, which has no number of its own", "leave topic out"};
}
constexpr Topics topics{.least = 2,
                        .most = std::numeric_limits<std::int32_t>::max(),
                        .check = check_topic,
                        .chat = "write the group's chat = -100… too"};

// Bot API: "at most 52 significant bits".
std::optional<std::string> read_user(const WrittenId& id) {
    return integer_between(id, 1, (std::int64_t{1} << 52) - 1);
}

}  // namespace

constinit const ChannelKind kind{
    .name = "telegram",
    .principal = {.name = "telegram",
                  .what = "a Telegram user id",
                  .read = read_user,
                  .instead = "write telegram = 77, the number that stands as message.from.id in the bot's updates"},
    .assurance = Assurance::chat,
    .placing = Placing::chat_or_people,
    .settings = settings,
    .check = check_secrets,
    .check_chat = check_chat,
    .topics = &topics};

}  // namespace countersign::channels::telegram
