// SPDX-License-Identifier: Apache-2.0
#include "runtimes/claude/options.hpp"

#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/limits.hpp"
#include "runtimes/subject_display.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace countersign::runtimes::claude {

namespace {

struct Destination {
    std::string_view name;
    Scope scope;
    std::string_view label;
    std::string_view where;
};
constexpr std::array destinations{
    Destination{"session", Scope::session, "Rule for session", "for this session"},
    Destination{"localSettings", Scope::always, "Always, project", "in .claude/settings.local.json"},
    Destination{"projectSettings", Scope::always, "Always, team", "in .claude/settings.json, shared with the project"},
    Destination{"userSettings", Scope::always, "Always, user", "in the user's own settings, for every project"},
};

const Destination* destination_of(const json::Object& suggestion) {
    const auto name = text_of(suggestion, "destination");
    const auto* found = std::ranges::find(destinations, name, &Destination::name);
    return found == destinations.end() ? nullptr : found;
}

bool has_only(const json::Object& object, std::initializer_list<std::string_view> names) {
    return std::ranges::all_of(object.members(), [names](const auto& member) {
        return std::ranges::find(names, member.first) != names.end();
    });
}

struct Rule {
    std::string tool;
    std::optional<std::string> content;
};

std::optional<std::vector<Rule>> rules_in(const json::Object& suggestion) {
    const auto* array = find_array(suggestion, "rules");
    if (array == nullptr || array->empty()) return std::nullopt;
    std::vector<Rule> rules;
    for (const auto& element : *array) {
        const auto* object = element.object();
        if (object == nullptr || !has_only(*object, {"toolName", "ruleContent"})) return std::nullopt;
        Rule rule{.tool = text_of(*object, "toolName"), .content = std::nullopt};
        if (const auto* content = object->find("ruleContent")) {
            if (content->string() == nullptr) return std::nullopt;
            rule.content = *content->string();
        }
        if (rule.tool.empty()) return std::nullopt;
        rules.push_back(std::move(rule));
    }
    return rules;
}

// Whether the rule allows this command and no other. A star in a rule is a wildcard, whatever it was in the command;
// the rules of other tools name a place, a host or the whole tool.
bool is_exact(const std::vector<Rule>& rules, const CanUseTool& call) {
    if (rules.size() != 1 || call.tool_name != "Bash" || rules.front().tool != "Bash" || !rules.front().content)
        return false;
    const auto& content = *rules.front().content;
    return !content.empty() && content == text_of(*call.input.object(), "command") &&
           content.find_first_of("*\\") == std::string::npos;
}

std::string in_words(const std::vector<Rule>& rules) {
    std::string words = rules.size() == 1 ? "the rule " : "the rules ";
    for (const auto& rule : rules) {
        if (&rule != &rules.front()) words += ", ";
        words += rule.content ? rule.tool + "(" + *rule.content + ")" : rule.tool + " with any arguments";
    }
    return words;
}

// One suggestion as an option without its id. Empty if we cannot put the change into words.
std::optional<Option> rules_option(const json::Object& suggestion, const Destination& destination,
                                   const CanUseTool& call) {
    if (!has_only(suggestion, {"type", "rules", "behavior", "destination"})) return std::nullopt;
    if (text_of(suggestion, "behavior") != "allow") return std::nullopt;
    const auto rules = rules_in(suggestion);
    if (!rules) return std::nullopt;
    const bool writes = destination.scope == Scope::always;
    Option option;
    option.label = destination.label;
    option.detail = (writes ? "writes " : "adds ") + in_words(*rules) + " " + std::string{destination.where} +
                    ": what it covers is not asked again";
    option.scope = destination.scope;
    option.exact_call = is_exact(*rules, call);
    return option;
}

std::optional<Option> directories_option(const json::Object& suggestion, const Destination& destination) {
    const auto* array = find_array(suggestion, "directories");
    if (array == nullptr || array->empty()) return std::nullopt;
    if (!has_only(suggestion, {"type", "directories", "destination"})) return std::nullopt;
    Option option;
    option.label = "Open directory";
    option.detail = "adds to the directories that the agent may work in, " + std::string{destination.where} + ": ";
    for (const auto& element : *array) {
        if (element.string() == nullptr || element.string()->empty()) return std::nullopt;
        option.detail += (&element == &array->front() ? "" : ", ") + *element.string();
    }
    option.scope = destination.scope;
    option.exact_call = false;
    return option;
}

// Accepts only the mode that still asks for everything but edits. bypassPermissions, dontAsk and auto would end the
// asking.
std::optional<Option> mode_option(const json::Object& suggestion, const Destination& destination) {
    if (!has_only(suggestion, {"type", "mode", "destination"})) return std::nullopt;
    if (text_of(suggestion, "mode") != "acceptEdits") return std::nullopt;
    Option option;
    option.label = "Accept all edits";
    option.detail = "accepts all edits, and commands such as touch and mkdir in the working directory, " +
                    std::string{destination.where} + " from now on, without asking";
    option.scope = destination.scope;
    option.exact_call = false;
    return option;
}

std::optional<Option> option_of(std::string_view bytes, const CanUseTool& call) {
    if (bytes.size() > limits::native_decision_bytes_max) return std::nullopt;
    const auto read = json::read(bytes);
    const auto* suggestion = read && read->exact() ? read->value.object() : nullptr;
    const auto* destination = suggestion == nullptr ? nullptr : destination_of(*suggestion);
    if (destination == nullptr) return std::nullopt;
    const auto type = text_of(*suggestion, "type");
    if (type == "addRules") return rules_option(*suggestion, *destination, call);
    if (type == "addDirectories") return directories_option(*suggestion, *destination);
    if (type == "setMode") return mode_option(*suggestion, *destination);
    return std::nullopt;
}

void add(MadeOptions& made, Option option, std::string permission) {
    made.raw.push_back({option.option_id, option.effect, std::move(permission)});
    made.shown.push_back(std::move(option));
}

// If two suggestions have the same label, the second becomes "… 2".
std::string unique_label(const MadeOptions& made, const std::string& label) {
    auto candidate = label;
    for (int number = 2; std::ranges::find(made.shown, candidate, &Option::label) != made.shown.end(); ++number) {
        candidate = label + " " + std::to_string(number);
    }
    return candidate;
}

void add_suggestion(MadeOptions& made, std::size_t index, const CanUseTool& call, const security::Redactor& redactor) {
    if (made.shown.size() == limits::options_max) return;
    auto option = option_of(call.suggestions[index], call);
    if (!option) return;
    option->option_id = "s" + std::to_string(index);
    option->effect = Effect::allow;
    option->label = unique_label(made, option->label);
    option->detail = shown_line(option->detail, redactor);
    if (option->detail.size() > limits::option_detail_bytes_max) return;  // never show a shortened change
    add(made, std::move(*option), call.suggestions[index]);
}

}  // namespace

MadeOptions options_of(const CanUseTool& call, const Context& context) {
    MadeOptions made;
    Option allow{.option_id = "allow", .label = "Allow once", .detail = {}, .effect = Effect::allow};
    allow.role = call.default_to_no ? Role::none : Role::primary;
    if (!call.only_deny) add(made, std::move(allow), {});
    add(made, {.option_id = "deny", .label = "Deny", .detail = {}, .role = Role::destructive, .effect = Effect::deny},
        {});
    if (call.only_deny || call.no_always || wants_person(call, context)) return made;
    if (context.always == AlwaysMode::grant) {
        // Our own option: a grant implements it, and the CLI only receives a plain allow.
        add(made,
            {.option_id = "session",
             .label = "Allow for session",
             .detail = {},
             .effect = Effect::allow,
             .scope = Scope::session},
            {});
    }
    for (std::size_t i = 0; i < call.suggestions.size(); ++i) add_suggestion(made, i, call, context.redactor);
    return made;
}

}  // namespace countersign::runtimes::claude
