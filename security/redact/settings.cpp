// SPDX-License-Identifier: Apache-2.0
#include "security/redact/settings.hpp"

#include "core/limits.hpp"
#include "security/redact/names.hpp"
#include "security/redact/running.hpp"
#include "security/redact/targets.hpp"
#include "security/redact/values.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace countersign::security {
namespace {

constexpr std::string_view blanks = " \t\r";

bool name_byte(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
           byte == '_' || byte == '-' || byte == '.';
}

// Characters with a meaning in a shell, in case the file is sourced.
bool shell_byte(char byte) { return std::string_view{"&;()<>|`$ \t"}.find(byte) != std::string_view::npos; }

std::size_t skip(std::string_view line, std::size_t at, std::string_view what) {
    return std::min(line.find_first_not_of(what, at), line.size());
}

struct Setting {
    std::string_view name;
    std::size_t value = 0;  // where it starts in the line
    bool tight = false;     // no blank around the sign: a shell could read this as an assignment
};

// NAME=value, export NAME=value, name = value, "name": value, - name: value.
Setting setting_of(std::string_view line, TextKind kind) {
    auto at = skip(line, 0, " \t+-");
    if (line.substr(at).starts_with("export ")) at = skip(line, at + 7, " \t");
    const bool quoted = at < line.size() && (line[at] == '"' || line[at] == '\'');
    const char quote = quoted ? line[at++] : '\0';
    const auto begin = at;
    while (at < line.size() && name_byte(line[at])) ++at;
    const auto name = line.substr(begin, at - begin);
    if (quoted && (at >= line.size() || line[at++] != quote)) return {};
    const auto sign = skip(line, at, " \t");
    if (name.empty() || sign >= line.size()) return {};
    const bool colon = line[sign] == ':';
    if (!colon && (line[sign] != '=' || kind == TextKind::yaml)) return {};
    const auto value = skip(line, sign + 1, " \t");
    // In YAML a colon needs a blank after it: a:b is a word.
    if (colon && kind == TextKind::yaml && value == sign + 1) return {};
    return {name, value, !colon && sign == at && value == sign + 1};
}

// The value without its quotes and without a comment after it; empty if it is on another line or another rule handles
// it.
Stretch value_of(std::string_view line, const Setting& setting) {
    const auto rest = line.substr(setting.value);
    if (rest.empty() || std::string_view{"|>[{&*!#"}.find(rest[0]) != std::string_view::npos) return {0, 0};
    if (rest[0] == '"' || rest[0] == '\'') {
        const auto close = rest.rfind(rest[0]);
        const auto after = skip(rest, close + 1, " \t\r,");
        if (close == 0 || (after < rest.size() && rest[after] != '#')) return {0, 0};
        return {setting.value + 1, setting.value + close};
    }
    const auto end =
        std::min(setting.tight ? rest.find_first_of(" \t") : rest.find(" #"), rest.find_last_not_of(blanks) + 1);
    return {setting.value, setting.value + std::min(end, rest.size())};
}

// A command followed by a blank has arguments: NAME=abc; rm -rf x.
bool has_command_after(std::string_view line, const Setting& setting, Stretch value) {
    if (!setting.tight || line[setting.value] == '"' || line[setting.value] == '\'') return false;
    const auto text = line.substr(value.begin, value.end - value.begin);
    return skip(line, value.end, blanks) < line.size() && std::ranges::any_of(text, shell_byte);
}

// What a shell would run in a value, depending on the quotes around it.
enum class ValueQuotes {
    none,    // substitutions, and text after an operator
    weak,    // "…": substitutions
    literal  // '…': nothing
};

// Quotes that were opened on another line, and here-documents, change the meaning of a value's quotes.
class OpenQuotes {
public:
    explicit OpenQuotes(std::string_view text)
        : text_{text}, has_document_{text.find("<<") != std::string_view::npos} {}

    // Each `place` must be after the previous one.
    bool doubtful_at(std::size_t place) {
        for (; at_ < place; ++at_) {
            in_single_ ^= text_[at_] == '\'';
            in_double_ ^= text_[at_] == '"';
        }
        return has_document_ || in_single_ || in_double_;
    }

private:
    std::string_view text_;
    bool has_document_;
    std::size_t at_ = 0;
    bool in_single_ = false;
    bool in_double_ = false;
};

ValueQuotes quotes_of(std::string_view line, const Setting& setting, Stretch value) {
    const char mark = line[setting.value];
    if (mark != '"' && mark != '\'') return ValueQuotes::none;
    if (line.substr(value.begin, value.end - value.begin).find(mark) != std::string_view::npos)
        return ValueQuotes::none;
    return mark == '"' ? ValueQuotes::weak : ValueQuotes::literal;
}

std::size_t after_parentheses(std::string_view text, std::size_t open) {
    std::size_t depth = 0;
    for (auto at = open; at < text.size(); ++at) {
        if (text[at] == '(') ++depth;
        if (text[at] == ')' && --depth == 0) return at + 1;
    }
    return std::string_view::npos;
}

// Masks the words of one value, except those that a shell could run.
class ValueMasker {
public:
    // `value` is the value's text. `closed_later`: a substitution that is open at its end may end on a later line.
    ValueMasker(std::string_view value, ValueQuotes around, bool closed_later)
        : value_{value}, around_{around}, closed_later_{closed_later}, operators_act_{around == ValueQuotes::none} {}

    std::vector<Stretch> words_to_hide() {
        std::vector<Stretch> hidden;
        for (std::size_t at = 0; at < value_.size();) {
            if (const auto end = after_substitution(at); end > at) {
                at = end;
                before_command_ = false;
            } else if (shell_byte(value_[at])) {
                pass_operator(at++);
            } else {
                const auto begin = at;
                while (at < value_.size() && !shell_byte(value_[at])) ++at;
                if (before_command_ && has_arguments(at)) break;
                if (!before_command_ || !may_be_program(begin, at)) hide(begin, at, hidden);
                before_command_ = false;
            }
        }
        return hidden;
    }

private:
    // Quotes with a meaning in a shell stay visible; otherwise they would seem to be elsewhere in the masked text.
    void hide(std::size_t begin, std::size_t end, std::vector<Stretch>& hidden) const {
        const std::string_view quotes = around_ == ValueQuotes::none ? "'\"" : "";
        while (begin < end) {
            const auto stop = std::min(value_.find_first_of(quotes, begin), end);
            if (begin < stop) hidden.push_back({begin, stop});
            begin = stop + 1;
        }
    }

    // The position after the substitution at `at`, or `at` itself.
    [[nodiscard]] std::size_t after_substitution(std::size_t at) const {
        if (around_ == ValueQuotes::literal) return at;
        const auto rest = value_.substr(at);
        if (rest[0] == '`') {
            const auto close = rest.find('`', 1);
            return close == std::string_view::npos ? at : at + close + 1;
        }
        if (rest.starts_with("${ ") || rest.starts_with("${|")) {
            return at + std::min(rest.find('}'), rest.size() - 1) + 1;
        }
        const bool file = around_ == ValueQuotes::none &&
                          (rest.starts_with("<(") || rest.starts_with(">(") || (at == 0 && rest.starts_with("=(")));
        if (!file && !rest.starts_with("$(")) return at;
        const auto end = after_parentheses(rest, 1);
        if (end != std::string_view::npos) return at + end;
        return closed_later_ ? value_.size() : at;
    }

    void pass_operator(std::size_t at) {
        // A substitution that doesn't end on this line may still be one.
        const bool substitution = value_[at] == '`' || value_.substr(at).starts_with("$(");
        operators_act_ |= substitution && around_ == ValueQuotes::weak;
        if (operators_act_ && std::string_view{";&|()`<>"}.find(value_[at]) != std::string_view::npos) {
            before_command_ = true;
        }
    }

    [[nodiscard]] bool has_arguments(std::size_t at) const {
        const auto next = skip(value_, at, " \t");
        return next > at && next < value_.size() &&
               std::string_view{";&|()`"}.find(value_[next]) == std::string_view::npos;
    }

    // A path, $NAME, or the name of a known program. Any other word is more likely the rest of a password.
    [[nodiscard]] bool may_be_program(std::size_t begin, std::size_t end) const {
        const auto word = value_.substr(begin, end - begin);
        return word.find('/') != std::string_view::npos || value_[begin - 1] == '$' || names_program(word);
    }

    std::string_view value_;
    ValueQuotes around_;
    bool closed_later_;
    bool operators_act_;
    bool before_command_ = false;
};

std::string lowered(std::string_view text) {
    std::string low{text};
    std::ranges::transform(low, low.begin(),
                           [](char byte) { return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + 32) : byte; });
    return low;
}

}  // namespace

TextKind kind_of_file(std::string_view path) {
    static constexpr auto settings = std::to_array<std::string_view>(
        {".env", ".ini", ".cfg", ".conf", ".cnf", ".properties", ".toml", ".tfvars", ".npmrc", ".pypirc", ".netrc"});
    static constexpr auto yaml = std::to_array<std::string_view>({".yml", ".yaml"});
    const auto name = lowered(path.substr(path.find_last_of("/\\") + 1));
    const auto ends = [&](std::string_view ending) { return name.ends_with(ending); };
    if (std::ranges::any_of(yaml, ends)) return TextKind::yaml;
    if (std::ranges::any_of(settings, ends) || name.starts_with(".env.") || name == "credentials") {
        return TextKind::settings;
    }
    return TextKind::any;
}

Findings find_settings(std::string_view text, TextKind kind) {
    Findings findings;
    if (kind == TextKind::any) return findings;
    const auto last_close = text.rfind(')');
    OpenQuotes quotes{text};
    for (std::size_t begin = 0; begin < text.size();) {
        const auto end = std::min(text.find('\n', begin), text.size());
        const auto line = text.substr(begin, std::min(end - begin, limits::redact_value_bytes_max));
        const auto line_begin = begin;
        begin = end + 1;
        const auto setting = setting_of(line, kind);
        const auto verdict = judge_name(setting.name);
        if (verdict.suspicion < Suspicion::likely) continue;
        const auto value = value_of(line, setting);
        const auto secret = line.substr(value.begin, value.end - value.begin);
        if (secret.empty() || placeholder(secret) || has_command_after(line, setting, value)) continue;
        if (reads_as_command(secret, value.begin > setting.value) || names_target(secret)) continue;
        if (verdict.suspicion == Suspicion::likely && !setting.tight && !looks_secret(secret)) continue;
        const auto around = quotes.doubtful_at(line_begin) ? ValueQuotes::none : quotes_of(line, setting, value);
        const auto value_begin = line_begin + value.begin;
        const bool closed_later = last_close != std::string_view::npos && last_close > value_begin;
        for (const auto& word : ValueMasker{secret, around, closed_later}.words_to_hide()) {
            findings.push_back({value_begin + word.begin, value_begin + word.end, verdict.rule, Evidence::name});
        }
    }
    return findings;
}

}  // namespace countersign::security
