// SPDX-License-Identifier: Apache-2.0
// KeyDecoder: bytes of a terminal into keys. It is entirely passive: no clock and no descriptor.
//
// What it does not know it swallows whole: half a sequence must never be taken for the letters inside it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::channels::terminal {

enum class KeyKind {
    text,  // one printable character, in `text`
    space,
    enter,
    tab,
    back_tab,
    escape,
    backspace,
    up,
    down,
    left,
    right,
    home,           // also Ctrl-A
    end,            // also Ctrl-E
    erase_forward,  // Delete
    erase_word,     // Ctrl-W: the word before the cursor
    erase_before,   // Ctrl-U: everything before the cursor
    erase_after,    // Ctrl-K: everything after it
    page_up,
    page_down,
    interrupt,     // Ctrl-C
    end_of_input,  // Ctrl-D
    paste,         // what stood between the brackets of a paste, in `text`
    paste_too_long,
};

struct Key {
    KeyKind kind = KeyKind::text;
    std::string text;
    friend bool operator==(const Key&, const Key&) = default;
};

class KeyDecoder {
public:
    // Bytes as they come, cut anywhere.
    [[nodiscard]] std::vector<Key> feed(std::string_view bytes);
    // Whether the bytes so far may be the beginning of a longer key. The caller waits a moment for the rest, then
    // flushes.
    [[nodiscard]] bool pending() const;
    // No more came in time: a lone Esc is the key, any other beginning is dropped.
    [[nodiscard]] std::vector<Key> flush();
    // What came so far counts for nothing, nor does the rest of a paste that is under way: at its end it is too long.
    void forget();

private:
    enum class State { ground, escape, control_sequence, single_shift, string, string_escape, paste };

    void step(char byte, std::vector<Key>& keys);
    void ground(char byte, std::vector<Key>& keys);
    void character(char byte, std::vector<Key>& keys);
    void escape(char byte, std::vector<Key>& keys);
    void control_sequence(char byte, std::vector<Key>& keys);
    void string(char byte);
    void paste(char byte, std::vector<Key>& keys);
    void end_paste(std::vector<Key>& keys);

    State state_ = State::ground;
    std::string sequence_;  // parameters of a control sequence, or the bytes of an unfinished character
    bool overlong_ = false;
    std::string paste_;
    bool paste_too_long_ = false;
};

}  // namespace countersign::channels::terminal
