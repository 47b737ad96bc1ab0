// SPDX-License-Identifier: Apache-2.0
// The part of the redactor that walks JSON values.
#include "core/limits.hpp"
#include "security/redact/destinations.hpp"
#include "security/redact/headers.hpp"
#include "security/redact/names.hpp"
#include "security/redact/redactor.hpp"
#include "security/redact/running.hpp"
#include "security/redact/targets.hpp"
#include "security/redact/values.hpp"
#include "security/redact/view.hpp"

#include <algorithm>
#include <optional>

namespace countersign::security {

class RedactedJson {
public:
    RedactedJson(const Redactor& redactor, const FileMembers& file, const json::Value& document)
        : redactor_{redactor}, file_{file}, document_{document} {}

    // `secret` is the rule of an enclosing member that makes this whole value a secret; empty if there is none.
    [[nodiscard]] json::Value walk(const json::Value& value, std::string_view secret, std::size_t depth) const {
        if (depth > limits::json_depth_max) return json::Value{redactor_.masks_.mask("member", "")};
        if (const auto* text = value.string()) return secret.empty() ? redactor_.text(*text) : hide(*text, secret);
        if (const auto* number = value.number()) {
            return secret.empty() ? value : json::Value{redactor_.masks_.mask(secret, number->lexeme)};
        }
        if (const auto* array = value.array()) return walk_array(*array, secret, depth);
        if (const auto* object = value.object()) return walk_object(*object, secret, depth, false);
        return value;
    }

private:
    [[nodiscard]] json::Value hide(std::string_view text, std::string_view rule) const {
        if (text.size() > limits::redact_bytes_max) return withheld(text);
        const auto scheme = rule == "authorization" ? after_scheme(text) : 0;
        const auto secret = text.substr(scheme);
        if (nothing_to_hide(secret)) return std::string{text};
        if (reads_as_command(secret, true) || names_target(secret)) return redactor_.text(text);
        return std::string{text.substr(0, scheme)} + hide_all_but_hosts(secret, rule);
    }

    [[nodiscard]] std::string hide_all_but_hosts(std::string_view secret, std::string_view rule) const {
        Findings findings{{0, secret.size(), rule}};
        keep_destinations_visible(findings, secret, DestinationKind::explicit_only);
        std::erase_if(findings, [&](const Finding& finding) {
            return nothing_to_hide(secret.substr(finding.begin, finding.end - finding.begin));
        });
        return redactor_.masked(secret, findings);
    }

    // Empty, a reference, a constant, or only masks.
    [[nodiscard]] bool nothing_to_hide(std::string_view secret) const {
        const auto masks = redactor_.masks_.find(secret);
        const auto plain = views_of(secret, masks, false);
        return secret.empty() || placeholder(plain.front().text());
    }

    // `commands` means that the members are commands with names that people chose.
    [[nodiscard]] json::Value walk_object(const json::Object& object, std::string_view secret, std::size_t depth,
                                          bool commands) const {
        const auto named = secret_of_two(object);
        json::Object redacted;
        for (const auto& [name, member] : object.members()) {
            auto below = secret.empty() && !commands ? secret_below(name, member) : secret;
            const bool second = below.empty() && names_a_value(name);
            if (second) below = secret_by(named, member);
            if (secret.empty() && !below.empty() && is_target(second ? name_in(object) : name, member)) below = {};
            if (const auto* inner = member.object(); inner != nullptr && below.empty() && holds_commands(name)) {
                redacted.add(redactor_.text(name), walk_commands(*inner, depth + 1));
                continue;
            }
            const auto* file = below.empty() ? file_text(name, member) : nullptr;
            redacted.add(redactor_.text(name), file != nullptr ? json::Value{redactor_.text(*file, file_.kind)}
                                                               : walk(member, below, depth + 1));
        }
        return redacted;
    }

    [[nodiscard]] json::Value walk_commands(const json::Object& object, std::size_t depth) const {
        if (depth > limits::json_depth_max) return json::Value{redactor_.masks_.mask("member", "")};
        return walk_object(object, {}, depth, true);
    }

    [[nodiscard]] const std::string* file_text(std::string_view name, const json::Value& member) const {
        return std::ranges::find(file_.names, name) == file_.names.end() ? nullptr : member.string();
    }

    // The rule that makes everything below this member a secret, or empty. A name that is only suspicious doesn't
    // affect an object, and affects a string only if that looks like a secret.
    [[nodiscard]] static std::string_view secret_below(std::string_view name, const json::Value& member) {
        return secret_by(judge_name(name), member);
    }

    [[nodiscard]] static std::string_view secret_by(const NameVerdict& verdict, const json::Value& member) {
        if (verdict.suspicion == Suspicion::none) return {};
        if (verdict.suspicion >= Suspicion::likely) return verdict.rule;
        const auto* text = member.string();
        return text != nullptr && looks_secret(*text) ? verdict.rule : std::string_view{};
    }

    // {"name": "DB_PASSWORD", "value": …}: one member has the name and the other the secret.
    [[nodiscard]] static NameVerdict secret_of_two(const json::Object& object) { return judge_name(name_in(object)); }

    // The text of the first half if it is a secret-sounding name; else empty.
    [[nodiscard]] static std::string_view name_in(const json::Object& object) {
        for (const auto& [name, member] : object.members()) {
            const auto* text = member.string();
            if (text == nullptr || !names_a_name(name)) continue;
            if (judge_name(*text).suspicion != Suspicion::none) return *text;
        }
        return {};
    }

    // {"env": {"TOKEN": "evilcmd"}, "command": "$TOKEN"}: a command elsewhere in the document uses the variable.
    [[nodiscard]] bool is_target(std::string_view name, const json::Value& member) const {
        const auto* text = member.string();
        if (text == nullptr || !plain_words(*text)) return false;
        if (!targets_) {
            collect(document_, 0);
            targets_.emplace(texts_);
        }
        return targets_->has(name);
    }

    // Collects all strings without a secret-sounding name, each on its own line.
    void collect(const json::Value& value, std::size_t depth) const {
        if (depth > limits::json_depth_max || texts_.size() > limits::redact_bytes_max) return;
        if (const auto* text = value.string()) texts_.append(*text).append("\n");
        if (const auto* array = value.array()) {
            std::vector<std::string> words;
            for (const auto& one : *array) {
                if (one.string() != nullptr) words.push_back(*one.string());
                if (one.string() == nullptr) collect(one, depth + 1);
            }
            texts_.append(joined(words)).append("\n");
        }
        if (const auto* object = value.object()) {
            for (const auto& [name, member] : object->members()) {
                if (judge_name(name).suspicion < Suspicion::likely) collect(member, depth + 1);
            }
        }
    }

    [[nodiscard]] json::Value walk_array(const json::Array& array, std::string_view secret, std::size_t depth) const {
        const auto is_string = [](const json::Value& one) { return one.string() != nullptr; };
        if (secret.empty() && array.size() > 1 && std::ranges::all_of(array, is_string)) return arguments(array);
        json::Array redacted;
        for (const auto& one : array) redacted.push_back(walk(one, secret, depth + 1));
        return redacted;
    }

    // Reads a list of strings as one command line. Its words are in a quote that occurs in no word, so that
    // "--password" applies to the word after it.
    [[nodiscard]] json::Value arguments(const json::Array& array) const {
        std::vector<std::string> words;
        for (const auto& one : array) words.push_back(*one.string());
        const auto header = words.size() == 2 ? judge_name(words[0]) : NameVerdict{};
        if (header.suspicion >= Suspicion::likely && !words[0].starts_with('-')) {
            return json::Array{redactor_.text(words[0]), hide(words[1], header.rule)};
        }
        for (std::size_t pass = 0; pass < limits::redact_passes_max; ++pass) {
            const auto line = joined(words);
            if (line.size() > limits::redact_bytes_max) break;
            const auto findings = redactor_.find(line, true, TextKind::any);
            if (findings.empty()) return json::Array(words.begin(), words.end());
            if (findings.front().rule == unreadable) break;
            mask_words(words, findings);
        }
        std::string all;
        for (const auto& one : array) all += *one.string();
        return withheld(all);
    }

    [[nodiscard]] static std::string joined(const std::vector<std::string>& words) {
        std::string line;
        for (const auto& word : words) {
            if (!line.empty()) line += ' ';
            line += argument_quote;
            const auto begin = line.size();
            line += word;
            std::replace(line.begin() + static_cast<std::ptrdiff_t>(begin), line.end(), argument_quote, '\x03');
            line += argument_quote;
        }
        return line;
    }

    // Findings are positions in the joined line, in order; the part in each word is masked separately.
    void mask_words(std::vector<std::string>& words, const Findings& findings) const {
        std::size_t word_begin = 1;
        auto first = findings.begin();
        for (auto& word : words) {
            const auto word_end = word_begin + word.size();
            std::string masked;
            auto at = word_begin;
            while (first != findings.end() && first->end <= word_begin) ++first;
            for (auto found = first; found != findings.end() && found->begin < word_end; ++found) {
                const auto& finding = *found;
                const auto begin = std::max(finding.begin, at);
                const auto end = std::min(finding.end, word_end);
                if (begin >= end) continue;
                masked.append(word, at - word_begin, begin - at);
                masked +=
                    redactor_.masks_.mask(finding.rule, std::string_view{word}.substr(begin - word_begin, end - begin));
                at = end;
            }
            masked.append(word, at - word_begin);
            word_begin = word_end + 3;
            word = std::move(masked);
        }
    }

    const Redactor& redactor_;
    const FileMembers& file_;
    const json::Value& document_;
    mutable std::string texts_;                   // of the document, collected on first use
    mutable std::optional<TargetNames> targets_;  // in those texts
};

json::Value Redactor::value(const json::Value& value, const FileMembers& file) const {
    return RedactedJson{*this, file, value}.walk(value, {}, 0);
}

}  // namespace countersign::security
