// SPDX-License-Identifier: Apache-2.0
#include "security/redact/pairs.hpp"

#include "core/limits.hpp"
#include "security/redact/bytes.hpp"
#include "security/redact/commands.hpp"
#include "security/redact/headers.hpp"
#include "security/redact/names.hpp"
#include "security/redact/running.hpp"
#include "security/redact/separator.hpp"
#include "security/redact/shell.hpp"
#include "security/redact/targets.hpp"
#include "security/redact/values.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace countersign::security {
namespace {

constexpr std::size_t name_bytes_max = 256;
// A shorter value of a key-like name is more often an identifier.
constexpr std::size_t key_bytes_min = 16;
// A value shorter than this is a key to press: accesskey="p".
constexpr std::size_t certain_key_bytes_min = 4;
// The maximum distance between the two halves of {"name": …, "value": …}.
constexpr std::size_t halves_apart_max = 256;

constexpr auto name_bytes = ByteSet::alnum_and("_-.");

bool name_byte(char byte) { return name_bytes.has(byte); }

bool letters_only(std::string_view text) {
    return std::ranges::all_of(text, [](char byte) { return byte >= 'a' && byte <= 'z'; });
}

class Pairs {
public:
    explicit Pairs(std::string_view text) : text_{text}, quoting_{text} {}

    Findings find() {
        for (std::size_t at = 0; at < text_.size();) {
            if (!name_byte(text_[at])) {
                ++at;
                continue;
            }
            const auto begin = at;
            while (at < text_.size() && name_byte(text_[at])) ++at;
            if (holds_commands(text_.substr(begin, at - begin))) note_commands(at);
            at = std::max(at, after_name({begin, at}));
            if (reread_ > rereads_max()) return {{0, text_.size(), unreadable, Evidence::known}};
        }
        return std::move(findings_);
    }

private:
    // Checks one name. Returns where to continue: after its value if that was taken.
    std::size_t after_name(Stretch where) {
        while (where.end > where.begin && text_[where.end - 1] == '.') --where.end;
        if (where.begin == where.end || where.end - where.begin > name_bytes_max) return 0;
        const auto name = text_.substr(where.begin, where.end - where.begin);
        if (!may_matter(name)) return 0;
        const auto separator = separator_after(text_, where.begin, where.end);
        if (!separator) return 0;
        if (separator->kind != Separator::Kind::word && name_of_two(name, *separator)) return 0;
        const auto verdict = verdict_on(name, where, *separator);
        if (verdict.suspicion == Suspicion::none) return 0;
        const bool apart = separator->kind == Separator::Kind::word;
        if (apart && flag_without_value(text_, where.begin, where.end)) return 0;
        if (apart && flag_with_glued_value(text_, where.begin, where.end)) return 0;
        if (flag_refers_to_secret(text_, where.begin, where.end)) return 0;
        const auto value = first_setting(counted(lex(*separator, name)), *separator, where.begin);
        const auto text = text_.substr(value.begin, value.end - value.begin);
        const bool list_of_values = separator->kind == Separator::Kind::list;
        const bool phrase_of_words = verdict.phrase && begins_line(where.begin, *separator);
        const bool one = !verdict.header && !list_of_values && !phrase_of_words;
        // "cookie": "cookie" is in a list of names.
        if (one && (text == name || !is_secret(value, *separator, verdict))) return 0;
        // Each value of a list is checked separately.
        if (where.begin < commands_until_ || (!list_of_values && may_run(where, *separator, value))) return 0;
        if (verdict.header) return header(*separator, verdict);
        if (list_of_values) return list(*separator, verdict);
        return phrase_of_words ? phrase(*separator, verdict) : take(value, *separator, verdict);
    }

    // "scripts": { … }: its members are commands under any name.
    void note_commands(std::size_t at) {
        if (const auto quote = quote_at(text_, at)) at += quote->bytes();
        at = std::min(text_.find_first_not_of(" \t\r\n:=", at), text_.size());
        if (at >= text_.size() || text_[at] != '{') return;
        std::size_t depth = 0;
        const auto rest = reach(at);
        std::size_t length = 0;
        for (; length < rest.size(); ++length) {
            if (rest[length] == '{') ++depth;
            if (rest[length] == '}' && --depth == 0) break;
        }
        counted({at, at + length, at + length, std::nullopt});
        commands_until_ = std::max(commands_until_, at + length);
    }

    // True if the value is a command, by its look or because the text runs the variable with that name.
    bool may_run(Stretch name, const Separator& separator, const LexedValue& value) {
        const auto text = text_.substr(value.begin, value.end - value.begin);
        const bool quoted = value.quote || separator.quoted_word != 0;
        if (reads_as_command(text, quoted) || text.starts_with("%x")) return true;
        if (joined_letters(name, separator) && plain_command(text)) return true;
        if (!runs_values_) runs_values_ = runs_values(text_);
        if (*runs_values_ && plain_command(text)) return true;
        const char open = value.begin > separator.value ? text_[value.begin - 1] : '\0';
        const bool colon = separator.kind == Separator::Kind::colon && !separator.tight;
        const char end = open == 0 && separator.inside ? separator.inside->mark : open;
        if (!quoted && (colon || open != 0) && reads_as_command(rest_of_value(text_, value.begin, end), open != 0))
            return true;
        if (!separator.comparison && names_target(text)) return true;
        if (!running_) running_.emplace(text_);
        if (acted_on(name, separator, value)) return true;
        const auto use = running_->use_of(text_.substr(name.begin, name.end - name.begin));
        // In PHP and PowerShell, $password alone on a line is an expression.
        const bool expression = name.begin > 0 && text_[name.begin - 1] == '$';
        if (use == Use::runs && !expression) return true;
        return use != Use::none && may_be_command(text);
    }

    // -dmysecret luksErase: one letter and its value, or an option of several letters? The next word may be a command.
    [[nodiscard]] bool joined_letters(Stretch name, const Separator& separator) const {
        const auto option = text_.substr(name.begin, name.end - name.begin);
        if (separator.kind != Separator::Kind::word || option.size() < 3 || option[0] != '-' || option[1] == '-')
            return false;
        return judge_name(option.substr(2)).suspicion != Suspicion::none;
    }

    // True if a command uses the variable with that name. A quoted value with blanks around the sign is source code.
    bool acted_on(Stretch name, const Separator& separator, const LexedValue& value) {
        const bool expression = name.begin > 0 && text_[name.begin - 1] == '$';
        if (expression || (!separator.tight && value.quote)) return false;
        if (!plain_words(text_.substr(value.begin, value.end - value.begin))) return false;
        if (!targets_) targets_.emplace(text_);
        return targets_->has(text_.substr(name.begin, name.end - name.begin));
    }

    NameVerdict verdict_on(std::string_view name, Stretch where, const Separator& separator) {
        if (names_a_value(name) && where.begin < named_until_) return named_;
        const bool query =
            separator.tight && where.begin > 0 &&
            (text_[where.begin - 1] == '?' || text_[where.begin - 1] == '&' || text_[where.begin - 1] == ';');
        auto verdict = query ? judge_query_name(name) : judge_name(name);
        // PASS: test_login is a test runner's output, not a name.
        const bool bare_colon = separator.kind == Separator::Kind::colon && !separator.name_quoted;
        if (bare_colon && verdict.suspicion == Suspicion::likely && name.size() == 4)
            verdict.suspicion = Suspicion::possible;
        // X-Auth-Token: a name with a hyphen and a colon is a header.
        const bool header_name = bare_colon && name.find('-', 1) != std::string_view::npos;
        if (header_name && verdict.suspicion == Suspicion::likely) verdict.suspicion = Suspicion::certain;
        return verdict;
    }

    // The first half of {"name": "DB_PASSWORD", "value": …}. Returns true if it was one.
    bool name_of_two(std::string_view name, const Separator& separator) {
        if (!names_a_name(name)) return false;
        const auto value = counted(lex_value(text_, separator.value, quoting_));
        const auto verdict = judge_name(text_.substr(value.begin, value.end - value.begin));
        if (verdict.suspicion == Suspicion::none) return false;
        named_ = verdict;
        named_.header = false;
        named_until_ = value.after + halves_apart_max;
        return true;
    }

    // A value that isn't taken is scanned again for names inside it, so the scanned bytes are counted.
    LexedValue counted(const LexedValue& value) {
        reread_ += value.after - value.begin;
        return value;
    }
    [[nodiscard]] std::size_t rereads_max() const {
        return limits::redact_rereads_max * text_.size() + limits::redact_value_bytes_max;
    }

    [[nodiscard]] LexedValue lex(const Separator& separator, std::string_view name) const {
        if (separator.kind == Separator::Kind::element) {
            const auto end = end_of_element(separator.value, name);
            return {separator.value, end, end, std::nullopt};
        }
        auto value = lex_value(text_, separator.value, quoting_);
        const bool expression = name.data() != text_.data() && *(name.data() - 1) == '$';
        const bool word = !value.quote && separator.kind == Separator::Kind::equals && separator.tight && !expression;
        if (word) value.end = value.after = end_of_word_with_brackets(value);
        if (!value.quote && separator.quoted_word != 0) value.end = value.after = end_of_assignment(separator);
        return value;
    }

    // password=abc,image=evil: up to where the next setting of the same word starts. After --set every comma separates
    // two, in quotes or not.
    [[nodiscard]] LexedValue first_setting(LexedValue value, const Separator& separator, std::size_t name) const {
        if (separator.kind != Separator::Kind::equals || !separator.tight) return value;
        const bool list = after_set_option(name);
        if (value.quote && !list) return value;
        for (auto at = value.begin; at < value.end; ++at) {
            if (text_[at] != ',' || (at > value.begin && text_[at - 1] == '\\')) continue;
            auto end = at + 1;
            while (end < value.end && name_byte(text_[end])) ++end;
            if (list || (end > at + 1 && end < value.end && text_[end] == '=')) {
                return {value.begin, at, at, value.quote};
            }
        }
        return value;
    }

    // helm --set a=b,NAME=…
    [[nodiscard]] bool after_set_option(std::size_t begin) const {
        const auto head =
            text_.substr(begin > halves_apart_max ? begin - halves_apart_max : 0, std::min(begin, halves_apart_max));
        const auto option = head.rfind("--set");
        if (option == std::string_view::npos) return false;
        // Its own word, and at most one more after it.
        const auto end = std::min(head.find_first_of(" \t=\"'\x02", option), head.size());
        const auto word = std::min(head.find_first_not_of(" \t=\"'\x02,", end), head.size());
        return head.find_first_of(" \t\n;|&", word) == std::string_view::npos;
    }

    // hunter2(def)<x>|y: neither source code, which has blanks there, nor text that a shell runs. The text in the
    // brackets stays visible all the same, because fish would run it.
    [[nodiscard]] std::size_t end_of_word_with_brackets(const LexedValue& value) const {
        const auto head = text_.substr(value.begin, reach(value.begin).substr(0, value.end - value.begin).find('('));
        const auto open = value.begin + head.size();
        const auto digit = [](char byte) { return byte >= '0' && byte <= '9'; };
        const auto alnum = [&](char byte) {
            return digit(byte) || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
        };
        const bool mixed = std::ranges::all_of(head, alnum) && std::ranges::any_of(head, digit);
        if (open >= value.end || !mixed) return value.end;
        const bool closed_behind = value.end < text_.size() && text_[value.end] == ')';
        const auto end = closed_behind ? value.end + 1 : value.end;
        const auto next = text_.substr(std::min(end, text_.size()), 2);
        const bool glued = next.size() == 2 && (next[0] == '<' || next[0] == '>') && alnum(next[1]);
        return text_[end - 1] == ')' && glued ? open : value.end;
    }

    // Up to its own closing tag. Text that is more than one word for a shell isn't an element's text (cat <password>;
    // ls </x), nor is a redirection (cat <password>/etc/x</dev/null).
    [[nodiscard]] std::size_t end_of_element(std::size_t begin, std::string_view name) const {
        const auto text = reach(begin).substr(0, reach(begin).find("</"));
        if (!reach(begin).substr(text.size()).starts_with("</" + std::string{name} + ">")) return begin;
        return text.find_first_of(" \t\r\n;|&`$") == std::string_view::npos ? begin + text.size() : begin;
    }

    // export "PASSWORD=my pass": the rest of the quoted text is the value.
    [[nodiscard]] std::size_t end_of_assignment(const Separator& separator) const {
        const auto end = separator.value + reach(separator.value).size();
        auto at = separator.value;
        while (at < end && text_[at] != '\n' && quote_at(text_, at) != separator.inside) ++at;
        return at;
    }

    // How far a value is scanned. Without this bound, hostile text could make each of its names scan all the rest.
    [[nodiscard]] std::string_view reach(std::size_t at) const {
        return text_.substr(at, limits::redact_value_bytes_max);
    }

    // True for a line of YAML or of a list, but not for a shell assignment, where the shell would run the text after
    // the first word.
    [[nodiscard]] bool begins_line(std::size_t name, const Separator& separator) const {
        if (separator.kind != Separator::Kind::colon || quote_at(text_, separator.value)) return false;
        const auto line = text_.substr(0, name).substr(text_.substr(0, name).rfind('\n') + 1);
        return separator.inside || line.find_first_not_of(" \t-*") == std::string_view::npos;
    }

    // Words of letters, each masked separately. An option, a path or an operator ends them.
    std::size_t phrase(const Separator& separator, const NameVerdict& verdict) {
        const auto letter = [](char byte) { return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'); };
        auto at = separator.value;
        auto word = lex_word(text_, at);
        const auto first = text_.substr(word.begin, word.end - word.begin);
        if (placeholder(first)) return 0;
        while (word.end > at &&
               (at == separator.value || std::ranges::all_of(text_.substr(at, word.end - at), letter))) {
            hide({at, word.end}, verdict.rule, 0);
            at = std::min(text_.find_first_not_of(" \t", word.end), text_.size());
            word = lex_word(text_, at);
        }
        counted({separator.value, at, at, std::nullopt});
        return at;
    }

    [[nodiscard]] bool is_secret(const LexedValue& value, const Separator& separator,
                                 const NameVerdict& verdict) const {
        const auto text = text_.substr(value.begin, value.end - value.begin);
        return !placeholder(text) && worth_hiding(text, value, separator, verdict);
    }

    std::size_t take(const LexedValue& value, const Separator& separator, const NameVerdict& verdict) {
        if (!is_secret(value, separator, verdict)) return 0;
        if (value.tail.begin < value.tail.end) hide(value.tail, verdict.rule, 0);
        if (value.quote && value.quote->slashes == 0 && literal_assignment(text_, value.begin)) {
            findings_.push_back({value.begin, value.end, verdict.rule, Evidence::name, value.begin});
            return value.after;
        }
        hide({value.begin, value.end}, verdict.rule, value.quote ? value.begin : separator.quoted_word);
        return value.quote ? value.after : end_of_bare_word(text_, value.begin, value.end);
    }

    // last_secret = at; and for (auto secret : secrets): an unquoted word in source code is a name.
    [[nodiscard]] bool statement(const LexedValue& value) const {
        return value.end < text_.size() &&
               (text_[value.end] == ';' || text_[value.end] == ')' || text_[value.end] == '<');
    }

    // connect(token=token, password=db_password): the value is a variable.
    [[nodiscard]] bool argument_of_same_name(std::string_view text, const LexedValue& value) const {
        if (value.end >= text_.size() || (text_[value.end] != ',' && text_[value.end] != ')')) return false;
        const auto name_letter = [](char byte) {
            return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_';
        };
        return std::ranges::all_of(text, name_letter) && judge_name(text).suspicion >= Suspicion::likely;
    }

    // "It isn't a secret: it was …": other words follow the value, so this is prose. Not for passwords, which other
    // words may follow.
    [[nodiscard]] bool prose(const LexedValue& value, const NameVerdict& verdict) const {
        const auto next = value.end + 1;
        const auto letter = [](char byte) { return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'); };
        return verdict.rule != "password" && next < text_.size() && text_[value.end] == ' ' && letter(text_[next]);
    }

    [[nodiscard]] bool worth_hiding(std::string_view text, const LexedValue& value, const Separator& separator,
                                    const NameVerdict& verdict) const {
        if (verdict.rule == "password" && separator.tight && (text.starts_with('/') || text.starts_with('~'))) {
            return verdict.suspicion == Suspicion::certain;  // PWD=/home/bob
        }
        if (separator.comparison && !value.quote) return false;
        const bool file = !value.quote || separator.tight || text.find_first_of("/.~") != std::string_view::npos;
        if (separator.arrow && file && !looks_secret(text)) return false;
        if (!value.quote && code_expression(text)) return false;
        if (verdict.suspicion == Suspicion::possible || separator.kind == Separator::Kind::comma) {
            const bool doubtful = verdict.rule == "key" || separator.kind == Separator::Kind::comma;
            return looks_secret(text) && (!doubtful || text.size() >= key_bytes_min);
        }
        // rails credentials:edit
        const bool subcommand = separator.kind == Separator::Kind::colon && separator.tight && !value.quote;
        if (subcommand && verdict.rule == "credential" && letters_only(text)) return false;
        if (verdict.rule == "key" && text.size() < certain_key_bytes_min) return false;
        if (!value.quote && argument_of_same_name(text, value)) return false;
        const bool firm = value.quote.has_value() || separator.tight || separator.name_quoted;
        if (firm) return true;
        if (verdict.suspicion == Suspicion::likely || statement(value) || prose(value, verdict))
            return looks_secret(text);
        return judge_name(text).suspicion < Suspicion::likely;  // password = user_password
    }

    // "tokens": ["…", "…"]: takes each of them.
    std::size_t list(const Separator& separator, const NameVerdict& verdict) {
        auto at = separator.value;
        while (at < text_.size() && quote_at(text_, at)) {
            const auto value = counted(lex_value(text_, at, quoting_));
            const auto text = text_.substr(value.begin, value.end - value.begin);
            if (!reads_as_command(text, true) && !names_target(text)) take(value, separator, verdict);
            at = text_.find_first_not_of(" \t,", std::max(value.after, at + 1));
            if (at == std::string_view::npos) return text_.size();
        }
        return at;
    }

    std::size_t header(const Separator& separator, const NameVerdict& verdict) {
        const auto value = counted(lex_value(text_, separator.value, quoting_));
        const bool listed = separator.kind == Separator::Kind::comma;
        if (listed || (!value.quote && separator.kind != Separator::Kind::colon))
            return take(value, separator, verdict);
        if (!value.quote) return bare_header(value.begin, separator, verdict);
        const auto begin = value.begin + after_scheme(text_.substr(value.begin, value.end - value.begin));
        if (placeholder(text_.substr(begin, value.end - begin))) return 0;
        hide({begin, value.end}, verdict.rule, value.begin);
        if (value.tail.begin < value.tail.end) hide(value.tail, verdict.rule, 0);
        return value.after;
    }

    std::size_t bare_header(std::size_t begin, const Separator& separator, const NameVerdict& verdict) {
        const bool cookie = verdict.rule == "cookie";
        const auto parts =
            cookie ? cookie_values(text_, begin) : credential_parts(text_, begin, separator.inside.has_value());
        if (parts.empty()) return 0;
        counted({begin, parts.back().end, parts.back().end, std::nullopt});
        const auto first = text_.substr(parts.front().begin, parts.front().end - parts.front().begin);
        if (!cookie && (placeholder(first) || code_expression(first))) return 0;
        const bool prose = !cookie && !separator.inside && parts.front().begin == separator.value;
        if (prose && !separator.tight && !looks_secret(first)) return 0;
        for (const auto& part : parts) {
            if (!placeholder(text_.substr(part.begin, part.end - part.begin))) hide(part, verdict.rule, 0);
        }
        return end_of_bare_word(text_, parts.back().begin, parts.back().end);
    }

    // `quoted_from` is where a quoted value starts; 0 for an unquoted one.
    void hide(Stretch value, std::string_view rule, std::size_t quoted_from) {
        for (const auto& part : literal_parts(text_, value)) {
            findings_.push_back({part.begin, part.end, rule, Evidence::name, quoted_from});
        }
    }

    std::string_view text_;
    Quoting quoting_;
    Findings findings_;
    std::optional<RunningNames> running_;
    std::optional<TargetNames> targets_;
    std::optional<bool> runs_values_;
    std::size_t commands_until_ = 0;
    NameVerdict named_;
    std::size_t named_until_ = 0;
    std::size_t reread_ = 0;
};

}  // namespace

Findings find_pairs(std::string_view text) { return Pairs{text}.find(); }

}  // namespace countersign::security
