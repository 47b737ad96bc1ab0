// SPDX-License-Identifier: Apache-2.0
#include "core/json/read.hpp"

#include "core/limits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace countersign::json {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string repeated(std::string_view text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += text;
    return all;
}

std::vector<Loss> losses_of(std::string_view text) {
    const auto document = read(text);
    if (!document) {
        ADD_FAILURE() << text << ": " << describe(document.error());
        return {};
    }
    std::vector<Loss> losses;
    for (const auto& note : document->losses) losses.push_back(note.loss);
    return losses;
}

std::string text_of(std::string_view json) {
    const auto document = read(json);
    if (!document || document->value.string() == nullptr) return "not a string: " + std::string{json};
    return *document->value.string();
}

Errc refusal_of(std::string_view text) {
    const auto document = read(text);
    if (!document) return document.error().code;
    ADD_FAILURE() << "was read: " << text.substr(0, 80);
    return Errc::internal;
}

TEST(JsonRead, KeepsKindsOrderAndLexemes) {
    const auto document = read(" {\"b\": [1.50, true, false, null], \"a\": {\"c\": \"d\"}} ");
    ASSERT_TRUE(document);
    EXPECT_TRUE(document->exact());
    EXPECT_EQ(document->value,
              (Value{Object{{"b", Array{Number{"1.50"}, true, false, nullptr}}, {"a", Object{{"c", "d"}}}}}));
}

TEST(JsonRead, EveryValueKnowsItsBytes) {
    const std::string text = " {\"call\" : [12, {} ,\"x\\n\"] } ";
    const auto document = read(text);
    ASSERT_TRUE(document);
    const auto bytes_of = [&](const Value& value) {
        return text.substr(value.span().begin, value.span().end - value.span().begin);
    };
    EXPECT_EQ(bytes_of(document->value), "{\"call\" : [12, {} ,\"x\\n\"] }");
    const auto* call = document->value.object()->find("call");
    ASSERT_NE(call, nullptr);
    EXPECT_EQ(bytes_of(*call), "[12, {} ,\"x\\n\"]");
    EXPECT_EQ(bytes_of(call->array()->at(0)), "12");
    EXPECT_EQ(bytes_of(call->array()->at(1)), "{}");
    EXPECT_EQ(bytes_of(call->array()->at(2)), "\"x\\n\"");
}

TEST(JsonRead, AcceptsEveryScalarAsADocument) {
    for (const auto* text : {"0", "-0", "1e5", "\"\"", "true", "false", "null", "[]", "{}", "\t\r\n 1 \t\r\n"}) {
        EXPECT_TRUE(read(text)) << text;
    }
}

TEST(JsonRead, RefusesInvalidJson) {
    for (const auto* text : {"",
                             " ",
                             "nul",
                             "True",
                             "nullx",
                             "NaN",
                             "Infinity",
                             "-Infinity",
                             "'a'",
                             "[1,]",
                             "[,1]",
                             "[1 2]",
                             "[",
                             "]",
                             "[1",
                             "[1}",
                             "{",
                             "{\"a\"}",
                             "{\"a\":}",
                             "{\"a\":1,}",
                             "{a:1}",
                             "{1:1}",
                             "{\"a\" 1}",
                             "{,}",
                             "{\"a\":1",
                             "{\"a\":1]",
                             "1 2",
                             "01",
                             "-01",
                             "1.",
                             ".5",
                             "-",
                             "+1",
                             "1e",
                             "1e+",
                             "0x10",
                             "1.e5",
                             "--1",
                             "1_000",
                             "\"",
                             "\"a",
                             "\"\\",
                             "\"\\x\"",
                             "\"\\u12\"",
                             "\"\\u12G4\"",
                             "\"\\u\"",
                             "\"\\U0041\"",
                             "\"\n\"",
                             "\"\x1f\"",
                             "// x\n1",
                             "/**/1",
                             "1//",
                             "[1]]",
                             "\xef\xbb\xbf"
                             "1",
                             "\v1",
                             "\xc2\xa0"
                             "1",
                             "tru",
                             "f",
                             "{\"a\":1 \"b\":2}",
                             "\"\\u-123\"",
                             "\"\\ud83d\\u12\""}) {
        EXPECT_EQ(refusal_of(text), Errc::malformed) << text;
    }
}

TEST(JsonRead, RefusesNulInsideAndAfterTheText) {
    using namespace std::string_view_literals;
    EXPECT_EQ(refusal_of("1\0"sv), Errc::malformed);
    EXPECT_EQ(refusal_of("\0"sv), Errc::malformed);
    EXPECT_EQ(refusal_of("\"\0\""sv), Errc::malformed);
    EXPECT_EQ(refusal_of("\"\\\0\""sv), Errc::malformed);
}

TEST(JsonRead, AnErrorNamesThePositionAndNotTheContent) {
    const auto document = read("{\"password\": hunter2}");
    ASSERT_FALSE(document);
    EXPECT_THAT(document.error().detail, HasSubstr("byte 13"));
    EXPECT_THAT(document.error().detail, testing::Not(HasSubstr("hunter2")));
    EXPECT_THAT(read("[1, 2").error().detail, HasSubstr("byte 5"));
    EXPECT_THAT(read("\"ab\xff\"").error().detail, HasSubstr("byte 3"));
    EXPECT_THAT(read("[\"ok\",\"\\q\"]").error().detail, HasSubstr("byte 7"));
}

TEST(JsonRead, RefusesInvalidUtf8) {
    for (const auto* text : {"\"\x80\"", "\"\xc0\x80\"", "\"\xc1\xbf\"", "\"\xe0\x80\x80\"", "\"\xe0\x9f\xbf\"",
                             "\"\xed\xa0\x80\"", "\"\xed\xbf\xbf\"", "\"\xf0\x80\x80\x80\"", "\"\xf0\x8f\xbf\xbf\"",
                             "\"\xf4\x90\x80\x80\"", "\"\xf8\x88\x80\x80\x80\"", "\"\xff\"", "\"\xc3\"", "\"\xe2\x82\"",
                             "\"\xf0\x9f\x98\"", "{\"\xff\":1}", "\xff"}) {
        EXPECT_EQ(refusal_of(text), Errc::malformed) << text;
    }
}

TEST(JsonRead, AcceptsTheEdgesOfUtf8) {
    for (const auto* text : {"\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
                             "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
        EXPECT_EQ(text_of('"' + std::string{text} + '"'), text);
    }
}

TEST(JsonRead, DecodesEscapes) {
    EXPECT_EQ(text_of(R"("\"\\\/\b\f\n\r\t")"), "\"\\/\b\f\n\r\t");
    EXPECT_EQ(text_of(R"("\u0041\u00e9\u00E9\u20ac\uD83D\uDE02\udbff\udfff")"), "Aéé€😂\xf4\x8f\xbf\xbf");
    EXPECT_EQ(text_of(R"("a\u0000b")"), (std::string{"a\0b", 3}));
}

TEST(JsonRead, ReportsALoneSurrogate) {
    EXPECT_THAT(losses_of(R"("\ud83d\ude02")"), IsEmpty());
    for (const auto* text : {R"("\ud800")", R"("\udc00")", R"("\ud83dx")", R"("\ud83d\n")", R"("\ud83d\u0041")",
                             R"("\ude02\ud83d")", R"({"\uDFFF":1})"}) {
        EXPECT_THAT(losses_of(text), ElementsAre(Loss::lone_surrogate)) << text;
    }
    EXPECT_EQ(text_of(R"("a\ud83d\u0041")"), "a\uFFFDA");
    EXPECT_EQ(text_of(R"("\ud83d\ud83d\ude02")"), "\uFFFD😂") << "the second half may begin a pair of its own";
}

TEST(JsonRead, ReportsADuplicateName) {
    EXPECT_THAT(losses_of(R"({"a":1,"b":2,"A":3})"), IsEmpty());
    EXPECT_THAT(losses_of(R"({"a":{"a":1},"b":{"a":1}})"), IsEmpty());
    EXPECT_THAT(losses_of(R"({"a":1,"b":2,"a":1})"), ElementsAre(Loss::duplicate_name));
    EXPECT_THAT(losses_of(R"([{"x":{"a":1,"\u0061":2}}])"), ElementsAre(Loss::duplicate_name));
}

TEST(JsonRead, KeepsEveryMemberOfADuplicateName) {
    const auto document = read(R"({"a":1,"a":2})");
    ASSERT_TRUE(document);
    EXPECT_EQ(document->value.object()->members().size(), 2U);
    EXPECT_EQ(*document->value.object()->find("a"), Value{1});
}

TEST(JsonRead, ReportsEachKindOfLossOnceWithItsText) {
    const auto document =
        read(R"({"b":1,"b":[9007199254740993,9007199254740995,1e400,0.10000000000000000001,"\ud800"]})");
    ASSERT_TRUE(document);
    const auto is = [](Loss loss, std::string_view where) {
        return testing::AllOf(testing::Field(&LossNote::loss, loss), testing::Field(&LossNote::where, where));
    };
    EXPECT_THAT(document->losses,
                testing::UnorderedElementsAre(is(Loss::inexact_integer, "9007199254740993"),
                                              is(Loss::inexact_fraction, "0.10000000000000000001"),
                                              is(Loss::number_range, "1e400"), is(Loss::lone_surrogate, "\\ud800"),
                                              is(Loss::duplicate_name, "b")));
}

TEST(JsonRead, ShortensTheReportedTextAtACharacterBoundary) {
    const auto name = repeated("é", 40);
    const auto document = read("{\"x" + name + "\":1,\"x" + name + "\":2}");
    ASSERT_TRUE(document);
    EXPECT_EQ(document->losses.at(0).where, "x" + repeated("é", 31) + "…");
}

TEST(JsonRead, I13_AcceptsTheMaximumDepthAndNotOneMore) {
    const auto depth = limits::json_depth_max;
    EXPECT_TRUE(read(repeated("[", depth) + repeated("]", depth)));
    EXPECT_TRUE(read(repeated("[", depth) + "1" + repeated("]", depth)));
    EXPECT_TRUE(read(repeated("{\"a\":", depth - 1) + "{}" + repeated("}", depth - 1)));
    EXPECT_EQ(refusal_of(repeated("[", depth + 1) + repeated("]", depth + 1)), Errc::too_large);
    EXPECT_EQ(refusal_of(repeated("{\"a\":", depth) + "{}" + repeated("}", depth)), Errc::too_large);
    EXPECT_EQ(refusal_of(repeated("[", limits::json_bytes_max)), Errc::too_large);
}

TEST(JsonRead, I13_AcceptsTheMaximumSizeAndNotOneByteMore) {
    const auto padded = [](std::size_t bytes) { return "\"" + std::string(bytes - 2, 'x') + "\""; };
    EXPECT_TRUE(read(padded(limits::json_bytes_max)));
    EXPECT_EQ(refusal_of(padded(limits::json_bytes_max + 1)), Errc::too_large);
}

// Quadratic work on these would take minutes and hit the test's timeout.
TEST(JsonRead, HostileDocumentsTakeLinearTime) {
    std::string names = "{";
    for (int i = 0; names.size() < limits::json_bytes_max - 32; ++i) names += "\"" + std::to_string(i) + "\":0,";
    names.back() = '}';
    EXPECT_THAT(losses_of(names), IsEmpty());

    std::string same = "{" + repeated("\"a\":0,", limits::json_bytes_max / 6 - 1);
    same.back() = '}';
    EXPECT_THAT(losses_of(same), ElementsAre(Loss::duplicate_name));

    std::string losses = "[" + repeated("1e999,", limits::json_bytes_max / 6 - 1);
    losses.back() = ']';
    EXPECT_THAT(losses_of(losses), ElementsAre(Loss::number_range));

    std::string surrogates = "\"" + repeated("\\ud800", limits::json_bytes_max / 6 - 1) + "\"";
    EXPECT_THAT(losses_of(surrogates), ElementsAre(Loss::lone_surrogate));
}

TEST(JsonRead, EveryLossHasItsOwnName) {
    std::vector<std::string_view> names;
    for (const auto loss : {Loss::duplicate_name, Loss::lone_surrogate, Loss::inexact_integer, Loss::inexact_fraction,
                            Loss::number_range}) {
        EXPECT_THAT(names, testing::Not(testing::Contains(name(loss))));
        names.push_back(name(loss));
    }
}

}  // namespace
}  // namespace countersign::json
