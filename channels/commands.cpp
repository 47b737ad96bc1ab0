// SPDX-License-Identifier: Apache-2.0
#include "channels/commands.hpp"

#include "core/limits.hpp"

#include <algorithm>
#include <array>

namespace countersign::channels {

namespace {

struct Word {
    std::string_view text;
    Verb verb;
    bool takes_id = false;
};
constexpr std::array words{
    Word{"approve", Verb::approve, true}, Word{"deny", Verb::deny, true},     Word{"always", Verb::always, true},
    Word{"session", Verb::session, true}, Word{"answer", Verb::answer, true}, Word{"more", Verb::more, true},
    Word{"pending", Verb::pending},       Word{"help", Verb::help},           Word{"start", Verb::start},
    Word{"grants", Verb::grants},         Word{"revoke", Verb::revoke, true}, Word{"halt", Verb::halt},
    Word{"resume", Verb::resume},         Word{"auto", Verb::unavailable},    Word{"interactive", Verb::unavailable},
    Word{"console", Verb::unavailable},
};

constexpr std::string_view blanks = " \t\r\n";

char lower(char symbol) { return symbol >= 'A' && symbol <= 'Z' ? static_cast<char>(symbol + ('a' - 'A')) : symbol; }
char upper(char symbol) { return symbol >= 'a' && symbol <= 'z' ? static_cast<char>(symbol - ('a' - 'A')) : symbol; }

bool has_letter(std::string_view text) {
    return std::ranges::any_of(text, [](char symbol) { return lower(symbol) >= 'a' && lower(symbol) <= 'z'; });
}

bool same(std::string_view one, std::string_view other) { return std::ranges::equal(one, other, {}, lower, lower); }

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

// The first word; `text` is what follows it.
std::string_view take_word(std::string_view& text) {
    text = trimmed(text);
    const auto word = text.substr(0, text.find_first_of(blanks));
    text = trimmed(text.substr(word.size()));
    return word;
}

// A person reads O as 0, and I and L as 1.
std::string forgiven(std::string_view typed) {
    std::string out;
    for (const char symbol : typed) {
        const char big = upper(symbol);
        out += big == 'O' ? '0' : (big == 'I' || big == 'L') ? '1' : big;
    }
    return out;
}

TypedId id_of(std::string_view typed) {
    TypedId id{.typed = std::string{typed}};
    if (typed.size() == limits::approval_id_chars) {
        if (const auto ulid = Ulid::parse(forgiven(typed))) id.ulid = *ulid;
    } else if (const auto code = security::parse_short_code(typed)) {
        id.code = *code;
    }
    return id;
}

std::string listed(const std::vector<Option>& options) {
    std::string text;
    for (const auto& option : options) {
        text += text.empty() ? "" : ", ";
        text += "\"" + option.label + "\" (" + std::string{name(option.effect)} + ", " +
                std::string{name(option.scope)} + ")";
    }
    return text.empty() ? "nothing" : text;
}

Error unclear(std::string why, const std::vector<Option>& offered) {
    return {Errc::unknown_option, std::move(why) + "; on offer: " + listed(offered)};
}

Result<Option> only(std::vector<Option> found, std::string_view what, const std::vector<Option>& offered) {
    if (found.size() == 1) return found.front();
    const auto* how_many = found.empty() ? "no option is " : "several options are ";
    return unclear(how_many + std::string{what}, offered);
}

std::vector<Option> allows(const std::vector<Option>& offered, Scope scope) {
    std::vector<Option> found;
    std::ranges::copy_if(offered, std::back_inserter(found), [scope](const Option& option) {
        return option.known && option.effect == Effect::allow && option.scope == scope;
    });
    return found;
}

std::vector<Option> allows_named(const std::vector<Option>& offered, std::string_view wanted) {
    std::vector<Option> found;
    std::ranges::copy_if(offered, std::back_inserter(found), [wanted](const Option& option) {
        return option.effect == Effect::allow && (same(option.label, wanted) || same(option.option_id, wanted));
    });
    return found;
}

}  // namespace

std::optional<Command> parse_command(std::string_view text, const CommandRules& rules) {
    if (text.size() > limits::command_bytes_max) return std::nullopt;
    auto first = take_word(text);
    const bool marked = first.starts_with('/') || first.starts_with('!');
    if (!marked && !rules.bare_words) return std::nullopt;
    if (marked) first.remove_prefix(1);

    // A name after the word says which bot it is for. Only a marked word can have one.
    bool is_for_us = rules.bare_words;
    if (const auto at = first.find('@'); marked && at != std::string_view::npos) {
        if (!same(first.substr(at + 1), rules.bot_name)) return std::nullopt;
        first = first.substr(0, at);
        is_for_us = true;
    }
    const auto* const word = std::ranges::find_if(words, [&](const Word& known) { return same(known.text, first); });
    if (word == words.end()) {
        if (!marked || !is_for_us || !has_letter(first)) return std::nullopt;
        return Command{.verb = Verb::unknown, .word = std::string{first}, .id = {}, .rest = {}};
    }
    if (!marked && word->verb == Verb::start) return std::nullopt;  // "start the build" is no command

    Command command{.verb = word->verb, .word = std::string{word->text}, .id = {}, .rest = {}};
    if (word->takes_id) command.id = id_of(take_word(text));
    command.rest = std::string{trimmed(text)};
    return command;
}

std::optional<Ulid> find_request(const TypedId& id, std::span<const Ulid> shown_here,
                                 std::span<const std::string> audiences, const security::ShortCodes& codes) {
    for (const auto& request : shown_here) {
        if (id.ulid && *id.ulid == request) return request;
        if (id.code.empty()) continue;
        if (std::ranges::any_of(audiences, [&](const auto& chat) { return codes.fits(id.code, request, chat); })) {
            return request;
        }
    }
    return std::nullopt;
}

Result<Option> option_for(const Command& command, const std::vector<Option>& offered) {
    switch (command.verb) {
    case Verb::deny:
        // Never harder than an allow: where there are several ways to refuse, the plainest is taken.
        if (const auto* refusal = refusal_of(offered)) return *refusal;
        return unclear("no option refuses", offered);
    case Verb::approve:
        if (!command.rest.empty()) return only(allows_named(offered, command.rest), "that allow", offered);
        return only(allows(offered, Scope::once), "an allow for once", offered);
    case Verb::session:
        return only(allows(offered, Scope::session), "an allow for the session", offered);
    case Verb::always:
        return only(allows(offered, Scope::always), "an allow for always", offered);
    default:
        return unclear("this command decides nothing", offered);
    }
}

}  // namespace countersign::channels
