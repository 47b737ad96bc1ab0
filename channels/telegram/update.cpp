// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/update.hpp"

#include "core/json/members.hpp"
#include "core/json/read.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace countersign::channels::telegram {

namespace {

constexpr std::int64_t anonymous_admin = 1087968824;  // @GroupAnonymousBot

std::optional<User> user_of(const json::Object* object) {
    if (object == nullptr) return std::nullopt;
    const auto id = integer_of(*object, "id");
    if (!id) return std::nullopt;
    return User{.id = *id, .is_bot = truth_of(*object, "is_bot"), .username = text_of(*object, "username")};
}

bool has_button(const json::Object& message, std::string_view data) {
    const auto* markup = find_object(message, "reply_markup");
    const auto* rows = markup == nullptr ? nullptr : markup->find("inline_keyboard");
    const auto each = [](const json::Value* value, const auto& fits) {
        const auto* array = value == nullptr ? nullptr : value->array();
        return array != nullptr && std::ranges::any_of(*array, fits);
    };
    return each(rows, [&](const json::Value& row) {
        return each(&row, [&](const json::Value& button) {
            return button.object() != nullptr && text_of(*button.object(), "callback_data") == data;
        });
    });
}

std::optional<Click::On> on_of(const json::Object* message, std::string_view data) {
    const auto* chat = message == nullptr ? nullptr : find_object(*message, "chat");
    if (chat == nullptr) return std::nullopt;
    const auto chat_id = integer_of(*chat, "id");
    const auto message_id = integer_of(*message, "message_id");
    if (!chat_id || !message_id) return std::nullopt;
    Click::On on{.chat = *chat_id, .message = *message_id, .author = std::nullopt};
    if (const auto author = user_of(find_object(*message, "from"))) {
        on.author = author->id;
        on.has_button = has_button(*message, data);
    }
    if (truth_of(*message, "is_topic_message")) on.topic = integer_of(*message, "message_thread_id");
    return on;
}

using What = decltype(Update::what);

// It is said twice, in the old chat and in the new one; either may be the one that the bot sees.
std::optional<Moved> moved_of(const json::Object& message) {
    const auto* chat = find_object(message, "chat");
    const auto here = chat == nullptr ? std::nullopt : integer_of(*chat, "id");
    if (!here) return std::nullopt;
    if (const auto to = integer_of(message, "migrate_to_chat_id")) return Moved{.from = *here, .to = *to};
    if (const auto from = integer_of(message, "migrate_from_chat_id")) return Moved{.from = *from, .to = *here};
    return std::nullopt;
}

What click_of(const json::Object& query) {
    const auto from = user_of(find_object(query, "from"));
    auto id = text_of(query, "id");
    if (!from || id.empty()) return Other{};
    auto data = text_of(query, "data");
    auto on = on_of(find_object(query, "message"), data);
    return Click{.query = std::move(id), .from = *from, .data = std::move(data), .on = on};
}

// Present, and not `false`: Telegram leaves out what is not so.
bool says(const json::Object::Member& member) {
    const auto* truth = member.second.boolean();
    return truth == nullptr || *truth;
}
bool says(const json::Object& message, std::string_view name) {
    return std::ranges::any_of(message.members(), [&](const auto& one) { return one.first == name && says(one); });
}

// Telegram names the ways in which a message is not its sender's own by families, and adds to them with its releases.
// So the whole family is meant, but for two members that say something else about the sender.
bool is_second_hand(const json::Object& message) {
    constexpr std::array<std::string_view, 6> families{"forward_",  "via_",   "sender_",
                                                       "business_", "guest_", "is_automatic_"};
    constexpr std::array<std::string_view, 3> others{"sender_boost_count", "sender_tag", "sender_chat"};
    return std::ranges::any_of(message.members(), [&](const json::Object::Member& member) {
        const std::string_view name = member.first;
        return says(member) && std::ranges::find(others, name) == others.end() &&
               std::ranges::any_of(families, [&](std::string_view family) { return name.starts_with(family); });
    });
}

What what_of_message(const json::Object& message, bool edited) {
    if (const auto moved = moved_of(message)) return *moved;
    const auto* chat = find_object(message, "chat");
    const auto chat_id = chat == nullptr ? std::nullopt : integer_of(*chat, "id");
    const auto message_id = integer_of(message, "message_id");
    const auto type = chat == nullptr ? std::string{} : text_of(*chat, "type");
    if (!chat_id || !message_id || type == "channel" || message.find("text") == nullptr) return Other{};
    Text text{.chat = *chat_id,
              .direct = type == "private",
              .message = *message_id,
              .from = user_of(find_object(message, "from")),
              .second_hand = is_second_hand(message),
              .edited = edited || says(message, "edit_date"),
              .automatic = says(message, "is_from_offline"),
              .answers_elsewhere = says(message, "external_reply") || says(message, "reply_to_story"),
              .date = integer_of(message, "date").value_or(0),
              .text = text_of(message, "text")};
    text.anonymous = says(message, "sender_chat") || (text.from && text.from->id == anonymous_admin) || !text.from;
    if (const auto* replied = find_object(message, "reply_to_message")) {
        text.reply_to = integer_of(*replied, "message_id");
        if (const auto author = user_of(find_object(*replied, "from"))) text.reply_author = author->id;
    }
    return text;
}

}  // namespace

bool is_own_words(const Text& text) {
    const bool by_person = text.from && !text.from->is_bot && !text.anonymous;
    return by_person && !text.second_hand && !text.edited && !text.automatic && !text.answers_elsewhere;
}

Result<Update> read_update(const json::Value& value) {
    const auto* object = value.object();
    const auto id = object == nullptr ? std::nullopt : integer_of(*object, "update_id");
    if (!id) return Error{Errc::malformed, "an update without an id"};
    Update update{.id = *id, .what = Other{}};
    if (const auto* query = find_object(*object, "callback_query")) {
        update.what = click_of(*query);
    } else if (const auto* message = find_object(*object, "message")) {
        update.what = what_of_message(*message, false);
    } else if (const auto* edit = find_object(*object, "edited_message")) {
        update.what = what_of_message(*edit, true);
    }
    return update;
}

Result<Update> read_body(std::string_view body) {
    const auto document = json::read(body);
    if (!document) return document.error();
    for (const auto& note : document->losses) {
        if (note.loss == json::Loss::duplicate_name) return Error{Errc::malformed, "a member that is there twice"};
    }
    return read_update(document->value);
}

Result<std::vector<Update>> read_updates(const json::Value& result) {
    const auto* array = result.array();
    if (array == nullptr) return Error{Errc::malformed, "the updates are no list"};
    std::vector<Update> updates;
    for (const auto& value : *array) {
        if (auto update = read_update(value)) updates.push_back(std::move(*update));
    }
    return updates;
}

}  // namespace countersign::channels::telegram
