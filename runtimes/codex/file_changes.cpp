// SPDX-License-Identifier: Apache-2.0
#include "runtimes/codex/file_changes.hpp"

#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/json/write.hpp"
#include "runtimes/call_facts.hpp"
#include "runtimes/codex/message.hpp"
#include "runtimes/redacted_diff.hpp"

#include <algorithm>
#include <optional>

namespace countersign::runtimes::codex {

namespace {

bool has_only(const json::Object& object, std::initializer_list<std::string_view> names) {
    return std::ranges::all_of(object.members(), [names](const auto& member) {
        return std::ranges::find(names, member.first) != names.end();
    });
}

std::optional<FileChange::Kind> kind_named(std::string_view type) {
    if (type == "add") return FileChange::Kind::add;
    if (type == "delete") return FileChange::Kind::remove;
    if (type == "update") return FileChange::Kind::update;
    return std::nullopt;
}

// False if the change has a member that we do not understand.
bool add_change(FileChanges& changes, const json::Value& value) {
    const auto* object = value.object();
    const auto* kind = object == nullptr ? nullptr : find_object(*object, "kind");
    if (kind == nullptr) return false;
    const auto type = kind_named(text_of(*kind, "type"));
    FileChange change{.kind = type.value_or(FileChange::Kind::update),
                      .path = text_of(*object, "path"),
                      .moved_to = text_of(*kind, "move_path"),
                      .text = text_of(*object, "diff")};
    if (!type || change.path.empty()) return false;
    changes.changes.push_back(std::move(change));
    const auto* diff = object->find("diff");
    return has_only(*object, {"path", "kind", "diff"}) && has_only(*kind, {"type", "move_path"}) && diff != nullptr &&
           diff->string() != nullptr;
}

bool add_old_change(FileChanges& changes, const std::string& path, const json::Value& value) {
    const auto* object = value.object();
    const auto type = object == nullptr ? std::nullopt : kind_named(text_of(*object, "type"));
    if (!type || path.empty()) return false;
    const bool update = *type == FileChange::Kind::update;
    const auto* text = object->find(update ? "unified_diff" : "content");
    changes.changes.push_back({.kind = *type,
                               .path = path,
                               .moved_to = text_of(*object, "move_path"),
                               .text = text_of(*object, update ? "unified_diff" : "content")});
    return has_only(*object, {"type", update ? "unified_diff" : "content", "move_path"}) && text != nullptr &&
           text->string() != nullptr;
}

Result<FileChanges> checked(FileChanges changes, bool understood, std::string_view json) {
    if (!understood) changes.unknown = json;
    if (changes.changes.empty()) return Error{Errc::malformed, "changes: Codex did not say what changes"};
    return changes;
}

std::string title_of(const FileChange& change) {
    std::string title = change.kind == FileChange::Kind::add      ? "add "
                        : change.kind == FileChange::Kind::remove ? "delete "
                                                                  : "update ";
    title += change.path;
    return change.moved_to.empty() ? title : title + ", moved to " + change.moved_to;
}

std::string diff_of(const FileChange& change, const security::Redactor& redactor) {
    const auto kind = security::kind_of_file(change.path);
    if (change.kind == FileChange::Kind::update) {
        auto diff = redacted_diff(change.text, kind, redactor);
        return diff.empty() || diff.ends_with('\n') ? diff : diff + "\n";
    }
    return with_sign(change.kind == FileChange::Kind::add ? '+' : '-', redactor.text(change.text, kind));
}

}  // namespace

Result<FileChanges> file_changes(std::string_view json) {
    const auto read = json::read(json);
    const auto* list = read ? read->value.array() : nullptr;
    FileChanges changes;
    if (list == nullptr) return checked(changes, true, json);
    bool understood = read->exact();
    for (const auto& value : *list) understood = add_change(changes, value) && understood;
    return checked(std::move(changes), understood, json);
}

Result<FileChanges> old_file_changes(std::string_view json) {
    const auto read = json::read(json);
    const auto* map = read ? read->value.object() : nullptr;
    FileChanges changes;
    if (map == nullptr) return checked(changes, true, json);
    bool understood = read->exact();
    for (const auto& [path, value] : map->members()) understood = add_old_change(changes, path, value) && understood;
    return checked(std::move(changes), understood, json);
}

CallFacts facts_of_changes(const FileChanges& changes) {
    // The paths are enough for the rules: the text of a file may mention anything.
    json::Array list;
    for (const auto& change : changes.changes) {
        json::Object one{{"path", change.path}};
        if (!change.moved_to.empty()) one.add("movePath", change.moved_to);
        list.emplace_back(std::move(one));
    }
    auto facts = facts_of_tool("apply_patch", json::Value{json::Object{{"changes", std::move(list)}}}, true);
    facts.unknown_members |= !changes.unknown.empty();
    return facts;
}

SubjectDisplay display_of_changes(const FileChanges& changes, const security::Redactor& redactor) {
    SubjectDisplay display;
    std::string paths;
    const bool several = changes.changes.size() > 1;
    for (const auto& change : changes.changes) {
        const auto title = shown_line(title_of(change), redactor);
        display.text += (display.text.empty() ? "" : "\n") + title;
        if (several) display.diff += "=== " + title + "\n";
        display.diff += shown_block(diff_of(change, redactor), redactor);
        paths += (paths.empty() ? "" : ", ") + shown_line(change.path, redactor);
    }
    display.summary = std::move(paths);
    if (!changes.unknown.empty()) display.text += "\nas sent: " + shown_block(changes.unknown, redactor);
    return display;
}

}  // namespace countersign::runtimes::codex
