// SPDX-License-Identifier: Apache-2.0
#include "config/sections.hpp"

#include "config/nearest.hpp"
#include "core/channel_kind.hpp"
#include "core/limits.hpp"

#include <algorithm>
#include <map>
#include <ranges>
#include <utility>

namespace countersign::config {

namespace {

std::set<Permission> read_roles(Fields& fields) {
    static const std::vector<std::string_view> known{name(Permission::approve), name(Permission::approve_always)};
    std::set<Permission> roles;
    const auto words = fields.words("roles", "\"approve\"");
    for (const auto& word : words) {
        if (const auto role = permission_named(word.text)) {
            roles.insert(*role);
        } else {
            fields.problems().add(word.at, word.key, "no such role",
                                  did_you_mean(word.text, known, "roles are: " + joined(known)));
        }
    }
    refuse_repeats(words, fields.problems());
    if (roles.contains(Permission::approve_always) && !roles.contains(Permission::approve)) {
        fields.reject("roles", "approve-always adds to approve and does not replace it",
                      "write roles = [\"approve\", \"approve-always\"]");
    }
    return roles;
}

// The log must be able to name the person of a principal, so no two people may share one.
void claim(Fields& fields, const std::string& key, const std::string& principal, const std::string& person,
           std::map<std::string, std::string>& owners) {
    const auto [owner, fresh] = owners.emplace(principal, person);
    if (fresh) return;
    fields.reject(key, principal + " belongs to " + owner->second + " already", "leave it out of one of them");
}

Complaint complaint_of(const PrincipalKind& kind, const WrittenId& id) {
    std::string instead{kind.instead};
    if (kind.is_long_number && id.integer != nullptr && *id.integer > 0) {
        instead = "write it as a string: " + std::string{kind.name} + " = \"" + std::to_string(*id.integer) + "\"";
    }
    if (id.text != nullptr && id.text->starts_with('@')) {
        return {"an @name can pass to somebody else, an id cannot", std::move(instead)};
    }
    return {"this is not " + std::string{kind.what}, std::move(instead)};
}

Person read_person(const TomlEntry& entry, Problems& problems, std::map<std::string, std::string>& owners,
                   const Known& known) {
    Fields fields{entry.value, key_path("people", entry.key), problems};
    Person person{.name = entry.key, .principals = {}, .permissions = {}, .language = {}};
    for (const auto& listed : known.kinds) {
        const auto& kind = listed.kind->principal;
        const std::string key{kind.name};
        const auto* node = fields.node(key);
        if (node == nullptr) continue;
        const WrittenId written{.text = node->text(), .integer = node->integer()};
        const auto id = kind.read(written);
        if (!id) {
            auto wrong = complaint_of(kind, written);
            fields.reject(key, std::move(wrong.what), std::move(wrong.instead));
            continue;
        }
        person.principals.push_back(key + ":" + *id);
        claim(fields, key, person.principals.back(), entry.key, owners);
    }
    person.permissions = read_roles(fields);
    person.language = read_language(fields, known).value_or("");
    fields.finish();
    return person;
}

}  // namespace

// A language that has cards; "zh-CN" uses the cards of zh.
std::optional<std::string> read_language(Fields& fields, const Known& known) {
    auto language = fields.text("language", "\"en\"");
    const auto& tags = known.languages;
    if (!language || std::ranges::find(tags, language->substr(0, language->find('-'))) != tags.end()) return language;
    fields.reject("language", "there are no cards in this language",
                  did_you_mean(*language, tags, "languages are: " + joined(tags)));
    return std::nullopt;
}

void read_people(Fields& root, Configuration& configuration, const Known& known) {
    const auto* node = root.node("people");
    if (node == nullptr) {
        root.reject("people", "there are no people, so nobody could decide", "write [people.alice]");
        return;
    }
    const Fields people{*node, "people", root.problems()};
    if (people.entries().size() > limits::people_max) {
        root.reject("people", "more than " + std::to_string(limits::people_max) + " people");
    }
    std::map<std::string, std::string> owners;
    for (const auto& entry : std::views::take(people.entries(), limits::people_max)) {
        if (root.problems().full()) return;
        if (!is_name(entry.key)) {
            root.problems().add(entry.at, people.key_of(entry.key), "this is no name of a person",
                                "write 1 to 64 of a-z, 0-9, _ and -");
        }
        configuration.people.emplace(entry.key, read_person(entry, root.problems(), owners, known));
    }
}

std::string example_person(const Configuration& configuration) {
    return configuration.people.empty() ? "\"alice\"" : "\"" + configuration.people.begin()->first + "\"";
}

bool is_person(const Word& word, const Configuration& configuration, Problems& problems) {
    if (configuration.people.contains(word.text)) return true;
    const auto instead = word.text.starts_with('@') ? std::string{"name people here, not groups"}
                                                    : did_you_mean(word.text, names_of(configuration.people),
                                                                   "write a name that has a [people.<name>] table");
    problems.add(word.at, word.key, "there is no such person", instead);
    return false;
}

void refuse_repeats(const std::vector<Word>& words, Problems& problems) {
    std::set<std::string_view> seen;
    for (const auto& word : words) {
        if (!seen.insert(word.text).second) problems.add(word.at, word.key, "stands here twice", "leave it out");
    }
}

}  // namespace countersign::config
