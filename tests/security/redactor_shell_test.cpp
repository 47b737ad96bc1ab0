// SPDX-License-Identifier: Apache-2.0
// Text that bash executes is never under a mask. The oracle is bash itself: it runs each text whose mask hides a word
// that would leave a trace, in an empty directory where the only commands are those functions.
#include "tests/security/redactor_fixture.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

namespace countersign::security {
namespace {

constexpr std::string_view trace = "evilcmd";

// Lines in which a mask once hid a command, and the part that must stay visible.
struct Line {
    std::string_view text;
    std::string_view shown;
};
constexpr auto lines = std::to_array<Line>({
    {"PASSPHRASE=x rm -rf /srv", "rm -rf /srv"},
    {"PASSPHRASE=x\trm -rf /srv", "rm -rf /srv"},
    {"MNEMONIC=a /tmp/evil.sh b c", "/tmp/evil.sh b c"},
    {"SEED_PHRASE=a /tmp/evil.sh b c", "/tmp/evil.sh b c"},
    {"RECOVERY_PHRASE=x rm -rf /srv", "rm -rf /srv"},
    {"sh -c 'PASSPHRASE=x rm -rf /srv'", "rm -rf /srv"},
    {"gpg --passphrase x -o /etc/cron.d/evil -d f", "-o /etc/cron.d/evil -d f"},
    {"gpg --passphrase=x -o /etc/cron.d/evil -d f", "-o /etc/cron.d/evil -d f"},
    {"x --token\n/tmp/evil.sh", "/tmp/evil.sh"},
    {"mysql --password\n/tmp/evil.sh", "/tmp/evil.sh"},
    {"x --token\r\n/tmp/evil.sh", "/tmp/evil.sh"},
    {"x --token \\\r\n/tmp/evil.sh", "/tmp/evil.sh"},
    {"# x --token \\\n/tmp/evil.sh", "/tmp/evil.sh"},
    {"GITHUB_TOKEN=x>/etc/cron.d/evil", ">/etc/cron.d/evil"},
    {"export TOKEN=a>>~/.bashrc", ">>~/.bashrc"},
    {"TOKEN=a</etc/x", "</etc/x"},
    {"curl -u a:b>/etc/cron.d/x", ">/etc/cron.d/x"},
    {"mysql -pfoo>/etc/x db", ">/etc/x db"},
    {"x --token abc>/etc/cron.d/evil", ">/etc/cron.d/evil"},
    {"TOKEN=>/etc/cron.d/evil", "/etc/cron.d/evil"},
    {"TOKEN => '/etc/cron.d/evil'", "/etc/cron.d/evil"},
    {"token->\"evilcmd\"", "evilcmd"},
    {"cat <password>/etc/cron.d/evil</dev/null", ">/etc/cron.d/evil<"},
    {"$(TOKEN=a)/tmp/evil.sh", ")/tmp/evil.sh"},
    {"\"$(TOKEN=a)\"/tmp/evil.sh", "/tmp/evil.sh"},
    {"case $x in token=a)/tmp/evil.sh;; esac", ")/tmp/evil.sh;;"},
    {"PASSWORD= ./evil.sh", "./evil.sh"},
    {"TOKEN=\t/tmp/evil.sh", "/tmp/evil.sh"},
    {"TOKEN+= /tmp/evil.sh", "/tmp/evil.sh"},
    {"PASSWORD= \"/tmp/evil.sh\"", "/tmp/evil.sh"},
    {"Authorization:$X\\\\\nevilcmd", "evilcmd"},
    {"a=passphrase: evilcmd", "evilcmd"},
    {">token: evilcmd", "evilcmd"},
    {"> password: evilcmd", "evilcmd"},
    {"&>password: evilcmd", "evilcmd"},
    {">| --token evilcmd", "evilcmd"},
    {"a=--token evilcmd", "evilcmd"},
    {"sshpass > -p evilcmd", "evilcmd"},
    {"password: |\n  ./evil.sh", "./evil.sh"},
    {"password: |\n  evilcmd\n", "evilcmd"},
    {"token: >-\n  evilcmd\n", "evilcmd"},
    {"alias token=evilcmd\ntoken", "evilcmd"},
    {": -----BEGIN PRIVATE KEY-----\npoweroff\n-----END PRIVATE KEY-----", "poweroff"},
    {"perl -e 'token=x; exec(\"evilcmd\")'", "evilcmd"},
    {"sh -c 'echo \"token=\"; evilcmd; echo \"\"'", "evilcmd"},
    {"# \"\necho \"password=\"; evilcmd; echo \"\"", "evilcmd"},
    {"cat <<X\n\"\nX\necho \"password=\"; evilcmd; echo \"\"", "evilcmd"},
    {": $'\\'' \"password=\"; evilcmd; \"\"", "evilcmd"},
    {": \"$(: '\"')\" \"password=\"; evilcmd; \"\"", "evilcmd"},
    {"PASSWORD=\"a`evilcmd \"x\"`\"", "evilcmd"},
    {"sh -c 'Authorization: Bearer a b; evilcmd'", "; evilcmd"},
    {"curl -H Authorization: Basic a, --output /etc/cron.d/x", "--output /etc/cron.d/x"},
    {"TOKEN=x\x1B[;>a", ";>a"},
    {"A=1\rpassword: terraform destroy", "terraform destroy"},
    {"A='x y'\fpassword: reboot", "reboot"},
    {"A=\"x\"\vpassword: reboot", "reboot"},
    {"A=1\r--password evilcmd", "evilcmd"},
    {"A=1\fpassword: evilcmd", "evilcmd"},
    {"A=1\vtoken: evilcmd x", "evilcmd"},
    {"A=1\x0B\x0Csecret: evilcmd", "evilcmd"},
    {"A=1\xC2\x85password: evilcmd", "evilcmd"},
    {"A=1\xE2\x80\xA8password: evilcmd", "evilcmd"},
    {"A=1\xC2\xA0password: evilcmd", "evilcmd"},
    {"A=1\x1Fpassword: evilcmd", "evilcmd"},
    {"A=1\x7Fpassword: evilcmd", "evilcmd"},
    {"arch -arm64 --token evilcmd", "evilcmd"},
    {"sudo -u\rpassword: evilcmd", "evilcmd"},
    {"sudo -p\rpassword: evilcmd", "evilcmd"},
    {"env A=1\rpassword: evilcmd", "evilcmd"},
    {"sh -c 'A=1\rpassword: evilcmd'", "evilcmd"},
    {"B=(a;password=\\\nevilcmd x", "evilcmd"},
    {"B=(a&password:\\\nevilcmd /home", "evilcmd"},
    {"B=\\\n(a|--password\\\nevilcmd x", "evilcmd"},
    {"declare -a B=((;token=\\\nevilcmd x", "evilcmd"},
});

TEST(RedactorShell, I7_TextThatAShellExecutesIsNeverUnderAMask) {
    for (const auto& [text, shown] : lines) {
        const auto redacted = redactor().text(text);
        EXPECT_TRUE(contains(redacted, shown)) << text << "\n => " << redacted;
        EXPECT_EQ(redactor().text(redacted), redacted);
    }
}

TEST(RedactorShell, I7_AnArgumentListHidesNoCommandEither) {
    const json::Value list{json::Array{"bash", "-c", "PASSPHRASE=x rm -rf /srv; echo \"token=\"; evilcmd; echo \"\""}};
    const auto redacted = redactor().value(list);
    EXPECT_TRUE(contains(*redacted.array()->at(2).string(), "rm -rf /srv")) << *redacted.array()->at(2).string();
    EXPECT_TRUE(contains(*redacted.array()->at(2).string(), "evilcmd"));
}

TEST(RedactorShell, I6_AValueInItsOwnQuotesIsMaskedWhole) {
    for (const std::string_view text :
         {"PASSWORD='hunter2 two & three; (four) > five'", "curl -u \"bob:hunter2 five\" x",
          "export \"TOKEN=hunter2 five\"", "sh -c 'PASSWORD=\"hunter2 five\" make'",
          "curl -d '{\"password\":\"hunter2 <five>\"}'", "it isn't much: {\"password\": \"hunter2 five\"}",
          "# it's\nPASSWORD=\"hunter2 five\"", "passphrase: hunter correct five",
          "cd $(pwd); TOKEN='hunter2 (five)'"}) {
        const auto redacted = redactor().text(text);
        EXPECT_FALSE(contains(redacted, "hunter")) << redacted;
        EXPECT_FALSE(contains(redacted, "five")) << redacted;
    }
}

std::string in_quotes(std::string_view text) {
    std::string out = "'";
    for (const char byte : text) out += byte == '\'' ? std::string{"'\\''"} : std::string{byte};
    return out + "'";
}

class ScratchDirectory {
public:
    ScratchDirectory() {
        std::string name = (std::filesystem::temp_directory_path() / "redactor-XXXXXX").string();
        path_ = ::mkdtemp(name.data()) == nullptr ? std::string{} : name;
    }
    ~ScratchDirectory() { std::filesystem::remove_all(path_); }
    ScratchDirectory(const ScratchDirectory&) = delete;
    ScratchDirectory& operator=(const ScratchDirectory&) = delete;
    [[nodiscard]] std::string path() const { return path_; }

private:
    std::string path_;
};

// The indexes of the texts that run `trace` or write to a file with that name.
std::vector<std::size_t> run_by_bash(const std::vector<std::string>& texts) {
    const ScratchDirectory scratch;
    const auto script = scratch.path() + "/script";
    {
        std::ofstream out{script};
        out << "set +m; mkdir " << scratch.path() << "/in && cd " << scratch.path() << "/in || exit 1\n"
            << "PATH=/nonexistent; command_not_found_handle() { :; }\n"
            << "evilcmd() { printf '%s\\n' \"$number\" >&3; }\n"
            << "for name in curl mysql x sshpass docker gpg redis-cli token password; do eval \"$name() { :; }\"; "
               "done\n"
            << "try() { number=$1; (eval \"$2\") 3>&1 >/dev/null 2>&1 </dev/null\n"
            << "  if [ -e evilcmd ]; then echo \"$1\"; /bin/rm -f evilcmd; fi; }\n";
        for (std::size_t i = 0; i < texts.size(); ++i) out << "try " << i << ' ' << in_quotes(texts[i]) << '\n';
    }
    std::vector<std::size_t> ran;
    auto* pipe = ::popen(("exec /bin/bash --norc " + script).c_str(), "r");
    if (pipe == nullptr) return {0};
    std::array<char, 64> line{};
    while (std::fgets(line.data(), line.size(), pipe) != nullptr) ran.push_back(std::strtoul(line.data(), nullptr, 10));
    EXPECT_EQ(::pclose(pipe) & 0x7F, 0);
    return ran;
}

constexpr auto names = std::to_array<std::string_view>({"PASSWORD",
                                                        "TOKEN",
                                                        "PASSPHRASE",
                                                        "MNEMONIC",
                                                        "API_KEY",
                                                        "password",
                                                        "token",
                                                        "--password",
                                                        "--token",
                                                        "--passphrase",
                                                        "-p",
                                                        "curl -u ",
                                                        "mysql -p",
                                                        "Authorization:",
                                                        "Authorization: Bearer",
                                                        "Cookie:",
                                                        "sshpass -p ",
                                                        "x --secret",
                                                        "export DB_PASS",
                                                        "\"password\"",
                                                        "'token'",
                                                        "x -H \"Authorization: Bearer",
                                                        "credential",
                                                        "client_secret",
                                                        "https://u:p@h/",
                                                        "https://h/?token",
                                                        "docker login -p ",
                                                        "echo ",
                                                        "passphrase: ",
                                                        "<token>",
                                                        "-----BEGIN PRIVATE KEY-----",
                                                        "alias token",
                                                        "# login as password",
                                                        "net user bob",
                                                        "htpasswd -nb x",
                                                        "wpa_passphrase N",
                                                        "rabbitmqctl add_user u",
                                                        "exec -a --token ",
                                                        "exec -a password: ",
                                                        "FOO='a b' ",
                                                        "AccountKey="});
constexpr auto marks = std::to_array<std::string_view>(
    {"=",   " = ",  ":",    ": ",   " ",        " ",        "\"",   "'",     "`",      "$(",   ")",   ";",
     " ; ", "|",    "&",    "&&",   "\n",       "\\\n",     "{ ",   "; }",   "(",      ",",    "#",   " # ",
     "[",   "]",    "\t",   "\\",   "\\\"",     "\\'",      "\"$(", ")\"",   "${x:-",  "}",    "=$(", "='",
     "=\"", "$'",   ">",    "<",    "<<X\n",    "\nX\n",    "+=",   "|\n",   "\\\\\n", "\r",   "\f",  "\v",
     "\r",  "\x01", "\x1F", "\x7F", "\xC2\xA0", "\xC2\x85", "A=1",  "A='x'", "=(",     "B=(a;"});
constexpr auto values = std::to_array<std::string_view>(
    {"abc123", "a", "x9Kq2Lm8", "hunter2hunter", "evilcmd", "evilcmd", "evilcmd", "$X", "1", "sh -c '", "eval \"",
     "$TOKEN", "; $TOKEN", "\n$PASSWORD", "; eval \"$TOKEN\"", "; X=$TOKEN; $X", "; ${API_KEY}"});

std::string some_text(Random& random) {
    std::string text;
    const auto count = 3 + random.below(8);
    for (std::size_t i = 0; i < count; ++i) {
        const auto kind = random.below(4);
        if (kind == 0) {
            text += names[random.below(names.size())];
        } else if (kind == 1) {
            text += values[random.below(values.size())];
        } else {
            text += marks[random.below(marks.size())];
        }
    }
    return text;
}

TEST(RedactorShell, I7_BashExecutesNothingThatIsUnderAMask) {
    Random random{2024};
    std::vector<std::string> hidden;
    for (std::size_t i = 0; i < 60'000 && hidden.size() < 1500; ++i) {
        const auto text = some_text(random);
        if (!contains(text, trace)) continue;
        const auto redacted = redactor().text(text);
        if (!contains(redacted, trace) && !contains(redacted, "«withheld")) hidden.push_back(text);
    }
    EXPECT_GT(hidden.size(), 100U);
    for (const auto number : run_by_bash(hidden)) {
        ADD_FAILURE() << hidden.at(number) << "\n => " << redactor().text(hidden.at(number));
    }
}

TEST(RedactorShell, TheOracleDetectsWhetherBashRanTheTrace) {
    EXPECT_EQ(run_by_bash({"ls", "TOKEN= evilcmd", "x 'evilcmd'", "x >evilcmd", "x $(evilcmd)"}),
              (std::vector<std::size_t>{1, 3, 4}));
}

}  // namespace
}  // namespace countersign::security
