// SPDX-License-Identifier: Apache-2.0
// Pairing: binds a person to their account by a code that their own terminal shows and that they write to the bot in a
// private chat. Single use, ten minutes, never the first who writes.
//
// It is passive: the platform hands in each text that it reads, in order, and answers the people who wrote. A code that
// appears anywhere else may have been read by others, who could be the first to write it in private: it is no longer
// valid, and the terminal shows another one.
#pragma once

#include "core/ports/clock.hpp"
#include "core/result.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace countersign::channels {

// Eight characters that are easy to type.
[[nodiscard]] std::string pairing_code();

// What the terminal is told. `new_code` makes a code and shows it: the first, and the next where others saw one.
struct PairingTerminal {
    std::function<std::string()> new_code;
    std::function<void()> wrong_code;  // someone sent one
};

// The words for it, the same for every platform. `intro` comes once; `how` says where to write a code, in whole lines.
struct PairingWords {
    std::string intro;
    std::function<std::string(const std::string& code)> how;
};
[[nodiscard]] PairingTerminal pairing_terminal(std::function<void(const std::string& text)> tell, PairingWords words);

// A text that someone wrote where the bot reads.
struct PairingText {
    std::string text;
    bool direct = false;  // in a private chat with the bot
    bool own = true;      // a person typed it there themselves: not forwarded, edited, or sent by a bot
};

class Pairing {
public:
    enum class Heard {
        nothing,
        needs_code,  // tell this person what to write; at most pairing_replies_max times in all
        paired,      // this is the person
    };
    // Borrows the clock. Shows the first code.
    Pairing(Clock& clock, PairingTerminal terminal);

    // Takes the code, alone or after "start" or "/start". After `paired`, or when the time is over, it hears nothing.
    [[nodiscard]] Heard hear(const PairingText& text);
    // pairing_max after the last code was shown.
    [[nodiscard]] BootTime ends() const { return ends_; }
    [[nodiscard]] bool is_over() const { return clock_.boot() >= ends_; }

private:
    void show_new_code();

    Clock& clock_;
    PairingTerminal terminal_;
    std::string code_;
    BootTime ends_;
    std::size_t replies_ = 0;
    bool paired_ = false;
};

// Errc::timeout, for the terminal.
[[nodiscard]] Error pairing_timeout();
// For the person who was paired.
inline constexpr std::string_view paired_words = "Done. Go back to your terminal.";

}  // namespace countersign::channels
