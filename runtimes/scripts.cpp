// SPDX-License-Identifier: Apache-2.0
#include "runtimes/scripts.hpp"

#include "core/command/danger.hpp"
#include "core/command/line.hpp"
#include "runtimes/subject_display.hpp"
#include "security/args_hash.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace countersign::runtimes {

namespace {

constexpr auto shells = std::to_array<std::string_view>(
    {".", "ash", "bash", "csh", "dash", "fish", "ksh", "mksh", "pwsh", "sh", "source", "tcsh", "zsh"});
constexpr auto interpreters = std::to_array<std::string_view>(
    {"Rscript", "elixir", "escript", "expect", "gnuplot", "groovy",  "guile",  "ipython",   "ipython3",
     "java",    "julia",  "lua",     "luajit", "node",    "nodejs",  "octave", "osascript", "perl",
     "php",     "pypy",   "pypy3",   "python", "python2", "python3", "racket", "ruby",      "runhaskell",
     "runghc",  "swift",  "swipl",   "tclsh",  "ts-node", "tsx",     "wish"});
// Programs that read their own files to find out what to run.
constexpr auto runners = std::to_array<std::string_view>({"ansible",   "ansible-playbook",
                                                          "bats",      "coverage",
                                                          "snakemake", "streamlit",
                                                          "terraform", "tofu",
                                                          "ant",       "bazel",
                                                          "bun",       "bundle",
                                                          "cargo",     "cmake",
                                                          "deno",      "composer",
                                                          "ctest",     "docker",
                                                          "go",        "gmake",
                                                          "gradle",    "jest",
                                                          "just",      "make",
                                                          "meson",     "mvn",
                                                          "ninja",     "npm",
                                                          "npx",       "nx",
                                                          "pnpm",      "poetry",
                                                          "pytest",    "rake",
                                                          "task",      "tox",
                                                          "turbo",     "uv",
                                                          "vitest",    "yarn"});
constexpr auto movers = std::to_array<std::string_view>({"cd", "pushd", "popd"});

template <class List> bool among(const List& list, std::string_view word) {
    return std::ranges::find(list, word) != list.end();
}

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// Treats python3.12 as python3.
bool interprets(std::string_view word) {
    const auto base = base_name(word);
    if (word.ends_with("/.")) return false;
    const auto plain = base.substr(0, base.find_last_not_of("0123456789.") + 1);
    return among(shells, base) || among(interpreters, base) || among(interpreters, plain);
}

// Whether this program runs other words of its command line as a command.
bool wraps(std::string_view word) { return is_wrapper(base_name(word)) && !interprets(word); }

// Programs that follow a file given as a plain operand: a table of jobs, a patch, the scripts of a package.
constexpr auto obeyers = std::to_array<std::string_view>({"crontab", "dpkg", "insmod", "patch", "rpm"});
constexpr auto git_obeyers = std::to_array<std::string_view>({"am", "apply"});
// Programs that run what their options or settings name, but only read, show, check or copy their operands.
constexpr auto operand_readers = std::to_array<std::string_view>(
    {"as",   "black",    "c++",     "cc",    "clang", "clang++", "eslint", "flake8", "g++",
     "gcc",  "gofmt",    "isort",   "javac", "ld",    "less",    "man",    "more",   "most",
     "mypy", "prettier", "rubocop", "ruff",  "rustc", "scp",     "sftp",   "tsc",    "zless"});

// Whether a plain word of the command, without a slash, may name a file that the program runs or follows. True for
// every program that is not in the table.
bool may_run_operands(const std::vector<std::string>& words) {
    const auto program = known_name(base_name(words.front()));
    if (among(movers, program) || changes_the_shell(program)) return false;
    if (program_row(program) == nullptr || among(obeyers, program)) return true;
    const auto danger = danger_of(words);
    if (danger.arguments >= Danger::runs) return true;
    if (among(operand_readers, program)) return false;
    const auto index = program == "git" ? subcommand_index(words) : words.size();
    if (index < words.size() && among(git_obeyers, words[index])) return true;
    return danger.nature >= Danger::runs;
}

bool runs_no_file(const std::vector<std::string>& words) {
    return words.front().find('/') == std::string::npos && !may_run_operands(words);
}

// Whether the word looks like a file name: x.lua, but not 1.5 or a plain word.
bool looks_like_file(std::string_view word) {
    const auto dot = word.rfind('.');
    if (word.starts_with('-') || dot == word.npos || dot + 1 == word.size()) return false;
    return (word[dot + 1] >= 'a' && word[dot + 1] <= 'z') || (word[dot + 1] >= 'A' && word[dot + 1] <= 'Z');
}

bool is_relative_path(std::string_view word) {
    return word == ".." || word.starts_with("../") || (word.starts_with("./") && word != "./.");
}

// 'make; ./run.sh x': a file's path inside a longer command or a piece of code.
bool has_path_within(std::string_view word) {
    return word.find("./") != word.npos && word.find_first_of(" \t\n'\"`();|&") != word.npos;
}

struct Line {
    std::vector<std::string> words;
    std::vector<bool> leads = {};  // whether the word is the first after an operator
    std::vector<char> signs = {};  // `<` or `>` if that operator was one of them
    bool plain = true;             // a single command, whose words the shell takes literally
    bool expands = false;          // a shell makes words of it that are not written here
};

std::vector<std::vector<std::string>> commands_of(const Line& line) {
    std::vector<std::vector<std::string>> commands;
    for (std::size_t at = 0; at < line.words.size(); ++at) {
        if (line.leads[at] || commands.empty()) commands.emplace_back();
        commands.back().push_back(line.words[at]);
    }
    return commands;
}

bool reads_script(Operands operands) {
    return operands == Operands::sed_script || operands == Operands::awk_program || operands == Operands::jq_filter;
}

// Splits a line where a shell could, and removes the quotes. Syntax that it does not know makes the line not plain.
class Cutter {
public:
    explicit Cutter(std::string_view text) : text_{text} {}

    Line cut() {
        for (at_ = 0; at_ < text_.size(); ++at_) take(text_[at_]);
        end_word();
        line_.plain &= quote_ == '\0' && !line_.expands;
        return std::move(line_);
    }

private:
    void take(char c) {
        if (c == '$' || c == '`') line_.expands |= quote_ != '\'';
        if (c == '\\' && quote_ != '\'' && at_ + 1 < text_.size()) {
            word_ += text_[++at_];
        } else if (quote_ != '\0') {
            if (c == quote_) {
                quote_ = '\0';
            } else {
                word_ += c;
            }
        } else if (c == '\'' || c == '"') {
            quote_ = c;
        } else if (c == ' ' || c == '\t') {
            end_word();
        } else if (std::string_view{";|&<>()\n\r{}"}.find(c) != std::string_view::npos) {
            line_.plain = false;
            end_word();
            if (c == '<' || c == '>') sign_ = c;
            if (c == '(' || c == ';' || c == '\n') sign_ = '\0';
            leads_ = true;
        } else {
            line_.expands |= c == '*' || c == '?' || c == '[';
            word_ += c;
        }
    }

    void end_word() {
        if (word_.empty()) return;
        line_.words.push_back(std::move(word_));
        line_.leads.push_back(leads_);
        line_.signs.push_back(sign_);
        leads_ = false;
        sign_ = '\0';
        word_.clear();
    }

    std::string_view text_;
    std::size_t at_ = 0;
    char quote_ = '\0';
    std::string word_;
    bool leads_ = true;
    char sign_ = '\0';
    Line line_;
};

bool is_assignment(std::string_view word) {
    const auto equals = word.find('=');
    return equals != word.npos && equals > 0 && word.substr(0, equals).find_first_of("/.-") == word.npos;
}

// "-c", "-lc", "-pe", "--eval", "-m": code or a module name follows instead of a script.
bool gives_code(std::string_view word) {
    if (word.starts_with("--")) return word.starts_with("--eval") || word.starts_with("--print");
    return word.size() > 1 && word[0] == '-' && std::string_view{"cemp"}.find(word.back()) != std::string_view::npos;
}

class Checker {
public:
    Checker(const CallFacts& facts, const AgentFiles& files, const security::Redactor& redactor)
        : facts_{facts}, files_{files}, redactor_{redactor} {}

    Scripts check() {
        if (facts_.command->size() > command_line_bytes_max) return too_long();
        auto line = Cutter{*facts_.command}.cut();
        auto& words = line.words;
        if (words.size() > command_words_max) return too_long();
        const auto first = std::ranges::find_if_not(words, is_assignment) - words.begin();
        for (auto word = words.begin(); word != words.begin() + first; ++word) {
            may_read(word->substr(word->find('=') + 1));  // BASH_ENV=x.sh
        }
        words.erase(words.begin(), words.begin() + first);
        line.leads.erase(line.leads.begin(), line.leads.begin() + first);
        line.signs.erase(line.signs.begin(), line.signs.begin() + first);
        if (first > 0 && !words.empty()) line.leads.front() = true;
        if (words.empty()) return {};
        // A dot is a directory unless it is in the position of a command.
        for (std::size_t at = 0; at < words.size(); ++at) {
            if (words[at] == "." && !line.leads[at]) words[at] = "./.";
        }
        const bool simple = line.plain && !wraps(words.front());
        for (const auto& word : words) note_runner(word);
        if (simple) {
            check_simple(line);
        } else {
            check_any(line);
        }
        return result();
    }

private:
    void check_simple(const Line& line) {
        const auto& words = line.words;
        const auto program = base_name(words.front());
        const bool is_path = words.front().find('/') != std::string::npos;
        if (is_path) must_read(words.front());
        if (interprets(words.front())) return check_operands(words);
        // The card says that files started by a runner or a script are not covered; existing files are hashed all the
        // same.
        if (among(runners, program) || (is_path && program_row(known_name(program)) == nullptr)) {
            for (auto word = words.begin() + 1; word != words.end(); ++word) {
                may_run(*word);
                if (word->starts_with('-')) value_of_option(*word);
            }
        } else if (!runs_no_file(words)) {
            check_any(line);
        }
    }

    // The first operand is the script; it may include or run the others.
    void check_operands(const std::vector<std::string>& words) {
        const bool shell = among(shells, base_name(words.front()));
        bool first = true;
        for (auto word = words.begin() + 1; word != words.end(); ++word) {
            if (gives_code(*word)) {
                if (shell) return cannot("what this command runs cannot be checked");
                modules_ = base_name(words.front());
                first = false;
            }
            if (word->starts_with('-')) {
                value_of_option(*word);
                continue;
            }
            if (first) {
                must_read(*word);
            } else {
                may_read(*word);
            }
            first = false;
        }
    }

    // "--require=./x.js", "-r./x.js"
    void value_of_option(const std::string& word) {
        const auto equals = word.find('=');
        if (equals != word.npos && equals + 1 < word.size()) may_read(word.substr(equals + 1));
        for (const auto value : glued_values(word)) may_read(std::string{value});
    }

    // Any word may be a file that the command runs.
    void check_any(const Line& line) {
        const auto& words = line.words;
        const bool starts_others = std::ranges::any_of(
            words, [](const std::string& word) { return interprets(word) || wraps(word) || word == "eval"; });
        const bool runs = starts_others || has_option_that_runs(line);
        const bool moves = std::ranges::any_of(words, [](const std::string& word) { return among(movers, word); });
        const bool names_path = std::ranges::any_of(words, is_relative_path);
        const bool inline_code = (starts_others && std::ranges::find(words, "-c") != words.end()) ||
                                 (runs && std::ranges::any_of(words, has_path_within));
        if (inline_code || ((runs || names_path) && (line.expands || moves))) {
            return cannot("what this command runs cannot be checked");
        }
        check_script_options(line);
        look_at_commands(line, runs, moves);
        if (names_.empty() && std::ranges::any_of(words, interprets)) {
            cannot("what this command runs cannot be checked");
        }
    }

    // The command before `<` reads what follows it. A command does not run its own name, nor the files it writes.
    void look_at_commands(const Line& line, bool runs, bool moves) {
        bool obeys = false;
        std::size_t at = 0;
        for (const auto& command : commands_of(line)) {
            const char sign = line.signs[at];
            if (sign == '\0') obeys = may_run_operands(command);
            for (std::size_t i = 0; i < command.size(); ++i, ++at) {
                const bool runnable = obeys && (i > 0 || sign == '<');
                const bool becomes_another = line.expands && command[i].find_first_of("$`*?[") != std::string::npos;
                if (runnable && (becomes_another || (moves && looks_like_file(command[i])))) {
                    cannot("what this command runs cannot be checked");
                }
                look_at(command[i], runs || runnable);
            }
        }
    }

    // Options such as find -exec, awk -f, git -c, in any command of the line.
    static bool has_option_that_runs(const Line& line) {
        return std::ranges::any_of(commands_of(line),
                                   [](const auto& command) { return danger_of(command).arguments == Danger::runs; });
    }

    // "awk -f x.awk", "sed -nf x.sed": the next word is the script.
    void check_script_options(const Line& line) {
        for (const auto& command : commands_of(line)) {
            const auto* row = program_row(known_name(base_name(command.front())));
            if (row == nullptr || !reads_script(row->operands)) continue;
            for (std::size_t at = 1; at + 1 < command.size(); ++at) {
                const auto& word = command[at];
                if (word.find('=') == word.npos && spells_any(row->runs, word, row->valued)) must_read(command[at + 1]);
            }
        }
    }

    // Looks at the word and at a value inside it: "--file=./x.awk", "core.pager=./x", "-f./x.awk".
    void look_at(const std::string& word, bool plain_names) {
        std::vector<std::string> names{word};
        if (const auto equals = word.find('='); equals != word.npos) names.push_back(word.substr(equals + 1));
        for (const auto value : glued_values(word)) names.emplace_back(value);
        for (const auto& name : names) {
            if (!plain_names && name.find('/') == std::string::npos) continue;
            if (is_relative_path(name)) {
                must_read(name);
            } else if (plain_names) {
                may_run(name);
            } else {
                may_read(name);
            }
        }
    }

    FileDigest digest_of(const std::string& word) {
        if (++lookups_ > script_lookups_max) cannot("it has too many words to check");
        if (!files_.digest || lookups_ > script_lookups_max) return {.kind = FileDigest::Kind::unreadable};
        if (word.starts_with('/')) return files_.digest(word);
        if (word.starts_with('~') || !facts_.cwd.starts_with('/')) return {.kind = FileDigest::Kind::unreadable};
        return files_.digest(facts_.cwd + "/" + word);
    }

    void must_read(const std::string& word) {
        if (is_known(word)) return;
        const auto digest = digest_of(word);
        if (digest.kind == FileDigest::Kind::read) return add(word, digest.hex);
        cannot(shown_line(word, redactor_) + " could not be read, so a change to it would go unnoticed");
    }

    void may_read(const std::string& word) {
        if (word.empty() || is_known(word)) return;
        const auto digest = digest_of(word);
        if (digest.kind == FileDigest::Kind::read) return add(word, digest.hex);
        if (digest.kind == FileDigest::Kind::unreadable && files_.digest) must_read(word);
    }

    // If the agent's files aren't visible, a word that looks like a file name may be the file that is run.
    void may_run(const std::string& word) {
        if (!files_.digest && looks_like_file(word)) return must_read(word);
        may_read(word);
    }

    [[nodiscard]] bool is_known(const std::string& word) const {
        return std::ranges::find(names_, word) != names_.end();
    }

    void add(const std::string& word, const std::string& hex) {
        if (names_.size() == scripts_max) return cannot("it names too many files to check");
        names_.push_back(word);
        content_.append(word).push_back('\0');
        content_.append(hex).push_back('\n');
    }

    void cannot(std::string why) {
        if (why_not_.empty()) why_not_ = std::move(why);
    }

    void note_runner(const std::string& word) {
        if (runner_.empty() && among(runners, base_name(word))) runner_ = base_name(word);
    }

    static Scripts too_long() {
        return {.hash = {}, .note = "once only: the command is too long to check", .checkable = false};
    }

    Scripts result() const {
        if (!why_not_.empty()) return {.hash = {}, .note = "once only: " + why_not_, .checkable = false};
        if (names_.empty() && runner_.empty() && modules_.empty()) return {};
        std::string note = "covers this exact call in this directory";
        if (!names_.empty()) note += " while " + named() + (names_.size() == 1 ? " is" : " are") + " unchanged";
        note += "; not what ";
        note += !runner_.empty() ? runner_ : !modules_.empty() ? modules_ : names_.size() == 1 ? "it" : "they";
        note += runner_.empty() && modules_.empty() && names_.size() > 1 ? " read or start" : " reads or starts";
        return {.hash = names_.empty() ? std::string{} : security::display_hash(content_), .note = std::move(note)};
    }

    [[nodiscard]] std::string named() const {
        constexpr std::size_t shown_max = 3;
        std::string text;
        for (std::size_t at = 0; at < std::min(names_.size(), shown_max); ++at) {
            if (at > 0) text += ", ";
            text += shown_line(base_name(names_[at]), redactor_);
        }
        if (names_.size() > shown_max) text += " and " + std::to_string(names_.size() - shown_max) + " more";
        return text;
    }

    const CallFacts& facts_;
    const AgentFiles& files_;
    const security::Redactor& redactor_;
    std::vector<std::string> names_;
    std::string content_;
    std::string why_not_;
    std::string runner_;
    std::string modules_;
    std::size_t lookups_ = 0;
};

}  // namespace

Scripts scripts_of(const CallFacts& facts, const AgentFiles& files, const security::Redactor& redactor) {
    if (facts.tool_class != ToolClass::execute || !facts.command) return {};
    auto scripts = Checker{facts, files, redactor}.check();
    if (scripts.note.size() > limits::option_detail_bytes_max) {
        return {.hash = {}, .note = "once only: the names of its files are too long to show", .checkable = false};
    }
    return scripts;
}

std::vector<std::string> script_paths(const CallFacts& facts, const security::Redactor& redactor) {
    std::vector<std::string> paths;
    const AgentFiles asked{.view = {}, .digest = [&paths](const std::string& path) {
                               if (std::ranges::find(paths, path) == paths.end()) paths.push_back(path);
                               return FileDigest{.kind = FileDigest::Kind::read};
                           }};
    (void)scripts_of(facts, asked, redactor);
    return paths;
}

void bind_scripts(Request& request, const CallFacts& facts, const AgentFiles& files,
                  const security::Redactor& redactor) {
    auto scripts = scripts_of(facts, files, redactor);
    request.script_hash = std::move(scripts.hash);
    if (request.judgement.may_grant) request.grant_note = std::move(scripts.note);
    request.judgement.may_grant &= scripts.checkable;
}

}  // namespace countersign::runtimes
