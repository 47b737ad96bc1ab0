// SPDX-License-Identifier: Apache-2.0
// A mask stays on its line and never starts at a command, in every way in which a shell may read the text.
#include "tests/security/redactor_fixture.hpp"
#include "tests/security/shell_commands.hpp"

#include <algorithm>

namespace countersign::security {
namespace {

struct Line {
    std::string_view text;
    std::string_view shown;
};

void expect_shown(const Line& line) {
    const auto redacted = redactor().text(line.text);
    EXPECT_TRUE(contains(redacted, line.shown)) << line.text << "\n => " << redacted;
    EXPECT_EQ(redactor().text(redacted), redacted);
}

TEST(RedactorCommand, I9_TheCommandOnTheNextLineIsNeverMasked) {
    for (const std::string_view before : {"# login as password",
                                          "echo password",
                                          "echo login x password",
                                          "net user bob",
                                          "htpasswd -nb x",
                                          "wpa_passphrase N",
                                          "rabbitmqctl add_user u",
                                          "vault login",
                                          "sqlplus -s",
                                          "git config user.password",
                                          "x --token",
                                          "mysql -p",
                                          "curl -u",
                                          "password:",
                                          "password =",
                                          "token: |",
                                          "secret: >-",
                                          "passphrase:",
                                          "Authorization:",
                                          "Authorization: Bearer",
                                          "token: [",
                                          "['--token',",
                                          "identified by",
                                          "AccountKey=",
                                          "the password is",
                                          "export TOKEN=",
                                          "ConvertTo-SecureString",
                                          "auth = ('bob',",
                                          "echo a:b | chpasswd",
                                          "sonar.login",
                                          "api_key",
                                          "aws_secret_access_key",
                                          "-----BEGIN PRIVATE KEY-----",
                                          "Private-Lines: 2"}) {
        for (const std::string_view end : {"\n", "\r\n", "\r", "\v", "\f", "\u0085", "\u2028", "\u2029", "\n  \n\t"}) {
            for (const std::string_view command :
                 {"''{rm,-rf,/srv/data}", "'/tmp/evil'", "\"/tmp/evil\"", "/tmp/evil", "reboot", "\\reboot",
                  "$'/tmp/evil'", "x86_64-linux-gnu-gcc", "python3.11", "./deploy2prod.sh"}) {
                expect_shown({std::string{before} + std::string{end} + std::string{command} + " now", command});
            }
        }
    }
}

TEST(RedactorCommand, I9_TheCommandAfterAPrefixIsNeverMasked) {
    for (const auto& line : std::to_array<Line>({
             {"sudo -p password: /tmp/evil", "/tmp/evil"},
             {"sudo -p 'the password:' /tmp/evil", "/tmp/evil"},
             {"sudo -Hp password: '/tmp/evil'", "/tmp/evil"},
             {"sudo --prompt password: /tmp/evil", "/tmp/evil"},
             {"sudo --prom token: /tmp/evil", "/tmp/evil"},
             {"FOO='a b' sudo -p \"$(echo \"x y\") password:\" /tmp/evil", "/tmp/evil"},
             {"env -u --token evilcmd", "evilcmd"},
             {"env -i A=b -u --token evilcmd", "evilcmd"},
             {"exec -a --token evilcmd", "evilcmd"},
             {"exec -a password: evilcmd", "evilcmd"},
             {"time -o --token evilcmd", "evilcmd"},
             {"xargs -I --token evilcmd", "evilcmd"},
             {"bash --rcfile --token evilcmd", "evilcmd"},
             {"if ! sudo -p password: evilcmd; then :; fi", "evilcmd"},
             {"while read x; do sudo -p password: evilcmd; done", "evilcmd"},
             {"f() { sudo -p password: evilcmd; }", "evilcmd"},
             {"echo $(sudo -p password: evilcmd)", "evilcmd"},
             {"cat <(exec -a password: evilcmd)", "evilcmd"},
             {"x `exec -a password: evilcmd`", "evilcmd"},
             {"bash -c 'exec -a password: evilcmd'", "evilcmd"},
             {"bash <<EOF\nexec -a password: evilcmd\nEOF", "evilcmd"},
             {"sudo \\\n -p password: \\\n evilcmd", "evilcmd"},
             {"sh -c $'echo password\\n\\'/tmp/evil\\''", "/tmp/evil"},
             {"{\"command\":\"echo login x password\\u000a/tmp/evil\"}", "/tmp/evil"},
             {"password: |\n  evil1234567", "evil1234567"},
             {"secret: [\n  '/tmp/evil1234567'\n]", "/tmp/evil1234567"},
             {"echo password\n\u200B'/tmp/evil'", "/tmp/evil"},
         })) {
        expect_shown(line);
    }
}

TEST(RedactorCommand, I6_TheValueOfAnAssignmentBeforeACommandIsMasked) {
    EXPECT_TRUE(contains(redactor().text("PASSWORD=hunter2 make"), "» make"));
    EXPECT_TRUE(contains(redactor().text("sudo PASSWORD='hunter2 x' make"), "»' make"));
    EXPECT_FALSE(contains(redactor().text("env A=b TOKEN=hunter2 make"), "hunter2"));
}

// A program could have that name, so an approver sees how the name starts.
TEST(RedactorCommand, I9_ATokenInTheCommandsPlaceKeepsItsFirstBytes) {
    const auto token = "ghp_" + body(36);
    for (const std::string_view before : {"", "x\n", "x; ", "'", "sudo ", "x $("}) {
        const auto redacted = redactor().text(std::string{before} + token);
        EXPECT_TRUE(redacted.starts_with(std::string{before} + "ghp_«redacted:github:")) << redacted;
    }
    const auto path = redactor().text("./bin/" + token + " x");
    EXPECT_TRUE(path.starts_with("./bin/ghp_«redacted:github:")) << path;
    EXPECT_TRUE(redactor().text("echo " + token).starts_with("echo «redacted:github:"));
}

TEST(RedactorCommand, I9_AMaskNeverCrossesALine) {
    const auto line = body(64, alnum, 3);
    const auto key = "-----BEGIN PRIVATE KEY-----\n" + line + "\n" + body(64, alnum, 4) + "\n-----END PRIVATE KEY-----";
    const auto bare = redactor().text("cat > k <<EOF\n" + key + "\nEOF\n");
    EXPECT_TRUE(contains(bare, "-----\n" + line.substr(0, 4) + "«redacted:private-key:")) << bare;
    EXPECT_EQ(std::ranges::count(bare, '\n'), 6) << bare;
    const auto quoted = redactor().text("echo '" + key + "' > k");
    EXPECT_EQ(std::ranges::count(quoted, '\n'), 3) << quoted;
    const auto value = redactor().text("PASSWORD='hunter2\n  five; six\nseven' make");
    EXPECT_EQ(std::ranges::count(value, '\n'), 2) << value;
    for (const std::string_view part : {"hunter2", "five", "six", "seven"})
        EXPECT_FALSE(contains(value, part)) << value;
    EXPECT_TRUE(contains(value, "»' make")) << value;
    const Redactor own{Secret{std::string_view{"key"}}, {{"first line\nsecond line"}}};
    const auto known = own.text("x first line\nsecond line y");
    EXPECT_TRUE(contains(known, "»\n«redacted:known:")) << known;
}

TEST(RedactorCommand, I9_ACommandBetweenTheLinesOfAKeyIsShown) {
    const auto line = body(64, alnum, 3);
    for (const std::string_view gap : {"\n", "|", " | ", ">", " >", "\r\n"}) {
        const auto text = "-----BEGIN PRIVATE KEY-----\n" + line + std::string{gap} + body(64, alnum, 4) + "\n";
        const auto redacted = redactor().text(text);
        EXPECT_TRUE(contains(redacted, "»" + std::string{gap})) << redacted;
    }
}

TEST(RedactorCommand, I9_ACommandInParsedJsonIsNeverMasked) {
    const auto text = [](const json::Value& value) { return *value.string(); };
    const auto command =
        redactor().value(json::Value{json::Object{{"command", "echo password\n'/tmp/evil'; net user bob\nreboot"}}});
    EXPECT_TRUE(contains(text(*command.object()->find("command")), "\n'/tmp/evil'; net user bob\nreboot"));
    const auto list = redactor().value(json::Value{json::Array{"net user bob", "reboot"}});
    EXPECT_EQ(text(list.array()->at(1)), "reboot");
    const auto shell = redactor().value(json::Value{json::Array{"bash", "-c", "echo password\n'/tmp/evil'"}});
    EXPECT_TRUE(contains(text(shell.array()->at(2)), "'/tmp/evil'"));
    const auto renamed = redactor().value(json::Value{json::Array{"env", "-u", "--token", "evilcmd"}});
    EXPECT_EQ(text(renamed.array()->at(3)), "evilcmd");
}

TEST(RedactorCommand, I9_EveryCommandOfRandomShellTextSurvives) {
    Random random{77};
    std::size_t masked = 0;
    std::size_t commands = 0;
    for (std::size_t i = 0; i < 60'000; ++i) {
        const auto text = hostile_text([&](std::size_t bound) { return random.below(bound); }, 3 + random.below(10));
        const auto redacted = redactor().text(text);
        ASSERT_FALSE(redacted.starts_with("«withheld")) << text;
        ASSERT_EQ(missing_command(text, redacted), "") << text << "\n => " << redacted;
        ASSERT_EQ(std::ranges::count(text, '\n'), std::ranges::count(redacted, '\n')) << text << "\n => " << redacted;
        masked += redacted == text ? 0 : 1;
        commands += ShellCommands::of(text).size();
    }
    EXPECT_GT(masked, 10'000U);
    EXPECT_GT(commands, 60'000U);
}

TEST(RedactorCommand, TheOracleReadsShellTextAsBashDoes) {
    using Words = std::vector<std::string>;
    EXPECT_EQ(ShellCommands::of("A=b sudo -u bob x y; if ! z; then w; fi"), (Words{"x", "z", "w"}));
    EXPECT_EQ(ShellCommands::of("a 'b\nc' # d\ne"), (Words{"a", "e"}));
    EXPECT_EQ(ShellCommands::of("a $(b \"$(c)\") `d` <(e)"), (Words{"a", "b", "c", "d", "e"}));
    EXPECT_EQ(ShellCommands::of("cat <<X\nb\nX\nbash <<X\nc\nX\nd"), (Words{"cat", "bash", "c", "d"}));
    EXPECT_EQ(ShellCommands::of("sh -c 'a; b' x >f y"), (Words{"sh", "a", "b"}));
    EXPECT_EQ(ShellCommands::of("a '"), (Words{"a"}));
}

TEST(RedactorCommand, I13_TextWithQuotesNestedTooDeepIsWithheld) {
    const auto nested = [](std::size_t depth) {
        std::string text = "TOKEN=abc123 A=";
        for (std::size_t i = 0; i < depth; ++i) text += "\"$(";
        return redactor().text(text);
    };
    EXPECT_TRUE(nested(8).starts_with("TOKEN=«redacted:")) << nested(8);
    EXPECT_TRUE(nested(9).starts_with("«withheld: ")) << nested(9);
}

TEST(RedactorCommand, I13_AssignmentsThatWouldBeReadRepeatedlyAreWithheld) {
    std::string text = "TOKEN=abc123 ";
    for (std::size_t i = 0; i < 20'000; ++i) text += ";A=$(";
    EXPECT_TRUE(redactor().text(text).starts_with("«withheld: "));
}

}  // namespace
}  // namespace countersign::security
