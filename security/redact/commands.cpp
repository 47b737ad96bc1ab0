// SPDX-License-Identifier: Apache-2.0
#include "security/redact/commands.hpp"

#include "security/redact/bytes.hpp"
#include "security/redact/shell.hpp"
#include "security/redact/values.hpp"
#include "security/redact/view.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace countersign::security {
namespace {

enum class Part {
    whole,
    after_colon,    // bob:secret
    after_percent,  // bob%secret
    after_comma,    // bob,secret
    pair,           // only if it is name=secret and not a file
};

struct ToolFlag {
    std::string_view tool;
    std::string_view flag;
    bool apart;     // -p secret
    bool attached;  // -psecret
    Part part = Part::whole;
    std::string_view only_after = {};  // a subcommand that must come before it
};

constexpr std::array tool_flags = std::to_array<ToolFlag>({
    {"mysql", "-p", false, true},
    {"mysqldump", "-p", false, true},
    {"mysqladmin", "-p", false, true},
    {"mysqlimport", "-p", false, true},
    {"mysqlshow", "-p", false, true},
    {"mariadb", "-p", false, true},
    {"mariadb-dump", "-p", false, true},
    {"sshpass", "-p", true, true},
    {"mongo", "-p", true, true},
    {"mongosh", "-p", true, true},
    {"mongodump", "-p", true, true},
    {"mongorestore", "-p", true, true},
    {"cqlsh", "-p", true, true},
    {"rabbitmqadmin", "-p", true, true},
    {"docker", "-p", true, true, Part::whole, "login"},
    {"podman", "-p", true, true, Part::whole, "login"},
    {"nerdctl", "-p", true, true, Part::whole, "login"},
    {"buildah", "-p", true, true, Part::whole, "login"},
    {"skopeo", "-p", true, true, Part::whole, "login"},
    {"oras", "-p", true, true, Part::whole, "login"},
    {"crane", "-p", true, true, Part::whole, "login"},
    {"helm", "-p", true, true, Part::whole, "login"},
    {"az", "-p", true, true, Part::whole, "login"},
    {"oc", "-p", true, true, Part::whole, "login"},
    {"cf", "-p", true, true, Part::whole, "login"},
    {"twine", "-p", true, true, Part::whole, "upload"},
    {"aws", "--value", true, true, Part::whole, "put-parameter"},
    {"gh", "-b", true, true, Part::whole, "secret"},
    {"gh", "--body", true, true, Part::whole, "secret"},
    {"redis-cli", "-a", true, true},
    {"ldapsearch", "-w", true, true},
    {"ldapadd", "-w", true, true},
    {"ldapmodify", "-w", true, true},
    {"ldapdelete", "-w", true, true},
    {"ldapwhoami", "-w", true, true},
    {"unzip", "-P", true, true},
    {"zip", "-P", true, true},
    {"7z", "-p", false, true},
    {"7za", "-p", false, true},
    {"7zr", "-p", false, true},
    {"rar", "-p", false, true},
    {"unrar", "-p", false, true},
    {"sqlcmd", "-P", true, true},
    {"bcp", "-P", true, true},
    {"osql", "-P", true, true},
    {"ipmitool", "-P", true, true},
    {"mosquitto_pub", "-P", true, true},
    {"mosquitto_sub", "-P", true, true},
    {"snmpget", "-A", true, true},
    {"snmpget", "-X", true, true},
    {"snmpwalk", "-A", true, true},
    {"snmpwalk", "-X", true, true},
    {"openssl", "-k", true, false},
    {"openssl", "-K", true, false},
    {"openssl", "-pass", true, false, Part::after_colon},
    {"openssl", "-passin", true, false, Part::after_colon},
    {"openssl", "-passout", true, false, Part::after_colon},
    {"xfreerdp", "/p:", false, true},
    {"wfreerdp", "/p:", false, true},
    {"rdesktop", "-p", true, true},
    {"curl", "-u", true, true, Part::after_colon},
    {"curl", "--user", true, true, Part::after_colon},
    {"curl", "-U", true, true, Part::after_colon},
    {"curl", "--proxy-user", true, true, Part::after_colon},
    {"curl", "-b", true, true, Part::pair},
    {"curl", "--cookie", true, true, Part::pair},
    {"wget", "--user", true, true, Part::after_colon},
    {"http", "-a", true, true, Part::after_colon},
    {"https", "-a", true, true, Part::after_colon},
    {"http", "--auth", true, true, Part::after_colon},
    {"xh", "-a", true, true, Part::after_colon},
    {"nmcli", "password", true, false},
    {"smbclient", "-U", true, true, Part::after_percent},
    {"rpcclient", "-U", true, true, Part::after_percent},
    {"lftp", "-u", true, true, Part::after_comma},
    {"psexec", "-p", true, false},
    {"net", "/user:", false, true, Part::after_percent},
    {"svn", "--password", true, true},
    {"certutil", "-p", true, false},
    {"keytool", "-storepass", true, false},
    {"keytool", "-keypass", true, false},
    {"jarsigner", "-storepass", true, false},
    {"jarsigner", "-keypass", true, false},
    {"apksigner", "--ks-pass", true, true, Part::after_colon},
    {"mysqlbinlog", "-p", false, true},
    {"mysqlcheck", "-p", false, true},
    {"mysqlpump", "-p", false, true},
    {"mysqlsh", "-p", false, true},
    {"mysqlslap", "-p", false, true},
    {"mongoexport", "-p", true, true},
    {"mongoimport", "-p", true, true},
    {"mongostat", "-p", true, true},
    {"ldapcompare", "-w", true, true},
    {"ldapmodrdn", "-w", true, true},
    {"ldappasswd", "-w", true, true},
    {"ldappasswd", "-s", true, true},
    {"ldappasswd", "-a", true, true},
    {"7zz", "-p", false, true},
    {"ssh-keygen", "-N", true, true},
    {"ssh-keygen", "-P", true, true},
    {"useradd", "-p", true, true},
    {"usermod", "-p", true, true},
    {"kadmin", "-w", true, true},
    {"isql", "-P", true, true},
    {"tsql", "-P", true, true},
    {"ncftp", "-p", true, true},
    {"ncftpget", "-p", true, true},
    {"ncftpput", "-p", true, true},
    {"pdfinfo", "-opw", true, false},
    {"pdfinfo", "-upw", true, false},
    {"pdftoppm", "-opw", true, false},
    {"pdftoppm", "-upw", true, false},
    {"pdftotext", "-opw", true, false},
    {"pdftotext", "-upw", true, false},
    {"pdftk", "input_pw", true, false},
    {"pdftk", "owner_pw", true, false},
    {"pdftk", "user_pw", true, false},
    {"crackmapexec", "-p", true, true},
    {"evil-winrm", "-p", true, true},
    {"hydra", "-p", true, true},
    {"netexec", "-p", true, true},
    {"nxc", "-p", true, true},
    {"etcdctl", "--user", true, true, Part::after_colon},
    {"security", "-p", true, true, Part::whole, "create-keychain"},
    {"security", "-p", true, true, Part::whole, "unlock-keychain"},
    {"security", "-P", true, true, Part::whole, "import"},
    {"signtool", "/p", true, false},
    {"caddy", "--plaintext", true, true},
    {"vncviewer", "-passwd", true, false},
});

// Their --password prompts for one; a value needs an equals sign, or isn't possible at all.
constexpr std::array prompting_tools = std::to_array<std::string_view>(
    {"clusterdb",     "createdb", "createuser", "dropdb",        "dropuser",       "mariadb",
     "mariadb-dump",  "mysql",    "mysqladmin", "mysqldump",     "mysqlimport",    "mysqlshow",
     "pg_basebackup", "pg_dump",  "pg_dumpall", "pg_receivewal", "pg_recvlogical", "pg_restore",
     "pgbench",       "psql",     "reindexdb",  "vacuumdb"});
// Options that start with one of these are switches without a value.
constexpr std::array switch_heads = std::to_array<std::string_view>({"no", "ask", "prompt", "without", "skip"});
// No option is spelled as a letter followed by one of these: the letter is the option, and this is its value.
constexpr std::array glued_words =
    std::to_array<std::string_view>({"secret", "password", "passwd", "passphrase", "token", "credential", "apikey"});
// Their options that name a secret without its value.
constexpr std::array reference_tools =
    std::to_array<std::string_view>({"docker", "podman", "nerdctl", "buildah", "buildctl", "gcloud"});
constexpr std::array reference_flags =
    std::to_array<std::string_view>({"--secret", "--set-secrets", "--update-secrets", "--remove-secrets"});
// How far back to search for the command's first word.
constexpr std::size_t reach_back = 512;

constexpr ByteSet word_ends{" \t\n\r\"'\x02`"};
constexpr ByteSet command_ends{";|&\n"};
constexpr ByteSet any_ends{" \t\n\r\"'\x02`;|&"};

bool word_end(char byte) { return word_ends.has(byte); }
bool ends_command(char byte) { return command_ends.has(byte); }

char lowered(char byte) { return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + 32) : byte; }

constexpr std::size_t tool_bytes_max = 16;

// The first letters of the tools, in both cases.
const ByteSet& tool_heads() {
    static const ByteSet heads = [] {
        std::string letters;
        for (const auto tool : command_tools()) {
            letters += tool[0];
            if (tool[0] >= 'a' && tool[0] <= 'z') letters += static_cast<char>(tool[0] - 32);
        }
        return ByteSet{letters};
    }();
    return heads;
}

const ByteSet& flag_heads() {
    static const ByteSet heads = [] {
        std::string letters;
        for (const auto& flag : tool_flags) letters += flag.flag[0];
        return ByteSet{letters};
    }();
    return heads;
}

// The tool that a word names, ignoring folder, case and ".exe"; empty if there is none. Called for every word of every
// text, so it checks the first letter first.
std::string_view tool_of(std::string_view word) {
    word.remove_prefix(std::min(word.find_last_of("/\\(") + 1, word.size()));
    if (word.size() > 4 && word.ends_with(".exe")) word.remove_suffix(4);
    if (word.size() > 4 && word.ends_with(".EXE")) word.remove_suffix(4);
    if (word.empty() || word.size() > tool_bytes_max || !tool_heads().has(word[0])) return {};
    const auto tools = command_tools();
    const auto first = std::ranges::lower_bound(tools, lowered(word[0]), {}, [](auto tool) { return tool[0]; });
    for (auto tool = first; tool != tools.end() && (*tool)[0] == lowered(word[0]); ++tool) {
        if (tool->size() == word.size() && std::ranges::equal(*tool, word, {}, {}, lowered)) return *tool;
    }
    return {};
}

// curl -sSLu bob:secret, zip -rP secret: letters without a value of their own before the one that has a value.
bool joined_flags(const ToolFlag& flag, std::string_view word) {
    const std::string_view plain = flag.tool == "zip" ? "rjq9meyuv" : "sSLfkviIgGjlnNqRaZ0123456";
    if ((flag.tool != "curl" && flag.tool != "zip") || flag.flag.size() != 2 || word.size() < 3 || word[0] != '-')
        return false;
    return word.back() == flag.flag[1] && word.substr(1, word.size() - 2).find_first_not_of(plain) == word.npos;
}

class Commands {
public:
    explicit Commands(std::string_view text) : text_{text}, quoting_{text} {}

    Findings find() {
        for (std::size_t at = 0; at < text_.size();) {
            if (ends_command(text_[at])) forget();
            if (word_end(text_[at]) || ends_command(text_[at])) {
                ++at;
                continue;
            }
            const auto begin = at;
            while (at < text_.size() && !any_ends.has(text_[at])) ++at;
            at = std::max(at, word(begin, at));
        }
        return std::move(findings_);
    }

private:
    void forget() {
        tool_ = {};
        subcommands_.clear();
    }

    std::size_t word(std::size_t begin, std::size_t end) {
        const auto word = text_.substr(begin, end - begin);
        if (!tool_.empty() && flag_heads().has(word[0])) {
            for (const auto& flag : tool_flags) {
                if (flag.tool[0] != tool_[0] || flag.tool != tool_) continue;
                const bool joined = joined_flags(flag, word);
                if (!(joined || word.starts_with(flag.flag)) || !after_subcommand(flag)) continue;
                if (const auto after = taken(flag, joined ? end - 2 : begin, end); after > 0) return after;
            }
        }
        if (const auto tool = tool_of(word); !tool.empty()) {
            forget();
            tool_ = tool;
        } else if (!tool_.empty() && !word.starts_with('-') && subcommands_.size() < 4) {
            subcommands_.push_back(word);
        }
        return 0;
    }

    [[nodiscard]] bool after_subcommand(const ToolFlag& flag) const {
        return flag.only_after.empty() || std::ranges::find(subcommands_, flag.only_after) != subcommands_.end();
    }

    std::size_t taken(const ToolFlag& flag, std::size_t begin, std::size_t end) {
        const auto behind = begin + flag.flag.size();
        // An attached value may be quoted: -p"my secret". The quote ended our word, but not the shell's.
        const bool quoted = behind == end && end < text_.size() && (text_[end] == '"' || text_[end] == '\'') &&
                            quote_before(text_, begin) != quote_at(text_, end);
        if (behind < end || quoted) {
            if (!flag.attached) return 0;
            const bool equals = behind < end && text_[behind] == '=' && flag.flag.starts_with("--");
            if (flag.flag.starts_with("--") && !equals) return 0;
            return hide(lex_value(text_, behind + (equals ? 1 : 0), quoting_), flag.part);
        }
        if (!flag.apart || before_command(text_, begin)) return 0;
        auto at = end;
        if (const auto quote = quote_at(text_, at)) at += quote->bytes();
        if (at < text_.size() && text_[at] == ',') ++at;
        const auto value = text_.find_first_not_of(" \t", at);
        if (value == at || value == std::string_view::npos || text_[value] == '\n' || ends_command(text_[value]))
            return 0;
        return hide(lex_value(text_, value, quoting_), flag.part);
    }

    std::size_t hide(const LexedValue& value, Part part) {
        auto begin = value.begin;
        const auto text = text_.substr(begin, value.end - begin);
        if (part == Part::pair && text.find('=') == std::string_view::npos) return 0;
        if (part != Part::whole && part != Part::pair) {
            const char mark = part == Part::after_colon ? ':' : part == Part::after_percent ? '%' : ',';
            const auto at = text.find(mark);
            if (at != std::string_view::npos) begin += at + 1;
            if (at == std::string_view::npos && !looks_secret(text)) return 0;
            if (text.starts_with("env:") || text.starts_with("file:") || text.starts_with("fd:")) return 0;
        }
        const auto secret = text_.substr(begin, value.end - begin);
        if (placeholder(secret) || secret.starts_with('-')) return 0;
        for (const auto& piece : literal_parts(text_, {begin, value.end})) {
            findings_.push_back({piece.begin, piece.end, "flag", Evidence::name, value.quote ? value.begin : 0});
        }
        for (const auto& piece : literal_parts(text_, value.tail)) {
            findings_.push_back({piece.begin, piece.end, "flag", Evidence::name});
        }
        return value.quote ? value.after : end_of_bare_word(text_, begin, value.end);
    }

    std::string_view text_;
    Quoting quoting_;
    Findings findings_;
    std::string_view tool_;
    std::vector<std::string_view> subcommands_;
};

}  // namespace

std::string_view command_before(std::string_view text, std::size_t at) {
    auto head = text.substr(at > reach_back ? at - reach_back : 0, std::min(at, reach_back));
    head.remove_prefix(head.find_last_of(";|&\n(`") + 1);
    while (true) {
        head.remove_prefix(std::min(head.find_first_not_of(" \t\"'\x02"), head.size()));
        const auto word = head.substr(0, head.find_first_of(" \t\"'\x02"));
        const bool passed =
            word.find('=') != std::string_view::npos || word == "sudo" || word == "exec" || word == "env";
        if (word.empty() || !passed) return word.substr(word.find_last_of("/\\") + 1);
        head.remove_prefix(word.size());
    }
}

bool flag_without_value(std::string_view text, std::size_t begin, std::size_t end) {
    auto name = text.substr(begin, end - begin);
    if (!name.starts_with('-')) return false;
    name.remove_prefix(std::min(name.find_first_not_of('-'), name.size()));
    const auto head = name.substr(0, name.find('-'));
    if (head.size() < name.size() && std::ranges::find(switch_heads, head) != switch_heads.end()) return true;
    if (name != "password") return false;
    return std::ranges::find(prompting_tools, command_before(text, begin)) != prompting_tools.end();
}

bool flag_with_glued_value(std::string_view text, std::size_t begin, std::size_t end) {
    const auto option = text.substr(begin, end - begin);
    if (option.size() < 3 || option[0] != '-' || option[1] == '-') return false;
    const auto value = option.substr(2);
    const auto begins = [value](std::string_view word) { return value.starts_with(word); };
    if (std::ranges::any_of(glued_words, begins)) return true;
    const auto program = command_before(text, begin);
    return std::ranges::any_of(tool_flags, [&](const ToolFlag& flag) {
        return flag.tool == program && flag.attached && flag.flag.size() == 2 && option.starts_with(flag.flag);
    });
}

bool flag_refers_to_secret(std::string_view text, std::size_t begin, std::size_t end) {
    const auto option = text.substr(begin, end - begin);
    return std::ranges::find(reference_flags, option) != reference_flags.end() &&
           std::ranges::find(reference_tools, command_before(text, begin)) != reference_tools.end();
}

bool takes_secret(std::string_view program, std::string_view option) {
    return std::ranges::any_of(tool_flags, [&](const ToolFlag& flag) {
        return flag.tool == program &&
               (option == flag.flag || joined_flags(flag, option) || (flag.attached && option.starts_with(flag.flag)));
    });
}

std::span<const std::string_view> command_tools() {
    static const auto tools = [] {
        std::vector<std::string_view> names;
        for (const auto& flag : tool_flags) names.push_back(flag.tool);
        std::ranges::sort(names);
        const auto again = std::ranges::unique(names);
        names.erase(again.begin(), again.end());
        return names;
    }();
    return tools;
}

Findings find_command_secrets(std::string_view text) { return Commands{text}.find(); }

}  // namespace countersign::security
