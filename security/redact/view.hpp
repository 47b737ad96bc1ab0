// SPDX-License-Identifier: Apache-2.0
// View: a text as one of its readers would take it, with the way back to the bytes it came from.
//
// A zero-width space inside a token hides it from a pattern and from nobody else; so does %67 for g in a URL, or a
// backslash at the end of a line. The rules look at each view, and what they find in any of them is masked.
#pragma once

#include "security/redact/finding.hpp"
#include "security/redact/mask.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::security {

// What a mask is in a view: one byte that is part of no name and no token.
inline constexpr char mask_mark = '\x1A';
// The quote around each word of an argument list. No text has it: see `arguments`.
inline constexpr char argument_quote = '\x02';

// The length of a line's end that a shell passes over, or 0: the backslash is not itself escaped, and in no comment.
// With a carriage return behind it it is none, for a shell ends the command there.
[[nodiscard]] std::size_t continued_line(std::string_view text, std::size_t at);

// The length of a terminal's control sequence (ESC [ … letter) at `at`, or 0.
[[nodiscard]] std::size_t control_sequence(std::string_view text, std::size_t at);

class View {
public:
    enum class Kind {
        plain,     // as it is
        stripped,  // without invisible characters, terminal colours, continued lines; \u0041 and fullwidth letters read
        spaced,    // the same, but an odd space is a space and not nothing
        percent,   // stripped, and %41 read
        glued,     // stripped, and masks are nothing: a false mask must not cut a token in two
    };

    [[nodiscard]] Kind kind() const { return kind_; }
    [[nodiscard]] std::string_view text() const { return text_; }
    // The same stretch in the bytes that the view was made from.
    [[nodiscard]] Finding original(const Finding& finding) const;

private:
    friend class ViewBuilder;
    Kind kind_ = Kind::plain;
    std::string text_;
    // A stretch of the view, up to the next piece. Its bytes are those of [begin, end) one by one if the two are of the
    // same length; else each of its bytes stands for all of that.
    struct Piece {
        std::uint32_t view;
        std::uint32_t begin;
        std::uint32_t end;
    };
    [[nodiscard]] Piece piece_of(std::size_t at) const;

    std::vector<Piece> pieces_;  // in order; empty where the view is the text itself
};

// Every view that differs from those before it. `arguments` says that the text was joined from an argument list: then
// argument_quote is a quote, and otherwise an invisible character like any other.
[[nodiscard]] std::vector<View> views_of(std::string_view text, std::span<const MaskSpan> masks, bool arguments);

}  // namespace countersign::security
