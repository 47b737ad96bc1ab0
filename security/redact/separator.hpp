// SPDX-License-Identifier: Apache-2.0
// Separator: the text between a name and its value, and what it says about their notation.
//
// Both must be on one line: a value on the next line would be where a command starts, and a mask must not start there.
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
        comma,    // "a", "b" anywhere in a list: the two may be unrelated
    };
    Kind kind = Kind::equals;
    std::size_t value = 0;        // where the value starts
    bool tight = false;           // no space on either side, or an option: configuration, not source code or prose
    bool comparison = false;      // a == b
    bool name_quoted = false;     // "a": b
    bool arrow = false;           // a => b, a->b, where a shell would write to a file b
    std::optional<Quote> inside;  // 'a: b': the quote around both
    std::size_t quoted_word = 0;  // where that quote's text starts if it is one assignment: export 'a=b c'
};

// The separator after the name text[begin, end), if there is one.
[[nodiscard]] std::optional<Separator> separator_after(std::string_view text, std::size_t begin, std::size_t end);

}  // namespace countersign::security
