// SPDX-License-Identifier: Apache-2.0
#include "channels/phrase.hpp"

#include <algorithm>

namespace countersign::channels {

Phrase& Phrase::say(Language language, Key key, std::initializer_list<Insert> inserts) {
    for (auto rest = pattern(language, key); !rest.empty();) {
        const auto part = next_part(rest);
        if (!part.place) {
            plain(part.text);
            continue;
        }
        const auto* const insert = std::ranges::find(inserts, part.text, &Insert::name);
        if (insert == inserts.end()) continue;  // tests look at every answer in every language
        add({insert->style, insert->text, insert->principal});
    }
    return *this;
}

}  // namespace countersign::channels
