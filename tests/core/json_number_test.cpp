// SPDX-License-Identifier: Apache-2.0
#include "core/json/number.hpp"
#include "core/json/write.hpp"

#include "core/limits.hpp"

#include <bit>
#include <cstdint>
#include <cstdio>
#include <gtest/gtest.h>

namespace countersign::json {
namespace {

std::string printed(std::uint64_t bits) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", std::bit_cast<double>(bits));
    return text;
}

std::string canonical_of(std::string_view lexeme) {
    const auto form = canonical_number(lexeme);
    return form ? *form : std::string{name(form.error().code)};
}

TEST(JsonNumber, PrintsTheTableOfRfc8785AppendixB) {
    const std::pair<std::uint64_t, std::string_view> table[] = {
        {0x0000000000000000, "0"},
        {0x8000000000000000, "0"},
        {0x0000000000000001, "5e-324"},
        {0x8000000000000001, "-5e-324"},
        {0x7fefffffffffffff, "1.7976931348623157e+308"},
        {0xffefffffffffffff, "-1.7976931348623157e+308"},
        {0x4340000000000000, "9007199254740992"},
        {0xc340000000000000, "-9007199254740992"},
        {0x4430000000000000, "295147905179352830000"},
        {0x44b52d02c7e14af5, "9.999999999999997e+22"},
        {0x44b52d02c7e14af6, "1e+23"},
        {0x44b52d02c7e14af7, "1.0000000000000001e+23"},
        {0x444b1ae4d6e2ef4e, "999999999999999700000"},
        {0x444b1ae4d6e2ef4f, "999999999999999900000"},
        {0x444b1ae4d6e2ef50, "1e+21"},
        {0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
        {0x3eb0c6f7a0b5ed8d, "0.000001"},
        {0x41b3de4355555553, "333333333.3333332"},
        {0x41b3de4355555554, "333333333.33333325"},
        {0x41b3de4355555555, "333333333.3333333"},
        {0x41b3de4355555556, "333333333.3333334"},
        {0x41b3de4355555557, "333333333.33333343"},
        {0xbecbf647612f3696, "-0.0000033333333333333333"},
        {0x43143ff3c1cb0959, "1424953923781206.2"},
    };
    for (const auto& [bits, expected] : table) EXPECT_EQ(canonical_of(printed(bits)), expected);
}

TEST(JsonNumber, LaysOutAsEcmaScriptDoes) {
    const std::pair<std::string_view, std::string_view> table[] = {
        {"0", "0"},
        {"-0", "0"},
        {"-0.0e5", "0"},
        {"1", "1"},
        {"-1", "-1"},
        {"10", "10"},
        {"1e2", "100"},
        {"1E2", "100"},
        {"1.50", "1.5"},
        {"100e-2", "1"},
        {"1e20", "100000000000000000000"},
        {"1e21", "1e+21"},
        {"12e20", "1.2e+21"},
        {"-1.5e300", "-1.5e+300"},
        {"0.1", "0.1"},
        {"0.0001", "0.0001"},
        {"1e-6", "0.000001"},
        {"1e-7", "1e-7"},
        {"0.00000012", "1.2e-7"},
        {"123.456", "123.456"},
        {"0.000001234", "0.000001234"},
        {"4.9e-324", "5e-324"},
        {"2.5e-324", "5e-324"},
    };
    for (const auto& [lexeme, expected] : table) EXPECT_EQ(canonical_of(lexeme), expected) << lexeme;
}

TEST(JsonNumber, RefusesInvalidAndNonFiniteNumbers) {
    for (const auto* lexeme : {"", "-", "+1", "01", "1.", ".1", "1e", "1e+", "0x1", "NaN", "inf", "1 ", " 1", "1,"}) {
        EXPECT_EQ(canonical_of(lexeme), "malformed") << lexeme;
    }
    for (const auto* lexeme : {"1e309", "-1e400", "1.7976931348623159e308", "1e999999999999999999999"}) {
        EXPECT_EQ(canonical_of(lexeme), "unsupported") << lexeme;
    }
    EXPECT_EQ(canonical_of("1.7976931348623158e308"), "1.7976931348623157e+308");
    EXPECT_EQ(canonical_of("1e-400"), "0");
}

TEST(JsonNumber, KnowsWhichNumbersTheCanonicalFormKeeps) {
    for (const auto* lexeme :
         {"0", "-0", "0.0", "0e999999999999999999999", "1.0", "1e2", "0.1", "123456789012345680000", "1E30",
          "9007199254740992", "9007199254740991.0", "1.7976931348623157e308", "5e-324", "100000000000000000000000e-23",
          "0.000000000000000000000000001", "2e-3", "4.50"}) {
        EXPECT_FALSE(form_of(lexeme).loss) << lexeme;
    }
}

TEST(JsonNumber, ReportsTheKindOfLoss) {
    const std::pair<std::string_view, Loss> table[] = {
        {"9007199254740993", Loss::inexact_integer},
        {"-9007199254740993", Loss::inexact_integer},
        {"9007199254740993.0", Loss::inexact_integer},
        {"9007199254740993000e-3", Loss::inexact_integer},
        {"295147905179352825856", Loss::inexact_integer},
        {"123456789012345678901234567890", Loss::inexact_integer},
        {"333333333.33333329", Loss::inexact_fraction},
        {"0.1000000000000000055511151231257827", Loss::inexact_fraction},
        {"4.9e-324", Loss::inexact_fraction},
        {"1.00000000000000000000000000000000001", Loss::inexact_fraction},
        {"1e400", Loss::number_range},
        {"-1e400", Loss::number_range},
        {"1e-400", Loss::number_range},
        {"2e-324", Loss::number_range},
        {"1e999999999999999999999", Loss::number_range},
        {"1e-999999999999999999999", Loss::number_range},
    };
    for (const auto& [lexeme, expected] : table) EXPECT_EQ(form_of(lexeme).loss, expected) << lexeme;
}

TEST(JsonNumber, HostileLengthsAreReadExactlyAndInLinearTime) {
    const std::size_t many = limits::json_bytes_max - 64;
    const std::string zeros(many, '0');
    const std::string nines(many, '9');
    EXPECT_EQ(form_of("0." + zeros + "1e" + std::to_string(many + 1)).canonical, "1");
    EXPECT_FALSE(form_of("0." + zeros + "1e" + std::to_string(many + 1)).loss);
    EXPECT_EQ(form_of("1" + zeros + "e-" + std::to_string(many)).canonical, "1");
    EXPECT_FALSE(form_of("1" + zeros + "e-" + std::to_string(many)).loss);
    EXPECT_FALSE(form_of("1." + zeros).loss);
    EXPECT_EQ(form_of("1." + zeros + "1").loss, Loss::inexact_fraction);
    EXPECT_EQ(form_of(nines).loss, Loss::number_range);
    EXPECT_EQ(form_of("0." + nines).loss, Loss::inexact_fraction);
    EXPECT_EQ(form_of("0." + nines).canonical, "1");
    EXPECT_EQ(form_of("1e" + nines).loss, Loss::number_range);
    EXPECT_EQ(form_of("1e-" + nines).loss, Loss::number_range);
    EXPECT_FALSE(form_of("0e" + nines).loss);
}

// 9007199254740993 is half-way between two doubles, so a single digit decides the rounding, at any distance.
TEST(JsonNumber, ADigitFarBehindStillDecidesTheRounding) {
    EXPECT_EQ(canonical_of("9007199254740993"), "9007199254740992");
    EXPECT_EQ(canonical_of("9007199254740993." + std::string(5000, '0') + "1"), "9007199254740994");
    EXPECT_EQ(canonical_of("9007199254740993." + std::string(5000, '0')), "9007199254740992");
}

// The half-way point between two neighbours with the greatest possible number of digits: 768.
TEST(JsonNumber, TheLongestHalfWayPointIsRoundedByItsLastDigit) {
    std::string half = "18014398509481983";  // (2^54 - 1) × 2^-1075 has the digits of (2^54 - 1) × 5^1075
    for (int i = 0; i < 1075; ++i) {
        int carry = 0;
        for (auto digit = half.rbegin(); digit != half.rend(); ++digit) {
            const int product = (*digit - '0') * 5 + carry;
            *digit = static_cast<char>('0' + product % 10);
            carry = product / 10;
        }
        if (carry > 0) half.insert(half.begin(), static_cast<char>('0' + carry));
    }
    ASSERT_EQ(half.size(), 768U);
    ASSERT_EQ(half.back(), '5');
    const auto below = canonical_of(printed(0x001fffffffffffff));
    const auto above = canonical_of(printed(0x0020000000000000));
    EXPECT_EQ(canonical_of(half + "e-1075"), above) << "a tie goes to the even one";
    EXPECT_EQ(canonical_of(half.substr(0, 767) + "4e-1075"), below);
    EXPECT_EQ(canonical_of(half.substr(0, 767) + "49999e-1079"), below);
}

TEST(JsonNumber, FindsTheEndOfANumber) {
    const std::pair<std::string_view, std::size_t> table[] = {
        {"12,", 2},  {"-1.5e+3]", 7}, {"01", 1}, {"1.x", 1}, {"1e+", 1},
        {"1.5e", 3}, {"-", 0},        {"x", 0},  {"", 0},    {"-a", 0},
    };
    for (const auto& [text, length] : table) EXPECT_EQ(number_length(text), length) << text;
}

}  // namespace
}  // namespace countersign::json
