// SPDX-License-Identifier: Apache-2.0
// The catalogue's words in a message, with what is filled in styled as ours or as somebody else's. Pure.
#pragma once

#include "channels/catalogue.hpp"
#include "channels/telegram/text.hpp"

#include <initializer_list>
#include <string>
#include <string_view>

namespace countersign::channels::telegram {

// What stands in a place of a pattern. Whatever is not our own word is code: it styles nothing and is no link.
struct Filling {
    enum class Style { code, bold, plain };
    std::string_view name;
    std::string text;
    Style style = Style::code;
};

void say(StyledText& out, Language language, Key key, std::initializer_list<Filling> fillings = {});

}  // namespace countersign::channels::telegram
