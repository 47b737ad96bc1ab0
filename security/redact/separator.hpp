// SPDX-License-Identifier: Apache-2.0
// Separator: what is between a name and its value, and what that says about the notation they are in.
//
// The two are on one line: a value on the next line is in the place of a command, and no mask may begin there.
#pragma once

#include "security/redact/values.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

namespace countersign::security {

struct Separator {
    enum class Kind {
        equals,   // a=b, a := b, a => b
        colon,    // a: b
        word,     // --a b, set a b
        element,  // <a>b</a>
        list,     // a: [b, c]
        comma,    // "a", "b" somewhere in a list: the two may have nothing to do with each other
    };
    Kind kind = Kind::equals;
    std::size_t value = 0;        // where the value begins
    bool tight = false;           // no space on either side, or a flag: configuration, not source code or prose
    bool comparison = false;      // a == b
    bool name_quoted = false;     // "a": b
    bool arrow = false;           // a => b, a->b, where a shell would write to a file b
    std::optional<Quote> inside;  // 'a: b': the quote around both
    std::size_t quoted_word = 0;  // where that quote's text begins, if it is one assignment: export 'a=b c'
};

// What follows the name text[begin, end), if it is a separator.
[[nodiscard]] std::optional<Separator> separator_after(std::string_view text, std::size_t begin, std::size_t end);

}  // namespace countersign::security
