// SPDX-License-Identifier: Apache-2.0
// deploy/policy-starter.toml does what it says: allow read-only, deny credentials, ask about the rest.
#include "core/command/table.hpp"
#include "core/json/write.hpp"
#include "runtimes/call_facts.hpp"
#include "runtimes/file_view.hpp"
#include "tests/app/config_sample.hpp"

#include <gtest/gtest.h>

#include <span>

namespace countersign::app {
namespace {

const Rules& starter() {
    static const auto configuration = configuration_of(data_file("deploy/policy-starter.toml"));
    return configuration.rules;
}

PolicyEffect effect_of(std::string_view tool, const json::Object& input) {
    auto facts = runtimes::facts_of_tool(tool, input, true);
    if (facts.cwd.empty()) facts.cwd = "/w";
    return judge(facts, starter()).policy.effect;
}
PolicyEffect effect_of_command(std::string command) {
    return effect_of("Bash", json::Object{{"command", std::move(command)}});
}

TEST(PolicyStarter, ItAllowsReadOnlyCalls) {
    EXPECT_EQ(effect_of("Read", json::Object{{"file_path", "/w/src/a.cpp"}}), PolicyEffect::allow);
    EXPECT_EQ(effect_of("Grep", json::Object{{"pattern", "x"}, {"path", "src"}}), PolicyEffect::allow);
    EXPECT_EQ(effect_of("Glob", json::Object{{"pattern", "src/*.cpp"}}), PolicyEffect::allow);
    for (const auto* command : {"ls -la", "cat README.md", "grep -rn todo src", "head -n 20 a | wc -l", "ls && pwd",
                                "find . -name a", "sed -n 1,50p a", "sort a | uniq -c"}) {
        EXPECT_EQ(effect_of_command(command), PolicyEffect::allow) << command;
    }
}

TEST(PolicyStarter, ItDeniesAccessToCredentials) {
    for (const auto* path : {".env", "/home/a/.ssh/id_rsa", "/etc/shadow", "config/credentials.json", "server.pem"}) {
        EXPECT_EQ(effect_of("Read", json::Object{{"file_path", path}}), PolicyEffect::deny) << path;
        EXPECT_EQ(effect_of("Write", json::Object{{"file_path", path}, {"content", "x"}}), PolicyEffect::deny) << path;
        EXPECT_EQ(effect_of_command(std::string{"cat "} + path), PolicyEffect::deny) << path;
        EXPECT_EQ(effect_of_command(std::string{"ls && cat "} + path + " | head"), PolicyEffect::deny) << path;
    }
    for (const auto* command : {"git push --force", "git push origin main -f", "git push origin +main", "git push --f",
                                "git push --forc origin", "git push -uf origin main", "git push --force=x"}) {
        EXPECT_EQ(effect_of_command(command), PolicyEffect::deny) << command;
    }
}

TEST(PolicyStarter, ItDeniesASearchThatNamesCredentials) {
    for (const auto* glob : {".env",
                             ".env*",
                             "**/.env",
                             "**/.env*",
                             "*.pem",
                             "*.{ts,pem}",
                             "{a,.env}",
                             "*.ts,.env",
                             "*.ts .env",
                             ".e[n]v",
                             ".en?",
                             ".ENV",
                             "id_*",
                             "**/id_rsa",
                             ".ssh/*",
                             "\\.env",
                             "**/.aws/**",
                             "*.ke?",
                             "config/credentials*",
                             "{a,{b,.env}}"}) {
        EXPECT_EQ(effect_of("Grep", json::Object{{"pattern", "x"}, {"glob", glob}}), PolicyEffect::deny) << glob;
        EXPECT_EQ(effect_of("Grep", json::Object{{"pattern", "x"}, {"path", "src"}, {"glob", glob}}),
                  PolicyEffect::deny)
            << glob;
        EXPECT_EQ(effect_of("Glob", json::Object{{"pattern", glob}}), PolicyEffect::deny) << glob;
        EXPECT_EQ(effect_of("grep_search", json::Object{{"pattern", "x"}, {"include", glob}}), PolicyEffect::deny)
            << glob;
        EXPECT_EQ(effect_of("mcp__filesystem__search_files", json::Object{{"path", "/w"}, {"pattern", glob}}),
                  PolicyEffect::deny)
            << glob;
    }
    const json::Array both{json::Value{"*.ts"}, json::Value{".env"}};
    EXPECT_EQ(effect_of("Grep", json::Object{{"pattern", "x"}, {"glob", both}}), PolicyEffect::deny);
    EXPECT_EQ(effect_of("Grep", json::Object{{"pattern", "x"}, {"path", "/etc"}, {"glob", "shadow"}}),
              PolicyEffect::deny);
    EXPECT_EQ(effect_of("Grep", json::Object{{"pattern", "x"}, {"path", "/home/a/.ssh"}}), PolicyEffect::deny);
    EXPECT_EQ(effect_of("LS", json::Object{{"path", "/home/a/.ssh"}}), PolicyEffect::deny);
    EXPECT_EQ(effect_of("NotebookRead", json::Object{{"notebook_path", "a/.env"}}), PolicyEffect::deny);
    EXPECT_EQ(effect_of("mcp__filesystem__read_text_file", json::Object{{"path", "/w/.env"}}), PolicyEffect::deny);
    for (const auto* path : {"./.env", "/w//.env", "src/../.env", ".ENV", "file:///w/.env", "/w/.env/", "~/.ssh/x"}) {
        for (const auto* member : {"file_path", "filePath", "path", "absolute_path"}) {
            EXPECT_EQ(effect_of("Read", json::Object{{member, path}}), PolicyEffect::deny) << path;
        }
    }
    for (const auto* glob : {"*", "**/*", "*.cpp", "*.{ts,tsx}", "!.env", "src/**", "*.json", "s*", ".*"}) {
        EXPECT_EQ(effect_of("Grep", json::Object{{"pattern", ".env"}, {"glob", glob}}), PolicyEffect::allow) << glob;
    }
    EXPECT_EQ(effect_of("Glob", json::Object{{"pattern", "**/*"}}), PolicyEffect::allow);
}

TEST(PolicyStarter, ItAsksAboutTheRest) {
    EXPECT_EQ(effect_of("Read", json::Object{{"file_path", "/etc/passwd"}}), PolicyEffect::ask);
    EXPECT_EQ(effect_of("Write", json::Object{{"file_path", "src/a"}, {"content", "x"}}), PolicyEffect::ask);
    EXPECT_EQ(effect_of("WebFetch", json::Object{{"url", "https://example.com/"}}), PolicyEffect::ask);
    EXPECT_EQ(effect_of("mcp__x__y", json::Object{{"a", "b"}}), PolicyEffect::ask);
    for (const auto* command : {"git status",
                                "git log",
                                "git config core.fsmonitor x",
                                "git push --mirror",
                                "git push origin :main",
                                "git reset --hard",
                                "git branch -D x",
                                "git clean -fdx",
                                "git checkout -- .",
                                "git stash clear",
                                "git remote set-url a b",
                                "make test LD_PRELOAD=/tmp/x.so",
                                "rm --rec --for x",
                                "cat docs/*",
                                "rm a",
                                "make",
                                "npm test",
                                "cat a > b",
                                "ls; ls",
                                "ls || ls",
                                "cat $(ls)",
                                "sudo ls",
                                "find . -delete",
                                "find . -exec cat '{}' +",
                                "sort a -o b",
                                "rg --pre sh x",
                                "sed -i s/a/b/ c",
                                "cat ../a",
                                "awk 'BEGIN{system(\"id\")}'",
                                "cd sub && ls",
                                "LD_PRELOAD=x ls",
                                "cat a | sh",
                                "git -C x status",
                                "ls /",
                                "env",
                                "printf -v PATH x",
                                "tar cf a b --checkpoint-action=exec=sh",
                                "man -P sh ls",
                                "less '+!id' a"}) {
        EXPECT_EQ(effect_of_command(command), PolicyEffect::ask) << command;
    }
}

struct Ordinary {
    std::string_view command;
    Risk risk;
    PolicyVerdict policy;
};

const Risk reads{RiskLevel::low, "read-only command"};
const Risk reads_outside{RiskLevel::medium, "reads outside the working directory"};
const Risk unknown{RiskLevel::high, "unknown command"};
const PolicyVerdict allowed{PolicyEffect::allow, "read-only-commands"};
const PolicyVerdict asked{PolicyEffect::ask, ""};

// Commands that agents run all day: read-only ones are allowed, and no risk is overstated.
TEST(PolicyStarter, OrdinaryCommandsGetTheExpectedRiskAndDecision) {
    for (const auto& [command, risk, policy] : std::vector<Ordinary>{
             {"ls", reads, allowed},
             {"ls -la src 2>&1", reads, allowed},
             {"ls # x", reads, allowed},
             {"/bin/ls -l", reads, allowed},
             {"ls *.c", reads_outside, asked},
             {"pwd && ls -la", reads, allowed},
             {"cat README.md", reads, allowed},
             {"cat package.json 2>/dev/null", reads, allowed},
             {"cat /etc/hosts", reads_outside, asked},
             {"head -n 50 src/main.cpp", reads, allowed},
             {"tail -20 build.log 2>&1", reads, allowed},
             {"find . -name *.c", reads, allowed},
             {"find . -name '*.cpp' -type f | head -20", reads, allowed},
             {"find . -type f -not -path '*/node_modules/*' 2>/dev/null | wc -l", reads, allowed},
             {"find . -type f -exec wc -l '{}' +",
              {RiskLevel::high, "argument runs a program"},
              {PolicyEffect::ask, "no-force-push"}},
             {"grep -rn TODO src", reads, allowed},
             {"grep -rn --include='*.ts' 'useState(' src | head -n 30", reads, allowed},
             {"grep -rn 'a$' src 2>/dev/null", reads, allowed},
             {"grep -n '$HOME' script.sh", reads, allowed},
             {"grep -R x .", reads_outside, asked},
             {"rg -n 'foo|bar' src", reads, allowed},
             {"rg -l --type cpp main 2>/dev/null | sort", reads, allowed},
             {"rg -g '!.env' TOKEN src", reads, allowed},
             {"tree -L 2 -I node_modules", reads, allowed},
             {"wc -l src/a.cpp src/b.cpp", reads, allowed},
             {"wc -l *.py", reads_outside, asked},
             {"sed -n 1,80p src/a.cpp", reads, allowed},
             {"sed -n '$=' a.txt", reads, allowed},
             {"sed -i s/a/b/ x", {RiskLevel::high, "argument writes a file"}, asked},
             {"awk 'NR>1' FS=: f", reads, allowed},
             {"awk '{print $1}' f | sort | uniq -c | sort -rn", reads, allowed},
             {"cut -d: -f1 f", reads, allowed},
             {"diff -u a b", reads, allowed},
             {"diff -r a b", reads_outside, asked},
             {"stat src/a.cpp", reads, allowed},
             {"file build/app", reads, allowed},
             {"du -sh build", reads, allowed},
             {"df -h", reads, allowed},
             {"date", reads, allowed},
             {"date -d tomorrow", reads, allowed},
             {"date +%F", reads, allowed},
             {"test -f x", reads, allowed},
             {"test -f Makefile && echo yes", reads, allowed},
             {"[ -d node_modules ] && ls node_modules", reads, allowed},
             {"echo done", reads, allowed},
             {"which node", reads, allowed},
             {"ps -ef | grep node", reads, allowed},
             {"jq .scripts package.json", reads, allowed},
             {"sha256sum a.tar.gz", reads, allowed},
             {"git status", {RiskLevel::medium, "may run programs of the repository"}, asked},
             {"git diff --stat 2>&1 | tail -5", {RiskLevel::medium, "may run programs of the repository"}, asked},
             {"git log --oneline -5", {RiskLevel::medium, "may run programs of the repository"}, asked},
             {"git add src/a.cpp", {RiskLevel::medium, "changes the repository"}, asked},
             {"git push origin main", {RiskLevel::high, "reaches the network"}, asked},
             {"git push -f 2>&1",
              {RiskLevel::high, "argument overwrites, deletes or runs"},
              {PolicyEffect::deny, "no-force-push"}},
             {"mkdir -p build", {RiskLevel::medium, "writes files"}, asked},
             {"touch a.txt", {RiskLevel::medium, "writes files"}, asked},
             {"cp a b", {RiskLevel::medium, "writes files"}, asked},
             {"rm -rf build", {RiskLevel::high, "deletes files"}, asked},
             {"rm *.o", {RiskLevel::high, "deletes files"}, asked},
             {"npm test 2>&1 | tail -40", {RiskLevel::high, "reaches the network"}, asked},
             {"make -j4", unknown, asked},
             {"python3 app.py", unknown, asked},
             {"cargo test", unknown, asked},
             {"cat .env 2>/dev/null", {RiskLevel::high, "secret path"}, {PolicyEffect::deny, "credentials"}},
             {"cat .en*", {RiskLevel::high, "secret path"}, {PolicyEffect::deny, "credentials"}},
             {"ls > files.txt", {RiskLevel::high, "unparsed command"}, {PolicyEffect::ask, "no-force-push"}},
             {"echo $(id)", {RiskLevel::high, "unparsed command"}, {PolicyEffect::ask, "no-force-push"}},
         }) {
        auto facts = runtimes::facts_of_tool("Bash", json::Object{{"command", std::string{command}}}, true);
        facts.cwd = "/w";
        runtimes::look_at_files(facts, runtimes::local_files("/home/u"));  // /w doesn't exist: no path leads elsewhere
        const auto judgement = judge(facts, starter());
        EXPECT_EQ(judgement.risk, risk) << command << ": " << judgement.risk.rule;
        EXPECT_EQ(judgement.policy, policy) << command << ": " << judgement.policy.rule;
    }
}

TEST(PolicyStarter, ItAsksAboutOtherShellsAndCodeOnTheCommandLine) {
    for (const auto* tool : {"PowerShell", "powershell", "Power_Shell", "pwsh", "cmd", "mcp__win__PowerShell"}) {
        for (const auto* command : {"ls", "cat a", "cat 'a; Remove-Item b'"}) {
            EXPECT_EQ(effect_of(tool, json::Object{{"command", command}}), PolicyEffect::ask) << tool << command;
        }
    }
    for (const auto* command : {"pwsh -c ls",
                                "powershell -EncodedCommand bABzAA==",
                                "powershell.exe -c ls",
                                "cmd /c dir",
                                "cmd.exe /c dir",
                                "PowerShell ls",
                                "wsl ls",
                                "fish -c ls",
                                "nu -c ls",
                                "bash -c ls",
                                "python3 -c x",
                                "python -cx",
                                "node -e x",
                                "node --eval=x",
                                "node -pe x",
                                "perl -e x",
                                "perl -ne x",
                                "ruby -e x",
                                "php -r x",
                                "lua -e x",
                                "deno eval x"}) {
        EXPECT_EQ(effect_of_command(command), PolicyEffect::ask) << command;
    }
}

TEST(PolicyStarter, NoOptionOfTheTableIsAllowed) {
    std::size_t tried = 0;
    for (const auto& row : std::span{program_rows_begin(), program_rows_end()}) {
        const std::string program{row.names.substr(0, row.names.find(' '))};
        for (auto options : {row.runs, row.writes, row.deletes}) {
            while (!options.empty()) {
                const auto end = std::min(options.find(' '), options.size());
                const std::string option{options.substr(0, end)};
                options.remove_prefix(std::min(end + 1, options.size()));
                const auto glued = option.starts_with("--") ? option + "=b" : option + "b";
                for (const auto& command : {program + " " + option + " a", program + " a " + option,
                                            program + " a " + glued, program + " a " + option + "=b"}) {
                    EXPECT_NE(effect_of_command(command), PolicyEffect::allow) << command;
                    ++tried;
                }
            }
        }
    }
    EXPECT_GT(tried, 1000U);
}

}  // namespace
}  // namespace countersign::app
