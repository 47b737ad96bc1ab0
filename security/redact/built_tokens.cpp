// SPDX-License-Identifier: Apache-2.0
// Tokens recognised by their structure: the vendor-specific part of security/redact/runs.hpp.
#include "security/redact/base64.hpp"
#include "security/redact/runs.hpp"

#include <algorithm>
#include <array>

namespace countersign::security {
namespace {

bool lower_hex(char byte) { return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'f'); }
bool digit(char byte) { return byte >= '0' && byte <= '9'; }

bool all_hex(std::string_view text) { return std::ranges::all_of(text, lower_hex); }

bool letter(char byte) { return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'); }

bool mailgun(std::string_view run) {
    return run.size() == 50 && run[32] == '-' && run[41] == '-' && all_hex(run.substr(0, 32)) &&
           all_hex(run.substr(33, 8)) && all_hex(run.substr(42));
}

// SK and 32 digits; 32 digits and the data centre; 32, 8 and 8 digits.
std::string_view rule_of_one(std::string_view run) {
    if (run.size() == 34 && run.starts_with("SK") && all_hex(run.substr(2))) return "twilio";
    if (run.size() == 68 && run.starts_with("ATTA") && all_hex(run.substr(4))) return "trello";
    if (run.size() == 27 && run.starts_with("EXO") && all_hex(run.substr(3))) return "exoscale";
    if (mailgun(run)) return "mailgun";
    const bool centre =
        run.size() >= 36 && run.size() <= 37 && run.substr(32, 3) == "-us" && digit(run[35]) && digit(run.back());
    return centre && all_hex(run.substr(0, 32)) ? "mailchimp" : std::string_view{};
}

bool mixed_cases(std::string_view run) {
    const auto some = [&](char first, char last) {
        return std::ranges::any_of(run, [=](char byte) { return byte >= first && byte <= last; });
    };
    return some('0', '9') && some('a', 'z') && some('A', 'Z');
}

// s. and 24 letters and digits: a service token from before Vault 1.10; b. for a batch token.
bool vault(std::string_view first, std::string_view second) {
    return (first == "s" || first == "b") && second.size() == 24 && mixed_cases(second) &&
           std::ranges::all_of(second, [](char byte) { return letter(byte) || digit(byte); });
}

// A kubeadm bootstrap token: six and sixteen small letters and digits.
bool kubeadm(std::string_view first, std::string_view second) {
    const auto small = [](char byte) { return (byte >= 'a' && byte <= 'z') || digit(byte); };
    if (first.size() != 6 || second.size() != 16 || !std::ranges::all_of(first, small)) return false;
    const auto digits = std::ranges::count_if(second, digit);
    const bool telling = digits >= 2 || (digits == 1 && std::ranges::any_of(first, digit));
    return std::ranges::all_of(second, small) && telling && digits <= 12 && std::ranges::any_of(first, letter);
}

// Ghost: 24 and 64 digits, joined by a colon. Asana: numbers joined by slashes, a colon, 32 digits.
std::string_view rule_of_pair(std::string_view first, std::string_view second) {
    if (first.size() == 24 && second.size() == 64 && all_hex(first) && all_hex(second)) return "ghost";
    const bool numbers = first.size() >= 12 && digit(first[0]) && first[1] == '/' &&
                         std::ranges::all_of(first, [](char byte) { return digit(byte) || byte == '/'; });
    return numbers && second.size() == 32 && all_hex(second) ? "asana" : std::string_view{};
}

// Zhipu: 32 digits, a dot, 16 letters and digits.
bool zhipu(std::string_view first, std::string_view second) {
    return first.size() == 32 && second.size() == 16 && all_hex(first) && mixed_cases(second);
}

bool airtable(std::string_view first, std::string_view second) {
    return first.size() == 17 && first.starts_with("pat") && second.size() == 64 && all_hex(second);
}

// The bot's id, decimal digits in base64, starts with one of three letters.
bool discord(std::string_view first, std::string_view second, std::string_view third) {
    const bool id = first.size() >= 23 && first.size() <= 28 && (first[0] == 'M' || first[0] == 'N' || first[0] == 'O');
    return id && second.size() == 6 && third.size() >= 27;
}

std::string_view run_at(std::string_view text, std::size_t at) {
    auto end = at;
    while (end < text.size() && base64_byte(text[end])) ++end;
    return at < end ? text.substr(at, end - at) : std::string_view{};
}

std::string_view run_after(std::string_view text, std::size_t at, char mark) {
    return at < text.size() && text[at] == mark ? run_at(text, at + 1) : std::string_view{};
}

bool begins_word(std::string_view text, std::size_t at) { return at == 0 || text[at - 1] != '.'; }

bool uuid(std::string_view run) {
    return run.size() == 36 && run[8] == '-' && run[23] == '-' &&
           std::ranges::all_of(run, [](char byte) { return lower_hex(byte) || byte == '-'; });
}

// Bitwarden: 0, a UUID, 30 letters and digits, and a key after a colon. Infisical: st, 24, 32 and 32 digits. Returns
// the number of bytes after the first part; 0 if it is neither.
std::size_t three_parts(std::string_view text, std::size_t end, std::string_view first, std::string_view second,
                        std::string_view& rule) {
    if (second.size() != 36 && second.size() != 24) return 0;
    const auto third_at = end + 1 + second.size();
    const auto third = run_after(text, third_at, '.');
    const auto fourth_at = third_at + 1 + third.size();
    if (first == "0" && uuid(second) && third.size() == 30) {
        rule = "bitwarden";
        const auto key = run_after(text, fourth_at, ':');
        const auto padding = text.substr(std::min(fourth_at + 1 + key.size(), text.size())).starts_with("==") ? 2U : 0U;
        return fourth_at - end + (key.empty() ? 0 : 1 + key.size() + padding);
    }
    const auto fourth = third.empty() ? third : run_after(text, fourth_at, '.');
    if (first != "st" || third.size() != 32 || fourth.size() != 32 || !all_hex(second) || !all_hex(third)) return 0;
    rule = "infisical";
    return fourth_at + 1 + fourth.size() - end;
}

// A token with a short first part. Returns its length; 0 for none.
std::size_t short_headed(std::string_view text, std::size_t at, std::string_view first, std::string_view& rule) {
    if ((first.size() > 2 && first.size() != 6) || !begins_word(text, at)) return 0;
    const auto end = at + first.size();
    const auto second = run_after(text, end, '.');
    if (const auto bytes = three_parts(text, end, first, second, rule); bytes != 0) return first.size() + bytes;
    if (second.empty() || text.substr(end + 1 + second.size()).starts_with('.')) return 0;
    rule = vault(first, second) ? "vault" : kubeadm(first, second) ? "kubernetes" : std::string_view{};
    return rule.empty() ? 0 : first.size() + 1 + second.size();
}

// A token of up to three long parts that starts at `at`. Returns its length; 0 for none.
std::size_t long_headed(std::string_view text, std::size_t at, std::string_view first, std::string_view& rule) {
    const auto end = at + first.size();
    const auto second = run_after(text, end, '.');
    const auto third = second.empty() ? second : run_after(text, end + 1 + second.size(), '.');
    rule = discord(first, second, third) ? "discord" : std::string_view{};
    if (!rule.empty()) return first.size() + second.size() + third.size() + 2;
    rule = airtable(first, second) ? "airtable" : zhipu(first, second) ? "zhipu" : std::string_view{};
    if (!rule.empty()) return first.size() + 1 + second.size();
    const auto behind_colon = run_after(text, end, ':');
    rule = rule_of_pair(first, behind_colon);
    if (!rule.empty()) return first.size() + 1 + behind_colon.size();
    rule = rule_of_one(first);
    return rule.empty() ? 0 : first.size();
}

}  // namespace

Findings find_built_tokens(std::string_view text) {
    Findings findings;
    // Three runs are read at a time, and the next three start one run later: each byte is read at most four times.
    for (std::size_t at = 0; at < text.size();) {
        const auto first = escape_letter(text, at) ? std::string_view{} : run_at(text, at);
        if (first.empty()) {
            ++at;
            continue;
        }
        std::string_view rule;
        const auto bytes = first.size() < 17 ? short_headed(text, at, first, rule) : long_headed(text, at, first, rule);
        if (bytes != 0) findings.push_back({at, at + bytes, rule, Evidence::shape, 0, true});
        at += first.size();
    }
    return findings;
}

std::span<const std::string_view> built_token_rules() {
    static constexpr auto rules =
        std::to_array<std::string_view>({"airtable", "asana", "bitwarden", "discord", "exoscale", "ghost", "infisical",
                                         "kubernetes", "mailchimp", "mailgun", "trello", "twilio", "vault", "zhipu"});
    return rules;
}

}  // namespace countersign::security
