// SPDX-License-Identifier: Apache-2.0
// Tokens by their build: the part of redact_runs.hpp that knows makers.
#include "security/redact_base64.hpp"
#include "security/redact_runs.hpp"

#include <algorithm>
#include <array>

namespace countersign::security {
namespace {

bool lower_hex(char byte) { return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'f'); }
bool digit(char byte) { return byte >= '0' && byte <= '9'; }

bool all_hex(std::string_view text) { return std::ranges::all_of(text, lower_hex); }

// SK and 32 digits; 32 digits and the data centre.
std::string_view rule_of_one(std::string_view run) {
    if (run.size() == 34 && run.starts_with("SK") && all_hex(run.substr(2))) return "twilio";
    const bool centre =
        run.size() >= 36 && run.size() <= 37 && run.substr(32, 3) == "-us" && digit(run[35]) && digit(run.back());
    return centre && all_hex(run.substr(0, 32)) ? "mailchimp" : std::string_view{};
}

bool airtable(std::string_view first, std::string_view second) {
    return first.size() == 17 && first.starts_with("pat") && second.size() == 64 && all_hex(second);
}

// The bot's id, a digit string in base64, begins with one of three letters.
bool discord(std::string_view first, std::string_view second, std::string_view third) {
    const bool id = first.size() >= 23 && first.size() <= 28 && (first[0] == 'M' || first[0] == 'N' || first[0] == 'O');
    return id && second.size() == 6 && third.size() >= 27;
}

std::string_view run_at(std::string_view text, std::size_t at) {
    auto end = at;
    while (end < text.size() && base64_byte(text[end])) ++end;
    return at < end ? text.substr(at, end - at) : std::string_view{};
}

std::string_view run_after_dot(std::string_view text, std::size_t at) {
    return at < text.size() && text[at] == '.' ? run_at(text, at + 1) : std::string_view{};
}

}  // namespace

Findings find_built_tokens(std::string_view text) {
    Findings findings;
    // Three runs are read at a time, and the next three begin one further: no byte is read more than three times.
    for (std::size_t at = 0; at < text.size();) {
        const auto first = run_at(text, at);
        if (first.size() < 17) {
            at += std::max<std::size_t>(first.size(), 1);
            continue;
        }
        const auto second = run_after_dot(text, at + first.size());
        const auto third = second.empty() ? second : run_after_dot(text, at + first.size() + 1 + second.size());
        if (discord(first, second, third)) {
            findings.push_back({at, at + first.size() + second.size() + third.size() + 2, "discord", Evidence::shape});
        } else if (airtable(first, second)) {
            findings.push_back({at, at + first.size() + second.size() + 1, "airtable", Evidence::shape});
        } else if (const auto rule = rule_of_one(first); !rule.empty()) {
            findings.push_back({at, at + first.size(), rule, Evidence::shape});
        }
        at += first.size();
    }
    return findings;
}

std::span<const std::string_view> built_token_rules() {
    static constexpr auto rules = std::to_array<std::string_view>({"airtable", "discord", "mailchimp", "twilio"});
    return rules;
}

}  // namespace countersign::security
