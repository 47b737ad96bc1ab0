// SPDX-License-Identifier: Apache-2.0
// View: a text as one of its readers would decode it, with a mapping back to the original bytes.
//
// A zero-width space inside a token hides it from a pattern but not from a reader. The same is true for %67 instead of
// g in a URL, or a backslash at the end of a line. The rules scan each view, and a match in any of them is masked.
#pragma once

#include "security/redact/finding.hpp"
#include "security/redact/mask.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::security {

// Represents a mask in a view: one byte that is part of no name and no token.
inline constexpr char mask_mark = '\x1A';
// The quote around each word of an argument list. It occurs in no text: see `arguments`.
inline constexpr char argument_quote = '\x02';

// The length of a line end that a shell ignores, or 0: the backslash must not be escaped or in a comment. With a
// carriage return after the backslash it is 0, because a shell ends the command there.
[[nodiscard]] std::size_t continued_line(std::string_view text, std::size_t at);

// The length of the terminal control sequence (ESC [ … letter) at `at`, or 0.
[[nodiscard]] std::size_t control_sequence(std::string_view text, std::size_t at);

class View {
public:
    enum class Kind {
        plain,     // as it is
        stripped,  // without invisible characters, colours, continued lines; \u0041 and fullwidth letters decoded
        spaced,    // the same, but an odd space becomes a space instead of being removed
        percent,   // stripped, and %41 decoded
        glued,     // stripped, with masks removed: a false mask must not split a token
    };

    [[nodiscard]] Kind kind() const { return kind_; }
    [[nodiscard]] std::string_view text() const { return text_; }
    // The corresponding part of the bytes that the view was made from.
    [[nodiscard]] Finding original(const Finding& finding) const;

private:
    friend class ViewBuilder;
    Kind kind_ = Kind::plain;
    std::string text_;
    // A part of the view, up to the next piece. If it has the same length as [begin, end), its bytes correspond one by
    // one; otherwise each of its bytes stands for all of that range.
    struct Piece {
        std::uint32_t view;
        std::uint32_t begin;
        std::uint32_t end;
    };
    [[nodiscard]] Piece piece_of(std::size_t at) const;

    std::vector<Piece> pieces_;  // in order; empty if the view is the text itself
};

// All views that differ from the earlier ones. `arguments` means that the text was joined from an argument list: then
// argument_quote is a quote, otherwise it is an ordinary invisible character.
[[nodiscard]] std::vector<View> views_of(std::string_view text, std::span<const MaskSpan> masks, bool arguments);

}  // namespace countersign::security
