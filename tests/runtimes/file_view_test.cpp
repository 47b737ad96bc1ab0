// SPDX-License-Identifier: Apache-2.0
#include "runtimes/file_view.hpp"

#include "core/policy.hpp"
#include "runtimes/call_facts.hpp"
#include "tests/net/scratch_directory.hpp"
#include "tests/runtimes/test_redactor.hpp"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace countersign::runtimes {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class FileViewTest : public ::testing::Test {
protected:
    void SetUp() override {
        root = fs::canonical(scratch.path()).string();
        for (const auto* folder : {"/w/docs", "/home/.ssh", "/w/.claude"}) fs::create_directories(root + folder);
        EXPECT_FALSE(scratch.file("w/docs/a", "x").empty());
        cwd = root + "/w";
    }
    void link(const std::string& target, const std::string& at) const { fs::create_symlink(target, root + "/" + at); }
    [[nodiscard]] CallFacts write(const std::string& path) const {
        auto facts = facts_of_tool("Write", json::Object{{"file_path", path}, {"content", "x"}}, true);
        facts.cwd = cwd;
        look_at_files(facts, local_files(root + "/home"));
        return facts;
    }
    [[nodiscard]] Judgement judged(const std::string& path) const {
        PolicyRule docs;
        docs.name = "docs";
        docs.effect = PolicyEffect::allow;
        docs.path = "docs/*";
        return judge(write(path), {.risk = {}, .policy = {docs}});
    }
    [[nodiscard]] PolicyEffect effect(const std::string& path) const { return judged(path).policy.effect; }

    testing_tools::ScratchDirectory scratch;
    std::string root, cwd;
};

TEST_F(FileViewTest, ALinkedDirectoryIsNotAllowedByAnAllowOfItsWrittenPath) {
    link("../../home/.ssh", "w/docs/link");
    EXPECT_EQ(effect("docs/a"), PolicyEffect::allow);
    EXPECT_EQ(effect("docs/new/file"), PolicyEffect::allow) << "it may be made by the call";
    EXPECT_EQ(effect("docs/link/authorized_keys"), PolicyEffect::ask);
    EXPECT_EQ(judged("docs/link/authorized_keys").risk, (Risk{RiskLevel::high, "secret path"}));
    EXPECT_EQ(effect(cwd + "/docs/link/x"), PolicyEffect::ask);
    EXPECT_EQ(effect("docs//link//x/"), PolicyEffect::ask);
    EXPECT_EQ(effect("docs/./link/x"), PolicyEffect::ask);
    link("link", "w/docs/again");
    EXPECT_EQ(effect("docs/again/x"), PolicyEffect::ask);
}

TEST_F(FileViewTest, ALinkedFileIsNotAllowedByAnAllowOfItsWrittenPath) {
    link("/etc/passwd", "w/docs/file");
    EXPECT_EQ(effect("docs/file"), PolicyEffect::ask);
    link(root + "/home/.ssh/not_there_yet", "w/docs/dangling");
    EXPECT_EQ(effect("docs/dangling"), PolicyEffect::ask);
    EXPECT_THAT(write("docs/dangling").files->real_paths, ElementsAre(root + "/home/.ssh/not_there_yet"));
    link("a", "w/docs/friend");
    EXPECT_EQ(effect("docs/friend"), PolicyEffect::allow) << "it stays there";
}

TEST_F(FileViewTest, DotsAreReadAsTheKernelAndAsAToolReadsThem) {
    fs::create_directories(root + "/home/.ssh/sub");
    link(root + "/home/.ssh/sub", "w/docs/link");
    const auto facts = write("docs/link/../x");
    EXPECT_THAT(facts.files->real_paths, ElementsAre(root + "/home/.ssh/x", cwd + "/docs/x"));
    EXPECT_EQ(effect("docs/link/../x"), PolicyEffect::ask);
    EXPECT_EQ(effect("docs/../docs/a"), PolicyEffect::allow);
    EXPECT_EQ(effect("docs/../../home/x"), PolicyEffect::ask);
}

TEST_F(FileViewTest, AWorkingDirectoryThatIsALinkIsResolved) {
    link("w", "project");
    cwd = root + "/project";
    EXPECT_EQ(effect("docs/a"), PolicyEffect::allow);
    EXPECT_EQ(effect(root + "/project/docs/a"), PolicyEffect::allow);
    EXPECT_EQ(judged("docs/a").risk, (Risk{RiskLevel::medium, "writes files"}));
}

TEST_F(FileViewTest, APathThatCannotBeFollowedIsAsked) {
    link("loop", "w/docs/loop");
    link("pong", "w/docs/ping");
    link("ping", "w/docs/pong");
    for (const std::string path : {"docs/loop/x", "docs/ping", "docs/a/below_a_file", "/proc/self/cwd/docs/a",
                                   "/dev/fd/3", "~bob/x", "$HOME/x", "file:///etc/passwd", "docs/a\n"}) {
        EXPECT_FALSE(write(path).files->complete) << path;
        EXPECT_EQ(effect(path), PolicyEffect::ask) << path;
    }
    EXPECT_EQ(judged("docs/loop/x").risk, (Risk{RiskLevel::high, "path that cannot be followed"}));
    EXPECT_TRUE(write("/proc/cpuinfo").files->complete);
    cwd = "relative";
    EXPECT_FALSE(write("docs/a").files->complete);
}

TEST_F(FileViewTest, AHomeIsReadInBothWays) {
    const auto facts = write("~/.ssh/config");
    EXPECT_THAT(facts.files->real_paths, ElementsAre(cwd + "/~/.ssh/config", root + "/home/.ssh/config"));
    EXPECT_EQ(assess(write("~/x"), {}).level, RiskLevel::high);
}

TEST_F(FileViewTest, OnlyPathsThatLeadElsewhereAreShown) {
    link(root + "/home/.ssh", "w/docs/link");
    EXPECT_EQ(link_lines(write("docs/a"), test_redactor()), "");
    EXPECT_EQ(link_lines(write("docs/../docs/a"), test_redactor()), "");
    EXPECT_EQ(link_lines(write("docs/link/x"), test_redactor()), "\nleads to " + root + "/home/.ssh/x");
    link("loop", "w/docs/loop");
    EXPECT_THAT(link_lines(write("docs/loop"), test_redactor()),
                HasSubstr("a link in this path could not be resolved"));
    fs::create_directories(root + "/home/" + canary);
    link(root + "/home/" + canary, "w/docs/secret");
    EXPECT_THAT(link_lines(write("docs/secret/x"), test_redactor()), Not(HasSubstr(canary)));
}

TEST_F(FileViewTest, TheWordsOfACommandAreFollowed) {
    link(root + "/home/.ssh", "w/docs/link");
    auto facts = facts_of_tool(
        "Bash", json::Object{{"command", "cat docs/link/config --from=docs/a -C/etc https://a.test/x"}}, true);
    facts.cwd = cwd;
    look_at_files(facts, local_files(root + "/home"));
    EXPECT_THAT(facts.files->real_paths, ElementsAre(root + "/home/.ssh/config", cwd + "/docs/a", "/etc"));
    EXPECT_TRUE(facts.files->complete);
    EXPECT_EQ(assess(facts, {}), (Risk{RiskLevel::high, "secret path"}));
}

TEST_F(FileViewTest, TheWordsOfEveryCommandOfAListAreFollowed) {
    link(root + "/home/.ssh", "w/docs/link");
    auto facts = facts_of_tool("Bash", json::Object{{"command", "ls docs/a && cat docs/link/config | head"}}, true);
    facts.cwd = cwd;
    look_at_files(facts, local_files(root + "/home"));
    EXPECT_THAT(facts.files->real_paths, ElementsAre(cwd + "/docs/a", root + "/home/.ssh/config"));
    EXPECT_EQ(assess(facts, {}), (Risk{RiskLevel::high, "secret path"}));
}

TEST_F(FileViewTest, ALinkGluedToAnyLetterOfAClusterIsFollowed) {
    link(root + "/home/.ssh/id_rsa", "w/link");
    link(root + "/home/.ssh", "w/dlink");
    const auto looked_at = [&](const std::string& command) {
        auto facts = facts_of_tool("Bash", json::Object{{"command", command}}, true);
        facts.cwd = cwd;
        look_at_files(facts, local_files(root + "/home"));
        return facts;
    };
    for (const auto* command :
         {"date -flink", "date -uflink", "hexdump -vflink in", "grep -hflink x", "rg -nflink x", "cp -vtdlink in"}) {
        const auto facts = looked_at(command);
        EXPECT_EQ(assess(facts, {}), (Risk{RiskLevel::high, "secret path"})) << command;
    }
    PolicyRule denied;
    denied.name = "denied";
    denied.effect = PolicyEffect::deny;
    denied.path = root + "/home/.ssh";
    auto copies = denied;
    copies.effect = PolicyEffect::allow;
    copies.command = "cp *";
    copies.path = "";
    for (const auto* command : {"cp -v -tdlink in", "cp -vtdlink in", "cp -vt dlink in", "cp --target=dlink in"}) {
        const auto judgement = judge(looked_at(command), {.risk = {}, .policy = {copies, denied}});
        EXPECT_EQ(judgement.policy.effect, PolicyEffect::deny) << command;
    }
    EXPECT_TRUE(looked_at("find . -type f -not -name x -maxdepth 3 -mindepth 1 -newer a").files->complete);
    EXPECT_FALSE(looked_at("ls -" + std::string(call_paths_max, 'l')).files->complete);
}

TEST_F(FileViewTest, APatternOfACommandMustFitWhereALinkLeads) {
    link(root + "/home/.ssh", "w/docs/link");
    link(root + "/home", "w/docs/out");
    link("a", "w/docs/friend");
    link(root + "/home/.ssh", "w/x:");
    const auto asked = [&](const std::string& pattern, const std::string& command) {
        auto facts = facts_of_tool("Bash", json::Object{{"command", command}}, true);
        facts.cwd = cwd;
        look_at_files(facts, local_files(root + "/home"));
        PolicyRule one;
        one.name = "one";
        one.effect = PolicyEffect::allow;
        one.command = pattern;
        return judge(facts, {.risk = {}, .policy = {one}}).policy.effect == PolicyEffect::ask;
    };
    for (const std::string path :
         {"docs/link", "docs/link/", "docs/link/authorized_keys", "docs//link/x", "./docs/link/x", "docs/./link/x",
          "docs/out", "docs/out/x", "docs/friend/../out/x"}) {
        EXPECT_TRUE(asked("rm docs/*", "rm " + path)) << path;
        EXPECT_TRUE(asked("rm ?*", "rm -- " + path)) << path;
        EXPECT_TRUE(asked("cat " + path, "cat " + path)) << "spelled out: " << path;
        EXPECT_TRUE(asked("grep --file=docs/* a", "grep --file=" + path + " a")) << path;
        EXPECT_TRUE(asked("grep -fdocs/* a", "grep -f" + path + " a")) << path;
        EXPECT_TRUE(asked("curl -d @docs/*", "curl -d @" + path)) << path;
        EXPECT_TRUE(asked("frob in=docs/*", "frob in=" + path)) << path;
        EXPECT_TRUE(asked("frob docs/*", "frob " + path + ":/x")) << path;
    }
    EXPECT_TRUE(asked("cat *", "cat docs/link/x")) << "a star leads to no secret";
    EXPECT_TRUE(asked("cat *", "cat x://id")) << "a directory can be called x:";
    EXPECT_TRUE(asked("cat *", "cat docs/a docs/link/x"));
    EXPECT_TRUE(asked("cat " + root + "/w/docs/*", "cat " + root + "/w/docs/out/x"));
    EXPECT_TRUE(asked("cat ~/out/*", "cat ~/../w/docs/out/x"));
    EXPECT_FALSE(asked("cat *", "cat docs/out/x")) << "a star allows every place but those of secrets";
    EXPECT_FALSE(asked("rm docs/*", "rm docs/a"));
    EXPECT_FALSE(asked("rm docs/*", "rm docs/friend"));
    EXPECT_FALSE(asked("rm docs/*", "rm docs/new"));
    EXPECT_FALSE(asked("cat ./docs/*", "cat ./docs/friend"));
    EXPECT_FALSE(asked("cat " + root + "/w/docs/*", "cat " + root + "/w/docs/friend"));
    EXPECT_FALSE(asked("cat ~/notes/*", "cat ~/notes/x"));
    EXPECT_FALSE(asked("grep --file=docs/* a", "grep --file=docs/friend a"));
    EXPECT_FALSE(asked("git commit -m *", "git commit -m '" + std::string(300, 'a') + "'")) << "no file's name";
    link("w", "project");
    cwd = root + "/project";
    EXPECT_FALSE(asked("rm docs/*", "rm docs/friend")) << "the directory itself may be a link";
    EXPECT_FALSE(asked("rm " + cwd + "/docs/*", "rm " + cwd + "/docs/a"));
    EXPECT_TRUE(asked("rm docs/*", "rm docs/out/x"));
}

TEST_F(FileViewTest, ARowThatLowersByCommandMustFitTheLinksTarget) {
    link(root + "/home", "w/docs/out");
    const RiskRule low{
        .name = "low", .tool = "", .command = "cat docs/*", .path = "", .host = "", .level = RiskLevel::low};
    const auto risk = [&](const std::string& command) {
        auto facts = facts_of_tool("Bash", json::Object{{"command", command}}, true);
        facts.cwd = cwd;
        look_at_files(facts, local_files(root + "/home"));
        return assess(facts, {low});
    };
    EXPECT_EQ(risk("cat docs/a").rule, "low");
    EXPECT_EQ(risk("cat docs/out/x"), (Risk{RiskLevel::medium, "reads outside the working directory"}));
}

TEST_F(FileViewTest, I13_OneTextTooManyOfACommandIsNotFollowed) {
    const auto complete = [&](std::size_t words) {
        std::string command = "true";
        for (std::size_t at = 0; at < words; ++at) command += " a";
        auto facts = facts_of_tool("Bash", json::Object{{"command", command}}, true);
        facts.cwd = cwd;
        return view_files(facts, "").complete;
    };
    EXPECT_TRUE(complete(call_paths_max / 2)) << "each is a path and a text";
    EXPECT_FALSE(complete(call_paths_max / 2 + 1));
}

TEST_F(FileViewTest, ACommandThatCannotBeParsedCannotBeFollowed) {
    auto facts = facts_of_tool("Bash", json::Object{{"command", "cat $(ls)"}}, true);
    facts.cwd = cwd;
    EXPECT_FALSE(view_files(facts, "").complete);
}

TEST_F(FileViewTest, WithoutFilesNothingIsRecorded) {
    auto facts = facts_of_tool("Write", json::Object{{"file_path", "docs/a"}}, true);
    look_at_files(facts, {});
    EXPECT_FALSE(facts.files);
}

TEST_F(FileViewTest, I13_OneLinkTooManyIsNotFollowed) {
    link("a", "w/docs/l0");
    for (std::size_t at = 1; at <= path_links_max; ++at) {
        link("l" + std::to_string(at - 1), "w/docs/l" + std::to_string(at));
    }
    EXPECT_EQ(real_path(cwd + "/docs/l" + std::to_string(path_links_max - 1)), cwd + "/docs/a");
    EXPECT_EQ(real_path(cwd + "/docs/l" + std::to_string(path_links_max)), std::nullopt);
}

TEST_F(FileViewTest, I13_OnePartTooManyIsNotFollowed) {
    std::string path;
    for (std::size_t at = 0; at < path_parts_max; ++at) path += "/..";
    EXPECT_EQ(real_path(path), "/");
    EXPECT_EQ(real_path(path + "/.."), std::nullopt);
    EXPECT_EQ(real_path("/" + std::string(PATH_MAX, 'a')), std::nullopt);
    EXPECT_EQ(real_path("relative"), std::nullopt);
    EXPECT_EQ(real_path(std::string{"/w\0/x", 5}), std::nullopt);
}

TEST_F(FileViewTest, I13_OnePathTooManyIsNotFollowed) {
    CallFacts facts;
    facts.tool_class = ToolClass::edit;
    facts.cwd = cwd;
    facts.paths.assign(call_paths_max, "docs/a");
    EXPECT_TRUE(view_files(facts, "").complete);
    facts.paths.emplace_back("docs/a");
    EXPECT_FALSE(view_files(facts, "").complete);
}

}  // namespace
}  // namespace countersign::runtimes
