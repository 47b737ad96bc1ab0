// SPDX-License-Identifier: Apache-2.0
#include "core/path.hpp"

#include <gtest/gtest.h>

namespace countersign {
namespace {

TEST(Path, DotsAndDoubleSlashesAreResolved) {
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

TEST(Path, OnlyPathsBelowTheWorkingDirectoryAreInside) {
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

TEST(Path, APatternIsMatchedAgainstTheResolvedPath) {
    EXPECT_TRUE(path_fits("/etc/*", "/w/../etc/passwd", "/w"));
    EXPECT_FALSE(path_fits("src/*", "src/../../x", "/w"));
    EXPECT_TRUE(path_fits("src/*", "/w/src/a", "/w"));
    EXPECT_TRUE(path_fits("*.cpp", "src/a.cpp", "/w"));
    EXPECT_TRUE(path_fits("src/*", "src/a", ""));
}

TEST(Path, SecretsAreRecognisedByTheirPath) {
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

TEST(Path, OwnSettingsAreRecognisedInEverySpelling) {
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

TEST(Path, I13_APatternWithTooManyAlternativesIsTreatedAsASecret) {
    const auto braces = [](std::size_t count) {
        std::string text = "{";
        for (std::size_t i = 0; i < count; ++i) text += i == 0 ? "a" : ",a";
        return text + "}";
    };
    EXPECT_FALSE(selects_secrets(braces(255), "/w")) << "256 with the whole";
    EXPECT_TRUE(selects_secrets(braces(256), "/w"));
}

TEST(GuardedPaths, SecretsOfEverydayToolsAreGuarded) {
    for (const auto* path : {"secrets/db.txt",
                             "a/secrets/b/c",
                             ".git/config",
                             "sub/.git/config",
                             "secret.yaml",
                             "secret.json",
                             "k8s/db-secret.yml",
                             "terraform.tfstate",
                             "terraform.tfstate.backup",
                             "prod.tfvars",
                             "a.auto.tfvars.json",
                             ".my.cnf",
                             "~/.my.cnf",
                             ".s3cfg",
                             "kubeconfig",
                             "prod.kubeconfig",
                             "kubeconfig.yaml",
                             ".dockercfg",
                             ".htpasswd",
                             "key.ppk",
                             "AuthKey.p8",
                             "deploy_key",
                             "github_ed25519",
                             ".env-prod",
                             ".env_local",
                             ".netrc~",
                             ".netrc.bak",
                             "server.key.old",
                             ".env.bak",
                             "auth.json",
                             "~/.local/share/opencode/auth.json",
                             "/etc/shadow-",
                             "~/.kube/cache/x",
                             "gcp-service-account.json",
                             "~/.gemini/oauth_creds.json",
                             ".vault_pass.txt",
                             "client.ovpn",
                             "_netrc"}) {
        EXPECT_TRUE(bears_secrets(path, "/w")) << path;
    }
    for (const auto* path : {".env.example",
                             ".env-example",
                             ".env.sample",
                             ".env.template",
                             "example.env",
                             ".env.dist",
                             "terraform.tfvars.example",
                             "docs/secret.md",
                             "docs/secrets-guide.md",
                             "src/secret_store.cpp",
                             "secret.ts",
                             ".github/config",
                             ".gitignore",
                             "src/auth.ts",
                             "authors.json",
                             "package.json",
                             "main.tf",
                             "a~",
                             "old.bak",
                             "environment.ts",
                             "envelope.json",
                             "docs/kube.md",
                             "config.yaml",
                             "Makefile",
                             "src/rsa.cpp"}) {
        EXPECT_FALSE(bears_secrets(path, "/w")) << path;
    }
    for (const auto* glob : {"*.tfstate", "*.tfvars", "*.ppk", ".env-*", "kubeconf*"}) {
        EXPECT_TRUE(selects_secrets(glob, "/w")) << glob;
    }
    for (const auto* glob : {"*.tf", "*.json", "*.yaml", "*.yml", "k*", "t*", "terra*.tf", "s*", "*.py"}) {
        EXPECT_FALSE(selects_secrets(glob, "/w")) << glob;
    }
}

TEST(GuardedPaths, SettingsOfEveryAgentAreGuarded) {
    for (const auto* path : {".windsurfrules",
                             ".windsurf/rules/a.md",
                             ".clinerules",
                             ".clinerules/a.md",
                             ".github/copilot-instructions.md",
                             ".github/instructions/a.instructions.md",
                             ".github/prompts/a.prompt.md",
                             ".qwen/settings.json",
                             "QWEN.md",
                             ".kiro/steering/a.md",
                             ".roo/rules/a.md",
                             ".roomodes",
                             ".continue/config.json",
                             "CRUSH.md",
                             "crush.json",
                             ".goosehints",
                             ".aider.conf.yml",
                             ".claude-plugin/plugin.json",
                             ".vscode/settings.json",
                             ".vscode/mcp.json",
                             "mcp.json",
                             ".junie/guidelines.md",
                             ".kilocode/rules/a.md",
                             "src/QWEN.md",
                             ".agents/a.md",
                             "WARP.md"}) {
        EXPECT_TRUE(is_own_setting(path, "/w")) << path;
        EXPECT_TRUE(mentions_own_setting("echo x > ./" + std::string{path})) << path;
    }
    for (const auto* path : {".github/workflows/ci.yml", ".vscode/launch.json", "src/continue.ts", "docs/rules.md",
                             "src/agent.ts", "kiro.md", "goose.txt", ".gitignore", ".root", "README.md"}) {
        EXPECT_FALSE(is_own_setting(path, "/w")) << path;
    }
    for (const auto* text : {"jq .root x > y", "echo a.continue > b", "make > out.txt", "sort a > agents.txt",
                             "cat .github/workflows/ci.yml > x"}) {
        EXPECT_FALSE(mentions_own_setting(text)) << text;
    }
}

}  // namespace
}  // namespace countersign
