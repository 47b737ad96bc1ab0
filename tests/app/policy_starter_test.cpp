// SPDX-License-Identifier: Apache-2.0
// deploy/policy-starter.toml does what it says: allow read-only, deny credentials, ask the rest.
#include "core/command_table.hpp"
#include "core/json/write.hpp"
#include "runtimes/call_facts.hpp"
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

TEST(PolicyStarter, ItAllowsReadOnly) {
    EXPECT_EQ(effect_of("Read", json::Object{{"file_path", "/w/src/a.cpp"}}), PolicyEffect::allow);
    EXPECT_EQ(effect_of("Grep", json::Object{{"pattern", "x"}, {"path", "src"}}), PolicyEffect::allow);
    EXPECT_EQ(effect_of("Glob", json::Object{{"pattern", "src/*.cpp"}}), PolicyEffect::allow);
    for (const auto* command : {"ls -la", "cat README.md", "grep -rn todo src", "head -n 20 a | wc -l", "ls && pwd",
                                "find . -name a", "sed -n 1,50p a", "sort a | uniq -c"}) {
        EXPECT_EQ(effect_of_command(command), PolicyEffect::allow) << command;
    }
}

TEST(PolicyStarter, ItDeniesCredentials) {
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

TEST(PolicyStarter, ItAsksTheRest) {
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
