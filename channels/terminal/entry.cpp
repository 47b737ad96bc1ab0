// SPDX-License-Identifier: Apache-2.0
#include "channels/terminal/entry.hpp"

#include "channels/terminal/word.hpp"

namespace countersign::channels::terminal {

bool TextEntry::press(const Key& key) {
    switch (key.kind) {
    case KeyKind::text:
    case KeyKind::space:
    case KeyKind::paste:
        if (text_.size() + key.text.size() > bytes_max_) return false;
        text_ += key.text;
        return true;
    case KeyKind::paste_too_long:
        return false;
    case KeyKind::backspace:
        // A whole character: its continuation bytes, then the byte that leads them.
        while (!text_.empty() && (static_cast<unsigned char>(text_.back()) & 0xC0U) == 0x80U) text_.pop_back();
        if (!text_.empty()) text_.pop_back();
        return true;
    default:
        return true;
    }
}

std::string too_long_note(const TextEntry& entry, Language language) {
    return text(language, Word::text_too_long, {{"count", std::to_string(entry.bytes_max())}});
}

}  // namespace countersign::channels::terminal
