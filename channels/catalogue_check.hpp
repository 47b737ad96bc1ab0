// SPDX-License-Identifier: Apache-2.0
// Whether the catalogue is complete. Asked when it is compiled: a word that is missing in one language stops the build.
#pragma once

#include "channels/catalogue.hpp"
#include "core/limits.hpp"

#include <array>
#include <string_view>

namespace countersign::channels {

template <std::size_t Languages> struct Row {
    Key key;
    std::array<std::string_view, Languages> texts;
};

enum class CatalogueFault {
    none,
    row_missing,          // or not in the order of Key
    cell_empty,           // a language lacks its words
    places_differ,        // two languages fill in different things
    places_not_readable,  // a brace without its other one, a name that is not a-z, or more than catalogue_args_max
    mark_up,              // a character that a chat app would read as a link, a command or a style
};

namespace catalogue_check {

// The places of one cell, in its order.
struct Places {
    std::array<std::string_view, limits::catalogue_args_max> names{};
    std::size_t count = 0;
    bool readable = true;
};

constexpr Places read_places(std::string_view text) {
    Places places;
    std::size_t open = 0;  // one past an opened brace
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto c = text[at];
        const bool name = c >= 'a' && c <= 'z';
        if (c == '{' && open == 0) {
            open = at + 1;
        } else if (c == '}' && open != 0 && at > open && places.count < places.names.size()) {
            places.names[places.count++] = text.substr(open, at - open);
            open = 0;
        } else if (c == '{' || c == '}' || (open != 0 && !name)) {
            places.readable = false;
        }
    }
    places.readable &= open == 0;
    return places;
}

constexpr bool same(const Places& one, const Places& other) {
    if (one.count != other.count) return false;
    for (std::size_t at = 0; at < one.count; ++at) {
        std::size_t here = 0;
        std::size_t there = 0;
        for (std::size_t i = 0; i < one.count; ++i) {
            if (one.names[i] == one.names[at]) ++here;
            if (other.names[i] == one.names[at]) ++there;
        }
        if (here != there) return false;
    }
    return true;
}

// Telegram and others make links of "a.b", commands of "/a", mentions of "@a", and other apps read Markdown.
constexpr bool is_mark(char c) {
    switch (c) {
    case '<':
    case '>':
    case '@':
    case '#':
    case '/':
    case '\\':
    case '`':
    case '*':
    case '_':
    case '[':
    case ']':
    case '~':
    case '|':
        return true;
    default:
        return static_cast<unsigned char>(c) < 0x20;
    }
}

constexpr bool has_mark_up(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool inside = at > 0 && at + 1 < text.size() && text[at + 1] != ' ' && text[at - 1] != ' ';
        if (is_mark(text[at]) || (text[at] == '.' && inside)) return true;
    }
    return false;
}

}  // namespace catalogue_check

template <std::size_t Languages> constexpr CatalogueFault fault_of(const Row<Languages>& row, std::size_t at) {
    using namespace catalogue_check;
    if (row.key != static_cast<Key>(at)) return CatalogueFault::row_missing;
    const auto first = read_places(row.texts[0]);
    for (const auto text : row.texts) {
        if (text.empty()) return CatalogueFault::cell_empty;
        if (has_mark_up(text)) return CatalogueFault::mark_up;
        const auto places = read_places(text);
        if (!places.readable) return CatalogueFault::places_not_readable;
        if (!same(places, first)) return CatalogueFault::places_differ;
    }
    return CatalogueFault::none;
}

}  // namespace countersign::channels
