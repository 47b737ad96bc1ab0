// SPDX-License-Identifier: Apache-2.0
#include "channels/slack/message.hpp"

#include "channels/slack/bounds.hpp"

namespace countersign::channels::slack {

namespace {

constexpr auto json_type = "application/json; charset=utf-8";
constexpr auto form_type = "application/x-www-form-urlencoded";

// Each method has a rate of its own.
Call call_of(std::string_view method, const Json& body, bool posts = false) {
    return {.path = std::string{method},
            .body = dumped(body),
            .posts = posts,
            .content_type = json_type,
            .bucket = std::string{method}};
}

// For methods that take no JSON. The values are ids, numbers and file names of ours, which need no escapes.
Call form_call(std::string_view method, std::string body) {
    return {
        .path = std::string{method}, .body = std::move(body), .content_type = form_type, .bucket = std::string{method}};
}

void put_content(Json& body, const Content& content) {
    body["text"] = escaped(fitted(content.notice, limits::slack_notice_units_max));
    body["blocks"] = content.blocks;
}

Json new_body(const NewMessage& where, const Content& content) {
    Json body{{"channel", where.chat}};
    if (!where.thread.empty()) body["thread_ts"] = where.thread;
    put_content(body, content);
    return body;
}

}  // namespace

Call post_message(const NewMessage& where, const Content& content) {
    auto body = new_body(where, content);
    body["unfurl_links"] = false;
    body["unfurl_media"] = false;
    auto call = call_of("chat.postMessage", body, true);
    call.bucket += " " + where.chat;  // Slack counts new messages for each channel
    return call;
}

Call update_message(const SentMessage& message, const Content& content) {
    Json body{{"channel", message.chat}, {"ts", message.message}};
    put_content(body, content);
    return call_of("chat.update", body);
}

Call post_ephemeral(const NewMessage& where, const std::string& user, const Content& content) {
    auto body = new_body(where, content);
    body["user"] = user;
    return call_of("chat.postEphemeral", body);
}

Call no_call() { return {}; }

Call upload(const NewMessage& where, const Upload& file) {
    Form form{{.name = "channel", .data = where.chat},
              {.name = "thread_ts", .data = where.thread},
              {.name = "initial_comment", .data = escaped(file.caption)},
              {.name = "file", .data = file.text, .file_name = file.file_name}};
    return {
        .path = std::string{upload_path}, .body = std::move(form), .posts = true, .bucket = std::string{upload_path}};
}

Call begin_upload(std::string_view file_name, std::size_t bytes) {
    return form_call("files.getUploadURLExternal",
                     "filename=" + std::string{file_name} + "&length=" + std::to_string(bytes));
}

Call complete_upload(const NewMessage& where, const Uploaded& uploaded) {
    Json body{{"files", Json::array({Json{{"id", uploaded.file}, {"title", uploaded.title}}})},
              {"channel_id", where.chat},
              {"initial_comment", uploaded.caption}};
    if (!where.thread.empty()) body["thread_ts"] = where.thread;
    return call_of("files.completeUploadExternal", body);
}

Call open_view(std::string_view trigger, const Json& view) {
    return call_of("views.open", {{"trigger_id", trigger}, {"view", view}});
}

Call open_conversation(std::string_view user) { return call_of("conversations.open", {{"users", user}}); }

Call auth_test() { return call_of("auth.test", Json::object()); }

Call channel_info(std::string_view channel) {
    return form_call("conversations.info", "channel=" + std::string{channel});
}

Call joined_channels(std::size_t channels_max) {
    return form_call("users.conversations", "exclude_archived=true&types=public_channel%2Cprivate_channel&limit=" +
                                                std::to_string(channels_max));
}

Call open_connection() { return form_call("apps.connections.open", ""); }

}  // namespace countersign::channels::slack
