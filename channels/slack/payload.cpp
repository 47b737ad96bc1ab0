// SPDX-License-Identifier: Apache-2.0
#include "channels/slack/payload.hpp"

#include "channels/slack/ids.hpp"
#include "channels/slack/text.hpp"
#include "core/decimal.hpp"
#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/limits.hpp"
#include "security/form.hpp"

#include <algorithm>
#include <initializer_list>

namespace countersign::channels::slack {

namespace {

// `own` is the user's own team where Slack told it; `place` is where they acted. A stranger from another workspace who
// acts here must not become a member of this one: so the place stands in only where the user's own is not told.
struct Teams {
    std::string own;
    std::string place;
    std::string enterprise;
};
Actor actor_of(std::string user, const Teams& teams) {
    Actor actor{.user = std::move(user), .principals = {}};
    if (!is_user(actor.user)) return actor;
    const auto add = [&](const std::string& team) {
        if (!is_team(team)) return;
        auto principal = "slack:" + team + "/" + actor.user;
        const bool known = std::ranges::find(actor.principals, principal) != actor.principals.end();
        if (!known) actor.principals.push_back(std::move(principal));
    };
    add(teams.own.empty() ? teams.place : teams.own);
    const bool at_home = teams.own.empty() || teams.own == teams.place || teams.own == teams.enterprise;
    if (at_home) add(teams.enterprise);
    return actor;
}

Actor actor_of(const json::Object& payload) {
    const auto& user = object_in(payload, "user");
    auto enterprise = text_of(object_in(payload, "enterprise"), "id");
    if (enterprise.empty()) enterprise = text_of(object_in(payload, "team"), "enterprise_id");
    return actor_of(text_of(user, "id"), {.own = text_of(user, "team_id"),
                                          .place = text_of(object_in(payload, "team"), "id"),
                                          .enterprise = std::move(enterprise)});
}

bool has_data(const json::Object& holder, const std::string& data) {
    if (text_of(holder, "value") == data) return true;
    return std::ranges::any_of(array_in(holder, "options"), [&](const json::Value& option) {
        return option.object() != nullptr && text_of(*option.object(), "value") == data;
    });
}

bool has_button(const json::Object& message, const std::string& data) {
    for (const auto& block : array_in(message, "blocks")) {
        if (block.object() == nullptr) continue;
        for (const auto& element : array_in(*block.object(), "elements")) {
            if (element.object() != nullptr && has_data(*element.object(), data)) return true;
        }
    }
    return false;
}

Payload click_of(const json::Object& payload) {
    const auto& actions = array_in(payload, "actions");
    const auto* action = actions.size() == 1 ? actions.front().object() : nullptr;
    if (action == nullptr) return Ignored{"not one action"};
    const auto& container = object_in(payload, "container");
    const auto& message = object_in(payload, "message");
    Click click{.by = actor_of(payload),
                .chat = text_of(object_in(payload, "channel"), "id"),
                .message = text_of(container, "message_ts"),
                .thread = text_of(container, "thread_ts"),
                .data = text_of(*action, "value"),
                .trigger = text_of(payload, "trigger_id"),
                .made = text_of(*action, "action_ts"),
                .author = text_of(message, "bot_id"),
                .has_button = std::nullopt};
    if (click.data.empty()) click.data = text_of(object_in(*action, "selected_option"), "value");
    if (click.chat.empty()) click.chat = text_of(container, "channel_id");
    if (text_of(container, "type") != "message") return Ignored{"a click in a window"};
    if (click.by.principals.empty()) return Ignored{"a click without a user"};
    if (!message.empty()) click.has_button = has_button(message, click.data);
    return click;
}

Payload submission_of(const json::Object& payload) {
    const auto& view = object_in(payload, "view");
    Submission made{.by = actor_of(payload),
                    .view = text_of(view, "id"),
                    .hash = text_of(view, "hash"),
                    .callback = text_of(view, "callback_id"),
                    .metadata = text_of(view, "private_metadata"),
                    .values = object_in(object_in(view, "state"), "values")};
    if (made.by.principals.empty()) return Ignored{"a window without a user"};
    return made;
}

// An edit brings the message as it is now inside of another one. A preview that was added is no edit of the text.
Payload message_of(const json::Object& wrapped, const json::Object& event) {
    const auto subtype = text_of(event, "subtype");
    const bool edited = subtype == "message_changed";
    const bool plain = subtype.empty() || subtype == "thread_broadcast" || subtype == "file_share";
    if (!plain && !edited && subtype != "bot_message") return Ignored{"a message of another kind: " + subtype};
    const auto& said = edited ? object_in(event, "message") : event;
    if (edited && text_of(said, "text") == text_of(object_in(event, "previous_message"), "text")) {
        return Ignored{"an edit that changed no text"};
    }
    auto own = text_of(said, "user_team");
    if (own.empty()) own = text_of(said, "team");
    const auto& authorizations = array_in(wrapped, "authorizations");
    const auto* authorization = authorizations.empty() ? nullptr : authorizations.front().object();
    Message made{.by =
                     actor_of(text_of(said, "user"),
                              {.own = std::move(own),
                               .place = text_of(wrapped, "team_id"),
                               .enterprise = authorization == nullptr ? "" : text_of(*authorization, "enterprise_id")}),
                 .delivery = text_of(wrapped, "event_id"),
                 .chat = text_of(event, "channel"),
                 .message = text_of(said, "ts"),
                 .thread = text_of(said, "thread_ts"),
                 .text = unescaped(text_of(said, "text")),
                 .bot = text_of(said, "bot_id"),
                 .direct = text_of(event, "channel_type") == "im",
                 .edited = edited};
    if (made.by.principals.empty()) return Ignored{"a message without a user"};
    if (made.delivery.empty() || !is_timestamp(made.message)) return Ignored{"a message without a name"};
    return made;
}

// A form as an object, so that a webhook and a socket are read by the same function. Two fields of one name are
// refused: two readers could believe either.
Result<json::Object> object_of(const std::vector<security::FormField>& fields) {
    json::Object object;
    for (const auto& [name, value] : fields) {
        if (object.find(name) != nullptr) return Error{Errc::malformed, "a field that is there twice"};
        object.add(name, json::Value{value});
    }
    return object;
}

Result<json::Document> read_json(std::string_view text) {
    auto document = json::read(text, limits::webhook_body_bytes_max);
    if (!document) return document.error();
    if (document->value.object() == nullptr) return Error{Errc::malformed, "not an object"};
    for (const auto& note : document->losses) {
        if (note.loss == json::Loss::duplicate_name) return Error{Errc::malformed, "a member that is there twice"};
    }
    return document;
}

}  // namespace

Payload read_interaction(const json::Object& payload) {
    const auto type = text_of(payload, "type");
    if (type == "block_actions") return click_of(payload);
    if (type == "view_submission") return submission_of(payload);
    return Ignored{"an interaction of another kind: " + type};
}

Payload read_event(const json::Object& wrapped) {
    const auto type = text_of(wrapped, "type");
    if (type == "url_verification") return Challenge{text_of(wrapped, "challenge")};
    if (type != "event_callback") return Ignored{"another kind: " + type};
    const auto& event = object_in(wrapped, "event");
    const auto kind = text_of(event, "type");
    if (kind == "app_uninstalled") return Removed{"the app was removed from the workspace"};
    if (kind == "tokens_revoked" && !array_in(object_in(event, "tokens"), "bot").empty()) {
        return Removed{"the bot's token was revoked"};
    }
    if (kind != "message") return Ignored{"an event of another kind: " + kind};
    return message_of(wrapped, event);
}

Payload read_slash(const json::Object& fields) {
    Slash made{.by = actor_of(
                   text_of(fields, "user_id"),
                   {.own = {}, .place = text_of(fields, "team_id"), .enterprise = text_of(fields, "enterprise_id")}),
               .user_name = text_of(fields, "user_name"),
               .chat = text_of(fields, "channel_id"),
               .command = text_of(fields, "command"),
               .text = unescaped(text_of(fields, "text")),
               .trigger = text_of(fields, "trigger_id")};
    if (made.by.principals.empty() || made.command.empty()) return Ignored{"not a slash command"};
    return made;
}

Result<Payload> read_body(std::string_view content_type, std::string_view body) {
    if (!security::is_form(content_type)) {
        const auto document = read_json(body);
        if (!document) return document.error();
        return read_event(*document->value.object());
    }
    const auto fields = security::parse_form(body);
    if (!fields) return fields.error();
    const auto object = object_of(*fields);
    if (!object) return object.error();
    const auto payload = text_of(*object, "payload");
    if (!payload.empty()) {
        const auto document = read_json(payload);
        if (!document) return document.error();
        return read_interaction(*document->value.object());
    }
    if (text_of(*object, "ssl_check") == "1") return Payload{Ignored{"a check of the address"}};
    return read_slash(*object);
}

std::optional<WallTime> moment_of(std::string_view timestamp) {
    if (!is_timestamp(timestamp)) return std::nullopt;
    const auto point = timestamp.find('.');
    const auto seconds = parse_decimal<std::int64_t>(timestamp.substr(0, point));
    const auto fraction = parse_decimal<std::int64_t>((std::string{timestamp.substr(point + 1)} + "000").substr(0, 3));
    if (!seconds || !fraction) return std::nullopt;
    return WallTime{std::chrono::milliseconds{*seconds * 1'000 + *fraction}};
}

}  // namespace countersign::channels::slack
