// SPDX-License-Identifier: Apache-2.0
#include "core/policy.hpp"

#include "core/path.hpp"

#include <gtest/gtest.h>

namespace countersign {
namespace {

CallFacts bash(std::string command) {
    CallFacts facts;
    facts.agent_id = "dev-1";
    facts.tool_name = "Bash";
    facts.tool_class = ToolClass::execute;
    facts.command = std::move(command);
    facts.cwd = "/w";
    return facts;
}
// Files without any links in their paths.
FileView as_written(const std::vector<std::string>& paths) {
    FileView view{.real_paths = {}, .cwd = "/w", .home = "", .real_home = ""};
    for (const auto& path : paths) view.real_paths.push_back(resolved_path(path, "/w"));
    return view;
}
CallFacts edit(std::vector<std::string> paths) {
    CallFacts facts;
    facts.agent_id = "dev-1";
    facts.tool_name = "Edit";
    facts.tool_class = ToolClass::edit;
    facts.files = as_written(paths);
    facts.paths = std::move(paths);
    facts.cwd = "/w";
    return facts;
}
CallFacts fetch(std::vector<std::string> hosts) {
    CallFacts facts;
    facts.tool_name = "WebFetch";
    facts.tool_class = ToolClass::fetch;
    facts.hosts = std::move(hosts);
    return facts;
}

PolicyRule rule(PolicyEffect effect) {
    PolicyRule made;
    made.name = std::string{name(effect)} + " rule";
    made.effect = effect;
    return made;
}
PolicyRule on_command(PolicyEffect effect, std::string command) {
    auto made = rule(effect);
    made.command = std::move(command);
    return made;
}
PolicyRule on_path(PolicyEffect effect, std::string path) {
    auto made = rule(effect);
    made.path = std::move(path);
    return made;
}
PolicyRule on_host(PolicyEffect effect, std::string host) {
    auto made = rule(effect);
    made.host = std::move(host);
    return made;
}
PolicyEffect effect_of(const PolicyRule& one, const CallFacts& facts) { return evaluate({one}, facts).effect; }

constexpr auto allow = PolicyEffect::allow;
constexpr auto ask = PolicyEffect::ask;
constexpr auto deny = PolicyEffect::deny;

TEST(Policy, EffectsReadBack) {
    for (const auto effect : {allow, ask, deny}) EXPECT_EQ(policy_effect_named(name(effect)), effect);
    EXPECT_FALSE(policy_effect_named("permit"));
}

TEST(Policy, WithoutARuleItAsks) { EXPECT_EQ(evaluate({}, bash("ls")), (PolicyVerdict{ask, ""})); }

TEST(Policy, DenyBeatsAskBeatsAllowInAnyOrder) {
    const auto facts = bash("ls");
    EXPECT_EQ(evaluate({rule(allow), rule(ask), rule(deny)}, facts), (PolicyVerdict{deny, "deny rule"}));
    EXPECT_EQ(evaluate({rule(allow), rule(ask)}, facts), (PolicyVerdict{ask, "ask rule"}));
    EXPECT_EQ(evaluate({rule(allow)}, facts), (PolicyVerdict{allow, "allow rule"}));
}

TEST(Policy, AgentAndToolAreGlobs) {
    auto one = rule(allow);
    one.agent = "dev-*";
    one.tool = "Edit";
    EXPECT_EQ(effect_of(one, edit({"a"})), allow);
    EXPECT_EQ(effect_of(one, bash("ls")), ask);
    one.agent = "prod-*";
    EXPECT_EQ(effect_of(one, edit({"a"})), ask);
}

TEST(Policy, AnAllowNeverMatchesACommandThatCannotBeParsed) {
    EXPECT_EQ(effect_of(on_command(allow, "git status"), bash("git status")), allow);
    EXPECT_EQ(effect_of(on_command(allow, "*"), bash("git status; rm x")), ask);
    EXPECT_EQ(effect_of(on_command(allow, "git *"), bash("git log | sh")), ask);
    EXPECT_EQ(effect_of(rule(allow), bash("git log | sh")), ask);
    EXPECT_EQ(effect_of(on_command(allow, "cat src/*"), bash("cat src/../../etc/passwd")), ask);
    EXPECT_EQ(effect_of(on_command(allow, "*"), edit({"a"})), ask);
}

TEST(Policy, ADenyOfACommandAsksAboutACommandThatCannotBeParsedAndNamesItself) {
    const auto no_rm = on_command(deny, "rm *");
    EXPECT_EQ(evaluate({no_rm}, bash("rm x")), (PolicyVerdict{deny, "deny rule"}));
    EXPECT_EQ(evaluate({no_rm}, bash("true; rm x")), (PolicyVerdict{ask, "deny rule"}));
    EXPECT_EQ(evaluate({no_rm}, bash("ls > x")), (PolicyVerdict{ask, "deny rule"}));
    EXPECT_EQ(evaluate({no_rm}, bash("ls")), (PolicyVerdict{ask, ""}));
    EXPECT_EQ(evaluate({no_rm}, edit({"a"})), (PolicyVerdict{ask, ""}));
}

TEST(Policy, ADenyOfACommandIsNamedForAWildcardOnlyIfTheProgramMayFit) {
    const auto no_push = on_command(deny, "git push --force*");
    EXPECT_EQ(evaluate({no_push}, bash("ls *.c")), (PolicyVerdict{ask, ""}));
    EXPECT_EQ(evaluate({no_push}, bash("wc -l *.c | sort -n")), (PolicyVerdict{ask, ""}));
    for (const auto* line :
         {"git push *", "git *", "ls *.c && git push x*", "git push --force *", "ls *.c; id", "g* push"}) {
        EXPECT_EQ(evaluate({no_push}, bash(line)), (PolicyVerdict{ask, "deny rule"})) << line;
    }
    EXPECT_EQ(evaluate({on_command(deny, "*")}, bash("ls *.c")), (PolicyVerdict{ask, "deny rule"}));
    for (const auto* pattern : {"", "*", "ls *", "ls *.c"}) {
        EXPECT_EQ(effect_of(on_command(allow, pattern), bash("ls *.c")), ask) << pattern;
    }
}

TEST(Policy, ADenyThatMayFitPreventsAnAllow) {
    auto all_tools = rule(allow);
    all_tools.tool = "Bash";
    auto unread = bash("");
    unread.command.reset();
    for (const auto& one : {on_command(deny, "rm *"), on_path(deny, "/etc/*"), on_host(deny, "b.test")}) {
        EXPECT_EQ(evaluate({all_tools, one}, bash("ls; head")), (PolicyVerdict{ask, "deny rule"}));
        EXPECT_EQ(evaluate({all_tools, one}, unread).effect, ask);
    }
    EXPECT_EQ(evaluate({on_command(deny, "rm *"), rule(deny)}, bash("ls; head")).effect, deny) << "a sure deny wins";
}

TEST(Policy, AnAllowMustFitEveryPathAndADenyOne) {
    EXPECT_EQ(effect_of(on_path(allow, "src/*"), edit({"src/a", "/w/src/b"})), allow);
    EXPECT_EQ(effect_of(on_path(allow, "src/*"), edit({"src/a", "/etc/b"})), ask);
    EXPECT_EQ(effect_of(on_path(allow, "src/*"), edit({"src/../../b"})), ask);
    EXPECT_EQ(effect_of(on_path(allow, "*"), edit({})), ask);
    EXPECT_EQ(effect_of(on_path(allow, "*"), bash("ls /w/src")), ask);
    EXPECT_EQ(effect_of(on_path(deny, "/etc/*"), edit({"src/a", "/etc/b"})), deny);
    EXPECT_EQ(effect_of(on_path(deny, "/etc/*"), bash("cat /etc/../etc/x")), deny);
    EXPECT_EQ(effect_of(on_path(deny, "/etc/*"), bash("cat x > y")), ask);
    EXPECT_EQ(effect_of(on_path(deny, "/etc/*"), bash("cat x | tee /etc/y")), deny);
    EXPECT_EQ(effect_of(on_path(deny, "/etc/*"), edit({})), deny);
    EXPECT_EQ(effect_of(on_path(deny, "/etc/*"), edit({"src/a"})), ask);
}

TEST(Policy, AnAllowMustFitEveryHostAndADenyOne) {
    EXPECT_EQ(effect_of(on_host(allow, "*.example.com"), fetch({"a.example.com"})), allow);
    EXPECT_EQ(effect_of(on_host(allow, "*.example.com"), fetch({"a.example.com", "b.test"})), ask);
    EXPECT_EQ(effect_of(on_host(allow, "*"), fetch({})), ask);
    EXPECT_EQ(effect_of(on_host(deny, "b.test"), fetch({"a.example.com", "b.test"})), deny);
    EXPECT_EQ(effect_of(on_host(deny, "b.test"), fetch({})), deny);
    EXPECT_EQ(effect_of(on_host(deny, "b.test"), fetch({"a.example.com"})), ask);
}

TEST(Policy, APathOrHostAllowsAnUnknownToolOnlyByItsFullName) {
    CallFacts unknown;
    unknown.tool_name = "run_python";
    unknown.paths = {"docs/x"};
    unknown.hosts = {"a.test"};
    unknown.cwd = "/w";
    unknown.files = as_written(unknown.paths);
    for (auto one : {on_path(allow, "docs/*"), on_host(allow, "a.test")}) {
        EXPECT_EQ(effect_of(one, unknown), ask) << "nobody knows what it does with them";
        one.tool = "run_*";
        EXPECT_EQ(effect_of(one, unknown), ask);
        one.tool = "run_python";
        EXPECT_EQ(effect_of(one, unknown), allow);
    }
    unknown.command = "rm -rf /";
    auto named = on_path(allow, "docs/*");
    named.tool = "run_python";
    EXPECT_EQ(effect_of(named, unknown), ask) << "it executes";
}

TEST(Policy, APatternOfAHostIgnoresCase) {
    EXPECT_EQ(effect_of(on_host(deny, "Evil.Example"), fetch({"evil.example"})), deny);
    EXPECT_EQ(effect_of(on_host(deny, "Evil.Example"), bash("curl evil.example")), deny);
    EXPECT_EQ(effect_of(on_host(allow, "*.Example.com"), fetch({"a.example.com"})), allow);
}

TEST(Policy, APathDoesNotAllowAFetchAndAHostDoesNotAllowAnEdit) {
    auto saving = fetch({"a.test"});
    saving.paths = {"docs/x"};
    EXPECT_EQ(effect_of(on_path(allow, "docs/*"), saving), ask);
    auto linking = edit({"/etc/passwd"});
    linking.hosts = {"a.test"};
    EXPECT_EQ(effect_of(on_host(allow, "a.test"), linking), ask);
}

TEST(Policy, ADenyOfAHostFindsItInEveryWordOfACommand) {
    const auto no_evil = on_host(deny, "evil.example");
    for (const auto* command :
         {"curl evil.example/x", "curl -sS EVIL.example:8080", "ssh root@evil.example", "scp a git@evil.example:b",
          "curl --proxy=evil.example", "curl -xevil.example:80 https://a.test", "ping evil.example."}) {
        EXPECT_EQ(effect_of(no_evil, bash(command)), deny) << command;
    }
    EXPECT_EQ(effect_of(no_evil, bash("curl https://a.test/evil.example")), ask);
    EXPECT_EQ(effect_of(on_host(deny, "*"), bash("ls")), ask) << "no word but the command's own";
}

// Rules name them as xn--…, and this code can't tell which letters of a command form that name.
TEST(Policy, ADenyOfAHostInAnotherScriptAsksAboutACommandThatNamesOne) {
    const std::vector<PolicyRule> policy{{.name = "no", .effect = PolicyEffect::deny, .host = "xn--mnchen-3ya.de"}};
    EXPECT_EQ(evaluate(policy, bash("curl xn--mnchen-3ya.de")).effect, PolicyEffect::deny);
    EXPECT_EQ(evaluate(policy, bash("curl münchen.de")), (PolicyVerdict{PolicyEffect::ask, "no"}));
    EXPECT_EQ(evaluate(policy, bash("curl munchen.de")).rule, "");
}

TEST(Policy, AHostDoesNotAllowACommand) {
    auto command = bash("rm -rf src https://a.test/");
    command.hosts = {"a.test"};
    EXPECT_EQ(effect_of(on_host(allow, "a.test"), command), ask);
    auto both = on_host(allow, "a.test");
    both.command = "curl *";
    auto curl = bash("curl https://a.test/ b.test/");
    curl.hosts = {"a.test"};
    EXPECT_EQ(effect_of(both, curl), ask) << "the second host has no scheme";
}

TEST(Policy, AnAllowDoesNotApplyToUnknownArguments) {
    auto facts = bash("git status");
    facts.unknown_members = true;
    auto on_tool = on_command(allow, "git status *");
    EXPECT_EQ(effect_of(on_tool, facts), ask);
    on_tool = rule(allow);
    on_tool.tool = "Bash";
    EXPECT_EQ(effect_of(on_tool, facts), ask);
    EXPECT_EQ(effect_of(on_command(deny, "git *"), facts), deny);
    facts = edit({"src/a"});
    facts.unknown_members = true;
    EXPECT_EQ(effect_of(on_path(allow, "src/*"), facts), ask);
}

TEST(Policy, AToolOfUnknownClassIsAllowedOnlyByARuleAboutTheTool) {
    CallFacts facts;
    facts.tool_name = "mcp__docs__find";
    facts.unknown_members = true;
    facts.paths = {"src/a"};
    EXPECT_EQ(effect_of(on_path(allow, "*"), facts), ask);
    auto on_tool = rule(allow);
    on_tool.tool = "mcp__docs__*";
    EXPECT_EQ(effect_of(on_tool, facts), allow);
}

TEST(Policy, AListIsAllowedIfEachPartIsAndDeniedIfOneIs) {
    const auto named = [](PolicyEffect effect, std::string name, std::string command) {
        auto made = on_command(effect, std::move(command));
        made.name = std::move(name);
        return made;
    };
    const std::vector<PolicyRule> rules{named(allow, "status", "git status *"), named(allow, "list", "ls *"),
                                        named(deny, "no-rm", "rm *")};
    EXPECT_EQ(evaluate(rules, bash("git status && ls -l | ls")), (PolicyVerdict{allow, "status, list"}));
    EXPECT_EQ(evaluate(rules, bash("ls && ls -l")), (PolicyVerdict{allow, "list"}));
    EXPECT_EQ(evaluate(rules, bash("git status && make")), (PolicyVerdict{ask, ""}));
    EXPECT_EQ(evaluate(rules, bash("ls && rm x")), (PolicyVerdict{deny, "no-rm"}));
    for (const auto* line : {"ls; ls", "ls || ls", "ls && $(ls)", "ls > x", "ls && cd x", "ls && sudo ls"}) {
        EXPECT_EQ(evaluate(rules, bash(line)).effect, ask) << line;
    }
}

TEST(Policy, ARuleMayNameSeveralToolsARiskAndARiskRule) {
    auto readers = rule(allow);
    readers.tool = Patterns{std::vector<std::string>{"Read", "Edi?"}};
    EXPECT_EQ(effect_of(readers, edit({"a"})), allow);
    EXPECT_EQ(effect_of(readers, bash("ls")), ask);
    auto high = rule(deny);
    high.risk = RiskLevel::high;
    EXPECT_EQ(judge(bash("rm x"), {.risk = {}, .policy = {high}}).policy.effect, deny);
    EXPECT_EQ(judge(bash("ls"), {.risk = {}, .policy = {high}}).policy.effect, ask);
    auto secrets = rule(deny);
    secrets.risk_rule = "secret path";
    EXPECT_EQ(judge(bash("cat ~/.ssh/id_rsa"), {.risk = {}, .policy = {secrets}}).policy.effect, deny);
    EXPECT_EQ(judge(bash("rm x"), {.risk = {}, .policy = {secrets}}).policy.effect, ask);
}

TEST(Policy, AnAllowByRiskAllowsNothingThatAPatternWouldNot) {
    auto low = rule(allow);
    low.risk = RiskLevel::low;
    auto medium = rule(allow);
    medium.risk = RiskLevel::medium;
    const Rules rules{.risk = {}, .policy = {low, medium}};
    EXPECT_EQ(judge(bash("ls | head"), rules).policy.effect, allow);
    EXPECT_EQ(judge(bash("git status"), rules).policy.effect, ask) << "an open rule does not cover git";
    EXPECT_EQ(judge(bash("mkdir a"), rules).policy.effect, ask);
    EXPECT_EQ(judge(bash("rm a"), rules).policy.effect, ask);
    EXPECT_EQ(judge(edit({"src/a"}), rules).policy.effect, allow);
}

TEST(Judgement, I15_AnAgentThatRaisesItsOwnRiskOnlyMakesThePolicyStricter) {
    auto low = rule(allow);
    low.risk = RiskLevel::low;
    auto no_medium = rule(deny);
    no_medium.risk = RiskLevel::medium;
    const Rules rules{.risk = {}, .policy = {low, no_medium}};
    const Risk told{RiskLevel::high, "raised by the agent"};
    EXPECT_EQ(judge(bash("ls"), rules).policy.effect, allow);
    EXPECT_EQ(judge(bash("ls"), rules, told).policy.effect, ask);
    EXPECT_EQ(judge(bash("ls"), rules, told).risk, told);
    EXPECT_EQ(judge(edit({"src/a"}), rules, told).policy.effect, deny) << "it was medium";
    EXPECT_EQ(judge(bash("rm x"), rules, Risk{RiskLevel::low, "raised by the agent"}).risk.rule, "deletes files");
}

TEST(Policy, AnOpenRuleAllowsNoProgramThatDoesMoreThanReadAndNoOptionThatDoes) {
    auto all = rule(allow);
    all.tool = "Bash";
    for (const auto* line : {"git status", "find . -delete", "sort -o x y", "make", "python3 x.py", "rm x", "tar xf a",
                             "./deploy.sh", "/tmp/evil", "./ls", "frobnicate --all", "ls && ./deploy.sh"}) {
        EXPECT_EQ(effect_of(all, bash(line)), ask) << line;
        EXPECT_EQ(effect_of(on_command(allow, "*"), bash(line)), ask) << line;
    }
    EXPECT_EQ(effect_of(all, bash("ls")), allow);
    EXPECT_EQ(effect_of(on_command(allow, "make *"), bash("make test")), allow);
    EXPECT_EQ(effect_of(on_command(allow, "./deploy.sh *"), bash("./deploy.sh now")), allow);
    EXPECT_EQ(effect_of(on_command(allow, "frobnicate *"), bash("frobnicate --all")), allow);
}

TEST(Policy, NoPatternAllowsACommandOfPowerShell) {
    for (const auto* tool : {"PowerShell", "powershell", "pwsh", "cmd"}) {
        auto facts = bash("git status");
        facts.tool_name = tool;
        for (const auto* pattern : {"git status *", "git status", "*"}) {
            EXPECT_EQ(effect_of(on_command(allow, pattern), facts), ask) << tool;
        }
        EXPECT_EQ(evaluate({on_command(deny, "rm *")}, facts), (PolicyVerdict{ask, "deny rule"})) << tool;
        facts.command = "echo 'a; rm b'";
        EXPECT_EQ(assess(facts, {}), (Risk{RiskLevel::high, "unparsed command"})) << tool;
        const RiskRule low{
            .name = "low", .tool = tool, .command = "*", .path = "", .host = "", .level = RiskLevel::low};
        EXPECT_EQ(assess(facts, {low}).level, RiskLevel::high) << tool;
        for (const auto* command :
             {R"(Set-Content .git\config x)", "del .git`\\hooks", R"(sc .cl`aude\settings.json x)"}) {
            facts.command = command;
            EXPECT_EQ(judge(facts, {}).risk.rule, "own settings") << command;
        }
    }
}

TEST(Policy, NoPatternAllowsCodeOnACommandLine) {
    for (const std::string line : {"python3 -c x",      "python -cx",
                                   "python3.12 -Ic x",  "node -e x",
                                   "node --ev x",       "node --print=x",
                                   "perl -e x",         "perl -wne x",
                                   "ruby -e x",         "php -r x",
                                   "lua -e x",          "pwsh -c x",
                                   "powershell -enc x", "powershell.exe /c x",
                                   "pwsh-preview -c x", "cmd /c x",
                                   "cmd.exe /c x",      "fish -c x",
                                   "nu -c x",           "wsl x"}) {
        const auto program = line.substr(0, line.find(' '));
        for (const auto& pattern : {program + " *", line, std::string{"*"}}) {
            EXPECT_EQ(effect_of(on_command(allow, pattern), bash(line)), ask) << pattern << ": " << line;
        }
        EXPECT_EQ(assess(bash(line), {}).level, RiskLevel::high) << line;
    }
}

TEST(Policy, ADenyFindsWhatIsGluedToAnyLetterOfACluster) {
    for (const auto* command : {"cp -t/etc/x a", "cp -vt/etc/x a", "cp --target-directory=/etc/x a", "frob -abcd/etc/x",
                                "frob a=/etc/x", "curl -sd@/etc/x b"}) {
        EXPECT_EQ(effect_of(on_path(deny, "/etc/*"), bash(command)), deny) << command;
    }
    EXPECT_EQ(effect_of(on_path(deny, "src/x"), bash("cp -vtsrc/x a")), deny);
    EXPECT_EQ(effect_of(on_path(deny, "src/x"), bash("cp -vtsrc/y a")), ask);
    EXPECT_EQ(effect_of(on_host(deny, "evil.test"), bash("nc -vzevil.test 80")), deny);
    EXPECT_EQ(effect_of(on_path(deny, "/etc/ssl/*"), bash("tar -xvC/etc -f a")), ask) << "it writes below /etc";
}

TEST(Policy, AWildcardWithinAWordAsksWhereTheFilesAreNotVisible) {
    for (const auto* pattern : {"cat docs/*", "cat d*", "cat docs/?", "cat *s/a"}) {
        auto facts = bash("cat docs/a");
        EXPECT_EQ(effect_of(on_command(allow, pattern), facts), ask) << pattern;
        facts.files = as_written({"docs/a"});
        EXPECT_EQ(effect_of(on_command(allow, pattern), facts), allow) << pattern;
        facts.files->complete = false;
        EXPECT_EQ(effect_of(on_command(allow, pattern), facts), ask) << pattern;
    }
    EXPECT_EQ(effect_of(on_command(allow, "cat docs/a"), bash("cat docs/a")), allow);
    EXPECT_EQ(effect_of(on_command(allow, "cat *"), bash("cat docs/a")), allow);
    EXPECT_EQ(effect_of(on_command(allow, "git status *"), bash("git status docs/a")), allow);
}

TEST(Policy, AWildcardDoesNotAllowPlacesOfSecrets) {
    auto all = rule(allow);
    all.tool = "Bash";
    for (const auto* line : {"cat ~/.ssh/id_rsa", "grep --file=.env x", "grep -f.env x", "head config:.env"}) {
        const std::string program{line, std::string_view{line}.find(' ')};
        EXPECT_EQ(effect_of(on_command(allow, program + " *"), bash(line)), ask) << line;
        EXPECT_EQ(effect_of(all, bash(line)), ask) << line;
    }
    EXPECT_EQ(effect_of(on_command(allow, "cat ~/.ssh/config"), bash("cat ~/.ssh/config")), allow) << "spelled out";
}

TEST(Policy, AWildcardAllowsNoPatternThatSelectsSecrets) {
    for (const auto* line : {"grep -r '--include=.en*' x", "git grep x -- '.en?'", "rg -g '*.{ts,pem}' x"}) {
        const std::string program{line, std::string_view{line}.find(' ')};
        EXPECT_EQ(effect_of(on_command(allow, program + (program == "git" ? " grep *" : " *")), bash(line)), ask)
            << line;
    }
    EXPECT_EQ(effect_of(on_command(allow, "git grep *"), bash("git grep x -- '*.ts'")), allow);
}

TEST(Policy, APatternAllowsToFollowLinksOnlyWhereItHasThatWord) {
    auto facts = bash("grep -R x src/a");
    facts.files = as_written({"src/a"});
    for (const auto* pattern : {"", "*", "grep *", "grep * x src/*", "grep -* x src/a", "grep -R x src/*"}) {
        EXPECT_EQ(effect_of(on_command(allow, pattern), facts), ask) << pattern;
    }
    EXPECT_EQ(effect_of(on_command(allow, "grep -R x src/a"), facts), allow);
    EXPECT_EQ(effect_of(on_command(allow, "grep -R *"), facts), allow);
    for (const auto* line :
         {"diff -r a b", "rg -L x", "find -L .", "find . -follow", "ls -LR", "tree -l", "du -L", "fd -L x"}) {
        const std::string program{line, std::string_view{line}.find(' ')};
        EXPECT_EQ(effect_of(on_command(allow, program + " *"), bash(line)), ask) << line;
        EXPECT_EQ(effect_of(on_command(allow, line), bash(line)), allow) << line;
    }
}

TEST(Policy, ADenyOfAPathAsksAboutACommandThatWalksThroughADirectoryAboveIt) {
    const auto guarded = [](const std::string& line) {
        auto facts = bash(line);
        facts.cwd = "/w";
        const auto name = line.substr(0, line.find(' '));
        return evaluate({on_path(deny, "/etc/prod/*"), on_path(deny, "private/*"), on_command(allow, name + " *")},
                        facts);
    };
    for (const auto* line :
         {"grep -r x /etc/prod", "grep -rn x /etc/prod/", "grep -r x /etc", "grep -r x /", "grep --recursive x /ETC",
          "grep -d recurse x /etc", "ls -R /etc/prod", "ls -lR /etc", "find /etc/prod -type f", "find / -name x",
          "rg x /etc", "tree /etc", "du -a /etc", "rg x", "grep -r x", "find .", "grep -r x private", "rg x ../etc"}) {
        EXPECT_EQ(guarded(line), (PolicyVerdict{ask, "deny rule"})) << line;
    }
    for (const auto* line : {"grep x /etc", "ls -ltr /etc", "ls /etc/prod", "grep -r x src", "find src -name x",
                             "rg x /etc/product", "grep -r x /etc/prod2"}) {
        EXPECT_EQ(guarded(line).effect, allow) << line;
    }
    EXPECT_EQ(guarded("cat /etc/prod/x").effect, deny);
    auto facts = bash("rg x");
    facts.cwd = "/w";
    EXPECT_EQ(evaluate({on_path(deny, "*.env"), on_command(allow, "rg *")}, facts).effect, allow);
}

TEST(Policy, NoPatternAllowsToWalkThroughAHome) {
    for (const auto* line : {"grep -rn . /root", "grep -r x ~", "grep -r x /home/bob", "rg x /", "find /home -name x",
                             "ls -R /Users/bob", "grep -r x /h", "tree .."}) {
        auto facts = bash(line);
        facts.cwd = "/h/bob/app";
        facts.files = FileView{.real_paths = {}, .cwd = "/h/bob/app", .home = "/h/bob", .real_home = "/data/bob"};
        const std::string name{line, std::string_view{line}.find(' ')};
        EXPECT_EQ(effect_of(on_command(allow, name + " *"), facts), ask) << line;
        facts.command = name + " -r x src";
        EXPECT_EQ(effect_of(on_command(allow, name + " *"), facts), allow) << line;
    }
}

TEST(Policy, AQuotedWildcardOfTheCommandFitsNoWildcardOfAPath) {
    auto facts = bash("git add 'docs/*'");
    facts.files = as_written({});
    EXPECT_EQ(effect_of(on_command(allow, "git add docs/*"), facts), allow) << "the same text";
    facts.command = "git add 'docs/*.md'";
    EXPECT_EQ(effect_of(on_command(allow, "git add docs/*"), facts), ask);
    EXPECT_EQ(effect_of(on_command(allow, "git add *"), facts), allow);
    facts.command = "rm docs/*";
    EXPECT_EQ(effect_of(on_command(allow, "rm docs/*"), facts), ask) << "the shell expands it";
}

TEST(Policy, ADenyOfAPathFindsThePatternOfASearch) {
    CallFacts facts;
    facts.tool_name = "Grep";
    facts.tool_class = ToolClass::read;
    facts.cwd = "/w";
    facts.selectors = {"*.yml"};
    EXPECT_EQ(effect_of(on_path(deny, "private/*"), facts), ask);
    facts.paths = {"private"};
    EXPECT_EQ(effect_of(on_path(deny, "private/*"), facts), deny);
    facts.paths.clear();
    facts.selectors = {"**/Private.yml"};
    EXPECT_EQ(effect_of(on_path(deny, "*/private.yml"), facts), deny);
}

TEST(Policy, GitIsAllowedOnlyInTheDirectoryOfTheAgent) {
    auto facts = bash("git status");
    EXPECT_EQ(effect_of(on_command(allow, "git status *"), facts), allow);
    facts.elsewhere = true;
    EXPECT_EQ(effect_of(on_command(allow, "git status *"), facts), ask);
    EXPECT_EQ(effect_of(on_command(allow, "git status *"), bash("cd sub && git status")), ask);
    EXPECT_EQ(effect_of(on_command(allow, "git * status"), bash("git -Csub status")), ask);
}

TEST(Judgement, OwnSettingsAlwaysAskAreHighRiskAndCreateNoGrant) {
    const auto own = judge(edit({".claude/settings.json"}), {.risk = {}, .policy = {rule(allow)}});
    EXPECT_EQ(own.risk, (Risk{RiskLevel::high, "own settings"}));
    EXPECT_EQ(own.policy, (PolicyVerdict{ask, "own settings"}));
    EXPECT_FALSE(own.may_grant);
    EXPECT_EQ(judge(edit({"AGENTS.md"}), {.risk = {}, .policy = {rule(deny)}}).policy,
              (PolicyVerdict{deny, "deny rule"}));
}

TEST(Judgement, AnOrdinaryCallMayCreateAGrant) {
    const auto plain = judge(edit({"src/a"}), {.risk = {}, .policy = {rule(allow)}});
    EXPECT_EQ(plain.risk, (Risk{RiskLevel::medium, "writes files"}));
    EXPECT_EQ(plain.policy.effect, allow);
    EXPECT_TRUE(plain.may_grant);
}

}  // namespace
}  // namespace countersign
