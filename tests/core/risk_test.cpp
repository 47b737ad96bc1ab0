// SPDX-License-Identifier: Apache-2.0
#include "core/risk.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>

namespace countersign {

static void PrintTo(const Risk& risk, std::ostream* out) { *out << name(risk.level) << " (" << risk.rule << ")"; }

namespace {

CallFacts bash(std::string command) {
    return {.agent_id = "dev",
            .tool_name = "Bash",
            .tool_class = ToolClass::execute,
            .command = std::move(command),
            .paths = {},
            .hosts = {},
            .cwd = "/w"};
}
CallFacts file(ToolClass tool_class, std::string path) {
    return {.agent_id = "dev",
            .tool_name = tool_class == ToolClass::read ? "Read" : "Edit",
            .tool_class = tool_class,
            .command = std::nullopt,
            .paths = {std::move(path)},
            .hosts = {},
            .cwd = "/w"};
}
CallFacts fetch(std::string host) {
    return {.agent_id = "dev",
            .tool_name = "WebFetch",
            .tool_class = ToolClass::fetch,
            .command = std::nullopt,
            .paths = {},
            .hosts = {std::move(host)},
            .cwd = "/w"};
}
Risk low(std::string rule) { return {RiskLevel::low, std::move(rule)}; }
Risk medium(std::string rule) { return {RiskLevel::medium, std::move(rule)}; }
Risk high(std::string rule) { return {RiskLevel::high, std::move(rule)}; }

TEST(Risk, LevelsReadBack) {
    for (const auto level : {RiskLevel::low, RiskLevel::medium, RiskLevel::high}) {
        EXPECT_EQ(risk_level_named(name(level)), level);
    }
    EXPECT_FALSE(risk_level_named("none"));
}

TEST(Risk, ToolsOfAllRuntimesHaveTheirClass) {
    EXPECT_EQ(tool_class_of("Bash"), ToolClass::execute);
    EXPECT_EQ(tool_class_of("run_shell_command"), ToolClass::execute);
    EXPECT_EQ(tool_class_of("MultiEdit"), ToolClass::edit);
    EXPECT_EQ(tool_class_of("apply_patch"), ToolClass::edit);
    EXPECT_EQ(tool_class_of("write_file"), ToolClass::edit);
    EXPECT_EQ(tool_class_of("Grep"), ToolClass::read);
    EXPECT_EQ(tool_class_of("WebFetch"), ToolClass::fetch);
    EXPECT_EQ(tool_class_of("mcp__demo__read"), ToolClass::other);
    EXPECT_EQ(tool_class_of(""), ToolClass::other);
}

TEST(Risk, UnknownOrUnparsedCallsAreHighRisk) {
    EXPECT_EQ(assess(bash("ls | sh"), {}), high("unparsed command"));
    EXPECT_EQ(assess(bash("LD_PRELOAD=./x.so ls"), {}), high("unparsed command"));
    EXPECT_EQ(assess(bash("sudo ls"), {}), high("unparsed command"));
    EXPECT_EQ(assess(bash("frobnicate x"), {}), high("unknown command"));
    EXPECT_EQ(assess(bash("./ls"), {}), high("unknown command"));
    EXPECT_EQ(assess(bash("ps auxeww"), {}).level, RiskLevel::high) << "it prints environments";
    EXPECT_EQ(assess(bash("ps -ef"), {}).level, RiskLevel::low);
    EXPECT_EQ(assess(bash("python3 x.py"), {}), high("unknown command"));
    auto without_command = bash("");
    without_command.command.reset();
    EXPECT_EQ(assess(without_command, {}), high("unparsed command"));
    EXPECT_EQ(assess(CallFacts{}, {}), high("unknown tool"));
}

TEST(Risk, CommandsAreJudgedByTheirEffect) {
    EXPECT_EQ(assess(bash("ls -la src"), {}), low("read-only command"));
    EXPECT_EQ(assess(bash("git log --oneline -5"), {}), medium("may run programs of the repository"));
    EXPECT_EQ(assess(bash("find . -name '*.cpp'"), {}), low("read-only command"));
    EXPECT_EQ(assess(bash("cat /etc/passwd"), {}), medium("reads outside the working directory"));
    EXPECT_EQ(assess(bash("cat ../x"), {}), medium("reads outside the working directory"));
    EXPECT_EQ(assess(bash("grep -rf/etc/passwd x"), {}), medium("reads outside the working directory"));
    EXPECT_EQ(assess(bash("grep -rf../x y"), {}), medium("reads outside the working directory"));
    EXPECT_EQ(assess(bash("rm -rf build"), {}), high("deletes files"));
    EXPECT_EQ(assess(bash("git clean -fdx"), {}), high("deletes files"));
    EXPECT_EQ(assess(bash("find . -delete"), {}), high("deletes files"));
    EXPECT_EQ(assess(bash("curl -s http://127.0.0.1:9/"), {}), high("reaches the network"));
    EXPECT_EQ(assess(bash("git push origin main"), {}), high("reaches the network"));
    EXPECT_EQ(assess(bash("npm install left-pad"), {}), high("reaches the network"));
    EXPECT_EQ(assess(bash("chmod 777 x"), {}), high("changes the system"));
    EXPECT_EQ(assess(bash("touch a b"), {}), medium("writes files"));
    EXPECT_EQ(assess(bash("cp a /etc/x"), {}), high("writes outside the working directory"));
    EXPECT_EQ(assess(bash("cp --target-directory=/etc a"), {}), high("writes outside the working directory"));
    EXPECT_EQ(assess(bash("cp -t/etc a"), {}), high("writes outside the working directory"));
    EXPECT_EQ(assess(bash("git commit -m x"), {}), medium("changes the repository"));
    EXPECT_EQ(assess(bash("git checkout x"), {}), high("argument overwrites, deletes or runs"));
}

TEST(Risk, AReaderWithAnOptionThatWritesOrRunsIsHighRisk) {
    for (const auto* command : {"sort -o x y", "sort -ro x y", "sort --output=x y", "sort --compress-program=x y",
                                "git diff --output=x", "git diff --ext-diff", "git -c core.pager=x log", "rg --pre x y",
                                "tree -o x", "find . -fprint x", "date -s 10:00", "date 01010000"}) {
        EXPECT_EQ(assess(bash(command), {}).level, RiskLevel::high) << command;
    }
}

TEST(Risk, PlacesOfSecretsAreHighRiskEvenForReads) {
    EXPECT_EQ(assess(bash("cat ~/.ssh/id_rsa"), {}), high("secret path"));
    EXPECT_EQ(assess(bash("grep --file=.env x"), {}), high("secret path"));
    EXPECT_EQ(assess(file(ToolClass::read, ".env"), {}), high("secret path"));
    EXPECT_EQ(assess(file(ToolClass::read, "/etc/shadow"), {}), high("secret path"));
    EXPECT_EQ(assess(file(ToolClass::edit, "id_rsa"), {}), high("secret path"));
}

TEST(Risk, ASecretGluedToAnyLetterOfAClusterIsASecretPath) {
    for (const auto* line : {"date -fid_rsa", "date -ufid_rsa", "date -uf.npmrc", "grep -hfid_rsa x", "rg -nfid_rsa x",
                             "grep -hf.ssh/x y", "hexdump -vf.env in", "cp -vtsecrets in", "rg -ng.npmrc x",
                             "rg -ig'.en*' x", "grep -hf=id_rsa x", "grep -f.netrc x", "xyz -abcdefgh.ssh/x"}) {
        EXPECT_EQ(assess(bash(line), {}), high("secret path")) << line;
    }
    for (const auto* line : {"grep -hf../x y", "cat -ns/etc/hosts", "grep -rnf/etc/hosts x", "grep -o,../x y"}) {
        EXPECT_EQ(assess(bash(line), {}), medium("reads outside the working directory")) << line;
    }
    for (const auto* line : {"ls -la", "grep -rnfwords src", "find . -type f -maxdepth 2", "head -n5 a",
                             "cut -d/ -f1 a", "sort -t/ -k2 a", "cut -d: -f1,2 a", "grep -rin envrc src", "ls -ltrh"}) {
        const auto risk = assess(bash(line), {});
        EXPECT_NE(risk.rule, "secret path") << line;
    }
    EXPECT_EQ(assess(bash("date -fa"), {}), medium("reads outside the working directory")) << "it prints the lines";
}

TEST(Risk, APatternOfACommandThatNamesASecretIsASecretPath) {
    for (const auto* line :
         {"grep -r --include '.en*' x .", "grep -r '--include=.en*' x", "grep -r --inc '.en?' x", "rg -g '.en*' x",
          "rg '-g.en*' x", "rg -ig '.en*' x", "rg --glob='*.{ts,pem}' x", "rg --iglob '.EN*' x", "find . -name '.en*'",
          "find . -iname 'id_?sa'", "find . -path '*/.ss*/x'", "cat .envrc", "ls sub/.envrc"}) {
        EXPECT_EQ(assess(bash(line), {}), high("secret path")) << line;
    }
    for (const auto* line : {"grep -r '--include=*.cpp' x", "rg -g '!.env' x", "rg -g '*.ts' '.en*'",
                             "find . -name '*.c'", "find . -name '.*'", "cat .eslintrc"}) {
        EXPECT_EQ(assess(bash(line), {}).level, RiskLevel::low) << line;
    }
    EXPECT_EQ(assess(file(ToolClass::read, ".envrc"), {}), high("secret path"));
}

TEST(Risk, AReaderThatFollowsLinksReadsOutsideTheWorkingDirectory) {
    for (const auto* line : {"grep -R x .",
                             "grep -nR x src",
                             "grep --dereference-recursive x",
                             "grep --deref x .",
                             "egrep -R x .",
                             "grep x . -R",
                             "diff -r a b",
                             "diff -ru a b",
                             "diff --recursive a b",
                             "rg -L x",
                             "rg -iL x",
                             "rg --follow x",
                             "find -L .",
                             "find -L . -name a",
                             "find . -follow",
                             "ls -LR",
                             "ls -R -L",
                             "ls --dereference",
                             "tree -l",
                             "tree -dl",
                             "du -L",
                             "du -sL .",
                             "du --dereference",
                             "fd -L x",
                             "fd --follow x",
                             "fdfind -HL x",
                             "du --files0-from=a",
                             "wc --files0-from=a",
                             "sha256sum -c a",
                             "md5sum --check a",
                             "file -f a",
                             "strings @a"}) {
        EXPECT_EQ(assess(bash(line), {}), medium("reads outside the working directory")) << line;
    }
    for (const auto* line :
         {"grep -r x .", "grep -eR x", "diff a b", "rg x", "find . -name L", "find . -type l", "ls -lR", "tree -L 2",
          "du -sh .", "fd x", "wc -l a", "sha256sum a", "file a", "rg -tL x"}) {
        EXPECT_EQ(assess(bash(line), {}), low("read-only command")) << line;
    }
}

TEST(Risk, AReadOnlyCommandWithWildcardsIsMediumRisk) {
    for (const auto* line : {"ls *.c", "wc -l src/*.cpp", "grep -n x *.md | head", "cat docs/*", "head a?",
                             "sort src/*.txt", "ls [a-z]*", "ls *.c 2>/dev/null"}) {
        EXPECT_EQ(assess(bash(line), {}), medium("reads outside the working directory")) << line;
    }
    for (const auto* line : {"sort *.txt", "find * -name a", "touch *.c", "sed -n 1p *.c", "date *", "uniq a*",
                             "frob *.c", "ls *; id", "ls $x*", "./ls *.c"}) {
        EXPECT_EQ(assess(bash(line), {}).level, RiskLevel::high) << line;
    }
    for (const auto* line : {"cat .e*", "cat .en?", "head src/*.pem", "cat .env *.c", "ls *.c | cat id_*"}) {
        EXPECT_EQ(assess(bash(line), {}), high("secret path")) << line;
    }
    EXPECT_EQ(assess(bash("rm *.o"), {}), high("deletes files"));
}

TEST(Risk, ASystemProgramIsRecognisedByItsPath) {
    EXPECT_EQ(assess(bash("/bin/ls"), {}), low("read-only command"));
    EXPECT_EQ(assess(bash("/usr/bin/cat /etc/passwd"), {}), medium("reads outside the working directory"));
    EXPECT_EQ(assess(bash("/bin/rm x"), {}), high("deletes files"));
    EXPECT_EQ(assess(bash("/usr/bin/git status"), {}), medium("may run programs of the repository"));
    for (const auto* line : {"./ls", "bin/ls", "/tmp/ls", "/bin/../tmp/ls", "/bin/x/ls", "/usr/local/bin/ls",
                             "//bin/ls", "~/bin/ls", "/usr/bin//bin/ls", "/bin//usr/bin/ls"}) {
        EXPECT_EQ(assess(bash(line), {}), high("unknown command")) << line;
    }
}

TEST(Risk, FilesAreJudgedByPlaceAndClass) {
    EXPECT_EQ(assess(file(ToolClass::read, "src/a"), {}), low("reads files"));
    EXPECT_EQ(assess(file(ToolClass::read, "/usr/include/a.h"), {}), medium("reads outside the working directory"));
    EXPECT_EQ(assess(file(ToolClass::edit, "/w/src/a"), {}), medium("writes files"));
    EXPECT_EQ(assess(file(ToolClass::edit, "/w/../x"), {}), high("writes outside the working directory"));
    EXPECT_EQ(assess(file(ToolClass::edit, "~/x"), {}), high("writes outside the working directory"));
    auto nowhere = file(ToolClass::edit, "");
    nowhere.paths.clear();
    EXPECT_EQ(assess(nowhere, {}), high("unknown target"));
}

TEST(Risk, PrivateAndUnknownHostsAreHighRisk) {
    EXPECT_EQ(assess(fetch("example.com"), {}), medium("reaches the network"));
    for (const auto* host :
         {"localhost", "127.0.0.1", "169.254.169.254", "10.1.2.3", "[::1]", "2130706433", "db.internal", "0177.0.0.1",
          "0x7f.0.0.1", "127.1", "0300.0250.1.1", "127.0.0.1.", "192.0xa8.1.1", "0x7f000001"}) {
        EXPECT_EQ(assess(fetch(host), {}), high("private host")) << host;
    }
    auto nowhere = fetch("");
    nowhere.hosts.clear();
    EXPECT_EQ(assess(nowhere, {}), high("unknown host"));
}

TEST(RiskTable, TheOperatorsRowsComeFirstAndTheFirstThatFitsWins) {
    const std::vector<RiskRule> table{
        {.name = "tests", .tool = "Bash", .command = "make test *", .path = "", .host = "", .level = RiskLevel::low},
        {.name = "bash", .tool = "Ba*", .command = "", .path = "", .host = "", .level = RiskLevel::medium},
    };
    EXPECT_EQ(assess(bash("make test all"), table), low("tests"));
    EXPECT_EQ(assess(bash("cat /etc/hosts"), table), medium("bash"));
    EXPECT_EQ(assess(bash("rm -rf x"), table), high("deletes files")) << "no row without its name lowers rm";
    EXPECT_EQ(assess(bash("make test all --eval=x"), table).level, RiskLevel::high) << "no pattern covers --eval";
    EXPECT_EQ(assess(file(ToolClass::read, "a"), table), low("reads files"));
}

TEST(Risk, ACallThatChoosesItsOwnDirectoryReadsOutsideTheAgents) {
    for (const auto* line : {"cat passwd", "ls", "grep -r . ."}) {
        auto facts = bash(line);
        facts.cwd = "/etc";
        facts.elsewhere = true;
        EXPECT_EQ(assess(facts, {}), medium("reads outside the working directory")) << line;
    }
}

TEST(Risk, AListIsAsRiskyAsItsRiskiestPart) {
    EXPECT_EQ(assess(bash("cat x | grep y | head -n 5"), {}), low("read-only command"));
    EXPECT_EQ(assess(bash("ls && mkdir a"), {}), medium("writes files"));
    EXPECT_EQ(assess(bash("ls && rm a && mkdir b"), {}), high("deletes files"));
    EXPECT_EQ(assess(bash("ls | cat ~/.ssh/id_rsa"), {}), high("secret path"));
    EXPECT_EQ(assess(bash("ls && tee .claude/settings.json"), {}), high("own settings"));
}

TEST(Risk, EveryRuleThatIsReportedIsInTheListOfRules) {
    for (const auto* line : {"ls", "ls /", "rm x", "curl x", "chmod 1 x", "touch x", "touch /x", "git commit",
                             "git log", "git -C x log", "sort -o x y", "frob", "ls;ls", "cat .env", "cp x AGENTS.md"}) {
        const auto risk = assess(bash(line), {});
        const auto rules = built_in_risk_rules();
        const auto rule = std::ranges::find(rules, risk.rule, &BuiltInRisk::name);
        ASSERT_NE(rule, rules.end()) << risk.rule;
        EXPECT_TRUE(rule->least <= risk.level && risk.level <= rule->most) << risk.rule;
    }
    EXPECT_TRUE(std::ranges::is_sorted(built_in_risk_rules(), {}, &BuiltInRisk::name));
}

TEST(RiskTable, NoRowLowersAnUnparsedCommandOrOneThatDoesMoreThanRead) {
    const std::vector<RiskRule> table{
        {.name = "all", .tool = "Bash", .command = "", .path = "", .host = "", .level = RiskLevel::low}};
    for (const auto* line : {"ls; rm x", "rm x", "git status", "find . -delete", "make"}) {
        EXPECT_NE(assess(bash(line), table).level, RiskLevel::low) << line;
    }
    EXPECT_EQ(assess(bash("frobnicate"), table), high("unknown command"));
    EXPECT_EQ(assess(bash("ls /etc"), table), low("all"));
    const std::vector<RiskRule> named{
        {.name = "ours", .tool = "", .command = "frobnicate *", .path = "", .host = "", .level = RiskLevel::low}};
    EXPECT_EQ(assess(bash("frobnicate x"), named), low("ours"));
}

TEST(RiskTable, ACommandRowNeverMatchesACommandThatCannotBeParsed) {
    const std::vector<RiskRule> table{
        {.name = "all", .tool = "", .command = "*", .path = "", .host = "", .level = RiskLevel::low}};
    EXPECT_EQ(assess(bash("ls; rm -rf x"), table), high("unparsed command"));
}

TEST(RiskTable, ARowThatLowersNeedsEveryPathAndOneThatRaisesNeedsOne) {
    auto facts = file(ToolClass::edit, "src/a");
    facts.paths.emplace_back("/etc/x");
    const auto row = [](RiskLevel level, const char* path) {
        return RiskRule{.name = "row", .tool = "", .command = "", .path = path, .host = "", .level = level};
    };
    EXPECT_EQ(assess(facts, {row(RiskLevel::low, "src/*")}), high("writes outside the working directory"));
    EXPECT_EQ(assess(facts, {row(RiskLevel::high, "src/*")}), high("row"));
    facts.paths.pop_back();
    EXPECT_EQ(assess(facts, {row(RiskLevel::low, "src/*")}), medium("writes files")) << "its files are not visible";
    facts.files = FileView{.real_paths = {"/w/src/a"}, .cwd = "/w", .home = "", .real_home = ""};
    EXPECT_EQ(assess(facts, {row(RiskLevel::low, "src/*")}), low("row"));
    EXPECT_EQ(assess(fetch("a.example.com"), {{.name = "ours",
                                               .tool = "",
                                               .command = "",
                                               .path = "",
                                               .host = "*.example.com",
                                               .level = RiskLevel::low}}),
              low("ours"));
}

TEST(RiskTable, ARowThatLowersByHostNeverMatchesACommandOrAnUnusualUrl) {
    const std::vector<RiskRule> table{
        {.name = "ours", .tool = "", .command = "", .path = "", .host = "*", .level = RiskLevel::low}};
    auto curl = bash("curl https://a.test evil.test");
    curl.hosts = {"a.test"};
    EXPECT_EQ(assess(curl, table), high("reaches the network")) << "the second host has no scheme";
    auto odd = fetch("a.test");
    odd.odd_url = true;
    EXPECT_EQ(assess(odd, table), high("unusual URL"));
    odd.tool_class = ToolClass::other;
    EXPECT_EQ(assess(odd, table), high("unknown tool"));
}

TEST(RiskTable, ARowWithoutACommandLowersNoCommandThatMayDoMoreThanRead) {
    for (const auto level : {RiskLevel::low, RiskLevel::medium}) {
        const std::vector<RiskRule> table{
            {.name = "row", .tool = "Bash", .command = "", .path = "", .host = "", .level = level}};
        for (const auto* line : {"rm -rf /", "find . -exec sh {} +", "./deploy.sh", "echo $(id)", "if"}) {
            EXPECT_EQ(assess(bash(line), table).level, RiskLevel::high) << line;
        }
    }
}

TEST(RiskTable, ARowThatRaisesByHostMatchesEachPossibleHostOfAnUnusualUrl) {
    const std::vector<RiskRule> table{
        {.name = "theirs", .tool = "", .command = "", .path = "", .host = "evil.test", .level = RiskLevel::high}};
    auto odd = bash("ls https:/evil.test");
    odd.possible_hosts = {"evil.test"};
    EXPECT_EQ(assess(odd, table), high("theirs"));
}

TEST(OwnSettings, NoTableCanLowerThem) {
    const std::vector<RiskRule> table{
        {.name = "all", .tool = "*", .command = "", .path = "", .host = "", .level = RiskLevel::low}};
    EXPECT_EQ(assess(file(ToolClass::edit, ".claude/settings.json"), table), high("own settings"));
}

TEST(Risk, UnknownArgumentsPreventLowering) {
    auto facts = bash("git status");
    facts.unknown_members = true;
    EXPECT_EQ(assess(facts, {}), high("unknown arguments"));
    const RiskRule tame{
        .name = "tame", .tool = {}, .command = "git status *", .path = {}, .host = {}, .level = RiskLevel::low};
    EXPECT_EQ(assess(facts, {tame}), high("unknown arguments"));
    auto wild = tame;
    wild.level = RiskLevel::high;
    EXPECT_EQ(assess(facts, {wild}), high("tame"));
    facts.unknown_members = false;
    EXPECT_EQ(assess(facts, {tame}), low("tame"));
}

TEST(OwnSettings, AreTouchedByWritesOfAnyToolAndNotByReads) {
    EXPECT_TRUE(touches_own_settings(file(ToolClass::edit, "x/../.claude/hooks/a")));
    EXPECT_TRUE(touches_own_settings(file(ToolClass::other, "AGENTS.md")));
    EXPECT_FALSE(touches_own_settings(file(ToolClass::read, "AGENTS.md")));
    for (const auto* command :
         {"tee .claude/settings.json", "cp x AGENTS.md", "mv x .git/hooks/pre-commit", "sed -i s/a/b/ CLAUDE.md",
          "rm -r .codex", "chmod +x .git/hooks/x", "ln -s x .mcp.json", "echo x > .claude/a",
          "bash -c 'echo > .gemini/x'", "sort -o opencode.json x", "tee sub/../.claude/a"}) {
        EXPECT_TRUE(touches_own_settings(bash(command))) << command;
    }
    for (const auto* command : {"tee *.md", "sort -n *.md", "cp a .claud?", "ls *.md; id", "rm *.md"}) {
        EXPECT_TRUE(touches_own_settings(bash(command))) << command;
    }
    for (const auto* command : {"cat .claude/settings.json", "ls .git/hooks", "tee src/a", "make all", "wc -l *.md"}) {
        EXPECT_FALSE(touches_own_settings(bash(command))) << command;
    }
    auto within = bash("tee settings.json");
    within.cwd = "/w/.claude";
    EXPECT_TRUE(touches_own_settings(within));
}

}  // namespace
}  // namespace countersign
