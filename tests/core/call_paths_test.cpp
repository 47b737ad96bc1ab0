// SPDX-License-Identifier: Apache-2.0
#include "core/call_paths.hpp"

#include "core/path.hpp"
#include "core/policy.hpp"

#include <gtest/gtest.h>

namespace countersign {
namespace {

CallFacts edit(std::string path, std::optional<std::string> real) {
    CallFacts facts;
    facts.tool_name = "Write";
    facts.tool_class = ToolClass::edit;
    facts.cwd = "/w";
    facts.paths = {std::move(path)};
    facts.files = FileView{.real_paths = {}, .cwd = "/data/w", .home = "/home/u", .real_home = "/data/u"};
    if (real) facts.files->real_paths = {std::move(*real)};
    return facts;
}

PolicyEffect effect_of(PolicyEffect effect, std::string path, const CallFacts& facts) {
    PolicyRule rule;
    rule.name = "rule";
    rule.effect = effect;
    rule.path = std::move(path);
    auto others = PolicyRule{};
    others.name = "others";
    others.effect = PolicyEffect::allow;
    others.tool = "Write";
    return evaluate(effect == PolicyEffect::deny ? std::vector{rule, others} : std::vector{rule}, facts).effect;
}

constexpr auto allow = PolicyEffect::allow;
constexpr auto ask = PolicyEffect::ask;
constexpr auto deny = PolicyEffect::deny;

TEST(CallPaths, AnAllowMustFitTheWrittenPathAndItsTarget) {
    EXPECT_EQ(effect_of(allow, "docs/*", edit("docs/a", "/data/w/docs/a")), allow);
    EXPECT_EQ(effect_of(allow, "/w/docs/*", edit("docs/a", "/data/w/docs/a")), allow)
        << "the directory itself is a link";
    EXPECT_EQ(effect_of(allow, "docs/*", edit("docs/link/authorized_keys", "/home/u/.ssh/authorized_keys")), ask);
    EXPECT_EQ(effect_of(allow, "docs/*", edit("x/a", "/data/w/docs/a")), ask);
    EXPECT_EQ(effect_of(allow, "docs/*", edit("docs/*", "/data/w/docs/*")), ask) << "wildcards pass through links";
}

TEST(CallPaths, WithoutAViewOfTheFilesAnAllowByPathAsks) {
    auto facts = edit("docs/a", "/data/w/docs/a");
    facts.files->complete = false;
    EXPECT_EQ(effect_of(allow, "docs/*", facts), ask);
    facts.files.reset();
    EXPECT_EQ(effect_of(allow, "docs/*", facts), ask);
    EXPECT_EQ(effect_of(deny, "docs/*", facts), deny) << "what is written is still looked at";
}

TEST(CallPaths, ADenyFitsTheWrittenPathOrItsTarget) {
    EXPECT_EQ(effect_of(deny, "/srv/private/*", edit("docs/link/x", "/srv/private/x")), deny);
    EXPECT_EQ(effect_of(deny, "docs/*", edit("docs/link/x", "/srv/x")), deny);
    EXPECT_EQ(effect_of(deny, "private/*", edit("docs/link/x", "/data/w/private/x")), deny);
    EXPECT_EQ(effect_of(deny, "private/*", edit("docs/x", "/data/w/docs/x")), allow);
}

TEST(CallPaths, ADenyMayFitAPathThatCannotBeFollowed) {
    auto facts = edit("docs/loop/x", std::nullopt);
    facts.files->complete = false;
    EXPECT_EQ(effect_of(deny, "/srv/private/*", facts), ask);
    EXPECT_EQ(assess(facts, {}), (Risk{RiskLevel::high, "path that cannot be followed"}));
}

TEST(CallPaths, I2_FilesThatWereNotReadInTimeAreHighRiskAndNoRuleAllowsThem) {
    auto facts = edit("docs/x", std::nullopt);
    facts.files = FileView{.complete = false, .in_time = false};
    EXPECT_EQ(effect_of(allow, "docs/*", facts), ask);
    EXPECT_EQ(effect_of(deny, "/srv/private/*", facts), ask);
    EXPECT_EQ(assess(facts, {}), (Risk{RiskLevel::high, "files not read in time"}));
    facts.tool_class = ToolClass::execute;
    facts.command = "cat docs/x";
    EXPECT_EQ(assess(facts, {}), (Risk{RiskLevel::high, "files not read in time"}));
}

TEST(CallPaths, ADenyIgnoresCase) {
    EXPECT_EQ(effect_of(deny, "Private/*", edit("pRIVATE/x", "/data/w/pRIVATE/x")), deny);
    EXPECT_EQ(effect_of(deny, "private/*", edit("docs/x", "/data/w/PRIVATE/x")), deny);
    EXPECT_EQ(effect_of(allow, "docs/*", edit("DOCS/x", "/data/w/DOCS/x")), ask);
}

TEST(CallPaths, AHomeIsAlsoTheDirectoryItLinksTo) {
    EXPECT_EQ(effect_of(deny, "~/.aws/*", edit("/home/u/.aws/x", "/data/u/.aws/x")), deny);
    EXPECT_EQ(effect_of(deny, "~/.aws/*", edit("/w/link", "/data/u/.aws/x")), deny);
    EXPECT_EQ(effect_of(deny, "~/.aws/*", edit("~/.aws/x", "/data/u/.aws/x")), deny);
    EXPECT_EQ(effect_of(allow, "~/notes/*", edit("/home/u/notes/a", "/data/u/notes/a")), allow);
    EXPECT_EQ(effect_of(allow, "~/notes/*", edit("/home/u/notes/a", "/data/u/other/a")), ask);
}

TEST(CallPaths, GuardedPlacesAreFoundThroughALink) {
    EXPECT_EQ(assess(edit("docs/link/config", "/home/u/.ssh/config"), {}), (Risk{RiskLevel::high, "secret path"}));
    EXPECT_EQ(assess(edit("docs/link/x", "/w/.claude/x"), {}), (Risk{RiskLevel::high, "own settings"}));
    EXPECT_EQ(assess(edit("docs/link/x", "/srv/x"), {}),
              (Risk{RiskLevel::high, "writes outside the working directory"}));
    EXPECT_EQ(assess(edit("docs/x", "/data/w/docs/x"), {}), (Risk{RiskLevel::medium, "writes files"}));
}

TEST(CallPaths, AWordOfACommandIsFollowedToo) {
    CallFacts facts;
    facts.tool_name = "Bash";
    facts.tool_class = ToolClass::execute;
    facts.cwd = "/w";
    facts.files = FileView{.real_paths = {"/data/w/docs/x"}, .cwd = "/data/w", .home = "", .real_home = ""};
    facts.command = "cat docs/x";
    EXPECT_EQ(assess(facts, {}), (Risk{RiskLevel::low, "read-only command"}));
    facts.files->real_paths = {"/srv/x"};
    EXPECT_EQ(assess(facts, {}), (Risk{RiskLevel::medium, "reads outside the working directory"}));
    facts.files->real_paths = {"/home/u/.ssh/config"};
    EXPECT_EQ(assess(facts, {}), (Risk{RiskLevel::high, "secret path"}));
    facts.files->real_paths = {"/w/.claude/settings.json"};
    EXPECT_FALSE(touches_own_settings(facts)) << "it only reads";
    facts.command = "touch docs/x";
    EXPECT_TRUE(touches_own_settings(facts));
    facts.files->real_paths = {"/srv/x"};
    EXPECT_EQ(assess(facts, {}), (Risk{RiskLevel::high, "writes outside the working directory"}));
    PolicyRule rule{.name = "no", .effect = deny, .path = "/srv/*"};
    EXPECT_EQ(evaluate({rule}, facts).effect, deny);
}

}  // namespace
}  // namespace countersign
