// SPDX-License-Identifier: Apache-2.0
#include "core/utf8.hpp"

#include <gtest/gtest.h>

namespace countersign {
namespace {

// At every length and position, because eight bytes are checked at a time.
TEST(Utf8, AsciiEndsAtTheFirstByteThatIsNot) {
    for (std::size_t length = 0; length < 20; ++length) {
        const std::string ascii(length, 'x');
        EXPECT_EQ(utf8::ascii_length(ascii), length);
        EXPECT_EQ(utf8::ascii_length(ascii + "\x80" + ascii), length);
        EXPECT_EQ(utf8::ascii_length(ascii + "\xFF"), length);
        EXPECT_EQ(utf8::ascii_length(ascii + "\x7F\x7F"), length + 2);
    }
}

TEST(Utf8, EveryCodePointIsReadBack) {
    for (char32_t value = 0; value <= 0x10FFFF; ++value) {
        if (value >= 0xD800 && value <= 0xDFFF) continue;
        std::string text;
        utf8::append(text, value);
        const auto point = utf8::decode(text + "x");
        ASSERT_TRUE(point) << static_cast<unsigned long>(value);
        ASSERT_EQ(point->value, value);
        ASSERT_EQ(point->length, text.size());
    }
}

// The oracle is the count: of all sequences of one to three bytes exactly this many are code points.
TEST(Utf8, NoOtherBytesAreACodePoint) {
    std::size_t counts[4] = {};
    for (unsigned bytes = 0; bytes < 0x1000000; ++bytes) {
        const char text[] = {static_cast<char>(bytes >> 16U), static_cast<char>(bytes >> 8U), static_cast<char>(bytes)};
        if (const auto point = utf8::decode({text, 3})) ++counts[point->length];
    }
    EXPECT_EQ(counts[1], 0x80U * 0x10000U);
    EXPECT_EQ(counts[2], (0x800U - 0x80U) * 0x100U);
    EXPECT_EQ(counts[3], 0x10000U - 0x800U - 0x800U) << "without overlong forms and surrogates";
    EXPECT_FALSE(utf8::decode(""));
    EXPECT_FALSE(utf8::decode("\xf4\x90\x80\x80")) << "above U+10FFFF";
    EXPECT_FALSE(utf8::decode("\xf0\x8f\xbf\xbf")) << "overlong";
}

TEST(Utf8, AnInvalidCodePointIsWrittenAsAReplacementCharacter) {
    std::string text;
    utf8::append(text, 0xD800);
    utf8::append(text, 0xDFFF);
    utf8::append(text, 0x110000);
    EXPECT_EQ(text, "\uFFFD\uFFFD\uFFFD");
}

TEST(Utf8, RepairsOnlyInvalidBytes) {
    EXPECT_EQ(utf8::repaired("aé€😂"), "aé€😂");
    EXPECT_EQ(utf8::repaired("a\xff\xc3z\xe2\x82"), "a\uFFFD\uFFFDz\uFFFD\uFFFD");
    EXPECT_TRUE(utf8::valid("aé€😂"));
    EXPECT_TRUE(utf8::valid(""));
    EXPECT_FALSE(utf8::valid("aé\xff"));
}

TEST(Utf8, CutsOnlyBetweenCodePoints) {
    EXPECT_EQ(utf8::head("aé😂", 7), "aé😂");
    EXPECT_EQ(utf8::head("aé😂", 6), "aé");
    EXPECT_EQ(utf8::head("aé😂", 3), "aé");
    EXPECT_EQ(utf8::head("aé😂", 2), "a");
    EXPECT_EQ(utf8::head("é", 1), "");
    EXPECT_EQ(utf8::head("", 0), "");
}

}  // namespace
}  // namespace countersign
