// SPDX-License-Identifier: Apache-2.0
#include "security/display/display.hpp"

#include "core/limits.hpp"
#include "core/utf8.hpp"
#include "security/display/characters.hpp"

#include <charconv>
#include <cstdint>
#include <optional>

namespace countersign::security {
namespace {

constexpr char32_t tab_arrow = 0x2192;
constexpr char32_t newline_arrow = 0x23CE;

void append_escape(std::string& out, char kind, char32_t code) {
    static constexpr std::string_view digits = "0123456789ABCDEF";
    out += {'\\', kind, '{'};
    int shift = 20;
    const int least = kind == 'x' ? 4 : 0;  // a byte has two digits
    while (shift > least && (code >> static_cast<unsigned>(shift)) == 0) shift -= 4;
    for (; shift >= 0; shift -= 4) out += digits[(code >> static_cast<unsigned>(shift)) & 0xFU];
    out += '}';
}

bool begins_escape(std::string_view text) { return text.starts_with("\\u{") || text.starts_with("\\x{"); }

// Writes the characters and keeps track of what the next mark would be drawn on.
class Writer {
public:
    explicit Writer(DisplayMode mode, std::size_t bytes) : mode_{mode} { out_.reserve(bytes + bytes / 8); }

    void write(std::string_view text, std::size_t at, const Character& character) {
        if (!character.valid) return escape('x', character.code);
        const auto code = character.code;
        if (code == '\n') return newline();
        if (code == '\t') return bare(tab_arrow);
        if (combining(code) && !hidden(code)) return mark(code);
        const bool ours =
            code == tab_arrow || code == newline_arrow || (code == '\\' && begins_escape(text.substr(at)));
        if (ours || hidden(code)) return escape('u', code);
        out_.append(text.substr(at, character.bytes));
        marks_left_ = limits::combining_marks_max;
    }

    [[nodiscard]] std::string take() { return std::move(out_); }

private:
    void newline() {
        if (mode_ == DisplayMode::line) return bare(newline_arrow);
        out_ += '\n';
        marks_left_ = 0;
    }

    // A mark must follow a letter of the text: on the closing brace of an escape it would change what the escape seems
    // to say.
    void mark(char32_t code) {
        if (marks_left_ == 0) return escape('u', code);
        utf8::append(out_, code);
        --marks_left_;
    }

    void escape(char kind, char32_t code) {
        append_escape(out_, kind, code);
        marks_left_ = 0;
    }

    void bare(char32_t code) {
        utf8::append(out_, code);
        marks_left_ = 0;
    }

    DisplayMode mode_;
    std::string out_;
    std::size_t marks_left_ = 0;
};

struct Escape {
    char32_t code;
    bool byte;
    std::size_t length;
};

std::optional<Escape> escape_at(std::string_view text) {
    if (!begins_escape(text)) return std::nullopt;
    const auto close = text.substr(0, 10).find('}');
    if (close == std::string_view::npos) return std::nullopt;
    std::uint32_t code = 0;
    const auto* begin = text.data() + 3;
    const auto* end = text.data() + close;
    const auto read = std::from_chars(begin, end, code, 16);
    if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
    const bool byte = text[1] == 'x';
    if (code > (byte ? 0xFFU : 0x10FFFFU) || (!byte && code >= 0xD800 && code <= 0xDFFF)) return std::nullopt;
    return Escape{code, byte, close + 1};
}

}  // namespace

std::string display(std::string_view text, DisplayMode mode) {
    Writer writer{mode, text.size()};
    for (std::size_t at = 0; at < text.size();) {
        const auto character = character_at(text, at);
        writer.write(text, at, character);
        at += character.bytes;
    }
    return writer.take();
}

std::string undisplay(std::string_view shown) {
    std::string text;
    text.reserve(shown.size());
    for (std::size_t at = 0; at < shown.size();) {
        if (const auto escape = escape_at(shown.substr(at))) {
            if (escape->byte) {
                text += static_cast<char>(escape->code);
            } else {
                utf8::append(text, escape->code);
            }
            at += escape->length;
            continue;
        }
        const auto character = character_at(shown, at);
        if (character.valid && character.code == tab_arrow) {
            text += '\t';
        } else if (character.valid && character.code == newline_arrow) {
            text += '\n';
        } else {
            text.append(shown.substr(at, character.bytes));
        }
        at += character.bytes;
    }
    return text;
}

}  // namespace countersign::security
