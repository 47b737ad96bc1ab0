// SPDX-License-Identifier: Apache-2.0
#include "runtimes/acp/options.hpp"

#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/limits.hpp"
#include "runtimes/acp/known_agents.hpp"
#include "runtimes/acp/outgoing.hpp"

#include <algorithm>
#include <array>

namespace countersign::runtimes::acp {

namespace {

constexpr std::string_view grant_id = "session";
constexpr std::string_view deny_id = "deny";
constexpr std::string_view once_label = "Allow once";

struct Kind {
    std::string_view name;
    std::string_view label;
    Effect effect;
    Scope scope;
};
constexpr auto kinds = std::to_array<Kind>({
    {"allow_once", once_label, Effect::allow, Scope::once},
    {"allow_always", "Always, by agent", Effect::allow, Scope::always},
    {"reject_once", "Deny", Effect::deny, Scope::once},
    {"reject_always", "Deny always", Effect::deny, Scope::always},
});

Option option(std::string_view id, std::string_view label, Effect effect, Scope scope = Scope::once) {
    Option made;
    made.option_id = id;
    made.label = label;
    made.effect = effect;
    made.scope = scope;
    return made;
}

// Without an id and the agent's name for it.
Option option_of_kind(std::string_view name) {
    const auto kind = std::ranges::find(kinds, name, &Kind::name);
    if (kind != kinds.end()) {
        auto made = option("", kind->label, kind->effect, kind->scope);
        made.exact_call = kind->scope == Scope::once;
        return made;
    }
    // A later word may mean anything, so it counts as the widest one.
    auto made = option("", "Unknown option", Effect::allow, Scope::always);
    made.known = false;
    made.exact_call = false;
    return made;
}

// The agent's own id where it can be one of ours; records are easier to read with it.
std::string own_id(const std::string& native, std::size_t index) {
    const auto plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    };
    const bool usable = native.size() <= limits::option_id_bytes_max && std::ranges::all_of(native, plain) &&
                        native != grant_id && native != deny_id && !native.starts_with("option-");
    return usable ? native : "option-" + std::to_string(index);
}

class Options {
public:
    Options(const Context& context, bool lasting) : context_{context}, lasting_{lasting} {}

    // Of the agent, with its name for it.
    void add(Option option, const std::string& name, std::string result) {
        if (!lasting_ && option.scope != Scope::once) return;
        const bool repeated = std::ranges::find(made_.shown, option.label, &Option::label) != made_.shown.end();
        const bool plain = option.scope == Scope::once && option.known && !repeated;
        if (!plain) {
            append(option.detail, "the agent calls it \"" + name + "\"");
            if (option.effect == Effect::allow && option.scope != Scope::once)
                append(option.detail, "it decides what it does not ask again");
        }
        option.detail = shown_line(option.detail, context_.redactor);
        if (option.detail.size() > limits::option_detail_bytes_max) return;  // never show a shortened change
        add_plain(std::move(option), std::move(result));
    }
    void add_plain(Option option, std::string result) {
        option.label = unique(option.label);
        if (option.effect == Effect::deny) option.role = Role::destructive;
        if (option.label == once_label) option.role = Role::primary;
        made_.raw.push_back({option.option_id, option.effect, std::move(result)});
        made_.shown.push_back(std::move(option));
    }
    [[nodiscard]] bool has(Effect effect) const {
        return std::ranges::find(made_.shown, effect, &Option::effect) != made_.shown.end();
    }
    // Our own option, which a grant implements: the agent only receives its plain allow.
    void add_grant() {
        if (context_.always != AlwaysMode::grant || !lasting_ || made_.shown.size() >= limits::options_max) return;
        const auto once = std::ranges::find(made_.shown, once_label, &Option::label);
        if (once == made_.shown.end()) return;
        const auto raw = std::ranges::find(made_.raw, once->option_id, &RawOption::option_id);
        auto result = raw->result;
        add_plain(option(grant_id, "Allow for session", Effect::allow, Scope::session), std::move(result));
    }
    [[nodiscard]] MadeOptions take() { return std::move(made_); }

private:
    static void append(std::string& detail, const std::string& more) { detail += (detail.empty() ? "" : "; ") + more; }
    [[nodiscard]] std::string unique(const std::string& label) const {
        auto candidate = label;
        for (int number = 2; std::ranges::find(made_.shown, candidate, &Option::label) != made_.shown.end(); ++number)
            candidate = label + " " + std::to_string(number);
        return candidate;
    }

    const Context& context_;
    bool lasting_;
    MadeOptions made_;
};

Error wrong(std::size_t index, std::string_view what, Errc code = Errc::malformed) {
    return {code, "options[" + std::to_string(index) + "]" + std::string{what}};
}

Result<void> add_agents_options(Options& options, const Ask& ask, const Context& context) {
    const auto& given = array_in(*ask.value.object(), "options");
    if (given.empty()) return Error{Errc::malformed, "options: at least one"};
    if (given.size() >= limits::options_max) return Error{Errc::too_large, "options: too many"};
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const auto* object = given[i].object();
        const auto* id = object == nullptr ? nullptr : object->find("optionId");
        if (id == nullptr || id->string() == nullptr || id->string()->empty()) return wrong(i, ".optionId: is missing");
        const auto bytes = bytes_of(ask.params, *id);
        if (bytes.size() > limits::native_decision_bytes_max) return wrong(i, ".optionId: too long", Errc::too_large);
        const auto read = json::read(bytes);
        if (!read || !read->exact()) return wrong(i, ".optionId: is not valid Unicode");
        if (std::ranges::find(ids, *id->string()) != ids.end()) return wrong(i, ".optionId: was there before");
        ids.push_back(*id->string());
        if (ends_the_asking(*id->string())) continue;
        auto made = option_of_kind(text_of(*object, "kind"));
        made.option_id = own_id(*id->string(), i);
        if (context.cancel_ends_turn && made.effect == Effect::deny && *id->string() == "cancel") {
            made.label = "Deny, end the turn";
            made.detail = "denies this and ends the agent's turn; what else it waits for is withdrawn";
        }
        options.add(std::move(made), text_of(*object, "name"), selected_result(bytes));
    }
    return {};
}

void add_elicitation_options(Options& options, const Ask& ask) {
    const bool page = elicitation_kind(ask) == ElicitationKind::page;
    auto accept = option("accept", page ? "I opened it" : "Accept", Effect::allow);
    accept.role = Role::primary;
    if (page) accept.detail = "open the page yourself first, if you trust it";
    options.add_plain(std::move(accept), accept_result(page ? "" : "{}"));
    options.add_plain(option("decline", "Decline", Effect::deny), decline_result());
    auto cancel = option("cancel", "Cancel", Effect::cancel);
    cancel.role = Role::cancel;
    options.add_plain(std::move(cancel), cancelled_result(ask.kind));
}

}  // namespace

Result<MadeOptions> options_of(const Ask& ask, const ReadSubject& subject, const Context& context) {
    Options options{context, subject.why_person.empty()};
    if (ask.kind == AskKind::elicitation) {
        add_elicitation_options(options, ask);
        return options.take();
    }
    if (const auto added = add_agents_options(options, ask, context); !added) return added.error();
    // The protocol's own refusal, of an agent that offers none.
    if (!options.has(Effect::deny))
        options.add_plain(option(deny_id, "Deny", Effect::deny), cancelled_result(ask.kind));
    options.add_grant();
    return options.take();
}

}  // namespace countersign::runtimes::acp
