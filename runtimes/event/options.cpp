// SPDX-License-Identifier: Apache-2.0
#include "runtimes/event/options.hpp"

#include "core/limits.hpp"
#include "core/utf8.hpp"
#include "security/display/scripts.hpp"

#include <algorithm>
#include <array>

namespace countersign::runtimes::event {

namespace {

std::size_t characters(std::string_view text) {
    std::size_t number = 0;
    while (!text.empty()) {
        const auto point = utf8::decode(text);
        text.remove_prefix(point ? point->length : 1);
        ++number;
    }
    return number;
}

// To people "Deny", "deny" and " deny " are the same label.
std::string folded(std::string_view text) {
    std::string out;
    for (const char letter : text) {
        if (letter == ' ' && (out.empty() || out.back() == ' ')) continue;
        out += (letter >= 'A' && letter <= 'Z') ? static_cast<char>(letter - 'A' + 'a') : letter;
    }
    if (out.ends_with(' ')) out.pop_back();
    return out;
}

// Whether a person would read the label as a refusal.
bool says_no(std::string_view label) {
    static constexpr auto words =
        std::to_array<std::string_view>({"abort", "block", "cancel", "decline", "deny", "disallow", "dismiss", "don't",
                                         "dont", "do not", "forbid", "no", "nope", "refuse", "reject"});
    const auto text = folded(label);
    return std::ranges::any_of(words, [&text](std::string_view word) {
        const auto next = text.size() > word.size() ? text[word.size()] : ' ';
        return text.starts_with(word) && (next < 'a' || next > 'z') && next != '\'' && (next & 0x80) == 0;
    });
}

std::string read_label(Fields& option) {
    const auto label = option.text("label", limits::agent_line_bytes_max);
    if (characters(label) > limits::option_label_chars_max) {
        option.fail("label",
                    std::to_string(characters(label)) + " characters, at most " +
                        std::to_string(limits::option_label_chars_max),
                    Errc::too_large);
    }
    const auto shown = option.shown_line("label", label, limits::agent_line_bytes_max);
    if (characters(shown) > limits::option_label_chars_max)
        option.fail("label", "holds characters that cannot be shown");
    if (folded(shown).empty()) option.fail("label", "must not be blank");
    if (security::mixed_script(shown)) option.fail("label", "mixes letters of several scripts in one word");
    return shown;
}

// A word from a small vocabulary, or nothing.
template <class Named>
auto read_named(Fields& option, std::string_view name, Named named, std::string_view words) -> decltype(named("")) {
    const auto text = option.optional_text(name, limits::agent_line_bytes_max);
    auto value = option.has(name) ? named(text) : std::nullopt;
    if (option.has(name) && !value) option.fail(name, "must be one of " + std::string{words}, Errc::unsupported);
    return value;
}

// "none" is our own name for a missing role; an event omits the role instead.
std::optional<Role> given_role(std::string_view text) { return text == "none" ? std::nullopt : role_named(text); }

// If our table and the event disagree, the meaning that needs more permission wins: the asker must not disguise an
// allow as a deny, or a lasting option as a single one (I15). An unknown word means allow/always. So does an unknown
// word that only the event calls a refusal, because on expiry we would send it without asking anyone.
void set_meaning(Option& option, std::string_view native, std::optional<Effect> effect, std::optional<Scope> scope) {
    const auto table = classify(native);
    option.effect = table.effect;
    option.scope = table.scope;
    option.exact_call = table.exact_call;
    if (table.known) {
        if (effect) option.effect = std::min(table.effect, *effect);  // allow is the smallest
        if (scope) option.scope = std::max(table.scope, *scope);
    }
    const bool told = !table.known && effect == Effect::allow && scope;
    option.known = table.known || told;
    if (told) option.scope = *scope;
}

void check_unique(Fields& event, const std::vector<Option>& options) {
    for (std::size_t i = 1; i < options.size(); ++i) {
        const auto earlier = options.begin() + static_cast<std::ptrdiff_t>(i);
        const auto path = "options[" + std::to_string(i) + "].";
        if (std::find_if(options.begin(), earlier,
                         [&](const Option& one) { return one.option_id == options[i].option_id; }) != earlier) {
            event.fail(path + "optionId", "is the same as an earlier one");
        }
        if (std::find_if(options.begin(), earlier,
                         [&](const Option& one) { return folded(one.label) == folded(options[i].label); }) != earlier) {
            event.fail(path + "label", "is the same as an earlier one");
        }
    }
}

}  // namespace

ReadOptions read_options(Fields& event) {
    static_assert(Effect::allow < Effect::deny && Effect::deny < Effect::cancel);
    ReadOptions read;
    const auto* array = event.array("options", 1, limits::options_max);
    for (std::size_t i = 0; array != nullptr && i < array->size() && !event.failed(); ++i) {
        auto fields = event.element("options", *array, i);
        Option option;
        option.option_id = fields.shown_as_is("optionId", fields.exact_text("optionId", limits::option_id_bytes_max));
        option.label = read_label(fields);
        const auto native = fields.exact_text("nativeDecision", limits::native_decision_bytes_max);
        const auto role = read_named(fields, "role", given_role, "primary, secondary, destructive, cancel");
        option.role = role.value_or(Role::none);
        const auto effect = read_named(fields, "effect", effect_named, "allow, deny, cancel");
        const auto scope = read_named(fields, "scope", scope_named, "once, session, always");
        const auto detail = fields.optional_text("detail", limits::option_detail_bytes_max);
        option.detail = fields.shown_block("detail", detail, limits::option_detail_bytes_max);
        set_meaning(option, native, effect, scope);
        if (option.effect == Effect::allow && says_no(option.label)) {
            fields.fail("label", "says no, but the nativeDecision is not known to refuse: use deny, reject or cancel");
        }
        read.raw.push_back({option.option_id, native, option.effect});
        read.shown.push_back(std::move(option));
    }
    check_unique(event, read.shown);
    return read;
}

}  // namespace countersign::runtimes::event
