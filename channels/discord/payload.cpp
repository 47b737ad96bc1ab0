// SPDX-License-Identifier: Apache-2.0
#include "channels/discord/payload.hpp"

#include "channels/discord/bounds.hpp"
#include "core/json/members.hpp"
#include "core/json/read.hpp"
#include "core/limits.hpp"

#include <algorithm>
#include <utility>

namespace countersign::channels::discord {

namespace {

// Discord's numbers.
enum InteractionType : std::int64_t { ping = 1, command = 2, component = 3, modal_submit = 5 };
enum ComponentType : std::int64_t { button = 2, string_select = 3 };
enum ContextType : std::int64_t { bot_dm = 1 };
enum ChannelType : std::int64_t { dm = 1, announcement_thread = 10, public_thread = 11, private_thread = 12 };
enum MessageType : std::int64_t { ordinary = 0, reply = 19 };
enum ReferenceType : std::int64_t { forward = 1 };

bool is_thread(std::optional<std::int64_t> type) {
    return type == announcement_thread || type == public_thread || type == private_thread;
}

// It becomes a part of a path.
bool is_token(std::string_view text) {
    return !text.empty() && text.size() <= limits::discord_token_bytes_max && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    });
}

// In a server the person is in `member`, elsewhere in `user`. Where both are told they must be the same: two readers
// could believe either.
std::optional<Context> context_in(const json::Object& payload) {
    const auto& member = object_in(object_in(payload, "member"), "user");
    const auto& alone = object_in(payload, "user");
    const auto& user = member.empty() ? alone : member;
    if (!member.empty() && !alone.empty() && text_of(member, "id") != text_of(alone, "id")) return std::nullopt;
    const auto& channel = object_in(payload, "channel");
    const auto context = integer_of(payload, "context");
    Context read{.interaction = {.application = text_of(payload, "application_id"),
                                 .id = text_of(payload, "id"),
                                 .token = text_of(payload, "token")},
                 .user = text_of(user, "id"),
                 .chat = text_of(payload, "channel_id"),
                 // The direct messages of others, where a person may use the app as well, have a context of their own.
                 .direct = member.empty() && text_of(payload, "guild_id").empty() &&
                           (context ? context == bot_dm : integer_of(channel, "type") == dm),
                 .by_bot = truth_of(user, "bot")};
    if (read.chat.empty()) read.chat = text_of(channel, "id");
    if (is_thread(integer_of(channel, "type"))) read.parent = text_of(channel, "parent_id");
    if (!is_snowflake(read.parent)) read.parent.clear();
    const auto& [application, id, token] = read.interaction;
    const bool whole = is_snowflake(application) && is_snowflake(id) && is_token(token) && is_snowflake(read.user) &&
                       is_snowflake(read.chat);
    return whole ? std::optional{std::move(read)} : std::nullopt;
}

// Rows and containers hold components, and a section has one beside its text.
bool has_button(const json::Array& components, const std::string& data) {
    return std::ranges::any_of(components, [&](const json::Value& value) {
        const auto* component = value.object();
        if (component == nullptr) return false;
        return text_of(*component, "custom_id") == data ||
               text_of(object_in(*component, "accessory"), "custom_id") == data ||
               has_button(array_in(*component, "components"), data);
    });
}

Origin origin_of(const json::Object& payload, const std::string& data) {
    const auto& message = object_in(payload, "message");
    Origin origin{.message = text_of(message, "id"),
                  .author = text_of(object_in(message, "author"), "id"),
                  .has_button = std::nullopt};
    if (!is_snowflake(origin.message)) origin.message.clear();
    if (!data.empty() && message.find("components") != nullptr) {
        origin.has_button = has_button(array_in(message, "components"), data);
    }
    return origin;
}

Payload click_of(Context at, const json::Object& payload) {
    const auto& pressed = object_in(payload, "data");
    const auto type = integer_of(pressed, "component_type");
    if (type != button && type != string_select) return Ignored{"a component of another kind"};
    auto data = text_of(pressed, "custom_id");
    auto on = origin_of(payload, data);
    Click click{.at = std::move(at), .on = std::move(on), .data = std::move(data)};
    if (type == button) return click;
    click.chosen.emplace();
    for (const auto& value : array_in(pressed, "values")) {
        if (value.string() == nullptr) return Ignored{"a choice that is not a text"};
        click.chosen->push_back(*value.string());
    }
    return click;
}

void add_field(const json::Object& component, Fields& fields) {
    auto id = text_of(component, "custom_id");
    if (id.empty()) return;
    Field field{.id = std::move(id), .values = {}};
    if (component.find("value") != nullptr) field.values.push_back(text_of(component, "value"));
    for (const auto& value : array_in(component, "values")) {
        if (const auto* text = value.string()) field.values.push_back(*text);
    }
    fields.push_back(std::move(field));
}

// A field is in a row of its own, or in a label.
void add_fields(const json::Array& components, Fields& fields) {
    for (const auto& value : components) {
        const auto* component = value.object();
        if (component == nullptr) continue;
        add_field(*component, fields);
        add_field(object_in(*component, "component"), fields);
        add_fields(array_in(*component, "components"), fields);
    }
}

Payload submission_of(Context at, const json::Object& payload) {
    const auto& filled = object_in(payload, "data");
    Submission made{
        .at = std::move(at), .on = origin_of(payload, {}), .data = text_of(filled, "custom_id"), .fields = {}};
    add_fields(array_in(filled, "components"), made.fields);
    return made;
}

std::string value_of(const json::Value& value) {
    if (const auto* text = value.string()) return *text;
    if (const auto* number = value.number()) return number->lexeme;
    if (const auto* truth = value.boolean()) return *truth ? "true" : "false";
    return {};
}

Payload slash_of(Context at, const json::Object& payload) {
    constexpr std::int64_t chat_input = 1;  // the others are entries of a menu
    const auto& called = object_in(payload, "data");
    Slash made{.at = std::move(at), .name = text_of(called, "name"), .options = {}};
    if (integer_of(called, "type").value_or(chat_input) != chat_input || made.name.empty()) {
        return Ignored{"a command of another kind"};
    }
    for (const auto& value : array_in(called, "options")) {
        const auto* option = value.object();
        const auto* given = option == nullptr ? nullptr : option->find("value");
        if (given != nullptr) made.options.emplace_back(text_of(*option, "name"), value_of(*given));
    }
    return made;
}

}  // namespace

std::string Slash::option(std::string_view wanted) const {
    const auto found = std::ranges::find(options, wanted, &std::pair<std::string, std::string>::first);
    return found == options.end() ? std::string{} : found->second;
}

Payload read_interaction(const json::Object& interaction) {
    const auto type = integer_of(interaction, "type");
    if (type == ping) return Ping{};
    auto at = context_in(interaction);
    if (!at) return Ignored{"an interaction without a person or a place"};
    if (type == component) return click_of(std::move(*at), interaction);
    if (type == modal_submit) return submission_of(std::move(*at), interaction);
    if (type == command) return slash_of(std::move(*at), interaction);
    return Ignored{"an interaction of another kind"};
}

// An update tells all of the message again when a preview is added to it; then nobody edited the text.
Payload read_message(const json::Object& message, bool updated) {
    const auto type = integer_of(message, "type").value_or(ordinary);
    const auto& author = object_in(message, "author");
    const auto& reference = object_in(message, "message_reference");
    const bool forwards = integer_of(reference, "type") == forward;
    if (!text_of(message, "guild_id").empty()) return Ignored{"a message of a server"};
    if (type != ordinary && type != reply) return Ignored{"a message of another kind"};
    Message made{.message = text_of(message, "id"),
                 .user = text_of(author, "id"),
                 .chat = text_of(message, "channel_id"),
                 .text = text_of(message, "content"),
                 .by_bot = truth_of(author, "bot") || !text_of(message, "webhook_id").empty(),
                 .forwarded = forwards,
                 .edited = updated,
                 .edited_at = text_of(message, "edited_timestamp")};
    if (updated && made.edited_at.empty()) return Ignored{"an edit that changed no text"};
    if (!forwards && is_snowflake(text_of(reference, "message_id"))) {
        made.reply_to = text_of(reference, "message_id");
        made.reply_chat = text_of(reference, "channel_id");
        made.reply_author = text_of(object_in(object_in(message, "referenced_message"), "author"), "id");
    }
    if (!is_snowflake(made.message) || !is_snowflake(made.user) || !is_snowflake(made.chat)) {
        return Ignored{"a message without a name, a person or a place"};
    }
    return made;
}

Result<Payload> read_body(std::string_view body) {
    const auto document = json::read(body, limits::webhook_body_bytes_max);
    if (!document) return document.error();
    const auto* interaction = document->value.object();
    if (interaction == nullptr) return Error{Errc::malformed, "not an object"};
    for (const auto& note : document->losses) {
        if (note.loss == json::Loss::duplicate_name) return Error{Errc::malformed, "a member that is there twice"};
    }
    return read_interaction(*interaction);
}

const Context* context_of(const Payload& payload) {
    return std::visit(
        [](const auto& what) -> const Context* {
            if constexpr (requires { what.at; }) return &what.at;
            return nullptr;
        },
        payload);
}

}  // namespace countersign::channels::discord
