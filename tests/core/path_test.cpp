// SPDX-License-Identifier: Apache-2.0
#include "core/path.hpp"

#include <gtest/gtest.h>

namespace countersign {
namespace {

TEST(Path, DotsAndDoubledSlashesAreResolved) {
    EXPECT_EQ(resolved_path("/w//a/./b/../c/", ""), "/w/a/c");
    EXPECT_EQ(resolved_path("../x", "/w/a"), "/w/x");
    EXPECT_EQ(resolved_path("/../../etc", ""), "/etc");
    EXPECT_EQ(resolved_path("../x", ""), "../x");
    EXPECT_EQ(resolved_path("a/../../x", ""), "../x");
    EXPECT_EQ(resolved_path("~/a/../b", "/w"), "~/b");
    EXPECT_EQ(resolved_path("~/../bob", "/w"), "~/../bob");
    EXPECT_EQ(resolved_path("", "/w"), "/w");
    EXPECT_EQ(resolved_path("/", ""), "/");
}

TEST(Path, OnlyWhatLiesBelowTheWorkingDirectoryIsInside) {
    EXPECT_TRUE(inside("a/b", "/w"));
    EXPECT_TRUE(inside("/w/a", "/w/"));
    EXPECT_TRUE(inside(".", "/w"));
    EXPECT_TRUE(inside("/etc", "/"));
    EXPECT_FALSE(inside("/www", "/w"));
    EXPECT_FALSE(inside("a/../../x", "/w"));
    EXPECT_FALSE(inside("~/a", "/w"));
    EXPECT_TRUE(inside("a", ""));
    EXPECT_FALSE(inside("../a", ""));
    EXPECT_FALSE(inside("/w/a", ""));
}

TEST(Path, APatternMeetsTheResolvedPath) {
    EXPECT_TRUE(path_fits("/etc/*", "/w/../etc/passwd", "/w"));
    EXPECT_FALSE(path_fits("src/*", "src/../../x", "/w"));
    EXPECT_TRUE(path_fits("src/*", "/w/src/a", "/w"));
    EXPECT_TRUE(path_fits("*.cpp", "src/a.cpp", "/w"));
    EXPECT_TRUE(path_fits("src/*", "src/a", ""));
}

TEST(Path, SecretsAreKnownByTheirPlace) {
    for (const auto* path :
         {"~/.ssh/config", "/home/a/.ssh/id_rsa", ".env", "app/.env.local", "prod.env", "/etc/shadow", "id_rsa",
          "deploy/id_ed25519.pub", "key.pem", "~/.aws/credentials", "a/../.env", ".ENV", "/proc/self/environ",
          "credentials.json", "C:\\Users\\a\\.ssh\\config"}) {
        EXPECT_TRUE(bears_secrets(path, "/w")) << path;
    }
    for (const auto* path : {"src/a.cpp", "environment.md", "README", "ssh/config", ".envrc-docs"}) {
        EXPECT_FALSE(bears_secrets(path, "/w")) << path;
    }
}

TEST(Path, OwnSettingsAreKnownWhateverTheSpelling) {
    for (const auto* path : {".claude/settings.json",
                             "/w/.CLAUDE/settings.json",
                             "x/../.claude//a",
                             "CLAUDE.md",
                             "sub/claude.md",
                             ".codex",
                             "AGENTS.md",
                             ".gemini/settings.json",
                             "GEMINI.md",
                             ".opencode/x",
                             "opencode.json",
                             ".mcp.json",
                             "countersign.toml",
                             "/etc/countersign/a",
                             "~/.config/countersign/x",
                             "/var/lib/countersign/log",
                             ".git/hooks/pre-commit",
                             ".git/./hooks/x",
                             "~/.claude.json",
                             ".git/config",
                             ".git/modules/x/config",
                             ".git/info/attributes",
                             ".git/config.worktree",
                             "sub/.git",
                             "C:\\w\\.claude\\settings.json"}) {
        EXPECT_TRUE(is_own_setting(path, "/w")) << path;
    }
    for (const auto* path :
         {"src/claude.cpp", "docs/agents.md.txt", "hooks/pre-commit", "countersign/src/a", "x.claude"}) {
        EXPECT_FALSE(is_own_setting(path, "/w")) << path;
    }
    EXPECT_TRUE(is_own_setting("settings.json", "/w/.claude"));
}

TEST(Path, AnUnparsedTextThatNamesOwnSettingsIsNoticed) {
    for (const auto* text : {"echo x > .claude/settings.json", "tee ./.CODEX/config.toml", "printf x>>\".cl\"aude/a",
                             "d=.git; rm $d/hooks/x .git//hooks/y", "rm .cla*", "cat x >AGENTS.md",
                             "a=x;echo $a.claude/x", "git config core.hooksPath /tmp"}) {
        EXPECT_TRUE(mentions_own_setting(text)) << text;
    }
    for (const auto* text : {"curl https://api.claude.ai/", "rm *", "ls src | wc", "echo my-agents.mdx", "make *.o"}) {
        EXPECT_FALSE(mentions_own_setting(text)) << text;
    }
}

TEST(Path, I13_APatternThatStandsForTooManyNamesASecret) {
    const auto braces = [](std::size_t count) {
        std::string text = "{";
        for (std::size_t i = 0; i < count; ++i) text += i == 0 ? "a" : ",a";
        return text + "}";
    };
    EXPECT_FALSE(selects_secrets(braces(255), "/w")) << "256 with the whole";
    EXPECT_TRUE(selects_secrets(braces(256), "/w"));
}

}  // namespace
}  // namespace countersign
