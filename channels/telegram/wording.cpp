// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/wording.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

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
        if (filling->style == Filling::Style::mention) out.mention(filling->text, filling->user);
    }
}

bool say_mentions(StyledText& out, Language language, Key first, const std::vector<Mention>& mentions) {
    auto key = first;
    for (const auto& [person, principal] : mentions) {
        const auto user = user_of(principal);
        if (!user || person.empty()) continue;
        say(out, language, std::exchange(key, Key::and_another), {{"person", person, Filling::Style::mention, *user}});
    }
    return key != first;
}

std::optional<std::int64_t> user_of(std::string_view principal) {
    constexpr std::string_view prefix = "telegram:";
    if (!principal.starts_with(prefix)) return std::nullopt;
    principal.remove_prefix(prefix.size());
    std::int64_t user = 0;
    const auto* const end = principal.data() + principal.size();
    const auto read = std::from_chars(principal.data(), end, user);
    if (read.ec != std::errc{} || read.ptr != end || user <= 0) return std::nullopt;
    return user;
}

}  // namespace countersign::channels::telegram
