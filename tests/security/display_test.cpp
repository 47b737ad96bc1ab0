// SPDX-License-Identifier: Apache-2.0
#include "security/display/display.hpp"

#include "core/limits.hpp"
#include "core/utf8.hpp"
#include "security/display/characters.hpp"
#include "security/display/scripts.hpp"

#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <re2/re2.h>
#include <set>
#include <string>
#include <string_view>

namespace countersign::security {
namespace {

std::string encoded(char32_t code) {
    std::string text;
    utf8::append(text, code);
    return text;
}

bool scalar(char32_t code) { return code < 0xD800 || code > 0xDFFF; }

// Based on Unicode's own properties as RE2 knows them, and not on our table.
bool forbidden(std::string_view character, char32_t code) {
    static const RE2 classes{R"([\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Zs}])"};
    if (code == ' ') return false;
    if (RE2::FullMatch(re2::StringPiece{character.data(), character.size()}, classes)) return true;
    if (code % 0x10000 >= 0xFFFE || (code >= 0xFDD0 && code <= 0xFDEF)) return true;  // noncharacters
    if ((code >= 0xFE00 && code <= 0xFE0F) || (code >= 0xE0000 && code <= 0xE0FFF)) return true;
    if (code >= 0xF0000) return true;
    for (const char32_t blank : {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180E, 0x180F, 0x2065,
                                 0x2800, 0x3164, 0xFFA0}) {
        if (code == blank) return true;
    }
    return code >= 0xFFF0 && code <= 0xFFF8;
}

TEST(Display, EveryForbiddenCodePointIsEscapedAndEveryOtherOneSurvives) {
    std::size_t escaped = 0;
    for (char32_t code = 0; code <= 0x10FFFF; ++code) {
        if (!scalar(code)) continue;
        const auto character = encoded(code);
        const auto text = "a" + character + "b";
        for (const auto mode : {DisplayMode::block, DisplayMode::line}) {
            const auto shown = display(text, mode);
            ASSERT_EQ(undisplay(shown), text) << std::hex << static_cast<std::uint32_t>(code);
            if (code == '\n' && mode == DisplayMode::block) continue;
            if (forbidden(character, code)) {
                ASSERT_EQ(shown.find(character), std::string::npos) << std::hex << static_cast<std::uint32_t>(code);
                ++escaped;
            }
        }
    }
    EXPECT_GT(escaped, 2 * 137'000U);  // the private use areas alone
}

// The converse: visible text is unchanged. The exceptions are our two arrows, and characters that print as nothing
// although Unicode classifies them as a letter, mark or symbol.
TEST(Display, VisibleCharactersAreUnchanged) {
    const std::set<char32_t> exceptions{0x2192, 0x23CE, 0x13440, 0x13441, 0x13442, 0x16FE4, 0x1D159};
    std::set<char32_t> changed;
    for (char32_t code = 0; code <= 0x10FFFF; ++code) {
        if (!scalar(code)) continue;
        const auto character = encoded(code);
        if (forbidden(character, code)) continue;
        if (display("a" + character + "b") != "a" + character + "b") changed.insert(code);
    }
    EXPECT_EQ(changed, exceptions);
}

TEST(Display, EscapesAreTheCodePointInBraces) {
    EXPECT_EQ(display("a\u200Bb"), "a\\u{200B}b");
    EXPECT_EQ(display("\x1B[31mred"), "\\u{1B}[31mred");
    EXPECT_EQ(display(std::string_view{"\0", 1}), "\\u{0}");
    EXPECT_EQ(display("\U000E0041"), "\\u{E0041}");
    EXPECT_EQ(display("\U0010FFFF"), "\\u{10FFFF}");
    EXPECT_EQ(display("a\rb"), "a\\u{D}b");
    EXPECT_EQ(display("a\xFF\x0A"), "a\\x{FF}\n");
    EXPECT_EQ(display("\xED\xA0\x80"), "\\x{ED}\\x{A0}\\x{80}");  // a surrogate
    EXPECT_EQ(display("\xC0\xAF"), "\\x{C0}\\x{AF}");             // an overlong slash
    EXPECT_EQ(display("\xF4\x90\x80\x80"), "\\x{F4}\\x{90}\\x{80}\\x{80}");
    EXPECT_EQ(display("\xE2\x82"), "\\x{E2}\\x{82}");
}

TEST(Display, ABlockKeepsItsLinesAndALineStaysOne) {
    EXPECT_EQ(display("a\n\tb"), "a\n→b");
    EXPECT_EQ(display("a\n\tb", DisplayMode::line), "a⏎→b");
    EXPECT_EQ(display("a\r\nb", DisplayMode::line), "a\\u{D}⏎b");
    EXPECT_EQ(display("a\u2028b\u2029c\u0085d\vd\f"), "a\\u{2028}b\\u{2029}c\\u{85}d\\u{B}d\\u{C}");
}

TEST(Display, TextThatLooksLikeAnEscapeIsDistinguishedFromOne) {
    EXPECT_EQ(display("\\u{200B}"), "\\u{5C}u{200B}");
    EXPECT_EQ(display("\\x{FF}"), "\\u{5C}x{FF}");
    EXPECT_EQ(display("→⏎"), "\\u{2192}\\u{23CE}");
    for (const std::string_view plain :
         {"\\n", "\\", "\\\\", "\\u200b", "\\u 200b", "C:\\users\\bob", "\\U{1}", "printf '\\t'"}) {
        EXPECT_EQ(display(plain), plain);
    }
    EXPECT_NE(display("\u200B"), display("\\u{200B}"));
    EXPECT_NE(display("\t"), display("→"));
}

TEST(Display, TextThatDisplayCannotHaveWrittenIsKept) {
    for (const std::string_view text :
         {"\\u{", "\\u{}", "\\u{110000}", "\\u{D800}", "\\u{xyz}", "\\x{100}", "\\u{00000000041}", "\\x{"}) {
        EXPECT_EQ(undisplay(text), text);
    }
}

TEST(Display, NothingIsLostAndNothingForbiddenIsLeftInRandomText) {
    const std::array<std::string, 26> pieces{
        "a",    " ",    "\n",       "\t",      "\r",     "\\",     "u{",           "x{",    "}",
        "41",   "→",    "⏎",        "\u200B",  "\u202E", "\u0301", "\u0301\u0302", "é",     "ש",
        "\xFF", "\xC3", "\xE2\x80", "\x1B[0m", "\uFE0F", "😀",     "\\u{41}",      "\u00A0"};
    std::uint64_t state = 1;
    const auto below = [&](std::size_t bound) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        return static_cast<std::size_t>(state >> 33U) % bound;
    };
    for (int round = 0; round < 20'000; ++round) {
        std::string text;
        for (auto left = below(24); left > 0; --left) text += pieces[below(pieces.size())];
        for (const auto mode : {DisplayMode::block, DisplayMode::line}) {
            const auto shown = display(text, mode);
            ASSERT_EQ(undisplay(shown), text) << shown;
            for (std::size_t at = 0; at < shown.size();) {
                const auto character = character_at(shown, at);
                ASSERT_TRUE(character.valid);
                const bool newline = character.code == '\n' && mode == DisplayMode::block;
                ASSERT_TRUE(newline || !forbidden(shown.substr(at, character.bytes), character.code)) << shown;
                at += character.bytes;
            }
        }
    }
}

// After "Trojan Source": comments that are code, strings that end early, and names with look-alike or invisible
// characters.
TEST(Display, TextWithReversedDirectionIsShownInTheOrderItRuns) {
    EXPECT_EQ(display("if access != \"user\u202E \u2066// only admins\u2069 \u2066\" {"),
              "if access != \"user\\u{202E} \\u{2066}// only admins\\u{2069} \\u{2066}\" {");
    EXPECT_EQ(display("/*\u202E } \u2066if (admin)\u2069 \u2066 begin */"),
              "/*\\u{202E} } \\u{2066}if (admin)\\u{2069} \\u{2066} begin */");
    EXPECT_EQ(display("rm\u200B -rf"), "rm\\u{200B} -rf");
    EXPECT_EQ(display("const ㅤ = 1"), "const \\u{3164} = 1");
    EXPECT_EQ(display("safe.txt\u202Egpj.exe"), "safe.txt\\u{202E}gpj.exe");
    EXPECT_EQ(display("a\U000E0061\U000E0062b"), "a\\u{E0061}\\u{E0062}b");
}

TEST(Display, LettersOfEveryScriptSurvive) {
    for (const std::string_view text :
         {"שלום עולם", "مرحبا", "Grüße", "東京", "привет", "한국어", "नमस्ते", "ไทย", "🎉", "«x»"}) {
        EXPECT_EQ(display(text), text);
    }
    EXPECT_EQ(display("👩\u200D💻"), "👩\\u{200D}💻");
}

TEST(Display, I13_MarksPiledOnOneLetterAreEscapedPastTheBound) {
    std::string pile = "z";
    for (std::size_t i = 0; i < limits::combining_marks_max; ++i) pile += "\u0335";
    EXPECT_EQ(display(pile), pile);
    EXPECT_EQ(display(pile + "\u0335\u0336"), pile + "\\u{335}\\u{336}");
    EXPECT_EQ(display(pile + "\u0335x\u0335"), pile + "\\u{335}x\u0335");
}

TEST(Display, AMarkWithoutABaseCharacterIsEscaped) {
    EXPECT_EQ(display("\u0338x"), "\\u{338}x");
    EXPECT_EQ(display("a\n\u0338"), "a\n\\u{338}");
    EXPECT_EQ(display("\u200B\u0338"), "\\u{200B}\\u{338}");
}

TEST(MixedScript, DetectsLettersOfAnotherScriptInsideAWord) {
    for (const std::string_view mixed :
         {"gооgle.com", "раypal", "Αpple", "ехample.org", "ｐaypal", "admіn", "h𝐞llo", "Ꭺpi", "a\u200Bб"}) {
        EXPECT_TRUE(mixed_script(mixed)) << mixed;
    }
    for (const std::string_view pure : {"google.com", "пример", "файл.txt", "αβγ", "東京tower", "עברית-abc", "naïve",
                                        "Zürich", "", "x=5, y=6", "한국abc", "\xFF\xFE", "привет hello"}) {
        EXPECT_FALSE(mixed_script(pure)) << pure;
    }
}

}  // namespace
}  // namespace countersign::security
