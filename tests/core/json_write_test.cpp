// SPDX-License-Identifier: Apache-2.0
#include "core/json/write.hpp"

#include "core/json/read.hpp"

#include <gtest/gtest.h>

namespace countersign::json {
namespace {

std::string canonical_of(std::string_view text) {
    const auto document = read(text);
    return document ? canonical(document->value) : describe(document.error());
}

// The published vectors of RFC 8785 (github.com/cyberphone/json-canonicalization, testdata).
TEST(JsonWrite, MatchesVectorArrays) {
    EXPECT_EQ(canonical_of(R"([
  56,
  {
    "d": true,
    "10": null,
    "1": [ ]
  }
])"),
              R"([56,{"1":[],"10":null,"d":true}])");
}

TEST(JsonWrite, MatchesVectorFrench) {
    EXPECT_EQ(canonical_of(R"({
  "peach": "This sorting order",
  "péché": "is wrong according to French",
  "pêche": "but canonicalization MUST",
  "sin":   "ignore locale"
})"),
              R"({"peach":"This sorting order","péché":"is wrong according to French",)"
              R"("pêche":"but canonicalization MUST","sin":"ignore locale"})");
}

TEST(JsonWrite, MatchesVectorStructures) {
    EXPECT_EQ(canonical_of(R"({
  "1": {"f": {"f": "hi","F": 5} ,"\n": 56.0},
  "10": { },
  "": "empty",
  "a": { },
  "111": [ {"e": "yes","E": "no" } ],
  "A": { }
})"),
              R"({"":"empty","1":{"\n":56,"f":{"F":5,"f":"hi"}},"10":{},"111":[{"E":"no","e":"yes"}],"A":{},"a":{}})");
}

TEST(JsonWrite, MatchesVectorUnicodeWithoutNormalising) {
    EXPECT_EQ(canonical_of(R"({
  "Unnormalized Unicode":"A\u030a"
})"),
              "{\"Unnormalized Unicode\":\"A\xcc\x8a\"}");
}

TEST(JsonWrite, MatchesVectorValues) {
    EXPECT_EQ(canonical_of(R"({
  "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
  "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
  "literals": [null, true, false]
})"),
              R"({"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],)"
              R"("string":"€$\u000f\nA'B\"\\\\\"/"})");
}

TEST(JsonWrite, MatchesVectorWeirdSortedByUtf16) {
    EXPECT_EQ(canonical_of(R"({
  "\u20ac": "Euro Sign",
  "\r": "Carriage Return",
  "\u000a": "Newline",
  "1": "One",
  "\u0080": "Control\u007f",
  "\ud83d\ude02": "Smiley",
  "\u00f6": "Latin Small Letter O With Diaeresis",
  "\ufb33": "Hebrew Letter Dalet With Dagesh",
  "</script>": "Browser Challenge"
})"),
              "{\"\\n\":\"Newline\",\"\\r\":\"Carriage Return\",\"1\":\"One\",\"</script>\":\"Browser Challenge\","
              "\"\xc2\x80\":\"Control\x7f\",\"\xc3\xb6\":\"Latin Small Letter O With Diaeresis\","
              "\"\xe2\x82\xac\":\"Euro Sign\",\"\xf0\x9f\x98\x82\":\"Smiley\","
              "\"\xef\xac\xb3\":\"Hebrew Letter Dalet With Dagesh\"}");
}

TEST(JsonWrite, SortsNamesWithACommonPrefixByTheRest) {
    EXPECT_EQ(
        canonical_of(R"({"decision_b":1,"decision":2,"decision_a":3,"decisio":4,"decision\u0000":5,"decisio\u0000":6,)"
                     R"("decision\ue000":7,"decision\ud800\udc00":8})"),
        "{\"decisio\":4,\"decisio\\u0000\":6,\"decision\":2,\"decision\\u0000\":5,\"decision_a\":3,\"decision_b\":1,"
        "\"decision\xf0\x90\x80\x80\":8,\"decision\xee\x80\x80\":7}");
}

TEST(JsonWrite, PlainTextOfEveryLengthIsUnchangedAndSpecialBytesAreFoundAtEveryPosition) {
    for (std::size_t length = 0; length < 20; ++length) {
        const std::string plain(length, '~');
        EXPECT_EQ(canonical(plain), '"' + plain + '"');
        for (std::size_t at = 0; at < length; ++at) {
            const auto with = [&](std::string_view special) { return std::string{plain}.replace(at, 1, special); };
            EXPECT_EQ(canonical(with("\"")), '"' + with("\\\"") + '"');
            EXPECT_EQ(canonical(with("\\")), '"' + with("\\\\") + '"');
            EXPECT_EQ(canonical(with("\x1f")), '"' + with("\\u001f") + '"');
            EXPECT_EQ(canonical(with("\xc3\xb6")), '"' + with("\xc3\xb6") + '"');
            EXPECT_EQ(canonical(with("\xff")), '"' + with("\xef\xbf\xbd") + '"');
        }
    }
}

TEST(JsonWrite, SortsSurrogatesBetweenTheirNeighbours) {
    EXPECT_EQ(canonical_of(R"({"\uffff":1,"\ue000":2,"\udbff\udfff":3,"\ud800\udc00":4,"\ud7ff":5,"a\ue000":6,)"
                           R"("a\ud800\udc00":7,"a":8})"),
              "{\"a\":8,\"a\xf0\x90\x80\x80\":7,\"a\xee\x80\x80\":6,\"\xed\x9f\xbf\":5,\"\xf0\x90\x80\x80\":4,"
              "\"\xf4\x8f\xbf\xbf\":3,\"\xee\x80\x80\":2,\"\xef\xbf\xbf\":1}");
}

TEST(JsonWrite, EscapesControlCharactersQuotesAndBackslashesOnly) {
    std::string all;
    for (char symbol = 0; symbol < 0x20; ++symbol) all += symbol;
    EXPECT_EQ(canonical(all),
              R"("\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f\u0010\u0011)"
              R"(\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f")");
    EXPECT_EQ(canonical("\"\\/\x7f\u2028"), "\"\\\"\\\\/\x7f\u2028\"");
}

TEST(JsonWrite, KeepsTheLastOfADuplicateName) {
    EXPECT_EQ(canonical_of(R"({"b":0,"a":1,"a":[2],"a":3,"b":4})"), R"({"a":3,"b":4})");
}

TEST(JsonWrite, WritesNullForAnInvalidNumber) {
    EXPECT_EQ(canonical(Array{Number{"1e400"}, Number{"-1e400"}, Number{"x"}, Number{""}}), "[null,null,null,null]");
}

TEST(JsonWrite, WritesValuesBuiltInMemory) {
    EXPECT_EQ(canonical(Object{{"seq", 18446744073709549568ULL}, {"n", -1}, {"t", true}, {"s", "x"}, {"z", nullptr}}),
              R"({"n":-1,"s":"x","seq":18446744073709550000,"t":true,"z":null})");
    EXPECT_EQ(canonical(Value{}), "null");
    EXPECT_EQ(canonical(Array{}), "[]");
    EXPECT_EQ(canonical(Object{}), "{}");
}

TEST(JsonWrite, WritesOnlyTextThatCanBeReadBack) {
    const Value damaged = Object{{"\xff", "a\xed\xa0\x80z"}, {"\xfe", "\xc3"}, {"\xf0\x90\x80\x80", 1}, {"\xee", 2}};
    const auto text = canonical(damaged);
    const auto again = read(text);
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->exact());
    EXPECT_EQ(canonical(again->value), text);
}

}  // namespace
}  // namespace countersign::json
