// SPDX-License-Identifier: Apache-2.0
#include "runtimes/call_facts.hpp"

#include "core/command/line.hpp"
#include "core/json/read.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace countersign::runtimes {
namespace {

using Texts = std::vector<std::string>;

CallFacts facts(std::string_view tool, std::string_view input) {
    const auto read = json::read(input);
    EXPECT_TRUE(read) << input;
    return facts_of_tool(tool, read->value, read->exact());
}

TEST(CallFacts, ACommandIsFoundAsTextOrWords) {
    EXPECT_EQ(facts("Bash", R"({"command":"ls -la","description":"x"})").command, "ls -la");
    EXPECT_EQ(facts("shell", R"({"command":["bash","-lc","ls; rm"],"workdir":"/w"})").command, "bash -lc 'ls; rm'");
    EXPECT_EQ(facts("shell", R"({"command":["ls"],"workdir":"/w"})").cwd, "/w");
    EXPECT_EQ(facts("Bash", R"({"other":"ls"})").command, std::nullopt);
    EXPECT_EQ(facts("shell", R"({"command":[1]})").command, std::nullopt);
    EXPECT_EQ(facts("Bash", R"({"command":[1]})").command, ";");
    // Bash takes a text: what it would do with a list is unknown, so no rule takes it for a simple command.
    EXPECT_EQ(facts("Bash", R"({"command":["ls","; rm"]})").command, ";ls;; rm;");
    EXPECT_EQ(facts("bash", R"({"command":["ls"]})").command, ";ls;");
}

TEST(CallFacts, WordsQuotedAsALineParseBackToTheSameWords) {
    for (const auto& argv : {Texts{"echo", "a b", ""}, Texts{"echo", "it's", "$HOME"}, Texts{"grep", "-e", "a;b|c"}}) {
        EXPECT_EQ(simple_command(command_line(argv)), argv);
    }
}

TEST(CallFacts, WithTwoPossibleReadingsNoCommandIsTrusted) {
    const auto twice = facts("Bash", R"({"command":"ls","command":"tee .claude/settings.json"})");
    EXPECT_EQ(simple_command(twice.command.value_or("")), std::nullopt);
    EXPECT_TRUE(touches_own_settings(twice));
    EXPECT_EQ(assess(facts("Bash", R"({"command":"ls","command":"ls"})"), {}).rule, "unparsed command");
}

TEST(CallFacts, PathsAreFoundUnderEveryRuntimesMemberNames) {
    EXPECT_EQ(facts("Edit", R"({"file_path":"/w/a","old_string":"/x","new_string":"y"})").paths, Texts{"/w/a"});
    EXPECT_EQ(facts("edit", R"({"filePath":"a"})").paths, Texts{"a"});
    EXPECT_EQ(facts("Read", R"({"file_path":"a","file_path":"b"})").paths, (Texts{"a", "b"}));
    EXPECT_EQ(facts("read_many_files", R"({"paths":["a","b"]})").paths, (Texts{"a", "b"}));
    EXPECT_EQ(facts("fileChange", R"({"changes":[{"path":"a","diff":"--- a/b\n+++ b/c\n"}]})").paths,
              (Texts{"a", "b", "c"}));
    EXPECT_EQ(
        facts("apply_patch", R"({"input":"*** Begin Patch\n*** Update File: a b\n*** Move to: c\r\n+x\n"})").paths,
        (Texts{"a b", "c"}));
    EXPECT_EQ(facts("Glob", R"({"pattern":"/etc/*"})").paths, Texts{"/etc/*"});
}

TEST(CallFacts, HostsAreFoundInUrlsAndCommands) {
    EXPECT_EQ(facts("WebFetch", R"({"url":"https://Example.com:8443/a?b","prompt":"x"})").hosts, Texts{"example.com"});
    EXPECT_EQ(facts("web_fetch", R"({"prompt":"read http://a.test/x and https://b.test"})").hosts,
              (Texts{"a.test", "b.test"}));
    EXPECT_EQ(facts("mcp__net__ping", R"({"host":"example.com:80"})").hosts, Texts{"example.com"});
    EXPECT_EQ(facts("Bash", R"({"command":"curl -s http://[::1]:9/"})").hosts, Texts{"[::1]"});
    EXPECT_EQ(facts_of_shell({"curl", "https://a.test"}, "/w").hosts, Texts{"a.test"});
    EXPECT_TRUE(facts("Write", R"({"file_path":"a","content":"see https://a.test"})").hosts.empty());
}

TEST(CallFacts, AnUnusualUrlHasNoHostThatARuleCouldAllow) {
    for (const auto* url : {"example.com/x", R"(https://good.test\\@evil.test/)", "https://good.test@evil.test/",
                            "https:/evil.test/://good.test", R"(https://good.test\t.evil.test/)"}) {
        const auto found = facts("WebFetch", R"({"url":")" + std::string{url} + R"(","prompt":"x"})");
        EXPECT_TRUE(found.odd_url) << url;
        EXPECT_TRUE(std::ranges::find(found.hosts, "evil.test") == found.hosts.end()) << url;
        EXPECT_FALSE(found.possible_hosts.empty()) << url;
    }
    EXPECT_EQ(facts("WebFetch", R"({"url":"https://good.test@evil.test/"})").possible_hosts,
              (Texts{"good.test", "evil.test"}));
}

TEST(CallFacts, I13_ACallWithOneHostTooManyHasAnUnusualUrl) {
    json::Array urls;
    for (std::size_t at = 0; at < call_hosts_max; ++at) {
        urls.emplace_back("https://h" + std::to_string(at) + ".test/");
    }
    EXPECT_FALSE(facts_of_tool("WebFetch", json::Object{{"urls", urls}}, true).odd_url);
    urls.emplace_back("https://one.more.test/");
    const auto found = facts_of_tool("WebFetch", json::Object{{"urls", urls}}, true);
    EXPECT_TRUE(found.odd_url);
    EXPECT_EQ(found.hosts.size(), call_hosts_max);
}

TEST(CallFacts, AnUnknownToolThatMentionsOwnSettingsIsAssumedToWriteThem) {
    EXPECT_TRUE(touches_own_settings(facts("mcp__fs__put", R"({"where":{"p":"/w/.claude/settings.json"}})")));
    EXPECT_TRUE(touches_own_settings(facts("mcp__sh__run", R"({"line":"echo x > .codex/config.toml"})")));
    EXPECT_FALSE(touches_own_settings(facts("mcp__fs__put", R"({"where":"/w/src/a"})")));
    EXPECT_EQ(assess(facts("mcp__sh__run", R"({"command":"ls"})"), {}).rule, "unknown tool");
}

}  // namespace
}  // namespace countersign::runtimes
