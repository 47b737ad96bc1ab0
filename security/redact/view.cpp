// SPDX-License-Identifier: Apache-2.0
#include "security/redact/view.hpp"

#include "core/utf8.hpp"
#include "security/display/characters.hpp"
#include "security/redact/bytes.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

namespace countersign::security {
namespace {

// The distance between ASCII and its fullwidth forms.
constexpr char32_t fullwidth_first = 0xFF01;
constexpr char32_t fullwidth_last = 0xFF5E;
constexpr char32_t fullwidth_distance = 0xFEE0;

std::optional<char32_t> hex_number(std::string_view text, std::size_t at, std::size_t count) {
    if (at > text.size() || text.size() - at < count) return std::nullopt;
    std::uint32_t number = 0;
    const auto* end = text.data() + at + count;
    const auto read = std::from_chars(text.data() + at, end, number, 16);
    if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
    return number;
}

// A comment ends with its line, even after a backslash. Text that only looks like a comment is treated as one.
bool in_comment(std::string_view text, std::size_t at) {
    const auto line = text.substr(0, at).substr(text.substr(0, at).rfind('\n') + 1);
    for (auto mark = line.find('#'); mark != line.npos; mark = line.find('#', mark + 1)) {
        if (mark == 0 || std::string_view{" \t;|&()"}.find(line[mark - 1]) != std::string_view::npos) return true;
    }
    return false;
}

struct Traits {
    bool strange = false;  // contains something that the stripped view reads differently
    bool odd_spaces = false;
    bool percents = false;
};

bool strange_escape(std::string_view rest) {
    return rest.size() > 1 && (rest[1] == '/' || rest[1] == 'u' || rest[1] == '\n' || rest[1] == '\r');
}

// Bytes that every view keeps unchanged.
constexpr auto plain_bytes = ByteSet::alnum_and("\n\t\r !\"#$&'()*+,-./:;<=>?@[]^_`{|}~");

// Most texts contain nothing unusual, and one fast scan avoids building the views.
Traits traits_of(std::string_view text, bool arguments) {
    Traits traits;
    for (std::size_t at = 0; at < text.size();) {
        const auto byte = text[at];
        if (plain_bytes.has(byte)) {
            ++at;
            continue;
        }
        if (byte >= 0x20 && byte < 0x7F) {
            if (byte == '\\') traits.strange |= strange_escape(text.substr(at));
            if (byte == '%') traits.percents |= hex_number(text, at + 1, 2).has_value();
            ++at;
            continue;
        }
        const auto found = character_at(text, at);
        at += found.bytes;
        if (!found.valid || byte == '\n' || byte == '\t' || byte == '\r') continue;
        if (arguments && byte == argument_quote) continue;
        traits.odd_spaces |= odd_space(found.code);
        traits.strange |= hidden(found.code) || (found.code >= fullwidth_first && found.code <= fullwidth_last);
    }
    return traits;
}

}  // namespace

std::size_t continued_line(std::string_view text, std::size_t at) {
    if (!text.substr(at).starts_with("\\\n")) return 0;
    auto first = at;
    while (first > 0 && text[first - 1] == '\\') --first;
    return (at - first) % 2 == 0 && !in_comment(text, at) ? 2 : 0;
}

std::size_t control_sequence(std::string_view text, std::size_t at) {
    if (!text.substr(at).starts_with("\x1B[")) return 0;
    auto end = at + 2;
    while (end < text.size() && text[end] >= 0x20 && text[end] <= 0x3F) ++end;
    return end < text.size() ? end + 1 - at : 0;
}

class ViewBuilder {
public:
    ViewBuilder(std::string_view text, std::span<const MaskSpan> masks, bool arguments)
        : text_{text}, masks_{masks}, arguments_{arguments} {}

    [[nodiscard]] View build(View::Kind kind) {
        view_ = View{};
        view_.kind_ = kind;
        view_.text_.reserve(text_.size());
        auto mask = masks_.begin();
        for (std::size_t at = 0; at < text_.size();) {
            if (mask != masks_.end() && at == mask->begin) {
                if (kind != View::Kind::glued) put(mask_mark, at, mask->end - at);
                at = mask->end;
                ++mask;
                continue;
            }
            at += kind == View::Kind::plain ? plain(at) : read(at);
        }
        return std::move(view_);
    }

private:
    // A byte that only we may write is replaced if the text contains it.
    std::size_t plain(std::size_t at) {
        put(text_[at] == mask_mark ? '\x7F' : text_[at], at, 1);
        return 1;
    }

    // Reads one element, writes its meaning, and returns the number of bytes read.
    std::size_t read(std::size_t at) {
        if (plain_bytes.has(text_[at])) return put(text_[at], at, 1);
        if (arguments_ && text_[at] == argument_quote) return put(argument_quote, at, 1);
        if (const auto skipped = control_sequence(text_, at) + continued_line(text_, at); skipped > 0) return skipped;
        if (text_[at] == '\\') return escape(at);
        if (text_[at] == '%' && view_.kind_ == View::Kind::percent) {
            if (const auto byte = hex_number(text_, at + 1, 2)) {
                return *byte < 0x80 ? character(*byte, at, 3) : put(static_cast<char>(*byte), at, 3);
            }
        }
        const auto found = character_at(text_, at);
        return found.valid ? character(found.code, at, found.bytes) : put(text_[at], at, 1);
    }

    std::size_t escape(std::size_t at) {
        if (text_.substr(at).starts_with("\\/")) return put('/', at, 2);
        if (text_.substr(at).starts_with("\\u")) {
            const auto code = hex_number(text_, at + 2, 4);
            if (code && (*code < 0xD800 || *code > 0xDFFF)) return character(*code, at, 6);
        }
        return put('\\', at, 1);
    }

    std::size_t character(char32_t code, std::size_t at, std::size_t bytes) {
        if (code == '\n' || code == '\t' || code == '\r') return put(static_cast<char>(code), at, bytes);
        if (code >= fullwidth_first && code <= fullwidth_last) code -= fullwidth_distance;
        if (view_.kind_ == View::Kind::spaced && odd_space(code)) code = ' ';
        if (hidden(code)) return bytes;
        std::string written;
        utf8::append(written, code);
        for (const char byte : written) put(byte, at, bytes);
        return bytes;
    }

    std::size_t put(char byte, std::size_t at, std::size_t bytes) {
        const auto view = static_cast<std::uint32_t>(view_.text_.size());
        const auto begin = static_cast<std::uint32_t>(at);
        view_.text_ += byte;
        auto& pieces = view_.pieces_;
        const bool goes_on = bytes == 1 && !pieces.empty() && pieces.back().end == begin &&
                             pieces.back().end - pieces.back().begin == view - pieces.back().view;
        if (goes_on) {
            ++pieces.back().end;
        } else {
            pieces.push_back({view, begin, begin + static_cast<std::uint32_t>(bytes)});
        }
        return bytes;
    }

    std::string_view text_;
    std::span<const MaskSpan> masks_;
    bool arguments_;
    View view_;

    friend std::vector<View> views_of(std::string_view text, std::span<const MaskSpan> masks, bool arguments);
    [[nodiscard]] View itself() const {
        View view;
        view.text_ = text_;
        return view;
    }
};

// The original bytes of the view's byte at `at`.
View::Piece View::piece_of(std::size_t at) const {
    const auto next = std::ranges::upper_bound(pieces_, at, {}, &Piece::view);
    auto piece = *std::prev(next);
    const auto length = (next == pieces_.end() ? text_.size() : next->view) - piece.view;
    if (piece.end - piece.begin != length) return piece;
    piece.begin += static_cast<std::uint32_t>(at - piece.view);
    piece.end = piece.begin + 1;
    return piece;
}

Finding View::original(const Finding& finding) const {
    if (pieces_.empty()) return finding;
    auto original = finding;
    original.begin = piece_of(finding.begin).begin;
    original.end = piece_of(finding.end - 1).end;
    original.value = finding.value == 0 ? 0 : piece_of(finding.value).begin;
    return original;
}

std::vector<View> views_of(std::string_view text, std::span<const MaskSpan> masks, bool arguments) {
    ViewBuilder builder{text, masks, arguments};
    std::vector<View> views;
    const auto traits = traits_of(text, arguments);
    views.push_back(masks.empty() && !traits.strange ? builder.itself() : builder.build(View::Kind::plain));
    const auto add = [&](bool differs, View::Kind kind) {
        if (!differs) return;
        auto view = builder.build(kind);
        if (!view.text().empty()) views.push_back(std::move(view));
    };
    add(traits.strange, View::Kind::stripped);
    add(traits.odd_spaces, View::Kind::spaced);
    add(traits.percents, View::Kind::percent);
    add(!masks.empty(), View::Kind::glued);
    return views;
}

}  // namespace countersign::security
