// SPDX-License-Identifier: Apache-2.0
#include "channels/terminal/keys.hpp"

#include "channels/terminal/width.hpp"
#include "core/limits.hpp"

#include <gtest/gtest.h>

namespace countersign::channels::terminal {
namespace {

std::vector<KeyKind> kinds(const std::vector<Key>& keys) {
    std::vector<KeyKind> kinds;
    for (const auto& key : keys) kinds.push_back(key.kind);
    return kinds;
}
std::vector<KeyKind> decoded(std::string_view bytes) {
    KeyDecoder decoder;
    return kinds(decoder.feed(bytes));
}
using Kinds = std::vector<KeyKind>;

TEST(TerminalKeys, ArrowsAreKnownInBothModesOfATerminal) {
    const Kinds arrows{KeyKind::up, KeyKind::down, KeyKind::right, KeyKind::left};
    EXPECT_EQ(decoded("\x1b[A\x1b[B\x1b[C\x1b[D"), arrows);
    EXPECT_EQ(decoded("\x1bOA\x1bOB\x1bOC\x1bOD"), arrows);
    EXPECT_EQ(decoded("\x1b[1;2A"), Kinds{KeyKind::up});
}

TEST(TerminalKeys, TheOtherKeysOfThePromptAreKnown) {
    EXPECT_EQ(decoded("\r\n \t\x7f\b\x03\x04"),
              (Kinds{KeyKind::enter, KeyKind::enter, KeyKind::space, KeyKind::tab, KeyKind::backspace,
                     KeyKind::backspace, KeyKind::interrupt, KeyKind::end_of_input}));
    EXPECT_EQ(decoded("\x1b[Z\x1b[5~\x1b[6~"), (Kinds{KeyKind::back_tab, KeyKind::page_up, KeyKind::page_down}));
}

TEST(TerminalKeys, TheKeysThatEditATextAreKnown) {
    const Kinds ends{KeyKind::home, KeyKind::end};
    for (const auto* bytes : {"\x1b[H\x1b[F", "\x1bOH\x1bOF", "\x1b[1~\x1b[4~", "\x1b[7~\x1b[8~", "\x01\x05"}) {
        EXPECT_EQ(decoded(bytes), ends) << bytes;
    }
    EXPECT_EQ(decoded("\x1b[3~\x17\x15\x0b"),
              (Kinds{KeyKind::erase_forward, KeyKind::erase_word, KeyKind::erase_before, KeyKind::erase_after}));
}

TEST(TerminalKeys, ALoneEscIsAKeyOnlyWhenNothingFollowsIt) {
    KeyDecoder decoder;
    EXPECT_TRUE(decoder.feed("\x1b").empty());
    EXPECT_TRUE(decoder.pending());
    EXPECT_EQ(kinds(decoder.flush()), Kinds{KeyKind::escape});
    EXPECT_FALSE(decoder.pending());
    EXPECT_TRUE(decoder.flush().empty());

    EXPECT_TRUE(decoder.feed("\x1b").empty());
    EXPECT_EQ(kinds(decoder.feed("[A")), Kinds{KeyKind::up});
    EXPECT_EQ(kinds(decoder.feed("\x1b\x1b")), Kinds{KeyKind::escape});
    EXPECT_EQ(kinds(decoder.flush()), Kinds{KeyKind::escape});
}

TEST(TerminalKeys, BytesMayBeCutAnywhere) {
    const std::string bytes = "\x1b[A\x1bOBé\x1b[200~hi\x1b[201~\r";
    KeyDecoder whole;
    const auto expected = whole.feed(bytes);
    ASSERT_EQ(expected.size(), 5U);
    for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
        KeyDecoder decoder;
        auto keys = decoder.feed(std::string_view{bytes}.substr(0, cut));
        for (auto& key : decoder.feed(std::string_view{bytes}.substr(cut))) keys.push_back(std::move(key));
        EXPECT_EQ(keys, expected) << "cut at " << cut;
    }
}

TEST(TerminalKeys, TextIsWholeCharactersAndInvalidBytesAreDropped) {
    KeyDecoder decoder;
    EXPECT_EQ(decoder.feed("a漢"), (std::vector<Key>{{KeyKind::text, "a"}, {KeyKind::text, "漢"}}));
    EXPECT_EQ(decoder.feed("\xff\x80"
                           "b"),
              (std::vector<Key>{{KeyKind::text, "b"}}));
    EXPECT_EQ(decoder.feed("\xe6\xbc"
                           "c"),
              (std::vector<Key>{{KeyKind::text, "c"}}));
    EXPECT_TRUE(decoder.feed("\xc2\x9b").empty()) << "a C1 control is no text";
}

TEST(TerminalKeys, UnknownSequencesAreSwallowedWhole) {
    EXPECT_EQ(decoded("\x1b[?1;2c\x1b]0;title\a\x1bPq\x1b\\\x1bx\x1b[99~\x1bOQ"), Kinds{});
    EXPECT_EQ(decoded("\x1b[12\r"), Kinds{KeyKind::enter}) << "a control ends what it breaks";
    KeyDecoder decoder;
    EXPECT_TRUE(decoder.feed("\x1b]no end").empty());
    EXPECT_TRUE(decoder.pending());
    EXPECT_TRUE(decoder.flush().empty());
    EXPECT_EQ(kinds(decoder.feed("x")), Kinds{KeyKind::text});
}

TEST(TerminalKeys, I13_ASequenceOnePastItsBoundIsNoKey) {
    const std::string most(limits::terminal_sequence_bytes_max - 1, '1');
    EXPECT_EQ(decoded("\x1b[" + most + ";A"), Kinds{KeyKind::up});
    EXPECT_EQ(decoded("\x1b[" + most + "1;A"), Kinds{});
}

TEST(TerminalKeys, APasteIsOneKeyWhateverIsInIt) {
    KeyDecoder decoder;
    const auto keys = decoder.feed("\x1b[200~yes\r\n\x1b[A\t\x04q\r\x1b[201~");
    ASSERT_EQ(kinds(keys), Kinds{KeyKind::paste});
    EXPECT_EQ(keys.front().text, "yes\n[Aq\n");
}

TEST(TerminalKeys, CtrlCLeavesAPasteThatNeverEnds) {
    KeyDecoder decoder;
    EXPECT_TRUE(decoder.feed("\x1b[200~stuck").empty());
    EXPECT_FALSE(decoder.pending());
    EXPECT_EQ(kinds(decoder.feed("\x03\r")), (Kinds{KeyKind::interrupt, KeyKind::enter}));
}

TEST(TerminalKeys, I13_APasteOnePastItsBoundIsDropped) {
    const std::string most(limits::terminal_paste_bytes_max, 'a');
    KeyDecoder decoder;
    const auto fits = decoder.feed("\x1b[200~" + most + "\x1b[201~");
    ASSERT_EQ(kinds(fits), Kinds{KeyKind::paste});
    EXPECT_EQ(fits.front().text, most);
    const auto past = decoder.feed("\x1b[200~" + most + "a\x1b[201~x");
    EXPECT_EQ(kinds(past), (Kinds{KeyKind::paste_too_long, KeyKind::text}));
    EXPECT_TRUE(past.front().text.empty());
    EXPECT_EQ(kinds(decoder.feed("\x1b[200~ok\x1b[201~")), Kinds{KeyKind::paste});
}

TEST(TerminalKeys, WhatIsForgottenIsNeitherAKeyNorTheBeginningOfOne) {
    for (const auto* begun : {"\x1b", "\x1b[", "\x1b]0;", "\xe6\xbc"}) {
        KeyDecoder decoder;
        EXPECT_TRUE(decoder.feed(begun).empty());
        decoder.forget();
        EXPECT_FALSE(decoder.pending());
        EXPECT_TRUE(decoder.flush().empty());
        EXPECT_EQ(kinds(decoder.feed("x")), Kinds{KeyKind::text});
    }
    KeyDecoder pasting;
    EXPECT_TRUE(pasting.feed("\x1b[200~for the ").empty());
    pasting.forget();
    EXPECT_EQ(kinds(pasting.feed("first\r\x1b[201~x")), (Kinds{KeyKind::paste_too_long, KeyKind::text}));
}

TEST(TerminalWidth, WideCharactersTakeTwoColumnsAndMarksNone) {
    EXPECT_EQ(width_of("abc"), 3U);
    EXPECT_EQ(width_of("漢字"), 4U);
    EXPECT_EQ(width_of("e\xcc\x81"), 1U);
    EXPECT_EQ(width_of("🚀"), 2U);
    EXPECT_EQ(width_of("─"), 1U);
}

TEST(TerminalWidth, WrappingLosesNoByte) {
    const std::string line = "rm -rf 漢字漢字 o\xcc\x81o\xcc\x81  \xff tail";
    for (std::size_t columns = 1; columns < 40; ++columns) {
        std::string joined;
        for (const auto piece : wrap(line, columns)) {
            EXPECT_LE(width_of(piece), std::max<std::size_t>(columns, 2));
            EXPECT_FALSE(piece.starts_with("\xcc\x81")) << "a mark stays with its letter";
            joined += piece;
        }
        EXPECT_EQ(joined, line);
    }
    EXPECT_EQ(wrap("words are not torn", 10), (std::vector<std::string_view>{"words are ", "not torn"}));
    EXPECT_EQ(wrap("", 10).size(), 1U);
}

TEST(TerminalWidth, WhatIsCutSaysSo) {
    EXPECT_EQ(fit("abcdef", 6), "abcdef");
    EXPECT_EQ(fit("abcdef", 5), "abcd…");
    EXPECT_EQ(fit("漢字漢", 5), "漢字…");
    EXPECT_EQ(fit_tail("abcdef", 5), "…cdef");
}

}  // namespace
}  // namespace countersign::channels::terminal
