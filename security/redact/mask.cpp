// SPDX-License-Identifier: Apache-2.0
#include "security/redact/mask.hpp"

#include "security/digest.hpp"
#include "security/display/characters.hpp"
#include "security/encoding.hpp"
#include "security/hmac.hpp"

#include <algorithm>
#include <span>

namespace countersign::security {
namespace {

constexpr std::string_view opening = "«redacted:";
constexpr std::string_view closing = "»";
constexpr std::size_t digits = 8;
constexpr std::size_t rule_bytes_max = 32;

std::string visible(std::string_view text) {
    std::string kept;
    for (std::size_t at = 0; at < text.size();) {
        const auto character = character_at(text, at);
        if (!character.valid || !hidden(character.code)) kept.append(text.substr(at, character.bytes));
        at += character.bytes;
    }
    return kept;
}

bool lower_hex(char byte) { return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'f'); }

}  // namespace

Masks::Masks(Secret key, std::vector<std::string_view> rules) : key_{std::move(key)}, rules_{std::move(rules)} {
    std::ranges::sort(rules_);
}

std::string Masks::mask(std::string_view rule, std::string_view secret) const {
    const auto mac = hmac_sha256(key_, {"redaction/v1", visible(secret)});
    std::string mask{opening};
    mask.append(rule).append(":").append(hex(std::span{mac}.first(digits / 2))).append(closing);
    return mask;
}

std::size_t Masks::length_at(std::string_view text) const {
    const auto rest = text.substr(opening.size());
    const auto colon = rest.substr(0, rule_bytes_max + 1).find(':');
    if (colon == std::string_view::npos || !std::ranges::binary_search(rules_, rest.substr(0, colon))) return 0;
    const auto tail = rest.substr(colon + 1);
    if (tail.size() < digits || !std::ranges::all_of(tail.substr(0, digits), lower_hex)) return 0;
    if (!tail.substr(digits).starts_with(closing)) return 0;
    return opening.size() + colon + 1 + digits + closing.size();
}

std::vector<MaskSpan> Masks::find(std::string_view text) const {
    std::vector<MaskSpan> found;
    for (auto at = text.find(opening); at != std::string_view::npos; at = text.find(opening, at)) {
        const auto length = length_at(text.substr(at));
        if (length > 0) found.push_back({at, at + length});
        at += std::max<std::size_t>(length, 1);
    }
    return found;
}

std::string withheld(std::string_view text) {
    return "«withheld: " + std::to_string(text.size()) + " bytes, sha256 " + hex(sha256(text)) + "»";
}

}  // namespace countersign::security
