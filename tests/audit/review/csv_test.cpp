// SPDX-License-Identifier: Apache-2.0
#include "audit/review/csv.hpp"

#include <gtest/gtest.h>

namespace countersign::audit::review {
namespace {

TEST(Csv, PlainTextIsUnchanged) {
    EXPECT_EQ(csv_cell("ls -la"), "ls -la");
    EXPECT_EQ(csv_cell(""), "");
    EXPECT_EQ(csv_cell("größer"), "größer");
}

TEST(Csv, SeparatorsAndQuotesAreQuoted) {
    EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
    EXPECT_EQ(csv_cell("say \"no\""), "\"say \"\"no\"\"\"");
}

TEST(Csv, NoCellIsAFormula) {
    EXPECT_EQ(csv_cell("=1+1"), "'=1+1");
    EXPECT_EQ(csv_cell("+1"), "'+1");
    EXPECT_EQ(csv_cell("-rf"), "'-rf");
    EXPECT_EQ(csv_cell("@SUM(A1)"), "'@SUM(A1)");
    EXPECT_EQ(csv_cell("\tx"), "'→x");
    EXPECT_EQ(csv_cell("=HYPERLINK(\"http://x\",\"y\")"), "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\"");
    EXPECT_EQ(csv_cell("a=b"), "a=b") << "only a beginning counts";
}

TEST(Csv, NoCellIsAFormulaInAnotherNotation) {
    for (const auto* sign : {"\uFF1D", "\uFF0B", "\uFF0D", "\uFF20", "\uFE66", "\uFE62", "\uFE63", "\uFE6B"}) {
        EXPECT_EQ(csv_cell(std::string{sign} + "1"), "'" + std::string{sign} + "1");
        EXPECT_EQ(csv_cell("a" + std::string{sign} + "1"), "a" + std::string{sign} + "1");
    }
    EXPECT_EQ(csv_cell("  =1"), "'  =1") << "some skip blanks";
    EXPECT_EQ(csv_cell("\"=1\""), "\"'\"\"=1\"\"\"") << "or quotes";
}

// A reader that expects semicolons ignores quotes inside its cells.
std::vector<std::string> split(const std::string& line, char separator) {
    std::vector<std::string> pieces{""};
    for (const char character : line) {
        if (character == separator) {
            pieces.emplace_back();
        } else {
            pieces.back() += character;
        }
    }
    return pieces;
}

TEST(Csv, NoPieceOfACellIsAFormula) {
    EXPECT_EQ(csv_cell("x;=1"), "\"x;'=1\"");
    EXPECT_EQ(csv_cell("x,=1"), "\"x,'=1\"");
    EXPECT_EQ(csv_cell("x; \"=1\""), "\"x;' \"\"=1\"\"\"");
    EXPECT_EQ(csv_cell("ls -la; rm -rf x"), "\"ls -la; rm -rf x\"") << "what is none stays as it is";
    for (const auto* between : {";", ",", "\t", "\n", "\r\n", ";;", ", ", ";\"", ";\u00A0", "\t;", ";;;\" \""}) {
        for (const auto* sign : {"=", "+", "-", "@", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"}) {
            const auto line = csv_line({"id", std::string{"x"} + between + sign + "cmd|'/c calc'!A1;y", "z"});
            for (const char separator : {';', ',', '\t', '\n'}) {
                for (const auto& piece : split(line, separator)) {
                    const auto begin = piece.find_first_not_of(" \"\xC2\xA0");
                    if (begin == std::string::npos) continue;
                    EXPECT_FALSE(std::string_view{piece}.substr(begin).starts_with(sign)) << line;
                }
            }
        }
    }
}

TEST(Csv, NothingInACellIsInvisibleOrBreaksTheLine) {
    EXPECT_EQ(csv_cell("a\nb"), "a⏎b");
    EXPECT_EQ(csv_cell("x\u202Ey\x1b[2J"), "x\\u{202E}y\\u{1B}[2J");
}

TEST(Csv, ALineEndsWithCrLf) {
    EXPECT_EQ(csv_line({"a", "b,c", ""}), "a,\"b,c\",\r\n");
    EXPECT_EQ(csv_line({"", "b"}), ",b\r\n");
}

}  // namespace
}  // namespace countersign::audit::review
