// SPDX-License-Identifier: Apache-2.0
#include "channels/pairing.hpp"

#include "core/limits.hpp"
#include "security/secret.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace countersign::channels {

namespace {

constexpr std::string_view letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
constexpr std::size_t code_size = 8;

// As codes are written.
std::string in_capitals(std::string_view text) {
    std::string capitals{text};
    for (auto& c : capitals) {
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    }
    return capitals;
}

std::string_view trimmed(std::string_view text) {
    constexpr auto blanks = " \t\r\n";
    const auto begin = text.find_first_not_of(blanks);
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

bool is_code(std::string_view text) {
    return text.size() == code_size &&
           std::ranges::all_of(text, [](char c) { return letters.find(c) != std::string_view::npos; });
}

// The word after "start", or a text that looks like a code; empty for everything else. In capitals.
std::string attempt_in(std::string_view text) {
    const auto capitals = in_capitals(trimmed(text));
    for (const std::string_view start : {"/START ", "START "}) {
        if (capitals.starts_with(start)) return std::string{trimmed(std::string_view{capitals}.substr(start.size()))};
    }
    return is_code(capitals) ? capitals : std::string{};
}

}  // namespace

std::string pairing_code() {
    const auto random = security::Secret::random(code_size);
    std::string code;
    for (const auto byte : random.bytes()) code += letters[byte % letters.size()];
    return code;
}

PairingTerminal pairing_terminal(std::function<void(const std::string& text)> tell, PairingWords words) {
    const auto again = std::make_shared<bool>(false);
    return {.new_code =
                [tell, words = std::move(words), again] {
                    auto code = pairing_code();
                    tell(std::exchange(*again, true) ? "\nThe code appeared in another chat and is no longer valid. "
                                                       "Use this one instead.\n"
                                                     : "\n" + words.intro);
                    tell("\n" + words.how(code) + "Waiting …\n");
                    return code;
                },
            .wrong_code = [tell] { tell("Someone sent a wrong code.\n"); }};
}

Pairing::Pairing(Clock& clock, PairingTerminal terminal) : clock_{clock}, terminal_{std::move(terminal)} {
    show_new_code();
}

void Pairing::show_new_code() {
    code_ = terminal_.new_code();
    ends_ = clock_.boot() + limits::pairing_max;
}

Pairing::Heard Pairing::hear(const PairingText& text) {
    if (paired_ || is_over()) return Heard::nothing;
    const bool own = text.direct && text.own;
    if (!own && in_capitals(text.text).find(code_) != std::string::npos) show_new_code();
    if (!text.direct) return Heard::nothing;
    const auto attempt = own ? attempt_in(text.text) : std::string{};
    paired_ = attempt == code_;
    if (paired_) return Heard::paired;
    if (!attempt.empty()) terminal_.wrong_code();
    return replies_++ < limits::pairing_replies_max ? Heard::needs_code : Heard::nothing;
}

Error pairing_timeout() {
    return {Errc::timeout, "the code was not written within ten minutes; run the command again for a new one"};
}

}  // namespace countersign::channels
