// SPDX-License-Identifier: Apache-2.0
// Echo as a configuration sees it.
#pragma once

#include "core/channel_kind.hpp"

namespace countersign::channels::echo {

inline constexpr Setting settings[] = {{.name = "key_file", .type = SettingType::secret_file, .required = true},
                                       {.name = "colour", .type = SettingType::text, .reloadable = true},
                                       {.name = "shape", .type = SettingType::text}};

inline std::vector<SettingComplaint> check_colour(const WrittenSettings& written) {
    if (!written.contains("colour") || written.contains("shape")) return {};
    return {{"colour", {"a colour needs a shape", "write shape = \"round\""}}};
}

inline Complaint check_number(std::string_view chat) {
    return is_digits(chat, 1, 3) ? Complaint{} : Complaint{"a chat is a number", "write chat = \"7\""};
}

inline constexpr ChannelKind kind{.name = "echo",
                                  .principal = {.name = "echo",
                                                .what = "a number of Echo",
                                                .read = [](const WrittenId& id) { return integer_between(id, 1, 9); },
                                                .instead = "write echo = 7"},
                                  .assurance = Assurance::sms_code,
                                  .placing = Placing::chat_or_people,
                                  .settings = settings,
                                  .check = check_colour,
                                  .check_chat = check_number};

}  // namespace countersign::channels::echo
