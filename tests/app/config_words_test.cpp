// SPDX-License-Identifier: Apache-2.0
#include "config/document.hpp"
#include "config/fields.hpp"
#include "config/nearest.hpp"
#include "config/toml_guard.hpp"

#include <gtest/gtest.h>

namespace countersign::config {
namespace {

using namespace std::chrono_literals;

TEST(Nearest, FindsTheIntendedWord) {
    const std::vector<std::string_view> keys{"deciders", "required", "timeout", "not_requester", "ask"};
    EXPECT_EQ(nearest("requried", keys), "required");
    EXPECT_EQ(nearest("require", keys), "required");
    EXPECT_EQ(nearest("notrequester", keys), "not_requester");
    EXPECT_EQ(nearest("aks", keys), "ask");
    EXPECT_EQ(nearest("Timeout", keys), "timeout");
}

TEST(Nearest, FindsNothingIfNoWordIsNear) {
    const std::vector<std::string_view> keys{"deciders", "required", "ask"};
    EXPECT_EQ(nearest("channel", keys), std::nullopt);
    EXPECT_EQ(nearest("a", {}), std::nullopt);
    EXPECT_EQ(nearest("", keys), std::nullopt);
    EXPECT_EQ(nearest(std::string(65, 'a'), {std::string_view{"a"}}), std::nullopt);
    EXPECT_EQ(nearest("abc", {"xyz"}), std::nullopt);
    EXPECT_EQ(nearest("abcdef", {"abcxyz"}), std::nullopt);
}

TEST(Nearest, TakesTheNearestAndTheFirstOfEqualOnes) {
    EXPECT_EQ(nearest("chanel", {"channels", "channel"}), "channel");
    EXPECT_EQ(nearest("cat", {"bat", "hat"}), "bat");
    EXPECT_EQ(nearest("bat", {"cat", "bat"}), "bat");
}

TEST(Duration, HasFiveUnits) {
    EXPECT_EQ(parse_duration("500ms"), 500ms);
    EXPECT_EQ(parse_duration("20s"), 20s);
    EXPECT_EQ(parse_duration("5m"), 5min);
    EXPECT_EQ(parse_duration("2h"), 2h);
    EXPECT_EQ(parse_duration("7d"), 168h);
    EXPECT_EQ(parse_duration("0s"), 0ms);
    for (const auto* text :
         {"", "5", "m", "5 m", " 5m", "5m ", "+5m", "-5m", "1h30m", "5M", "1.5h", "5min", "5w", "99999999999s"}) {
        EXPECT_EQ(parse_duration(text), std::nullopt) << text;
    }
}

TEST(Duration, IsPrintedAsItWouldBeWritten) {
    for (const auto* text : {"500ms", "20s", "5m", "2h", "7d", "90s", "0s", "1500ms"}) {
        EXPECT_EQ(print_duration(parse_duration(text).value()), text);
    }
}

// The content of strings and comments doesn't matter, for any kind of string.
TEST(TomlGuard, RecognisesStringsAndComments) {
    for (const auto* text :
         {R"(# ä)", R"(a = 'ä')", R"(a = "ä")", R"(a = "\"ä")", R"(a = 'ä\' # ä)", R"(a = "" # ä)",
          R"(a = '''ä'ä''ä''')", R"(a = ''''ä''''')", R"("ä".a = 1)", R"(a = """\"""#""" # ä)", R"(a = """x""""" # ä)",
          "a = ''\nb = 'ä'", "a = '''\nä\n'''", "\xEF\xBB\xBF# a byte order mark"}) {
        Problems problems{"test.toml"};
        EXPECT_TRUE(may_be_parsed(text, problems)) << text;
    }
}

TEST(TomlGuard, ChecksTextAfterAString) {
    for (const auto* text : {R"(a = 'x' ä)", R"(a = 'x\' ä)", R"(a = "\\" ä)", R"(a = """x""" ä)", R"(a = '''x''''' ä)",
                             R"(a = "" ä)", R"(a = '' ä)", R"(a = """""" ä)", "# x\nä", R"(a = 1"ä")", R"(a = 1."ä")",
                             R"(a = 1.'ä')", R"(a = """ä""")", R"(a = """\ä""")"}) {
        Problems problems{"test.toml"};
        EXPECT_FALSE(may_be_parsed(text, problems)) << text;
        EXPECT_EQ(problems.count(), 1U);
    }
}

TEST(TomlGuard, LeavesErrorsThatTheLibraryReportsToTheLibrary) {
    for (const auto* text : {"a = 'x\nb = ä", "a = \"x\nb = ä", "a = '''x\nb = ä", "a = 1\"x\nb = ä"}) {
        Problems problems{"test.toml"};
        EXPECT_TRUE(may_be_parsed(text, problems)) << text;
        EXPECT_EQ(read_document(text, problems).table()->size(), 0U);
        EXPECT_EQ(problems.count(), 1U) << text;
    }
}

TEST(TomlGuard, CountsLinesAndCharacters) {
    Problems problems{"test.toml"};
    EXPECT_FALSE(may_be_parsed("# one\na = '''\n\n''' # x\nb = \"äö\" ü", problems));
    const auto found = std::move(problems).sorted();
    EXPECT_EQ(found.at(0).line, 5);
    EXPECT_EQ(found.at(0).column, 10);
}

TEST(Names, AreLowerCaseDigitsUnderscoreAndDash) {
    EXPECT_TRUE(is_name("a"));
    EXPECT_TRUE(is_name("on_call-2"));
    for (const auto* text : {"", "A", "a b", "a.b", "@a", "ä"}) EXPECT_FALSE(is_name(text)) << text;
}

}  // namespace
}  // namespace countersign::config
