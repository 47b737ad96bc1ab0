// SPDX-License-Identifier: Apache-2.0
#include "channels/discord/message.hpp"

#include "channels/discord/bounds.hpp"
#include "security/digest.hpp"
#include "security/encoding.hpp"

#include <algorithm>

namespace countersign::channels::discord {

namespace {

constexpr std::uint32_t pong_type = 1;
constexpr std::uint32_t message_type = 4;
constexpr std::uint32_t thinking_type = 5;
constexpr std::uint32_t deferred_update_type = 6;
constexpr std::uint32_t update_type = 7;
constexpr std::uint32_t modal_type = 9;

constexpr std::uint32_t archive_minutes = 1'440;  // a thread is put away after a day without a message

Call call_of(HttpMethod verb, std::string path) {
    const bool bodiless = verb == HttpMethod::get;
    return {.path = std::move(path), .body = {}, .verb = verb, .content_type = bodiless ? "" : "application/json"};
}

Call json_call(HttpMethod verb, std::string path, const Json& body) {
    auto call = call_of(verb, std::move(path));
    call.body = dumped(body);
    return call;
}

// Only those are called who are named here, whatever a text says.
Json allowed_mentions(const std::vector<std::string>& users) {
    Json allowed{{"parse", Json::array()}, {"replied_user", false}};
    if (!users.empty()) {
        const auto count = std::min(users.size(), limits::discord_mentions_max);
        allowed["users"] = std::vector<std::string>{users.begin(), users.begin() + static_cast<std::ptrdiff_t>(count)};
    }
    return allowed;
}

Json body_of(const Content& content, std::uint32_t flags = 0) {
    flags |= components_flag | (content.silent ? silent_flag : 0);
    return {
        {"flags", flags}, {"components", content.components}, {"allowed_mentions", allowed_mentions(content.calls)}};
}

Form form_of(Json body, const File& file) {
    body["attachments"] = Json::array({Json{{"id", 0}, {"filename", file.name}}});
    return {
        {.name = "payload_json", .data = dumped(body), .content_type = "application/json"},
        {.name = "files[0]", .data = file.text, .file_name = file.name, .content_type = "text/plain; charset=utf-8"}};
}

// A thread in a chat is a path of ours, which the messenger takes apart: it may have to open the thread, or go without.
std::string path_to(const NewMessage& where) {
    const auto chat = "channels/" + where.chat;
    return where.thread.empty() ? chat + "/messages" : chat + "/threads/" + where.thread + "/messages";
}

Call posting(const NewMessage& where) {
    auto call = call_of(HttpMethod::post, path_to(where));
    call.posts = true;
    call.bucket = "POST channels/" + (where.thread.empty() ? where.chat : where.thread) + "/messages";
    return call;
}

Json new_body(const NewMessage& where, const Content& content) {
    auto body = body_of(content);
    if (!where.nonce.empty()) {
        body["nonce"] = where.nonce;
        body["enforce_nonce"] = true;
    }
    if (!where.reply_to.empty()) {
        body["message_reference"] = {{"message_id", where.reply_to}, {"fail_if_not_exists", false}};
    }
    if (!where.thread_name.empty()) {
        body["thread_name"] = fitted(where.thread_name, limits::discord_thread_name_units_max);
    }
    return body;
}

Json response_of(std::uint32_t type, const Json& data) { return {{"type", type}, {"data", data}}; }

}  // namespace

std::string dumped(const Json& body) {
    // All text was made valid before; should it not be, a question mark is better than an exception.
    return body.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Call post_message(const NewMessage& where, const Content& content) {
    auto call = posting(where);
    call.body = dumped(new_body(where, content));
    return call;
}

Call post_file(const NewMessage& where, const Content& content, const File& file) {
    auto call = posting(where);
    call.body = form_of(new_body(where, content), file);
    return call;
}

Call edit_message(const SentMessage& message, const Content& content) {
    const auto channel = "channels/" + (message.message.thread.empty() ? message.chat : message.message.thread);
    auto call = json_call(HttpMethod::patch, channel + "/messages/" + message.message.message, body_of(content));
    call.bucket = "PATCH " + channel + "/messages";
    return call;
}

Call no_call() { return {}; }

std::string nonce_of(std::span<const std::string_view> parts) {
    std::string all;
    for (const auto part : parts) all += std::string{part} + '\0';
    auto nonce = security::hex(security::sha256(all));
    nonce.resize(limits::discord_nonce_bytes_max);
    return nonce;
}

Call words_to(std::string_view interaction, const Content& content) {
    return json_call(HttpMethod::post, "interactions/" + std::string{interaction} + "/words",
                     body_of(content, ephemeral_flag));
}

Call words_to(std::string_view interaction, const Content& content, const File& file) {
    auto call = call_of(HttpMethod::post, "interactions/" + std::string{interaction} + "/words");
    call.body = form_of(body_of(content, ephemeral_flag), file);
    return call;
}

Call respond(std::string_view id, std::string_view token, std::string body) {
    auto call = call_of(HttpMethod::post, "interactions/" + std::string{id} + "/" + std::string{token} + "/callback");
    call.body = std::move(body);
    return call;
}

Json pong() { return {{"type", pong_type}}; }

Json message_response(const Content& content) { return response_of(message_type, body_of(content, ephemeral_flag)); }

Json thinking() { return response_of(thinking_type, {{"flags", ephemeral_flag}}); }

Json deferred_update() { return {{"type", deferred_update_type}}; }

Json card_response(const std::string& edit_body) {
    return response_of(update_type, Json::parse(edit_body, nullptr, false));
}

Json modal_response(const Json& modal) { return response_of(modal_type, modal); }

Reply json_reply(const Json& body) { return {.status = 200, .content_type = "application/json", .body = dumped(body)}; }

bool is_note(const Reply& reply) {
    const auto body = Json::parse(reply.body, nullptr, false);
    if (!body.is_object() || !body.contains("data")) return false;
    const auto& data = body["data"];
    return data.is_object() && data.contains("flags") && data["flags"].is_number_unsigned() &&
           (data["flags"].get<std::uint32_t>() & silent_flag) != 0;
}

Call open_direct_chat(std::string_view user) {
    return json_call(HttpMethod::post, "users/@me/channels", {{"recipient_id", user}});
}

Call open_thread(std::string_view channel, std::string_view message, std::string_view name) {
    return json_call(
        HttpMethod::post, "channels/" + std::string{channel} + "/messages/" + std::string{message} + "/threads",
        {{"name", fitted(name, limits::discord_thread_name_units_max)}, {"auto_archive_duration", archive_minutes}});
}

Call current_user() { return call_of(HttpMethod::get, "users/@me"); }
Call current_application() { return call_of(HttpMethod::get, "applications/@me"); }
Call delete_interactions_url() {
    return json_call(HttpMethod::patch, "applications/@me", {{"interactions_endpoint_url", nullptr}});
}
Call get_user(std::string_view user) { return call_of(HttpMethod::get, "users/" + std::string{user}); }
Call list_servers(std::size_t count) {
    return call_of(HttpMethod::get, "users/@me/guilds?limit=" + std::to_string(count));
}
Call list_channels(std::string_view server) {
    return call_of(HttpMethod::get, "guilds/" + std::string{server} + "/channels");
}
Call get_member(std::string_view server, std::string_view user) {
    return call_of(HttpMethod::get, "guilds/" + std::string{server} + "/members/" + std::string{user});
}
Call gateway_bot() { return call_of(HttpMethod::get, "gateway/bot"); }
Call get_channel(std::string_view channel) { return call_of(HttpMethod::get, "channels/" + std::string{channel}); }

}  // namespace countersign::channels::discord
