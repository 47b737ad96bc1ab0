// SPDX-License-Identifier: Apache-2.0
#include "security/redact/shell.hpp"

#include "security/redact/bytes.hpp"
#include "security/redact/command_words.hpp"
#include "security/redact/view.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace countersign::security {
namespace {

// How far back to search for the start of a word.
constexpr std::size_t reach_back = 512;

// How much of a token stays visible if it is a command word.
constexpr std::size_t visible_head_bytes = 4;

bool one_of(char byte, std::string_view list) { return list.find(byte) != std::string_view::npos; }

// Quotes don't prevent it.
bool begins_command(std::string_view text, std::size_t at) {
    return text[at] == '`' || (text[at] == '$' && at + 1 < text.size() && text[at + 1] == '(');
}

// The first bytes of everything that ends an unquoted word.
constexpr ByteSet bare_end_heads{" \t;|&<>()`$\n\v\f\r\xC2\xE2"};

bool ends_bare_word(std::string_view text, std::size_t at) {
    if (!bare_end_heads.has(text[at])) return false;
    return one_of(text[at], " \t;|&<>()") || line_end(text, at) > 0 || begins_command(text, at);
}

bool is_line_start(std::string_view text, std::size_t at) { return at == 0 || text[at - 1] == '\n'; }

// What a reading assumes, apart from quotes and backslashes.
struct Beliefs {
    bool comments;
    bool here_documents;
    bool ansi_quotes;  // $'it\'s'
};

// One way to parse the text. For each place it knows where the quote that is open there was opened (one past its mark),
// and the same for the quotes inside that quote, which matter if its text is passed to another shell.
class Reading {
public:
    Reading(std::string_view text, bool arguments, Beliefs beliefs)
        : text_{text}, arguments_{arguments}, beliefs_{beliefs}, outer_(text.size() + 1), inner_(text.size() + 1) {
        while (at_ < text_.size()) step();
    }

    [[nodiscard]] bool opened_at(std::size_t at, std::size_t begin) const { return begin != 0 && outer_[at] == begin; }
    [[nodiscard]] bool quoted_from(std::size_t at, std::size_t begin) const {
        return begin != 0 && (outer_[at] == begin || inner_[at] == begin);
    }

private:
    void step() {
        if (at_ >= document_end_) {
            document_end_ = std::string_view::npos;
            close();
        }
        if (mark_ == 0) {
            outside();
        } else if (mark_ == '"') {
            in_double_quotes();
        } else {
            in_other_quotes();
        }
    }

    void outside() {
        const char byte = text_[at_];
        if (arguments_) {
            pass(1);
            if (byte == argument_quote) open(byte);
            return;
        }
        if (byte == '#' && beliefs_.comments && (is_line_start(text_, at_) || one_of(text_[at_ - 1], " \t;|&()"))) {
            pass(std::min(text_.find('\n', at_), text_.size()) - at_);
        } else if (byte == '\\') {
            pass(2);
        } else if (byte == '<' && beliefs_.here_documents && text_.substr(at_).starts_with("<<")) {
            read_delimiter();
        } else if (byte == '\n') {
            pass(1);
            begin_document();
        } else {
            const bool ansi = byte == '\'' && beliefs_.ansi_quotes && at_ > 0 && text_[at_ - 1] == '$';
            pass(1);
            if (byte == '\'' || byte == '"') open(ansi ? '$' : byte);
        }
    }

    // The quotes inside are ' and \".
    void in_double_quotes() {
        const auto rest = text_.substr(at_);
        if (rest.starts_with("\\\\")) {
            pass(2);
            if (text_.substr(at_).starts_with('\\')) pass(2);
        } else if (rest.starts_with("\\\"")) {
            pass(2);
            toggle_within('"');
        } else if (rest.starts_with('\\')) {
            pass(2);
        } else {
            pass(1);
            if (rest[0] == '"') close();
            if (rest[0] == '\'') toggle_within('\'');
        }
    }

    // In '…', $'…' and a word of an argument list; the last one can contain both kinds of quotes.
    void in_other_quotes() {
        const char byte = text_[at_];
        const char end = mark_ == '$' ? '\'' : mark_;
        const bool escape = byte == '\\' && (mark_ == '$' || mark_within_ != '\'');
        if (escape && at_ + 1 < text_.size() && (mark_ == '$' || text_[at_ + 1] != end)) {
            pass(2);
            return;
        }
        pass(1);
        if (byte == end) {
            close();
        } else if (byte == '"' || byte == '\'') {
            toggle_within(byte);
        }
    }

    void toggle_within(char mark) {
        if (mark_within_ == 0) {
            mark_within_ = mark;
            within_ = static_cast<std::uint32_t>(at_);
        } else if (mark_within_ == mark) {
            mark_within_ = 0;
            within_ = 0;
        }
        note();
    }

    void open(char mark) {
        mark_ = mark;
        opened_ = static_cast<std::uint32_t>(at_);
        note();
    }

    void close() {
        mark_ = mark_within_ = 0;
        opened_ = within_ = 0;
        note();
    }

    void pass(std::size_t bytes) {
        const auto end = std::min(at_ + bytes, text_.size());
        while (at_ < end) {
            ++at_;
            note();
        }
    }

    void note() {
        outer_[at_] = opened_;
        inner_[at_] = within_;
    }

    // <<EOF, <<-'EOF': the word that will end the document, which starts on the next line.
    void read_delimiter() {
        pass(2);
        if (text_.substr(at_).starts_with('<')) return pass(1);  // <<< is something else
        auto begin = std::min(text_.find_first_not_of("- \t", at_), text_.size());
        const auto end = std::min(text_.find_first_of(" \t\n;|&<>()", begin), text_.size());
        delimiter_.clear();
        for (const char byte : text_.substr(begin, end - begin)) {
            if (!one_of(byte, "'\"\\")) delimiter_ += byte;
        }
        pass(end - at_);
    }

    // The document is parsed like any text; quotes that are open at its end don't affect the shell.
    void begin_document() {
        if (delimiter_.empty()) return;
        document_end_ = text_.size();
        for (auto line = at_; line < text_.size();) {
            const auto end = std::min(text_.find('\n', line), text_.size());
            const auto first = std::min(text_.find_first_not_of('\t', line), end);
            if (text_.substr(first, end - first) == delimiter_) {
                document_end_ = end;
                break;
            }
            line = end + 1;
        }
        delimiter_.clear();
    }

    std::string_view text_;
    bool arguments_;
    Beliefs beliefs_;
    std::vector<std::uint32_t> outer_;
    std::vector<std::uint32_t> inner_;
    std::size_t at_ = 0;
    char mark_ = 0;
    char mark_within_ = 0;
    std::uint32_t opened_ = 0;
    std::uint32_t within_ = 0;
    std::string delimiter_;
    std::size_t document_end_ = std::string_view::npos;
};

// Where the first command or reference with quotes of its own starts: only a shell knows which quotes are open after
// it.
std::size_t end_of_plain_quoting(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '`' && text[at] != '$') continue;
        const bool tick = text[at] == '`';
        const char next = at + 1 < text.size() ? text[at + 1] : '\0';
        if (!tick && next != '(' && next != '{') continue;
        const char close = tick ? '`' : next == '(' ? ')' : '}';
        const auto begin = at + (tick ? 1 : 2);
        const auto end = text.find(close, begin);
        if (end == std::string_view::npos && tick && text.substr(0, at).find('`') == std::string_view::npos)
            continue;  // no matching one anywhere
        if (end == std::string_view::npos) return at;
        if (text.substr(begin, end - begin).find_first_of("'\"\\(<`") != std::string_view::npos) return at;
        at = end;
    }
    return text.size();
}

std::vector<Beliefs> beliefs_about(std::string_view text) {
    std::vector<Beliefs> all{{false, false, false}};
    const auto also = [&all](bool Beliefs::* belief) {
        const auto size = all.size();
        for (std::size_t i = 0; i < size; ++i) {
            all.push_back(all[i]);
            all.back().*belief = true;
        }
    };
    if (text.find('#') != std::string_view::npos) also(&Beliefs::comments);
    if (text.find("<<") != std::string_view::npos) also(&Beliefs::here_documents);
    if (text.find("$'") != std::string_view::npos) also(&Beliefs::ansi_quotes);
    return all;
}

// The parts of a text that can start a command inside any quotes.
struct Substitutions {
    explicit Substitutions(std::string_view text)
        : lone_tick{std::ranges::count(text, '`') == 1}, plain_end{end_of_plain_quoting(text)} {}

    // A backtick without a partner runs nothing.
    [[nodiscard]] bool begins_at(std::string_view text, std::size_t at) const {
        return begins_command(text, at) && !(text[at] == '`' && lone_tick);
    }

    bool lone_tick;
    std::size_t plain_end;
};

void cut(Finding& finding, std::string_view text, const Substitutions& substitutions, const Reading& reading) {
    if (finding.evidence == Evidence::known) return;
    const auto quoted_from = finding.value == 0 ? finding.begin : finding.value;
    for (auto at = finding.begin; at < finding.end; ++at) {
        if (!ends_bare_word(text, at)) continue;
        if (text[at] == '\n' && at > 0 && continued_line(text, at - 1) != 0) continue;
        const bool quoted = at < substitutions.plain_end && reading.quoted_from(at, quoted_from);
        const bool command = finding.value == 0 ? begins_command(text, at) : substitutions.begins_at(text, at);
        const bool runs = command && !(reading.opened_at(at, quoted_from) && literal_assignment(text, quoted_from));
        if (quoted && !runs) continue;
        finding.end = at;
    }
}

// Ends each finding where a shell would end its word, unless it is certainly inside quotes of its own.
void cut_to_words(Findings& findings, std::string_view text, bool arguments) {
    const auto doubtful = [&](const Finding& finding) {
        return finding.evidence != Evidence::known && end_of_bare_word(text, finding.begin, finding.end) < finding.end;
    };
    if (std::ranges::none_of(findings, doubtful)) return;
    // A mask may cover a quote or the end of a here-document, so quotes around a mask prove nothing.
    for (auto& finding : findings) {
        const auto found = text.substr(finding.begin, finding.end - finding.begin);
        if (doubtful(finding) && found.find("«redacted:") != std::string_view::npos) {
            finding.end = end_of_bare_word(text, finding.begin, finding.end);
        }
    }
    const Substitutions substitutions{text};
    for (const auto& beliefs : beliefs_about(text)) {
        const Reading reading{text, arguments, beliefs};
        for (auto& finding : findings) cut(finding, text, substitutions, reading);
    }
}

// A shell expands or removes these in a word.
bool expands(char byte) { return one_of(byte, "$*?[]{}!'\""); }

// A base64 line of a key has small and capital letters and digits. A command that looks like this is unlikely.
bool like_key_line(std::string_view line) {
    const auto has = [&](char first, char last) {
        return std::ranges::any_of(line, [=](char byte) { return byte >= first && byte <= last; });
    };
    return has('a', 'z') && has('A', 'Z') && has('0', '9') && line.find_first_of("-_") == std::string_view::npos;
}

// True if the value's name is in the same word: {"password":"…"}, https://bob:…. Otherwise half of r'm' could be
// masked.
bool follows_sign(std::string_view text, std::size_t at) {
    while (at > 0 && one_of(text[at - 1], "'\"\\\x02")) --at;
    return at > 0 && (one_of(text[at - 1], "=:/@?&#,([") || (at > 2 && text[at - 3] == '%'));
}

// Moves the finding away from the start of a command word. Returns false if nothing of it may be masked.
//
// Our own secrets are masked even there: an agent can't name a program after a secret that it doesn't know. A token
// recognised by its look keeps its first bytes visible, and the folder if it is a path, so that an approver sees that
// there is a command and how its name starts. The lines of a private key keep only their first bytes visible, because
// most of them contain a slash. Anything else that starts there stays visible.
bool leave_command(Finding& finding, std::string_view text, const CommandWords& commands) {
    if (finding.evidence == Evidence::known) return true;
    while (finding.begin < finding.end && (one_of(text[finding.begin], " \t") || line_end(text, finding.begin) > 0)) {
        finding.begin += std::max<std::size_t>(line_end(text, finding.begin), 1);
    }
    if (finding.begin >= finding.end) return false;
    if (!commands.covers(finding.begin)) return !commands.starts_at(finding.begin);
    if (!finding.by_look) return follows_sign(text, finding.begin) && !commands.starts_at(finding.begin);
    const bool key = finding.rule == "private-key";
    const auto token = text.substr(finding.begin, finding.end - finding.begin);
    if (key ? !like_key_line(token) : std::ranges::any_of(token, expands)) return false;
    finding.begin += (key ? 0 : token.rfind('/') + 1) + visible_head_bytes;
    return finding.begin < finding.end;
}

// True if the finding contains only one of a pair of quotes. If it were masked, the other one would stay open, and all
// text up to the next quote would be read as a value when the masked text is scanned again.
bool has_half_of_quotes(std::string_view text) {
    return std::ranges::count(text, '\'') % 2 != 0 || std::ranges::count(text, '"') % 2 != 0;
}

// Each line of the finding gets its own mask, and so does each part between quotes if they don't form pairs.
void add_lines(Findings& lines, const Finding& finding, std::string_view text) {
    auto line = finding;
    const bool half = has_half_of_quotes(text.substr(finding.begin, finding.end - finding.begin));
    const auto add = [&](std::size_t end) {
        line.end = end;
        while (line.begin < end && one_of(text[line.begin], " \t")) ++line.begin;
        if (line.begin < end) lines.push_back(line);
    };
    for (auto at = finding.begin; at < finding.end;) {
        const auto continued = continued_line(text, at);
        const std::size_t quote = half && one_of(text[at], "'\"") ? 1 : 0;
        const auto bytes = continued > 0 ? continued : line_end(text, at) + quote;
        if (bytes > 0) {
            add(at);
            line.begin = at + bytes;
        }
        at += std::max<std::size_t>(bytes, 1);
    }
    add(finding.end);
}

}  // namespace

std::size_t end_of_bare_word(std::string_view text, std::size_t begin, std::size_t end) {
    while (begin < end && !ends_bare_word(text, begin)) ++begin;
    return begin;
}

bool literal_assignment(std::string_view text, std::size_t begin) {
    if (begin < 2 || text[begin - 1] != '\'' || text[begin - 2] != '=') return false;
    if (text.find("<<") != std::string_view::npos) return false;
    auto line = text.substr(begin > reach_back ? begin - reach_back : 0, std::min(begin, reach_back));
    line = line.substr(line.find_last_of('\n') + 1);
    line.remove_suffix(2);
    while (true) {
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        const auto word = line.substr(0, line.find_first_of(" \t"));
        const auto name = word.substr(0, word.find('='));
        const bool named = !name.empty() && std::ranges::all_of(name, [](char byte) {
            return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
                   byte == '_';
        });
        if (!named || word.find_first_of("'\"`$\\;|&<>()") != std::string_view::npos) return false;
        if (word.size() == line.size()) return name.size() == word.size();
        if (name.size() == word.size() && word != "export") return false;
        line.remove_prefix(word.size());
    }
}

bool before_command(std::string_view text, std::size_t at) {
    const auto head = text.substr(0, at).substr(at > reach_back ? at - reach_back : 0);
    const auto word = head.find_last_of(" \t\r\n;|&<>()\"'\x02`") + 1;
    if (head.find('=', word) != std::string_view::npos) return true;
    auto before = head.substr(0, word);
    before = before.substr(0, before.find_last_not_of(" \t") + 1);
    if (before.ends_with('&') || before.ends_with('|')) before.remove_suffix(1);
    return before.ends_with('<') || before.ends_with('>');
}

void keep_commands_visible(Findings& findings, std::string_view text, bool arguments) {
    cut_to_words(findings, text, arguments);
    std::erase_if(findings, [](const Finding& finding) { return finding.begin >= finding.end; });
    if (findings.empty()) return;
    const CommandWords commands{text, arguments};
    if (commands.unreadable()) {
        findings = {{0, text.size(), unreadable, Evidence::known}};
        return;
    }
    Findings kept;
    for (auto& finding : findings) {
        if (leave_command(finding, text, commands)) add_lines(kept, finding, text);
    }
    findings = std::move(kept);
}

}  // namespace countersign::security
