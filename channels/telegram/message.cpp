// SPDX-License-Identifier: Apache-2.0
#include "channels/telegram/message.hpp"
#include "channels/json_body.hpp"
#include "channels/telegram/bounds.hpp"
#include "core/decimal.hpp"

namespace countersign::channels::telegram {

namespace {

Json chat_of(const std::string& chat) {
    if (const auto number = parse_decimal<std::int64_t>(chat)) return *number;
    return chat;
}

Json entities_of(const StyledText& text) {
    auto entities = Json::array();
    for (const auto& entity : text.entities()) {
        Json made{{"type", entity.type}, {"offset", entity.offset}, {"length", entity.length}};
        if (!entity.language.empty()) made["language"] = entity.language;
        if (entity.user != 0) made["user"] = {{"id", entity.user}, {"is_bot", false}, {"first_name", entity.name}};
        entities.push_back(std::move(made));
    }
    return entities;
}

void put_text(Json& body, const StyledText& text) {
    body["text"] = text.text();
    if (!text.entities().empty()) body["entities"] = entities_of(text);
    body["link_preview_options"] = {{"is_disabled", true}};
}

Json reply_to(std::int64_t message) { return {{"message_id", message}, {"allow_sending_without_reply", true}}; }

void put_place(Json& body, const NewMessage& where) {
    if (!where.thread.empty()) body["message_thread_id"] = chat_of(where.thread);  // a number too
    if (where.reply_to) body["reply_parameters"] = reply_to(*where.reply_to);
}

Json keyboard_of(const Keyboard& keyboard) {
    auto rows = Json::array();
    for (const auto& row : keyboard) {
        auto buttons = Json::array();
        for (const auto& button : row) {
            Json made{{"text", button.text}, {"callback_data", button.data}};
            if (!button.style.empty()) made["style"] = button.style;
            buttons.push_back(std::move(made));
        }
        rows.push_back(std::move(buttons));
    }
    return {{"inline_keyboard", std::move(rows)}};
}

}  // namespace

std::int64_t message_number(std::string_view digits) { return parse_decimal<std::int64_t>(digits).value_or(0); }

Call send_message(const NewMessage& where, const StyledText& text, const Keyboard& keyboard) {
    Json body{{"chat_id", chat_of(where.chat)}};
    put_place(body, where);
    put_text(body, text);
    if (!keyboard.empty()) body["reply_markup"] = keyboard_of(keyboard);
    return {"sendMessage", dumped(body), true};
}

Call send_quietly(const NewMessage& where, const StyledText& text) {
    Json body{{"chat_id", chat_of(where.chat)}, {"disable_notification", true}};
    put_place(body, where);
    put_text(body, text);
    return {"sendMessage", dumped(body), true};
}

Call ask_reply(const NewMessage& where, const StyledText& text, std::string_view hint) {
    Json body{{"chat_id", chat_of(where.chat)}};
    put_place(body, where);
    put_text(body, text);
    body["reply_markup"] = {{"force_reply", true}, {"selective", true}, {"input_field_placeholder", hint}};
    return {"sendMessage", dumped(body), true};
}

Call send_reply(const SentMessage& to, const StyledText& text) {
    Json body{{"chat_id", chat_of(to.chat)}};
    put_text(body, text);
    if (to.message != 0) body["reply_parameters"] = reply_to(to.message);
    return {"sendMessage", dumped(body), true};
}

Call edit_message(const SentMessage& message, const StyledText& text, const Keyboard& keyboard) {
    Json body{{"chat_id", chat_of(message.chat)}, {"message_id", message.message}};
    put_text(body, text);
    body["reply_markup"] = keyboard_of(keyboard);
    return {"editMessageText", dumped(body)};
}

Call edit_keyboard(const SentMessage& message, const Keyboard& keyboard) {
    const Json body{
        {"chat_id", chat_of(message.chat)}, {"message_id", message.message}, {"reply_markup", keyboard_of(keyboard)}};
    return {"editMessageReplyMarkup", dumped(body)};
}

Call send_document(const NewMessage& where, const Document& document) {
    Form form{{.name = "chat_id", .data = where.chat},
              {.name = "document",
               .data = document.text,
               .file_name = document.file_name,
               .content_type = "text/plain; charset=utf-8"}};
    if (!where.thread.empty()) form.push_back({.name = "message_thread_id", .data = where.thread});
    if (where.reply_to) form.push_back({.name = "reply_parameters", .data = dumped(reply_to(*where.reply_to))});
    // Telegram would refuse the file for the sake of what stands below it.
    if (document.caption.units() > limits::telegram_caption_units_max) return {"sendDocument", std::move(form), true};
    form.push_back({.name = "caption", .data = document.caption.text()});
    if (!document.caption.entities().empty()) {
        form.push_back({.name = "caption_entities", .data = dumped(entities_of(document.caption))});
    }
    return {"sendDocument", std::move(form), true};
}

Call answer_query(const std::string& query, std::string_view words, bool alert) {
    const auto cut = text_rules.head(words, limits::telegram_alert_units_max);
    return {"answerCallbackQuery", dumped({{"callback_query_id", query}, {"text", cut}, {"show_alert", alert}})};
}

Call get_me() { return {"getMe", std::string{"{}"}}; }

Call set_my_commands(const std::vector<MenuEntry>& entries, std::string_view language_tag) {
    auto commands = Json::array();
    for (const auto& entry : entries) {
        commands.push_back({{"command", entry.command}, {"description", entry.description}});
    }
    Json body{{"commands", std::move(commands)}};
    if (!language_tag.empty()) body["language_code"] = language_tag;
    return {"setMyCommands", dumped(body)};
}

Call set_webhook(const WebhookWish& wish) {
    constexpr int connections = 40;  // Telegram's own default, written down because another may have set fewer
    return {"setWebhook", dumped({{"url", wish.url},
                                  {"secret_token", wish.secret},
                                  {"allowed_updates", update_kinds},
                                  {"max_connections", connections}})};
}

Call get_webhook_info() { return {"getWebhookInfo", std::string{"{}"}}; }

Call delete_webhook() { return {"deleteWebhook", std::string{"{}"}}; }

Call get_updates(std::optional<std::int64_t> offset, std::size_t limit, std::int64_t wait_seconds) {
    Json body{{"limit", limit}, {"timeout", wait_seconds}, {"allowed_updates", update_kinds}};
    if (offset) body["offset"] = *offset;
    return {"getUpdates", dumped(body)};
}

}  // namespace countersign::channels::telegram
