// SPDX-License-Identifier: Apache-2.0
#include "channels/catalogue.hpp"

#include "channels/catalogue_texts.hpp"

#include <algorithm>

namespace countersign::channels {

std::optional<Language> known_language(std::string_view tag) {
    const auto* const found = std::ranges::find(language_list, tag.substr(0, tag.find('-')));
    if (found == language_list.end()) return std::nullopt;
    return Language{static_cast<std::uint8_t>(found - language_list.begin())};
}

Language language_of(std::string_view tag) { return known_language(tag).value_or(Language{}); }

std::vector<std::string_view> language_tags() { return {language_list.begin(), language_list.end()}; }

std::string_view pattern(Language language, Key key) {
    return rows.at(static_cast<std::size_t>(key)).texts.at(language.column);
}

std::string text(Language language, Key key, std::initializer_list<Argument> arguments) {
    std::string out;
    for (auto rest = pattern(language, key); !rest.empty();) {
        const auto part = next_part(rest);
        const auto* const argument = std::ranges::find(arguments, part.text, &Argument::name);
        if (!part.place) {
            out += part.text;
        } else if (argument != arguments.end()) {
            out += argument->value;
        } else {
            out.append("{").append(part.text).append("}");
        }
    }
    return out;
}

}  // namespace countersign::channels
