// SPDX-License-Identifier: Apache-2.0
#include "runtimes/subject_display.hpp"

#include "core/json/read.hpp"
#include "tests/runtimes/test_redactor.hpp"

#include <gtest/gtest.h>

namespace countersign::runtimes {
namespace {

SubjectDisplay shown(std::string_view tool, const std::string& input) {
    const auto read = json::read(input);
    EXPECT_TRUE(read) << input;
    return display_of_tool(tool, read->value, read->exact(), test_redactor());
}

TEST(SubjectDisplay, ACommandIsShownUnchanged) {
    EXPECT_EQ(shown("Bash", R"({"command":"ls\nuname"})").text, "ls\nuname");
    EXPECT_EQ(shown("shell", R"({"command":["bash","-lc","ls; rm x"]})").text, "bash -lc 'ls; rm x'");
}

TEST(SubjectDisplay, TheModelsOwnWordsAreShownSeparately) {
    const auto made = shown("Bash", R"({"command":"rm x","description":"harmless"})");
    EXPECT_EQ(made.text, "rm x");
    EXPECT_EQ(made.reason, "harmless");
}

TEST(SubjectDisplay, I7_NoOtherArgumentOfACommandIsHidden) {
    EXPECT_EQ(shown("Bash", R"({"command":"ls","dangerouslyDisableSandbox":true})").text,
              "ls\nother arguments: {\n  \"dangerouslyDisableSandbox\": true\n}");
}

TEST(SubjectDisplay, AnEditIsShownAsItsPathAndDiff) {
    const auto edit = shown("Edit", R"({"file_path":"/w/a","old_string":"one\n","new_string":"two\n"})");
    EXPECT_EQ(edit.text, "/w/a");
    EXPECT_EQ(edit.diff, "-one\n+two\n");
    EXPECT_EQ(shown("Edit", R"({"file_path":"a","old_string":"x\n","new_string":"y\n","replace_all":true})").text,
              "a\nother arguments: {\n  \"replace_all\": true\n}");
    EXPECT_EQ(shown("Write", R"({"file_path":"a","content":"x\ny\n"})").diff, "+x\n+y\n");
    EXPECT_EQ(shown("edit", R"({"filePath":"a","oldString":"x\n","newString":"y\n"})").diff, "-x\n+y\n");
    EXPECT_EQ(shown("apply_patch", R"({"input":"*** Begin Patch\n+x\n"})").diff, "*** Begin Patch\n+x\n");
    EXPECT_EQ(shown("MultiEdit", R"({"file_path":"a","edits":[{"old_string":"x\n","new_string":"y\n"},)"
                                 R"({"old_string":"","new_string":"z\n","replace_all":true}]})")
                  .diff,
              "@@\n-x\n+y\n@@\n+z\nother arguments: {\n  \"replace_all\": true\n}\n");
}

TEST(SubjectDisplay, AnEditThatCannotBeParsedIsShownWhole) {
    EXPECT_EQ(shown("MultiEdit", R"({"file_path":"a","edits":[1]})").text,
              "{\n  \"edits\": [\n    1\n  ],\n  \"file_path\": \"a\"\n}");
    EXPECT_EQ(shown("Edit", R"({})").text, "{}");
}

TEST(SubjectDisplay, AnyOtherToolIsShownWithAllItsArgumentsInOrder) {
    EXPECT_EQ(shown("mcp__x", R"({"b":[],"a":{"z":1.0,"y":null},"c":"t"})").text,
              "{\n  \"a\": {\n    \"y\": null,\n    \"z\": 1\n  },\n  \"b\": [],\n  \"c\": \"t\"\n}");
}

TEST(SubjectDisplay, I9_WithTwoPossibleReadingsBothAreShown) {
    const auto made = shown("Bash", R"({"command":"ls","command":"rm x"})");
    EXPECT_EQ(made.text, "{\n  \"command\": \"ls\",\n  \"command\": \"rm x\"\n}");
    EXPECT_EQ(shown("mcp__x", R"({"n":9007199254740993})").text, "{\n  \"n\": 9007199254740993\n}");
}

TEST(SubjectDisplay, I6_SecretsAreRemovedBeforeAnythingIsRendered) {
    for (const auto* tool : {"Bash", "Edit", "mcp__x"}) {
        for (const auto& input :
             {"{\"command\":\"curl -H 'Authorization: Bearer " + canary + "'\"}",
              "{\"x\":[{\"y\":\"" + canary + "\"}]}", "{\"command\":\"ls\",\"description\":\"" + canary + "\"}",
              "{\"path\":\"a\",\"old_string\":\"" + canary + "\\n\",\"new_string\":\"x" + canary + "\"}",
              "{\"a\":1,\"a\":\"" + canary + "\"}"}) {
            const auto made = shown(tool, input);
            EXPECT_EQ((made.text + made.diff + made.reason).find(canary), std::string::npos) << tool << input;
        }
    }
    EXPECT_EQ(display_of_shell({"curl", "-u", "a'b" + canary}, test_redactor()).find(canary), std::string::npos);
}

TEST(SubjectDisplay, I6_ASecretRecognisedOnlyByItsPlaceIsRemovedToo) {
    const auto made = shown("mcp__x", R"({"password":{"value":["correct horse"]}})");
    EXPECT_EQ(made.text.find("correct horse"), std::string::npos) << made.text;
}

TEST(SubjectDisplay, I6_ASecretOfSeveralLinesIsRemovedBehindTheSignsOfADiff) {
    const std::string begin = "-----BEGIN RSA PRIVATE";
    for (const std::string sign : {"+", "-", " "}) {
        const auto patch = "@@ -1 +1,4 @@\\n" + sign + begin + " KEY-----\\n" + sign + "MIIEowIBAAKCAQEAx7Yq\\n" +
                           sign + "b3cJ9sUeJr0PVmXwEbYZ\\n" + sign + "-----END RSA PRIVATE KEY-----\\n";
        for (const std::string name : {"diff", "patch", "input"}) {
            const auto edit = shown("edit", R"({"path":"/w/a",")" + name + R"(":")" + patch + "\"}");
            EXPECT_EQ(edit.diff.find("b3cJ9sUeJr0PVmXwEbYZ"), std::string::npos) << edit.diff;
            EXPECT_TRUE(edit.diff.starts_with("@@ -1 +1,4 @@\n" + sign)) << edit.diff;
        }
    }
}

TEST(SubjectDisplay, ADiffWithoutSecretsIsShownUnchanged) {
    for (const std::string patch :
         {"@@ -1 +1 @@\\n-one\\n+two\\n\\n kept", "*** Begin Patch\\n+x\\n*** End Patch\\n", "x"}) {
        auto plain = patch;
        for (auto at = plain.find("\\n"); at != std::string::npos; at = plain.find("\\n")) plain.replace(at, 2, "\n");
        EXPECT_EQ(shown("edit", R"({"path":"/w/a","diff":")" + patch + "\"}").diff, plain);
    }
}

TEST(SubjectDisplay, I6_NoTailOfAPasswordIsVisibleWhenAConfigurationFileIsWritten) {
    for (const std::string text :
         {R"({"file_path":"/srv/.env","content":"DB_PASSWORD=abcd1&efgh2\n"})",
          R"({"file_path":"app.ini","old_string":"password = x","new_string":"password = abcd1;efgh2"})",
          R"({"path":"a.yml","edits":[{"oldText":"x","newText":"password: abcd1|efgh2"}]})"}) {
        const auto made = shown("Edit", text);
        EXPECT_EQ(made.diff.find("efgh2"), std::string::npos) << made.diff;
        EXPECT_EQ(made.diff.find("abcd1"), std::string::npos) << made.diff;
    }
}

TEST(SubjectDisplay, I9_CommandsInAScriptStayVisibleWhenItIsWritten) {
    for (const std::string text : {R"({"file_path":"/srv/run.sh","content":"DB_PASSWORD=abcd1&evilcmd\n"})",
                                   R"({"file_path":"/srv/run","content":"DB_PASSWORD=abcd1&evilcmd\n"})",
                                   R"({"file_path":".env","path":"run.sh","content":"DB_PASSWORD=abcd1&evilcmd\n"})"}) {
        const auto made = shown("Write", text);
        EXPECT_NE(made.diff.find("&evilcmd"), std::string::npos) << made.diff;
    }
    const auto command = shown("Bash", R"({"command":"DB_PASSWORD=abcd1&evilcmd"})");
    EXPECT_NE(command.text.find("&evilcmd"), std::string::npos) << command.text;
}

TEST(SubjectDisplay, AWordWithMixedScriptsIsReported) {
    Approval approval;
    show({.text = "rm -r /srv/d\u0430ta", .diff = {}, .reason = {}}, {}, approval);
    EXPECT_EQ(approval.display_text,
              "rm -r /srv/d\u0430ta\nmixed scripts: letters that look alike may stand in one word");
    show({.text = "rm -r /srv/data \u0434\u0430", .diff = {}, .reason = {}}, {}, approval);
    EXPECT_EQ(approval.display_text, "rm -r /srv/data \u0434\u0430");
}

TEST(SubjectDisplay, NothingInvisibleReachesTheCard) {
    EXPECT_EQ(shown("Bash", "{\"command\":\"ls \\u202e\\u001b[2Jx\\u200b\"}").text, "ls \\u{202E}\\u{1B}[2Jx\\u{200B}");
    EXPECT_EQ(shown_line("a\nb", test_redactor()), "a⏎b");
}

}  // namespace
}  // namespace countersign::runtimes
