// SPDX-License-Identifier: Apache-2.0
// Every option of the table, in each spelling and position that a program accepts: never low risk, and no pattern
// covers it.
#include "core/command/table.hpp"

#include "core/command/line.hpp"
#include "core/command/pattern.hpp"
#include "core/policy.hpp"

#include <gtest/gtest.h>

#include <span>

namespace countersign {
namespace {

std::vector<std::string> words_of(std::string_view list) {
    std::vector<std::string> words;
    while (!list.empty()) {
        const auto end = std::min(list.find(' '), list.size());
        if (end > 0) words.emplace_back(list.substr(0, end));
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return words;
}

// All spellings of one option with the value `v`.
std::vector<std::vector<std::string>> spellings(const std::string& option) {
    if (option == "+") return {{"+!v"}, {"+v"}};
    if (option.ends_with('=')) return {{option + "v"}};
    if (option.starts_with("--")) {
        std::vector<std::vector<std::string>> all{{option}, {option + "=v"}, {option, "v"}};
        if (option.size() > 4) all.push_back({option.substr(0, option.size() - 1) + "=v"});
        return all;
    }
    if (option.size() == 2) return {{option}, {option, "v"}, {option + "v"}, {"-q" + option.substr(1)}};
    return {{option}, {option, "v"}, {option + "=v"}};
}

// Before, between and after the operands, and after `--`, which may be the value of another option.
std::vector<CommandWords> positions(const CommandWords& command, const std::vector<std::string>& option) {
    std::vector<CommandWords> all;
    const auto add = [&](std::vector<std::string> before, std::vector<std::string> after) {
        CommandWords words = command;
        words.insert(words.end(), before.begin(), before.end());
        words.insert(words.end(), option.begin(), option.end());
        words.insert(words.end(), after.begin(), after.end());
        all.push_back(std::move(words));
    };
    add({}, {});
    add({}, {"a", "b"});
    add({"a"}, {"b"});
    add({"a", "b"}, {});
    add({"-e", "--"}, {"a"});
    return all;
}

std::string line_of(const CommandWords& words) {
    std::string line;
    for (const auto& word : words) line += (line.empty() ? "'" : " '") + word + "'";
    return line;
}

CallFacts bash(std::string command) {
    CallFacts facts;
    facts.tool_name = "Bash";
    facts.tool_class = ToolClass::execute;
    facts.command = std::move(command);
    facts.cwd = "/w";
    return facts;
}

// An allow for exactly this command, one with a star, and one for the tool.
std::vector<PolicyRule> open_rules(const CommandWords& words, std::size_t name_words) {
    std::vector<PolicyRule> rules;
    const auto add = [&rules](std::string command) {
        PolicyRule rule;
        rule.name = "open";
        rule.effect = PolicyEffect::allow;
        rule.tool = "Bash";
        rule.command = std::move(command);
        rules.push_back(std::move(rule));
    };
    std::string name;
    std::string all;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i < name_words) name += words[i] + " ";
        all += words[i] + " ";
    }
    add(name + "*");
    add(all);
    add("*");
    add("");
    return rules;
}

void expect_guarded(const CommandWords& words, std::size_t name_words) {
    const auto facts = bash(line_of(words));
    const auto risk = assess(facts, {});
    EXPECT_NE(risk.level, RiskLevel::low) << *facts.command;
    EXPECT_NE(evaluate(open_rules(words, name_words), facts, risk).effect, PolicyEffect::allow) << *facts.command;
    const RiskRule lowers{
        .name = "low", .tool = "Bash", .command = "*", .path = "", .host = "", .level = RiskLevel::low};
    EXPECT_NE(assess(facts, {lowers}).level, RiskLevel::low) << *facts.command;
}

void expect_all_guarded(const CommandWords& command, std::string_view options) {
    for (const auto& option : words_of(options)) {
        for (const auto& spelling : spellings(option)) {
            for (const auto& words : positions(command, spelling)) expect_guarded(words, command.size());
        }
    }
}

TEST(CommandTable, NoOptionOfAProgramThatRunsOrWritesIsLowOrAllowedByAPattern) {
    for (const auto& row : std::span{program_rows_begin(), program_rows_end()}) {
        for (const auto& program : words_of(row.names)) {
            for (const auto options : {row.runs, row.writes, row.deletes}) {
                if (program == "git") {
                    expect_all_guarded({"git", "log"}, options);
                } else {
                    expect_all_guarded({program}, options);
                }
            }
        }
    }
}

TEST(CommandTable, NoOptionOfASubcommandThatRunsOrWritesIsLowOrAllowedByAPattern) {
    for (const auto& row : std::span{subcommand_rows_begin(), subcommand_rows_end()}) {
        for (const auto& subcommand : words_of(row.names)) {
            for (const auto options : {row.runs, row.writes}) {
                expect_all_guarded({std::string{row.program}, subcommand}, options);
            }
        }
    }
}

TEST(CommandTable, AProgramThatDoesMoreThanReadIsNeverLowNorAllowedByAnOpenRule) {
    for (const auto& row : std::span{program_rows_begin(), program_rows_end()}) {
        if (row.nature == Danger::none) continue;
        for (const auto& program : words_of(row.names)) {
            const auto facts = bash("'" + program + "' a");
            const auto risk = assess(facts, {});
            EXPECT_NE(risk.level, RiskLevel::low) << program;
            for (const auto* command : {"", "*", "?*"}) {
                PolicyRule rule;
                rule.effect = PolicyEffect::allow;
                rule.tool = "Bash";
                rule.command = command;
                EXPECT_NE(evaluate({rule}, facts, risk).effect, PolicyEffect::allow) << program;
            }
        }
    }
}

TEST(CommandTable, ItsListsContainSingleWords) {
    EXPECT_TRUE(lists_word("a bc d", "bc"));
    EXPECT_FALSE(lists_word("a bc d", "b"));
    EXPECT_FALSE(lists_word("a bc d", "a bc"));
    EXPECT_FALSE(lists_word("a bc d", ""));
    for (const auto& row : std::span{program_rows_begin(), program_rows_end()}) {
        for (const auto& program : words_of(row.names)) EXPECT_EQ(program_row(program), &row) << program << " twice";
    }
}

TEST(CommandTable, AProgramIsKnownByItsVersionedNameAndInCapitals) {
    EXPECT_EQ(known_name("python3.12"), "python");
    EXPECT_EQ(known_name("gcc-12"), "gcc");
    EXPECT_EQ(known_name("vim.basic"), "vim");
    EXPECT_EQ(known_name("RM"), "rm");
    EXPECT_EQ(known_name("sha256sum"), "sha256sum");
    EXPECT_EQ(known_name("frob2"), "frob2");
    EXPECT_TRUE(is_wrapper("ksh93"));
    EXPECT_TRUE(is_wrapper("Sudo"));
    EXPECT_FALSE(is_wrapper("frob2"));
    EXPECT_EQ(danger_of({"python3.12", "-c", "x"}).arguments, Danger::runs);
    EXPECT_EQ(danger_of({"FIND", ".", "-delete"}).arguments, Danger::deletes);
    EXPECT_EQ(command_may_fit("rm *", {"RM", "x"}), Fit::yes);
}

TEST(CommandDanger, TheOptionsOfTheFindingsAreFound) {
    for (const auto* line : {"ssh -oProxyCommand=/tmp/x host",
                             "ssh -o ProxyCommand=/tmp/x host",
                             "ssh -vo ProxyCommand=/tmp/x host",
                             "git -c core.pager=/tmp/x log",
                             "git -c 'alias.st=!x' st",
                             "git -ccore.fsmonitor=x status",
                             "git -C sub status",
                             "git --git-dir=x status",
                             "git --git-dir x status",
                             "git --exec-path=/tmp status",
                             "git grep -O x",
                             "git grep -Oless x",
                             "git grep --open-files=x y",
                             "git grep --open-files-in-pager x",
                             "git log --format=%GG",
                             "git ls-remote --upload-pack=x y",
                             "git ls-remote ext::sh",
                             "git diff --output=x",
                             "git diff --ext-diff",
                             "tar cf x --checkpoint=1 --checkpoint-action=exec=sh y",
                             "tar xf a --to-comm=sh",
                             "tar -I sh -cf a b",
                             "tar xf a --use-compress-program=sh",
                             "find . -delete",
                             "find . -exec id '{}' +",
                             "find . -execdir id",
                             "find . -ok id",
                             "find . -okdir id",
                             "find . -fprint x",
                             "find . -fprintf x y",
                             "find . -fls x",
                             "rg --pre sh x",
                             "rg --pre=sh x",
                             "rg x . --pre sh",
                             "sort -o x y",
                             "sort y -o x",
                             "sort -ro x y",
                             "sort -uox y",
                             "sort --outp=x y",
                             "sort --compress-prog=x y",
                             "man -P sh ls",
                             "less '+!id' x",
                             "less -kx y",
                             "sed -i s/a/b/ x",
                             "sed -n -i p x",
                             "sed --in-place=x s/a/b/ y",
                             "sed 1e x",
                             "sed s/a/id/e x",
                             "sed 's/a/b/w x' y",
                             "sed -n '1w x' y",
                             "sed -f x y",
                             "awk 'BEGIN{system(\"id\")}'",
                             "awk '{print|\"sh\"}' x",
                             "awk '{print>\"x\"}' y",
                             "awk 'BEGIN{\"id\"|getline}'",
                             "awk -f x y",
                             "awk 'BEGIN{ARGV[1]=\"x\"}'",
                             "jq env",
                             "jq -n '$ENV'",
                             "jq --run-tests t.test",
                             "jq --run-t",
                             "jq . --run-tests=t.test",
                             "uniq a b",
                             "xxd a b",
                             "xxd -r a",
                             "tree -o x",
                             "date -s 10:00",
                             "date 01010000",
                             "date -d -d 01010000",
                             "date -d tomorrow 01010000",
                             "awk 'NR>1{print>\"x\"}' y",
                             "awk '$1>\"}\"{x=\"}\";print>\"f\"}' y",
                             "awk -e 'BEGIN{print' -e '>\"x\"}'",
                             "awk -e 'BEGIN{print' -e '>\"x\"' -e '}'",
                             "awk --source='BEGIN{print' --so '|\"sh\"}'",
                             "awk '\"id\"|getline' x",
                             "test -v 'a[$(id)]'",
                             "[ 'a[$(id)]' -eq 1 ]",
                             "file -C -m x",
                             "file -z x",
                             "fd -x rm",
                             "fd . -X rm",
                             "printf -v 'a[0]' x",
                             "diff -l a b",
                             "yq -i .a x",
                             "bat --pager=sh x",
                             "tree -Lo 2 x",
                             "printf %d 'a[$(id)]'",
                             "awk 'BEGIN{print ENVIRON[1]}'",
                             "gawk 'BEGIN{SYMTAB[\"AR\" \"GV\"][1]=\"/etc/id_\" \"rsa\"}{print}' in",
                             "awk 'BEGIN{for(k in SYMTAB[\"ENV\" \"IRON\"])print k}'",
                             "awk 'BEGIN{f=\"sys\" \"tem\";if(f in FUNCTAB)@f(\"id\")}'",
                             "awk '@include \"x\"' y",
                             "awk '@load \"x\"' y",
                             "jq -n '\"x\"|modulemeta'",
                             "uniq -- in -out",
                             "uniq -c -- in -out",
                             "uniq in -- -out",
                             "xxd -- in -out",
                             "uniq -- -- -out",
                             "arch -arm64 ./x",
                             "arch -x86_64 ls",
                             "ps -E",
                             "ps -axE",
                             "ps -eoenviron",
                             "ps -e --format=environ",
                             "git for-each-ref '--format=%(*signature:key)'",
                             "git log '--format=% G?'",
                             "git log '--pretty=tformat:%+GK'",
                             "git log '--format=%-G?'",
                             "git for-each-ref '--format=%(signature)'"}) {
        const auto words = simple_command(line);
        ASSERT_TRUE(words) << line;
        EXPECT_NE(danger_of(*words).arguments, Danger::none) << line;
        EXPECT_EQ(assess(bash(line), {}).level, RiskLevel::high) << line;
    }
}

// A pattern that spells out the beginning would allow each of these, except for the one word.
TEST(CommandDanger, NoPatternCoversAWordThatRunsOrWritesWhateverItsForm) {
    for (const auto& [pattern, line] : std::vector<std::pair<const char*, const char*>>{
             {"sqlite3 app.db *", "sqlite3 app.db '.shell id'"},
             {"sqlite3 app.db *", "sqlite3 app.db '.output x'"},
             {"sqlite3 app.db *", "sqlite3 app.db .sy"},
             {"sqlite3 app.db *", "sqlite3 app.db \"select Load_Extension('x')\""},
             {"sqlite3 app.db *", "sqlite3 app.db \"vacuum into 'x'\""},
             {"sqlite3 app.db *", "sqlite3 app.db \"ATTACH 'x' as y\""},
             {"tar *", "tar xIf 'sh -c id' a.tgz"},
             {"tar *", "tar tIf a b"},
             {"tar *", "tar xfF a b"},
             {"tar *", "tar cgf a b c"},
             {"openssl x509 *", "openssl x509 -in x -noout -writerand y"},
             {"openssl x509 *", "openssl x509 -in x -CAserial y"},
             {"curl -s *", "curl -s --libcurl x https://a.test"},
             {"curl -s *", "curl -s -w '%output{x}' https://a.test"},
             {"curl -s *", "curl -s '-w%output{x}' https://a.test"},
             {"curl -s *", "curl -s --write-out='%output{>>x}y' https://a.test"},
             {"curl -s *", "curl -s -w @x https://a.test"},
             {"curl -s *", "curl -s -sw@x https://a.test"},
             {"curl -s *", "curl -s --write-out=@x https://a.test"},
             {"curl -s *", "curl -s --ssl-sessions x https://a.test"},
             {"pip list *", "pip list --log=x"},
             {"pip list *", "pip list --report x"},
             {"wget -q *", "wget -q --rejected-log=x https://a.test"},
             {"ssh h *", "ssh h -E x"},
             {"eslint *", "eslint -f ./x.js a"},
             {"eslint *", "eslint --format=./x.js a"},
             {"eslint *", "eslint --fix a"},
             {"kubectl get *", "kubectl get pods --profile=cpu --profile-output=x"},
             {"kubectl get *", "kubectl get pods --log-file x"},
             {"terraform plan *", "terraform plan -out=x"},
             {"terraform plan *", "terraform plan -out x"},
             {"gpg --verify *", "gpg --verify a --log-file x"},
             {"gpg --verify *", "gpg --verify a --output x"},
             {"less *", "less --log-file=x a"},
             {"less *", "less --lesskey-src=x a"},
             {"gcc *", "gcc @x"},
             {"gcc *", "gcc -Wl,-plugin,x a.c"},
             {"bat *", "bat cache --build --source x"},
             {"nmap *", "nmap --resume x"},
             {"ip *", "ip netn exec x sh -c id"},
             {"ip netn *", "ip netn exec x id"},
             {"ip netns *", "ip netns e x id"},
             {"ip *", "ip l set lo down"},
             {"ack *", "ack --ackrc=./x y"},
             {"journalctl *", "journalctl --cursor-file=x"},
             {"go test *", "go test -coverprofile=x"},
             {"psql *", "psql -o x"},
             {"redis-cli *", "redis-cli --rdb x"},
             {"svn diff *", "svn diff --diff-cmd=x"},
             {"gojq *", "gojq --run-tests x"},
             {"yq *", "yq --library-path=x ."},
             {"ssh h uptime *", "ssh h uptime '; reboot'"},
             {"ssh h uptime *", "ssh h uptime '$(reboot)'"},
             {"ssh h uptime *", "ssh h uptime '`reboot`'"},
             {"ssh h uptime *", "ssh h uptime '|' sh"},
             {"ssh h uptime *", "ssh h uptime '&' reboot"},
             {"ssh h uptime *", "ssh h uptime '>/etc/x'"},
             {"ssh h uptime *", "ssh h uptime '<(reboot)'"},
             {"rsh h uptime *", "rsh h uptime 'x;reboot'"},
             {"adb shell ls *", "adb shell ls 'x;reboot'"},
             {"sshpass -e ssh h uptime *", "sshpass -e ssh h uptime ';reboot'"},
             {"scp *", "scp 'h:$(reboot)' ."},
             {"rsync -n *", "rsync -n 'h:`reboot`' ."},
             {"rsync -n *", "rsync -n --no-n a b"},
             {"rsync -n *", "rsync -n --no-dry-run a b"},
             {"git restore --staged *", "git restore --staged --worktree ."},
             {"git restore --staged *", "git restore --staged --work ."},
             {"git restore --staged *", "git restore --staged -W ."},
             {"git restore --staged *", "git restore --staged -qW ."},
             {"git restore --staged *", "git restore --staged --no-staged ."},
             {"git push --dry-run *", "git push --dry-run --no-dry-run origin main"},
             {"git clean -n *", "git clean -n --no-dry-r"},
             {"pylint *", "pylint '--init-hook=import os' x"},
             {"pylint *", "pylint --init-h 'import os' x"},
             {"pylint *", "pylint --load-plugins=x y"},
             {"pylint *", "pylint --rcfile x y"},
             {"pylint *", "pylint --output=x y"},
             {"npm audit *", "npm audit fix --force"},
             {"npm audit *", "npm audit --json fix"},
             {"pnpm audit *", "pnpm audit --fix"},
             {"cargo audit *", "cargo audit fix"},
             {"cargo clippy *", "cargo clippy --fix"},
             {"python3 -m json.tool *", "python3 -m json.tool a b"},
             {"python3 -m json.tool *", "python3 -m json.tool --sort-keys a b"},
             {"python3 -m json.tool *", "python3 -m json.tool --indent 2 a b"},
             {"python3 -m json.tool *", "python3 -m json.tool -- a -b"},
             {"python3 -mjson.tool *", "python3 -mjson.tool a b"},
             {"python3 -I -m json *", "python3 -I -m json a b"},
             {"tmux list-sessions *", "tmux list-sessions ';' run-shell reboot"},
             {"tmux list-sessions *", "tmux list-sessions 'x;' run-shell reboot"},
             {"tmux list-sessions *", "tmux list-sessions -F '#(reboot)'"},
             {"screen -ls *", "screen -ls -X exec reboot"},
             {"pdflatex *", "pdflatex -shell-escape x"},
             {"pdflatex *", "pdflatex --shell-esc x"},
             {"lualatex *", "lualatex -enable-write18 x"},
             {"xelatex *", "xelatex -output-driver=reboot x"},
             {"pdflatex *", "pdflatex -cnf-line=shell_escape=t x"},
             {"pdflatex *", "pdflatex -output-directory=/srv x"},
             {"ip addr *", "ip addr flush dev eth0"},
             {"ip addr *", "ip addr add 10.0.0.1/8 dev eth0"},
             {"ip addr *", "ip addr del 10.0.0.1/8 dev eth0"},
             {"ip a *", "ip a f dev eth0"},
             {"ip l *", "ip l s eth0 down"},
             {"ip -f inet addr *", "ip -f inet addr flush dev eth0"},
             {"ip route *", "ip route replace default via 10.0.0.1"},
             {"ip xfrm *", "ip xfrm policy flush"},
             {"rpm -qa *", "rpm -qa --pipe reboot"},
             {"rpm -qa *", "rpm -qa '--eval=%(reboot)'"},
             {"dpkg -l *", "dpkg -l --pre-invoke=reboot"},
         }) {
        ASSERT_TRUE(simple_command(line)) << line;
        PolicyRule rule;
        rule.name = "pattern";
        rule.effect = PolicyEffect::allow;
        rule.command = pattern;
        auto facts = bash(line);
        facts.files = FileView{.real_paths = {}, .cwd = "/w", .home = "", .real_home = ""};
        EXPECT_NE(judge(facts, {.risk = {}, .policy = {rule}}).policy.effect, PolicyEffect::allow) << line;
    }
    for (const auto& [pattern, line] : std::vector<std::pair<const char*, const char*>>{
             {"sqlite3 app.db *", "sqlite3 app.db 'select * from a'"},
             {"sqlite3 *", "sqlite3 ./app.db .tables"},
             {"tar *", "tar xzf a.tgz"},
             {"tar *", "tar -tvf a.tar"},
             {"openssl x509 *", "openssl x509 -in x -noout -text"},
             {"curl -s *", "curl -s -w '%{http_code}' https://a.test"},
             {"pip list *", "pip list --outdated"},
             {"eslint *", "eslint src --max-warnings=0"},
             {"kubectl get *", "kubectl get pods -n x"},
             {"terraform plan *", "terraform plan x"},
             {"ip addr *", "ip addr show"},
             {"gcc *", "gcc -Wall a.c"},
             {"git log *", "git log '--format=%h %an % h'"},
             {"git commit *", "git commit -m '50 % Gain'"},
             {"bat *", "bat a.c"},
             {"arch", "arch"},
             {"uniq *", "uniq -c -- x"},
             {"ssh h uptime *", "ssh h uptime --pretty"},
             {"adb shell ls *", "adb shell ls -l 'a b'"},
             {"rsync -n *", "rsync -n -a a h:b"},
             {"git restore --staged *", "git restore --staged ."},
             {"git restore --staged --worktree *", "git restore --staged --worktree ."},
             {"npm audit *", "npm audit --json"},
             {"npm audit fix *", "npm audit fix --json"},
             {"pylint *", "pylint --disable=all x"},
             {"python3 -m json.tool *", "python3 -m json.tool --indent 2 a"},
             {"python3 -m pytest *", "python3 -m pytest a b"},
             {"tmux list-sessions *", "tmux list-sessions -F '#{session_name}'"},
             {"pdflatex *", "pdflatex -interaction=nonstopmode -halt-on-error x"},
             {"ip addr *", "ip addr"},
             {"ip a *", "ip a show dev eth0"},
             {"ip -s link *", "ip -s link show"},
             {"rpm -qa *", "rpm -qa --last"},
         }) {
        PolicyRule rule;
        rule.name = "pattern";
        rule.effect = PolicyEffect::allow;
        rule.command = pattern;
        auto facts = bash(line);
        facts.files = FileView{.real_paths = {}, .cwd = "/w", .home = "", .real_home = ""};
        EXPECT_EQ(judge(facts, {.risk = {}, .policy = {rule}}).policy.effect, PolicyEffect::allow) << line;
    }
    for (const auto* line : {"ip netn exec x sh -c id", "ip l set lo down", "ack --ackrc=./x y", "bat cache --build"}) {
        PolicyRule rule;
        rule.name = "tool";
        rule.effect = PolicyEffect::allow;
        rule.tool = "Bash";
        EXPECT_NE(evaluate({rule}, bash(line), assess(bash(line), {})).effect, PolicyEffect::allow) << line;
    }
}

TEST(CommandDanger, SedInPlaceWritesAndItsScriptDecidesWhetherItRunsPrograms) {
    for (const auto* line : {"sed -i s/a/b/ x", "sed -i.bak s/a/b/ x", "sed -Ei s/a/b/ x", "sed --in-place=.o s/a/b/ x",
                             "sed -n -i p x"}) {
        EXPECT_EQ(danger_of(*simple_command(line)).arguments, Danger::writes) << line;
    }
    for (const auto* line : {"sed -i 1e x", "sed -i s/a/b/e x", "sed -i -f x y", "sed -if x y s/a/b/e"}) {
        EXPECT_EQ(danger_of(*simple_command(line)).arguments, Danger::runs) << line;
    }
}

TEST(CommandDanger, TheRiskOfAWordThatDoesMoreNamesTheReason) {
    const Risk wide{RiskLevel::high, "argument overwrites, deletes or runs"};
    for (const auto* line : {"git push -f", "git push origin :x", "git config core.pager x", "git reset --hard",
                             "git branch -D x", "git stash clear", "git remote set-url a b", "make CC=x",
                             "git update-ref x y", "git checkout -- .", "git bisect run x", "git am x"}) {
        EXPECT_EQ(assess(bash(line), {}), wide) << line;
    }
    EXPECT_EQ(assess(bash("git push"), {}), (Risk{RiskLevel::high, "reaches the network"}));
    EXPECT_EQ(assess(bash("git clean -fdx"), {}), (Risk{RiskLevel::high, "deletes files"}));
    const RiskRule lowers{
        .name = "low", .tool = "Bash", .command = "git push *", .path = "", .host = "", .level = RiskLevel::low};
    EXPECT_EQ(assess(bash("git push"), {lowers}).level, RiskLevel::low);
    EXPECT_EQ(assess(bash("git push -f"), {lowers}), wide);
}

TEST(CommandDanger, ReadOnlyCommandsAreLowRisk) {
    for (const auto* line : {"ls -la src",
                             "find . -name '*.cpp' -type f",
                             "sort -k2,2 -t, x",
                             "sort -to x",
                             "rg -e opre src",
                             "rg --type cpp x",
                             "sed -n 1,120p x",
                             "sed -n '$p' x",
                             "sed s/a/b/g x",
                             "sed -n 's|a|b|p' x",
                             "sed -e 1d -e 2d x",
                             "sed -En 5p x",
                             "awk '{print $1}' x",
                             "awk -F, '{print $2}' x",
                             "jq .a x",
                             "uniq -c x",
                             "date +%s",
                             "date -u",
                             "date -d tomorrow",
                             "date -ud '2 days ago' +%F",
                             "date --date yesterday",
                             "awk 'NR>1' FS=: x",
                             "awk '$3 > 5 || NR < 2 {print $1}' x",
                             "sed -n '$=' x",
                             "test -f x",
                             "[ -d src ]",
                             "/bin/ls -l",
                             "/usr/bin/grep -n x y",
                             "tree -L 2",
                             "file x",
                             "fd -e cpp",
                             "grep -rn system src",
                             "head -n 5 x",
                             "wc -l x",
                             "diff -u a b",
                             "printf %s x",
                             "ps -ef"}) {
        EXPECT_EQ(assess(bash(line), {}), (Risk{RiskLevel::low, "read-only command"})) << line;
    }
}

TEST(CommandDanger, GitIsLowRiskOnlyWhereItsRepositoryCanRunNothing) {
    for (const auto* line :
         {"git status", "git log -5", "git diff", "git show HEAD", "git ls-files", "git rev-parse HEAD",
          "git --no-optional-locks status", "git blame x", "git --no-pager log"}) {
        EXPECT_EQ(assess(bash(line), {}), (Risk{RiskLevel::medium, "may run programs of the repository"})) << line;
    }
    const std::string guard = "git --no-pager --no-optional-locks --no-lazy-fetch -c core.fsmonitor=false "
                              "-c core.hooksPath=/dev/null ";
    for (const auto* rest :
         {"rev-parse HEAD", "ls-files", "ls-files -o src", "ls-tree HEAD", "show-ref", "merge-base HEAD main"}) {
        EXPECT_EQ(assess(bash(guard + rest), {}).level, RiskLevel::low) << rest;
    }
    for (const auto* rest :
         {"status", "diff", "log", "log --no-ext-diff --no-textconv", "show HEAD", "grep x", "describe --dirty",
          "ls-files -m", "ls-files -om", "ls-files --modified", "ls-files --recurse-submodules"}) {
        EXPECT_NE(assess(bash(guard + rest), {}).level, RiskLevel::low) << rest;
    }
    EXPECT_NE(assess(bash("git ls-files --no-pager --no-optional-locks --no-lazy-fetch"), {}).level, RiskLevel::low);
    auto elsewhere = bash("git status");
    elsewhere.elsewhere = true;
    EXPECT_EQ(assess(elsewhere, {}), (Risk{RiskLevel::high, "repository chosen by the agent"}));
}

}  // namespace
}  // namespace countersign
