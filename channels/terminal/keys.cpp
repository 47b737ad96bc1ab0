// SPDX-License-Identifier: Apache-2.0
#include "channels/terminal/keys.hpp"

#include "core/limits.hpp"
#include "core/utf8.hpp"

#include <optional>
#include <utility>

namespace countersign::channels::terminal {

namespace {

constexpr char escape_byte = '\x1b';
constexpr char interrupt_byte = '\x03';
constexpr std::string_view paste_begins = "200";
constexpr std::string_view paste_ends = "\x1b[201~";

std::optional<KeyKind> control_key(char byte) {
    switch (byte) {
    case interrupt_byte:
        return KeyKind::interrupt;
    case '\x04':
        return KeyKind::end_of_input;
    case '\x01':
        return KeyKind::home;
    case '\x05':
        return KeyKind::end;
    case '\x0b':
        return KeyKind::erase_after;
    case '\x15':
        return KeyKind::erase_before;
    case '\x17':
        return KeyKind::erase_word;
    case '\t':
        return KeyKind::tab;
    case '\r':
    case '\n':
        return KeyKind::enter;
    case '\b':
    case '\x7f':
        return KeyKind::backspace;
    case ' ':
        return KeyKind::space;
    default:
        return std::nullopt;
    }
}

// Arrows, Home and End.
std::optional<KeyKind> cursor_key(char final_byte) {
    switch (final_byte) {
    case 'A':
        return KeyKind::up;
    case 'B':
        return KeyKind::down;
    case 'C':
        return KeyKind::right;
    case 'D':
        return KeyKind::left;
    case 'F':
        return KeyKind::end;
    case 'H':
        return KeyKind::home;
    default:
        return std::nullopt;
    }
}

// Terminals do not agree on the numbers of Home and End.
std::optional<KeyKind> numbered_key(std::string_view number) {
    if (number == "1" || number == "7") return KeyKind::home;
    if (number == "4" || number == "8") return KeyKind::end;
    if (number == "3") return KeyKind::erase_forward;
    if (number == "5") return KeyKind::page_up;
    if (number == "6") return KeyKind::page_down;
    return std::nullopt;
}

// Modifiers of an arrow ("1;2A") are ignored: nothing here means something else with Shift held.
std::optional<KeyKind> named_by(std::string_view parameters, char final_byte) {
    if (final_byte == 'Z') return KeyKind::back_tab;
    if (final_byte == '~') return numbered_key(parameters.substr(0, parameters.find(';')));
    return cursor_key(final_byte);
}

bool is_control(char32_t character) { return character < 0x20 || (character >= 0x7F && character < 0xA0); }

// Line ends are kept as one byte; everything else that is not printable is dropped.
std::string printable_of(std::string_view pasted) {
    std::string kept;
    while (!pasted.empty()) {
        const auto next = utf8::decode(pasted);
        const auto length = next ? next->length : 1;
        if (pasted.front() == '\n' || (pasted.front() == '\r' && !pasted.starts_with("\r\n"))) {
            kept += '\n';
        } else if (next && !is_control(next->value)) {
            kept += pasted.substr(0, length);
        }
        pasted.remove_prefix(length);
    }
    return kept;
}

}  // namespace

std::vector<Key> KeyDecoder::feed(std::string_view bytes) {
    std::vector<Key> keys;
    for (const char byte : bytes) step(byte, keys);
    return keys;
}

bool KeyDecoder::pending() const { return state_ != State::paste && (state_ != State::ground || !sequence_.empty()); }

std::vector<Key> KeyDecoder::flush() {
    if (!pending()) return {};
    std::vector<Key> keys;
    if (state_ == State::escape) keys.push_back({KeyKind::escape, {}});
    state_ = State::ground;
    sequence_.clear();
    return keys;
}

void KeyDecoder::forget() {
    (void)flush();
    if (state_ == State::paste) paste_too_long_ = true;
}

void KeyDecoder::step(char byte, std::vector<Key>& keys) {
    switch (state_) {
    case State::ground:
        return ground(byte, keys);
    case State::escape:
        return escape(byte, keys);
    case State::control_sequence:
        return control_sequence(byte, keys);
    case State::single_shift:
        state_ = State::ground;
        if (static_cast<unsigned char>(byte) < 0x20) return ground(byte, keys);
        if (byte == 'M') {
            keys.push_back({KeyKind::enter, {}});  // the keypad's, in application mode
        } else if (const auto kind = cursor_key(byte)) {
            keys.push_back({*kind, {}});
        }
        return;
    case State::string:
    case State::string_escape:
        return string(byte);
    case State::paste:
        return paste(byte, keys);
    }
}

void KeyDecoder::ground(char byte, std::vector<Key>& keys) {
    if (byte == escape_byte) {
        sequence_.clear();
        state_ = State::escape;
        return;
    }
    if (const auto kind = control_key(byte)) {
        sequence_.clear();
        keys.push_back({*kind, *kind == KeyKind::space ? " " : ""});
        return;
    }
    if (static_cast<unsigned char>(byte) >= 0x20) character(byte, keys);
}

void KeyDecoder::character(char byte, std::vector<Key>& keys) {
    // A byte that begins a character ends an unfinished one, which is dropped.
    if ((static_cast<unsigned char>(byte) & 0xC0U) != 0x80U) sequence_.clear();
    sequence_ += byte;
    const auto next = utf8::decode(sequence_);
    if (next && !is_control(next->value)) keys.push_back({KeyKind::text, sequence_});
    // Four bytes that are no character never will be one.
    if (next || sequence_.size() >= 4) sequence_.clear();
}

void KeyDecoder::escape(char byte, std::vector<Key>& keys) {
    state_ = State::ground;
    switch (byte) {
    case '[':
        state_ = State::control_sequence;
        overlong_ = false;
        return;
    case 'O':
        state_ = State::single_shift;
        return;
    case ']':
    case 'P':
    case 'X':
    case '^':
    case '_':
        state_ = State::string;
        return;
    case escape_byte:
        keys.push_back({KeyKind::escape, {}});
        state_ = State::escape;
        return;
    case interrupt_byte:
        keys.push_back({KeyKind::interrupt, {}});
        return;
    default:
        return;  // Alt and a key: not one of ours
    }
}

void KeyDecoder::control_sequence(char byte, std::vector<Key>& keys) {
    const auto value = static_cast<unsigned char>(byte);
    if (value >= 0x20 && value <= 0x3F) {
        if (sequence_.size() < limits::terminal_sequence_bytes_max) {
            sequence_ += byte;
        } else {
            overlong_ = true;
        }
        return;
    }
    const auto parameters = std::exchange(sequence_, {});
    state_ = State::ground;
    if (value < 0x40 || value > 0x7E) return step(byte, keys);  // broken off: the byte stands for itself
    if (overlong_) return;
    if (byte == '~' && parameters == paste_begins) {
        state_ = State::paste;
    } else if (const auto kind = named_by(parameters, byte)) {
        keys.push_back({*kind, {}});
    }
}

void KeyDecoder::string(char byte) {
    const bool ended = byte == '\a' || (state_ == State::string_escape && byte == '\\');
    if (ended) {
        state_ = State::ground;
    } else {
        state_ = byte == escape_byte ? State::string_escape : State::string;
    }
}

void KeyDecoder::paste(char byte, std::vector<Key>& keys) {
    // A paste whose end got lost must not take the keyboard away for ever.
    if (byte == interrupt_byte) {
        paste_.clear();
        paste_too_long_ = false;
        state_ = State::ground;
        keys.push_back({KeyKind::interrupt, {}});
        return;
    }
    paste_ += byte;
    if (paste_.ends_with(paste_ends)) return end_paste(keys);
    if (paste_.size() < limits::terminal_paste_bytes_max + paste_ends.size()) return;
    // Only as much is kept as tells the end of it.
    paste_too_long_ = true;
    paste_.erase(0, paste_.size() - paste_ends.size());
}

void KeyDecoder::end_paste(std::vector<Key>& keys) {
    paste_.erase(paste_.size() - paste_ends.size());
    if (paste_too_long_) {
        keys.push_back({KeyKind::paste_too_long, {}});
    } else {
        keys.push_back({KeyKind::paste, printable_of(paste_)});
    }
    paste_.clear();
    paste_too_long_ = false;
    state_ = State::ground;
}

}  // namespace countersign::channels::terminal
