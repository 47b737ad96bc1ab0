// SPDX-License-Identifier: Apache-2.0
// The catalogue's words in a message, with what is filled in styled as ours or as somebody else's. Pure.
#pragma once

#include "channels/catalogue.hpp"
#include "channels/telegram/text.hpp"
#include "core/ports/channel.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::channels::telegram {

// What stands in a place of a pattern. Whatever is not our own word is code: it styles nothing and is no link.
struct Filling {
    enum class Style { code, bold, plain, mention };
    std::string_view name;
    std::string text;
    Style style = Style::code;
    std::int64_t user = 0;  // of a mention
};

void say(StyledText& out, Language language, Key key, std::initializer_list<Filling> fillings = {});

// ": alice, bob", each called by their id; those without one of Telegram are left out. False, and nothing is written,
// if nobody is left. `first` has the place {person}.
bool say_mentions(StyledText& out, Language language, Key first, const std::vector<Mention>& mentions);

// The number in "telegram:77"; nothing for whoever else it names.
[[nodiscard]] std::optional<std::int64_t> user_of(std::string_view principal);

}  // namespace countersign::channels::telegram
