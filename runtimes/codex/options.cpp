// SPDX-License-Identifier: Apache-2.0
#include "runtimes/codex/options.hpp"

#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "core/limits.hpp"
#include "runtimes/codex/outgoing.hpp"

#include <algorithm>
#include <optional>

namespace countersign::runtimes::codex {

namespace {

constexpr std::string_view once_label = "Allow once";
constexpr std::string_view session_label = "Allow for session";

Option option(std::string_view id, std::string_view label, Effect effect, Scope scope = Scope::once) {
    Option made;
    made.option_id = id;
    made.label = label;
    made.effect = effect;
    made.scope = scope;
    if (effect == Effect::allow && scope == Scope::once) made.role = Role::primary;
    if (effect == Effect::deny) made.role = Role::destructive;
    if (effect == Effect::cancel) made.role = Role::cancel;
    return made;
}

Option cancel_option() {
    auto made = option("cancel", "Deny, end the turn", Effect::cancel);
    made.detail = "denies this and ends the agent's turn; what else it waits for is withdrawn";
    return made;
}

bool has_only(const json::Object& object, std::string_view name) {
    return object.members().size() == 1 && object.members().front().first == name;
}

// "commands that begin with": a rule of Codex is a list of first words.
std::optional<Option> amendment_option(const json::Object& amendment) {
    const auto* words =
        has_only(amendment, "execpolicy_amendment") ? find_array(amendment, "execpolicy_amendment") : nullptr;
    if (words == nullptr || words->empty()) return std::nullopt;
    auto made = option("", "Always, by prefix", Effect::allow, Scope::always);
    made.detail = "writes a rule for Codex: every command that begins with these words runs without asking, in all "
                  "sessions: ";
    for (const auto& word : *words) {
        if (word.string() == nullptr) return std::nullopt;
        made.detail += (&word == &words->front() ? "" : " ") + json::canonical(word);
    }
    made.exact_call = false;
    return made;
}

std::optional<Option> network_option(const json::Object& amendment) {
    const auto* policy =
        has_only(amendment, "network_policy_amendment") ? find_object(amendment, "network_policy_amendment") : nullptr;
    if (policy == nullptr || policy->members().size() != 2) return std::nullopt;
    const auto host = text_of(*policy, "host");
    const auto action = text_of(*policy, "action");
    if (host.empty() || (action != "allow" && action != "deny")) return std::nullopt;
    const bool allows = action == "allow";
    auto made = option("", allows ? "Always, this host" : "Never, this host", allows ? Effect::allow : Effect::deny,
                       Scope::always);
    made.detail = std::string{allows ? "Codex connects to this host without asking from now on: "
                                     : "Codex refuses connections to this host from now on: "} +
                  host;
    made.exact_call = false;
    return made;
}

// One of availableDecisions. Empty if we cannot say what it does.
std::optional<Option> decision_option(const json::Value& decision) {
    if (const auto* word = decision.string()) {
        if (*word == "accept") return option("accept", once_label, Effect::allow);
        if (*word == "acceptForSession")
            return option("acceptForSession", session_label, Effect::allow, Scope::session);
        if (*word == "decline") return option("decline", "Deny", Effect::deny);
        if (*word == "cancel") return cancel_option();
        return std::nullopt;
    }
    const auto* object = decision.object();
    if (object == nullptr) return std::nullopt;
    if (has_only(*object, "acceptWithExecpolicyAmendment")) {
        const auto* amendment = find_object(*object, "acceptWithExecpolicyAmendment");
        return amendment == nullptr ? std::nullopt : amendment_option(*amendment);
    }
    if (has_only(*object, "applyNetworkPolicyAmendment")) {
        const auto* amendment = find_object(*object, "applyNetworkPolicyAmendment");
        return amendment == nullptr ? std::nullopt : network_option(*amendment);
    }
    return std::nullopt;
}

class Options {
public:
    Options(const security::Redactor& redactor, bool lasting) : redactor_{redactor}, lasting_{lasting} {}

    void add(Option option, std::string result) {
        if (made_.shown.size() == limits::options_max) return;
        if (!lasting_ && option.scope != Scope::once) return;
        if (has(option.option_id)) return;
        option.detail = shown_line(option.detail, redactor_);
        if (option.detail.size() > limits::option_detail_bytes_max) return;  // never show a shortened change
        option.label = unique(option.label);
        made_.raw.push_back({option.option_id, option.effect, std::move(result)});
        made_.shown.push_back(std::move(option));
    }
    [[nodiscard]] bool has(std::string_view id) const {
        return std::ranges::find(made_.shown, id, &Option::option_id) != made_.shown.end();
    }
    // Our own option, which a grant implements: Codex only receives the plain allow of this id.
    void add_grant(AlwaysMode always, std::string_view once) {
        if (always != AlwaysMode::grant || !has(once)) return;
        const auto plain = std::ranges::find(made_.raw, once, &RawOption::option_id)->result;
        add(option("session", session_label, Effect::allow, Scope::session), plain);
    }
    [[nodiscard]] MadeOptions take() { return std::move(made_); }

private:
    [[nodiscard]] std::string unique(const std::string& label) const {
        auto candidate = label;
        for (int number = 2; std::ranges::find(made_.shown, candidate, &Option::label) != made_.shown.end(); ++number)
            candidate = label + " " + std::to_string(number);
        return candidate;
    }

    const security::Redactor& redactor_;
    bool lasting_;
    MadeOptions made_;
};

void add_command_options(Options& options, const Ask& ask, bool native) {
    const auto* decisions = find_array(*ask.value.object(), "availableDecisions");
    if (decisions == nullptr) {
        // Older servers do not list what their protocol documents.
        options.add(option("accept", once_label, Effect::allow), decision_result("\"accept\""));
        options.add(cancel_option(), decision_result("\"cancel\""));
    }
    for (std::size_t i = 0; decisions != nullptr && i < decisions->size(); ++i) {
        const auto bytes = bytes_of(ask.params, (*decisions)[i]);
        auto made = bytes.size() > limits::native_decision_bytes_max ? std::nullopt : decision_option((*decisions)[i]);
        if (!made || (!native && made->scope != Scope::once)) continue;
        if (made->option_id.empty()) made->option_id = "d" + std::to_string(i);
        options.add(std::move(*made), decision_result(bytes));
    }
    // Accepted by Codex also where it is not listed.
    if (!options.has("decline")) options.add(option("decline", "Deny", Effect::deny), decision_result("\"decline\""));
}

void add_change_options(Options& options, bool native) {
    options.add(option("accept", once_label, Effect::allow), decision_result("\"accept\""));
    options.add(option("decline", "Deny", Effect::deny), decision_result("\"decline\""));
    options.add(cancel_option(), decision_result("\"cancel\""));
    if (!native) return;
    auto lasting = option("acceptForSession", "Files, for session", Effect::allow, Scope::session);
    lasting.detail = "Codex changes these files in any way without asking, until its session ends";
    lasting.exact_call = false;
    options.add(std::move(lasting), decision_result("\"acceptForSession\""));
}

void add_old_options(Options& options, const Ask& ask, bool native) {
    options.add(option("approved", once_label, Effect::allow), decision_result("\"approved\""));
    options.add(option("denied", "Deny", Effect::deny), refusal_result(ask.kind, {}));
    options.add(cancel_option(), decision_result("\"abort\""));
    if (!native) return;
    auto lasting = option("approved_for_session", session_label, Effect::allow, Scope::session);
    lasting.detail = "Codex decides what it does not ask again until its session ends";
    lasting.exact_call = false;
    options.add(std::move(lasting), decision_result("\"approved_for_session\""));
}

void add_tool_options(Options& options, const Ask& ask, bool native) {
    options.add(option("accept", once_label, Effect::allow), elicitation_result("accept", "{}", "null"));
    options.add(option("decline", "Deny", Effect::deny), elicitation_result("decline", "null", "null"));
    options.add(cancel_option(), elicitation_result("cancel", "null", "null"));
    const auto* meta = find_object(*ask.value.object(), "_meta");
    const auto* persist = meta == nullptr ? nullptr : find_array(*meta, "persist");
    if (!native || persist == nullptr) return;
    for (const auto& value : *persist) {
        const auto* word = value.string();
        if (word == nullptr || (*word != "session" && *word != "always")) continue;
        const bool always = *word == "always";
        auto lasting = option("persist_" + *word, always ? "Tool, always" : "Tool, for session", Effect::allow,
                              always ? Scope::always : Scope::session);
        lasting.detail = std::string{"Codex runs this tool with any arguments without asking, "} +
                         (always ? "in all sessions" : "until its session ends");
        lasting.exact_call = false;
        options.add(std::move(lasting),
                    elicitation_result("accept", "{}", R"({"persist":)" + json::canonical(value) + "}"));
    }
}

void add_permission_options(Options& options, const Ask& ask) {
    const auto& permissions = *find_object(*ask.value.object(), "permissions");
    std::string granted;
    for (const auto& [name, value] : permissions.members()) {
        if (value.is_null()) continue;
        granted += (granted.empty() ? "" : ",") + json::canonical(json::Value{name}) + ":";
        granted += bytes_of(ask.params, value);
    }
    options.add(option("turn", "Allow for this turn", Effect::allow), permissions_result("{" + granted + "}"));
    options.add(option("deny", "Deny", Effect::deny), permissions_result("{}"));
}

}  // namespace

MadeOptions options_of(const Ask& ask, const ReadSubject& subject, const Context& context) {
    const bool native = context.always == AlwaysMode::native;
    Options options{context.redactor, subject.why_person.empty()};
    switch (ask.kind) {
    case AskKind::command:
        add_command_options(options, ask, native);
        break;
    case AskKind::file_change:
        add_change_options(options, native);
        break;
    case AskKind::old_command:
    case AskKind::old_patch:
        add_old_options(options, ask, native);
        break;
    case AskKind::permissions:
        add_permission_options(options, ask);
        break;
    case AskKind::elicitation:
        add_tool_options(options, ask, native);
        break;
    case AskKind::question:
        break;
    }
    for (const auto* once : {"accept", "approved"}) options.add_grant(context.always, once);
    return options.take();
}

}  // namespace countersign::runtimes::codex
