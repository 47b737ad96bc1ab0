// SPDX-License-Identifier: Apache-2.0
#include "runtimes/claude/hook_settings.hpp"

#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/json/write.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace countersign::runtimes::claude {
namespace {

constexpr std::string_view white_space = " \t\r\n";

struct HookedEvent {
    std::string_view name;
    int timeout;  // seconds
};
// The one that asks must wait as long as a person needs; the CLI's own limit is ten minutes.
constexpr std::string_view asking_event = "PermissionRequest";
constexpr std::array hooked_events{
    HookedEvent{asking_event, 86'400}, HookedEvent{"PostToolUse", 10}, HookedEvent{"PostToolUseFailure", 10},
    HookedEvent{"PostToolBatch", 10},  HookedEvent{"Stop", 10},        HookedEvent{"SubagentStop", 10},
    HookedEvent{"SessionEnd", 10}};

// Printed with line breaks, below an item that begins with `indent`; on one line without `unit`.
std::string printed(const json::Value& value, const std::string& newline, const std::string& indent,
                    const std::string& unit) {
    const auto* object = value.object();
    const auto* array = value.array();
    const bool empty = (object != nullptr && object->empty()) || (array != nullptr && array->empty());
    if ((object == nullptr && array == nullptr) || empty) return json::canonical(value);
    const auto below = indent + unit;
    const auto line = unit.empty() ? std::string{} : newline + below;
    std::string text;
    const auto separate = [&] { text += text.empty() ? line : "," + (unit.empty() ? " " : line); };
    if (object != nullptr) {
        for (const auto& [name, member] : object->members()) {
            separate();
            text += json::canonical(name) + ": " + printed(member, newline, below, unit);
        }
    } else {
        for (const auto& element : *array) {
            separate();
            text += printed(element, newline, below, unit);
        }
    }
    const auto last = unit.empty() ? std::string{} : newline + indent;
    return (object != nullptr ? "{" : "[") + text + last + (object != nullptr ? "}" : "]");
}

// SettingsText: a JSON text that is edited in place. Read again after each edit, so spans are always right.
class SettingsText {
public:
    static Result<SettingsText> read(std::string_view text) {
        SettingsText settings;
        settings.text_ = text.find_first_not_of(white_space) == std::string_view::npos ? "{}\n" : std::string{text};
        const auto document = json::read(settings.text_);
        if (!document) return document.error();
        if (document->value.object() == nullptr) return Error{Errc::malformed, "must be a JSON object"};
        if (const auto twice = json::given_twice(document->value, "")) {
            return Error{Errc::malformed, *twice + " is given twice"};
        }
        settings.root_ = document->value;
        return settings;
    }

    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] const json::Object& root() const { return *root_.object(); }

    // Null if there is no such member.
    [[nodiscard]] const json::Value* find(const std::vector<std::string_view>& path) const {
        const json::Value* value = &root_;
        for (const auto name : path) {
            value = value->object() == nullptr ? nullptr : value->object()->find(name);
            if (value == nullptr) return nullptr;
        }
        return value;
    }

    void add_member(const std::vector<std::string_view>& path, std::string_view name, const json::Value& value) {
        const auto& object = *find(path);
        std::vector<std::size_t> ends;
        for (const auto& [ignored, member] : object.object()->members()) ends.push_back(member.span().end);
        insert(object.span(), ends, path.size(), json::canonical(json::Value{name}) + ": ", value);
    }
    void add_element(const std::vector<std::string_view>& path, const json::Value& value) {
        const auto& array = *find(path);
        insert(array.span(), ends_of(*array.array()), path.size(), {}, value);
    }
    void replace(const std::vector<std::string_view>& path, const json::Value& value) {
        const auto span = find(path)->span();
        change(span.begin, span.end, json::canonical(value));
    }
    // The item of this number in an object or array.
    void remove(const json::Value& container, std::size_t index) {
        std::vector<std::size_t> ends;
        if (const auto* object = container.object()) {
            for (const auto& [ignored, member] : object->members()) ends.push_back(member.span().end);
        } else {
            ends = ends_of(*container.array());
        }
        const auto [begin, end] = container.span();
        if (ends.size() == 1) return change(begin + 1, end - 1, {});
        if (index > 0) return change(ends[index - 1], ends[index], {});
        change(item_after(begin + 1), item_after(ends[0]), {});
    }
    void remove_member(const std::vector<std::string_view>& path, std::string_view name) {
        const auto& object = *find(path);
        const auto& members = object.object()->members();
        const auto found =
            std::ranges::find(members, name, [](const auto& member) { return std::string_view{member.first}; });
        if (found != members.end()) remove(object, static_cast<std::size_t>(found - members.begin()));
    }

private:
    static std::vector<std::size_t> ends_of(const json::Array& array) {
        std::vector<std::size_t> ends;
        for (const auto& element : array) ends.push_back(element.span().end);
        return ends;
    }
    [[nodiscard]] std::size_t item_after(std::size_t at) const { return text_.find_first_not_of(" \t\r\n,", at); }
    [[nodiscard]] std::string newline() const { return text_.find("\r\n") == std::string::npos ? "\n" : "\r\n"; }

    // White space at the beginning of the first line that is further in; two spaces if there is none.
    [[nodiscard]] std::string unit() const {
        const auto line = text_.find('\n');
        const auto begin = line == std::string::npos ? line : line + 1;
        const auto end = begin == std::string::npos ? begin : text_.find_first_not_of(" \t", begin);
        if (end == std::string::npos || end == begin) return "  ";
        return text_.substr(begin, end - begin);
    }
    // The file has line breaks, or nothing to go by.
    [[nodiscard]] bool has_lines() const {
        return root().empty() || text_.find('\n', root_.span().begin) < root_.span().end;
    }

    void insert(json::Value::Span container, const std::vector<std::size_t>& ends, std::size_t depth,
                const std::string& name, const json::Value& value) {
        std::string outer;
        for (std::size_t i = 0; i < depth; ++i) outer += unit();
        const auto first = text_.find_first_not_of(white_space, container.begin + 1);
        const auto gap = text_.substr(container.begin + 1, first - container.begin - 1);
        const auto line = gap.rfind('\n');
        const bool lines = ends.empty() ? has_lines() : line != std::string::npos;
        if (!lines) {
            const auto item = name + printed(value, {}, {}, {});
            if (ends.empty()) return change(container.begin + 1, container.end - 1, item);
            return change(ends.back(), ends.back(), ", " + item);
        }
        const auto indent = ends.empty() ? outer + unit() : gap.substr(line + 1);
        const auto item = newline() + indent + name + printed(value, newline(), indent, unit());
        if (ends.empty()) return change(container.begin + 1, container.end - 1, item + newline() + outer);
        change(ends.back(), ends.back(), "," + item);
    }

    void change(std::size_t begin, std::size_t end, const std::string& with) {
        text_.replace(begin, end - begin, with);
        root_ = json::read(text_)->value;  // we only put JSON where JSON was
    }

    std::string text_;
    json::Value root_;
};

Result<void> check_kind(const SettingsText& settings, const std::vector<std::string_view>& path, bool object) {
    const auto* value = settings.find(path);
    if (value == nullptr) return {};
    if (object ? value->object() != nullptr : value->array() != nullptr) return {};
    std::string name;
    for (const auto part : path) name += (name.empty() ? "" : ".") + std::string{part};
    return Error{Errc::malformed, name + (object ? " must be an object" : " must be an array")};
}

Result<void> check_kinds(const SettingsText& settings) {
    if (const auto hooks = check_kind(settings, {"hooks"}, true); !hooks) return hooks;
    if (const auto permissions = check_kind(settings, {"permissions"}, true); !permissions) return permissions;
    if (const auto ask = check_kind(settings, {"permissions", "ask"}, false); !ask) return ask;
    for (const auto& event : hooked_events) {
        if (const auto array = check_kind(settings, {"hooks", event.name}, false); !array) return array;
    }
    return {};
}

json::Value group_for(const HookedEvent& event, const HookInstallation& wanted) {
    json::Object hook{{"type", "command"}, {"command", wanted.command}, {"timeout", event.timeout}};
    if (wanted.unattended && event.name == asking_event) hook.add("onFailure", "block");
    json::Object group;
    if (event.name == asking_event) group.add("matcher", "");
    group.add("hooks", json::Array{std::move(hook)});
    return group;
}

struct Place {
    std::size_t group = 0;
    std::size_t hook = 0;
    std::string command = {};
    bool alone = false;  // in its group
};
// The first hook of ours for this event.
std::optional<Place> ours_in(const SettingsText& settings, std::string_view event) {
    const auto* groups = settings.find({"hooks", event});
    if (groups == nullptr || groups->array() == nullptr) return std::nullopt;
    for (std::size_t i = 0; i < groups->array()->size(); ++i) {
        const auto* group = (*groups->array())[i].object();
        const auto* hooks = group == nullptr ? nullptr : json::find_array(*group, "hooks");
        for (std::size_t j = 0; hooks != nullptr && j < hooks->size(); ++j) {
            const auto* hook = (*hooks)[j].object();
            auto command = hook == nullptr ? std::string{} : json::text_of(*hook, "command");
            if (is_our_hook(command)) {
                return Place{.group = i, .hook = j, .command = std::move(command), .alone = hooks->size() == 1};
            }
        }
    }
    return std::nullopt;
}

void remove_ours(SettingsText& settings, std::string_view event) {
    while (const auto place = ours_in(settings, event)) {
        const auto& groups = *settings.find({"hooks", event});
        if (place->alone) {
            settings.remove(groups, place->group);
        } else {
            settings.remove(*(*groups.array())[place->group].object()->find("hooks"), place->hook);
        }
    }
}

bool has_exactly(const SettingsText& settings, std::string_view event, const json::Value& group) {
    const auto* groups = settings.find({"hooks", event});
    if (groups == nullptr) return false;
    const auto& all = *groups->array();
    const auto wanted = json::canonical(group);
    std::size_t commands = 0;
    for (const auto& one : all) {
        const auto* object = one.object();
        for (const auto& hook : object == nullptr ? json::Array{} : json::array_in(*object, "hooks")) {
            commands += hook.object() != nullptr && is_our_hook(json::text_of(*hook.object(), "command")) ? 1 : 0;
        }
    }
    return commands == 1 &&
           std::ranges::any_of(all, [&](const json::Value& one) { return json::canonical(one) == wanted; });
}

void add_ours(SettingsText& settings, const HookedEvent& event, const HookInstallation& wanted) {
    auto group = group_for(event, wanted);
    if (has_exactly(settings, event.name, group)) return;
    remove_ours(settings, event.name);
    if (settings.find({"hooks"}) == nullptr) settings.add_member({}, "hooks", json::Object{});
    if (settings.find({"hooks", event.name}) == nullptr) settings.add_member({"hooks"}, event.name, json::Array{});
    settings.add_element({"hooks", event.name}, group);
}

std::optional<std::size_t> ask_all_in(const SettingsText& settings) {
    const auto* ask = settings.find({"permissions", "ask"});
    if (ask == nullptr || ask->array() == nullptr) return std::nullopt;
    const auto found = std::ranges::find(*ask->array(), json::Value{"*"});
    if (found == ask->array()->end()) return std::nullopt;
    return static_cast<std::size_t>(found - ask->array()->begin());
}

void set_permissions(SettingsText& settings, const HookInstallation& wanted) {
    if (!wanted.default_mode && !wanted.ask_everything) return;
    if (settings.find({"permissions"}) == nullptr) settings.add_member({}, "permissions", json::Object{});
    if (wanted.default_mode) {
        if (settings.find({"permissions", "defaultMode"}) == nullptr) {
            settings.add_member({"permissions"}, "defaultMode", "default");
        } else if (*settings.find({"permissions", "defaultMode"}) != json::Value{"default"}) {
            settings.replace({"permissions", "defaultMode"}, "default");
        }
    }
    if (wanted.ask_everything && !ask_all_in(settings)) {
        if (settings.find({"permissions", "ask"}) == nullptr)
            settings.add_member({"permissions"}, "ask", json::Array{});
        settings.add_element({"permissions", "ask"}, "*");
    }
}

// A member that the installation created, unless something else is in it by now.
void remove_if_empty(SettingsText& settings, const std::vector<std::string_view>& path, std::string_view name) {
    auto whole = path;
    whole.push_back(name);
    const auto* value = settings.find(whole);
    if (value == nullptr) return;
    const bool empty = (value->object() != nullptr && value->object()->empty()) ||
                       (value->array() != nullptr && value->array()->empty());
    if (empty) settings.remove_member(path, name);
}

bool has_option(const std::string& command, std::string_view option) {
    return (command + " ").find(" " + std::string{option} + " ") != std::string::npos;
}

void restore_permissions(SettingsText& settings, const std::string& command, std::string_view before) {
    const bool mode_set = has_option(command, "--default-mode");
    const bool asks_all = has_option(command, "--ask-everything");
    if (!mode_set && !asks_all) return;
    const auto earlier = SettingsText::read(before);
    const auto* mode = earlier ? earlier->find({"permissions", "defaultMode"}) : nullptr;
    const auto* now = settings.find({"permissions", "defaultMode"});
    if (mode_set && now != nullptr && *now == json::Value{"default"}) {
        if (mode != nullptr) settings.replace({"permissions", "defaultMode"}, *mode);
        if (mode == nullptr) settings.remove_member({"permissions"}, "defaultMode");
    }
    const bool asked_before = earlier && ask_all_in(*earlier);
    if (const auto all = ask_all_in(settings); all && asks_all && !asked_before) {
        settings.remove(*settings.find({"permissions", "ask"}), *all);
    }
    if (asks_all) remove_if_empty(settings, {"permissions"}, "ask");
    remove_if_empty(settings, {}, "permissions");
}

// Options of an earlier installation that the new one doesn't have.
bool drops_options(const SettingsText& settings, const HookInstallation& wanted) {
    const auto place = ours_in(settings, asking_event);
    if (!place) return false;
    return (has_option(place->command, "--default-mode") && !wanted.default_mode) ||
           (has_option(place->command, "--ask-everything") && !wanted.ask_everything);
}

}  // namespace

bool is_our_hook(std::string_view command) {
    const auto at = command.find(" hook claude");
    if (at == std::string_view::npos) return false;
    auto program = command.substr(0, at);
    while (program.ends_with('\'') || program.ends_with('"')) program.remove_suffix(1);
    const auto slash = program.find_last_of("/'\"");
    return program.substr(slash == std::string_view::npos ? 0 : slash + 1) == "countersign";
}

Result<std::string> with_hook(std::string_view text, const HookInstallation& wanted, std::string_view before) {
    auto settings = SettingsText::read(text);
    if (!settings) return settings.error();
    if (const auto checked = check_kinds(*settings); !checked) return checked.error();
    if (drops_options(*settings, wanted)) {
        const auto without = without_hook(text, before);
        if (!without) return without.error();
        settings = SettingsText::read(*without);
    }
    set_permissions(*settings, wanted);
    for (const auto& event : hooked_events) add_ours(*settings, event, wanted);
    return settings->text();
}

Result<std::string> without_hook(std::string_view text, std::string_view before) {
    auto settings = SettingsText::read(text);
    if (!settings) return settings.error();
    if (const auto checked = check_kinds(*settings); !checked) return checked.error();
    const auto place = ours_in(*settings, asking_event);
    for (const auto& event : hooked_events) {
        if (!ours_in(*settings, event.name)) continue;
        remove_ours(*settings, event.name);
        remove_if_empty(*settings, {"hooks"}, event.name);
    }
    remove_if_empty(*settings, {}, "hooks");
    if (place) restore_permissions(*settings, place->command, before);
    return settings->text();
}

}  // namespace countersign::runtimes::claude
