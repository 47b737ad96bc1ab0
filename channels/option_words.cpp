// SPDX-License-Identifier: Apache-2.0
#include "channels/option_words.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <span>

namespace countersign::channels {

namespace {

using Words = std::span<const std::string_view>;

constexpr std::array<std::string_view, 6> allowing{"allow", "approve", "accept", "yes", "permit", "grant"};
constexpr std::array<std::string_view, 3> lasting{"once", "session", "always"};
constexpr std::array<std::string_view, 13> refusing{"deny",   "reject", "decline", "refuse", "no",   "not",     "never",
                                                    "cancel", "abort",  "stop",    "block",  "dont", "disallow"};

// Beginnings of words that may turn an allowing label around: "Allow nothing", "Approve denial".
constexpr std::array<std::string_view, 36> turning{
    "deny",   "deni",    "reject",  "declin",  "refus",  "cancel", "abort",  "stop",     "block",
    "disa",   "dismiss", "discard", "skip",    "halt",   "forbid", "prohib", "prevent",  "veto",
    "revok",  "nothing", "none",    "neither", "nor",    "never",  "nobody", "nowhere",  "without",
    "cannot", "cant",    "wont",    "dont",    "doesnt", "didnt",  "isnt",   "shouldnt", "mustnt"};

bool is_ascii(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// "Don't allow" has the words dont and allow.
bool has_word(std::string_view label, const std::function<bool(std::string_view word)>& known_word) {
    std::string word;
    const auto known = [&] { return known_word(word); };
    for (const char c : label) {
        const auto lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        if (lower >= 'a' && lower <= 'z') {
            word += lower;
        } else if (c != '\'') {
            if (known()) return true;
            word.clear();
        }
    }
    return known();
}

bool has_word_of(std::string_view label, Words words) {
    return has_word(label, [words](std::string_view word) { return std::ranges::find(words, word) != words.end(); });
}

bool turns_around(std::string_view label) {
    return has_word(label, [](std::string_view word) {
        return std::ranges::any_of(turning, [word](std::string_view begin) { return word.starts_with(begin); });
    });
}

bool counts_as_allow(const Option& option) { return !option.known || option.effect == Effect::allow; }

}  // namespace

std::string_view meaning_of(const Option& option, Language language) {
    const auto said = [language](Key key) { return pattern(language, key); };
    if (!option.known) return said(Key::means_unknown);
    if (option.effect == Effect::deny) return said(Key::means_deny);
    if (option.effect == Effect::cancel) return said(Key::means_cancel);
    if (option.scope == Scope::once) return said(Key::means_once);
    return said(option.scope == Scope::session ? Key::means_session : Key::means_always);
}

std::string_view shown_label(const Option& option, Language language) {
    if (!option.grants) return option.label;
    return pattern(language, option.scope == Scope::session ? Key::grant_session_label : Key::grant_always_label);
}

bool says_its_effect(const Option& option) {
    if (option.grants) return true;
    // A letter of another script may look like one of these words and be none.
    if (!is_ascii(option.label)) return false;
    const bool allows = has_word_of(option.label, allowing);
    const bool refuses = has_word_of(option.label, refusing);
    if (counts_as_allow(option)) {
        return (allows || has_word_of(option.label, lasting)) && !refuses && !turns_around(option.label);
    }
    return refuses && !allows;
}

std::string label_with_effect(const Option& option, Language language) {
    if (says_its_effect(option)) return std::string{shown_label(option, language)};
    const auto refusing_word = option.effect == Effect::deny ? Key::label_deny : Key::label_cancel;
    return text(language, counts_as_allow(option) ? Key::label_allow : refusing_word, {{"label", option.label}});
}

bool lasts(const Option& option) {
    return !option.known || (option.effect == Effect::allow && option.scope != Scope::once);
}

}  // namespace countersign::channels
