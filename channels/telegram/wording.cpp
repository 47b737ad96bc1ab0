// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/wording.hpp"

#include <algorithm>

namespace countersign::channels::telegram {

void say(StyledText& out, Language language, Key key, std::initializer_list<Filling> fillings) {
    for (auto rest = pattern(language, key); !rest.empty();) {
        const auto part = next_part(rest);
        if (!part.place) {
            out.plain(part.text);
            continue;
        }
        const auto* const filling = std::ranges::find(fillings, part.text, &Filling::name);
        if (filling == fillings.end()) continue;  // a test fills every place of every key
        if (filling->style == Filling::Style::code) out.code(filling->text);
        if (filling->style == Filling::Style::bold) out.bold(filling->text);
        if (filling->style == Filling::Style::plain) out.plain(filling->text);
    }
}

}  // namespace countersign::channels::telegram
