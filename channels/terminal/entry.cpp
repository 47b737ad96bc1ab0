// SPDX-License-Identifier: Apache-2.0
#include "channels/terminal/entry.hpp"

#include "channels/terminal/width.hpp"
#include "channels/terminal/word.hpp"
#include "core/utf8.hpp"

#include <string_view>

namespace countersign::channels::terminal {

namespace {

bool continues_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }
bool is_blank(char c) { return c == ' ' || c == '\n'; }
bool starts_with_mark(std::string_view text) {
    const auto next = utf8::decode(text);
    return next && width_of(next->value) == 0;
}

}  // namespace

bool TextEntry::press(const Key& key) {
    switch (key.kind) {
    case KeyKind::text:
    case KeyKind::space:
    case KeyKind::paste:
        if (text_.size() + key.text.size() > bytes_max_) return false;
        text_.insert(cursor_, key.text);
        cursor_ += key.text.size();
        return true;
    case KeyKind::paste_too_long:
        return false;
    case KeyKind::backspace:
        erase(before(), cursor_);
        return true;
    case KeyKind::erase_forward:
        erase(cursor_, after());
        return true;
    case KeyKind::erase_word:
        erase(word_before(), cursor_);
        return true;
    case KeyKind::erase_before:
        erase(0, cursor_);
        return true;
    case KeyKind::erase_after:
        erase(cursor_, text_.size());
        return true;
    case KeyKind::left:
        cursor_ = before();
        return true;
    case KeyKind::right:
        cursor_ = after();
        return true;
    case KeyKind::home:
        cursor_ = 0;
        return true;
    case KeyKind::end:
        cursor_ = text_.size();
        return true;
    default:
        return true;
    }
}

// A letter and the marks on it are one step.
std::size_t TextEntry::before() const {
    auto at = cursor_;
    while (at > 0) {
        do {
            --at;
        } while (at > 0 && continues_character(text_[at]));
        if (width_of(std::string_view{text_}.substr(at, cursor_ - at)) > 0) break;
    }
    return at;
}

std::size_t TextEntry::after() const {
    const auto size = text_.size();
    auto at = cursor_;
    const auto step = [&] {
        do {
            ++at;
        } while (at < size && continues_character(text_[at]));
    };
    if (at < size) step();
    while (at < size && starts_with_mark(std::string_view{text_}.substr(at))) step();
    return at;
}

std::size_t TextEntry::word_before() const {
    auto at = cursor_;
    while (at > 0 && is_blank(text_[at - 1])) --at;
    while (at > 0 && !is_blank(text_[at - 1])) --at;
    return at;
}

void TextEntry::erase(std::size_t from, std::size_t to) {
    text_.erase(from, to - from);
    cursor_ = from;
}

std::string too_long_note(const TextEntry& entry, Language language) {
    return text(language, Word::text_too_long, {{"count", std::to_string(entry.bytes_max())}});
}

}  // namespace countersign::channels::terminal
